/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_view_server_limits.c: the time limits of the live server. Here its second has 100 milliseconds.
 */
#include "check.h"
#include "view_client.h"

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

int main(int argc, char **argv)
{
    CHECK_BEGIN(argc, argv);
    RUN(silence);
    RUN(never_reading);
    RUN(pulse_and_idle);
    return CHECK_END();
}
