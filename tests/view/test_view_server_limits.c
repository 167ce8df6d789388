/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_view_server_limits.c: the time limits of the live server. Here its second has 100 milliseconds.
 */
#include "support/check.h"
#include "view/view_client.h"

/* Half a request and silence: closed after VIEW_REQUEST_TIME, also where single bytes keep coming. */
static void silence(void)
{
    view_server *const server = client_server();
    const int silent = client_connect(server), half = client_connect(server), slow = client_connect(server);
    const int64_t begun = client_now();
    client_say(half, "GET / HT");
    bool open = true;
    while (open && client_now() - begun < VIEW_REQUEST_TIME + CLIENT_LIMIT) {
        char byte;
        client_say(slow, "a");
        open = client_read(slow, &byte, 1, 200) != 0 && errno != ECONNRESET;
        errno = 0;
    }
    CHECK(!open);
    CHECK(client_now() - begun >= VIEW_REQUEST_TIME - 10);
    char byte;
    CHECK_INT(client_read(half, &byte, 1, CLIENT_LIMIT), 0);
    CHECK_INT(client_read(silent, &byte, 1, CLIENT_LIMIT), 0);
    close(silent);
    close(half);
    close(slow);
    CHECK_INT(client_get(server, "/"), 200);
    view_server_close(server);
}

/* A client that reads nothing is closed, although it does not break off. */
static void never_reading(void)
{
    view_server *const server = client_server();
    client_publish(server, 1, 16 << 20);
    const int s = client_connect_small(server, 4096);
    client_say(s, "GET /frame HTTP/1.1\r\nHost: localhost\r\n\r\n");
    const int64_t begun = client_now(), end = begun + VIEW_SEND_TIME + CLIENT_LIMIT;
    while (view_server_packets(server) < 1 && client_now() < end) client_sleep(5);
    client_sleep(200); /* the server has begun to send */
    client_publish(server, 2, 10);
    CHECK_INT(view_server_packets(server), 2);
    while (view_server_packets(server) > 1 && client_now() < end) client_sleep(50);
    CHECK_INT(view_server_packets(server), 1);
    CHECK(client_now() - begun >= VIEW_SEND_TIME - 10);
    close(s);
    CHECK_INT(client_get(server, "/"), 200);
    view_server_close(server);
}

/* A client that reads a little now and then is closed, too: 2 kB per 25 ms are less than VIEW_SEND_LEAST in its time, but bytes
 * go all the time. One that reads faster gets everything. */
static void reading_slowly(void)
{
    enum { SIZE = 16 << 20 };
    view_server *const server = client_server();
    client_publish(server, 1, SIZE);
    const int slow = client_connect_small(server, 4096), fast = client_connect_small(server, 1 << 16);
    client_say(slow, "GET /frame HTTP/1.1\r\nHost: localhost\r\n\r\n");
    client_say(fast, "GET /frame HTTP/1.1\r\nHost: localhost\r\n\r\n");
    const client_answer all = client_receive(fast, true);
    CHECK(all.status == 200 && all.size == SIZE);
    free(all.body);
    client_publish(server, 2, 10);
    char bytes[2048];
    size_t got = 0;
    const int64_t end = client_now() + CLIENT_LIMIT;
    while (view_server_packets(server) > 1 && client_now() < end) {
        const ssize_t size = client_read(slow, bytes, sizeof bytes, 25);
        if (size > 0) got += (size_t)size;
        client_sleep(25);
    }
    CHECK_INT(view_server_packets(server), 1);
    CHECK_MSG(got > 0 && got < SIZE, "%zu bytes were read", got);
    close(slow);
    close(fast);
    view_server_close(server);
}

/* More clients than there are places ask and do not read, or read a byte now and then: the page is answered, and an event
 * client is not disturbed. */
static void crowds_that_do_not_read(void)
{
    enum { CROWD = 40, ROUNDS = 6 };
    view_server *const server = client_server();
    const int events = client_events(server);
    int crowd[CROWD];
    client_publish(server, 3, 16 << 20);
    for (size_t i = 0; i < CROWD; i++) {
        crowd[i] = client_connect_small(server, 1024);
        client_say(crowd[i], "GET /frame HTTP/1.1\r\nHost: localhost\r\n\r\n");
    }
    for (int round = 0; round < ROUNDS; round++) {
        char byte;
        for (size_t i = 0; i < CROWD; i += 3) (void)client_read(crowd[i], &byte, 1, 0);
        const int status = client_get(server, "/");
        CHECK_MSG(status == 200, "round %d: %d", round, status);
    }
    client_publish(server, 4, 10);
    CHECK(client_wait_text(events, "{\"frame\":4}"));
    CHECK_INT(view_server_clients(server), 1);
    for (size_t i = 0; i < CROWD; i++) close(crowd[i]);
    close(events);
    view_server_close(server);
}

/* Event clients without events get signs of life. A connection between two requests is closed after its time. */
static void pulse_and_idle(void)
{
    view_server *const server = client_server();
    const int events = client_events(server), idle = client_connect(server);
    client_say(idle, "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");
    const int64_t begun = client_now();
    const client_answer a = client_receive(idle, true);
    CHECK_INT(a.status, 200);
    free(a.body);
    for (int i = 0; i < 2; i++) CHECK(client_wait_text(events, ":"));
    CHECK(client_now() - begun >= 2 * VIEW_PULSE_TIME - 20);
    char byte;
    CHECK_INT(client_read(idle, &byte, 1, CLIENT_LIMIT), 0);
    CHECK(client_now() - begun >= VIEW_IDLE_TIME - 10);
    CHECK_INT(view_server_clients(server), 1);
    close(events);
    close(idle);
    view_server_close(server);
}

CHECK_PROGRAM(test_view_server_limits)
{
    RUN(silence);
    RUN(never_reading);
    RUN(reading_slowly);
    RUN(crowds_that_do_not_read);
    RUN(pulse_and_idle);
}
