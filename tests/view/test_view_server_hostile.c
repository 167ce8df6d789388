/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_view_server_hostile.c: clients that send garbage, break off, never read or come in crowds. After each attack the
 * server answers an ordinary client, and nothing has waited.
 */
#include "support/check.h"
#include "view/view_client.h"

/* The server works: an ordinary client gets the page. */
static void check_alive(const view_server *server)
{
    CHECK_INT(client_get(server, "/"), 200);
}

static void garbage(void)
{
    view_server *const server = client_server();
    uint64_t seed = 1;
    for (int round = 0; round < 200; round++) {
        unsigned char bytes[600];
        const size_t size = 1 + (size_t)(round * 37) % sizeof bytes;
        for (size_t i = 0; i < size; i++) {
            seed = seed * 6364136223846793005u + 1442695040888963407u;
            bytes[i] = (unsigned char)(seed >> 56);
        }
        const int s = client_connect(server);
        client_send(s, bytes, size);
        if (round % 2) client_say(s, "\r\n\r\n");
        if (round % 4 == 1) {
            const client_answer a = client_receive(s, true);
            CHECK_INT(a.status, 400);
            free(a.body);
        }
        close(s);
    }
    check_alive(server);
    view_server_close(server);
}

/* A head without an end is refused at 8 KiB, and the client can read why although it goes on sending. */
static void endless_heads(void)
{
    view_server *const server = client_server();
    char *const much = malloc(100000);
    memset(much, 'a', 100000);
    for (int round = 0; round < 3; round++) {
        const int s = client_connect(server);
        if (round == 1) client_say(s, "GET / HTTP/1.1\r\nHost: localhost\r\nX: ");
        if (round == 2) memset(much, '\n', 100000), client_say(s, "GET / HTTP/1.1\r\nHost: localhost\r\nX: 1\r\n");
        client_send(s, much, 100000);
        const client_answer a = client_receive(s, true);
        CHECK_INT(a.status, round == 2 ? 200 : 431);
        free(a.body);
        close(s);
    }
    free(much);
    check_alive(server);
    view_server_close(server);
}

/* Clients that break off in the middle of a request, an answer or a stream of events. */
static void breaking_off(void)
{
    view_server *const server = client_server();
    client_publish(server, 1, 4 << 20);
    for (int round = 0; round < 60; round++) {
        const int s = client_connect_small(server, 4096);
        if (round % 2) { /* close() sends a reset */
            const struct linger hard = {.l_onoff = 1, .l_linger = 0};
            setsockopt(s, SOL_SOCKET, SO_LINGER, &hard, sizeof hard);
        }
        static const char *const requests[] = {"GET /frame HTTP/1.1\r\nHo",
                                               "GET /frame HTTP/1.1\r\nHost: localhost\r\n\r\n",
                                               "GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n"};
        client_say(s, requests[round % 3]);
        char some[100];
        if (round % 3 > 0 && round % 5) client_read(s, some, sizeof some, CLIENT_LIMIT);
        client_publish(server, round, 1 << 20);
        close(s);
    }
    CHECK(client_count_becomes(server, 0));
    check_alive(server);
    const int64_t end = client_now() + CLIENT_LIMIT;
    while (view_server_packets(server) > 1 && client_now() < end) client_sleep(5);
    CHECK_INT(view_server_packets(server), 1);
    view_server_close(server);
}

/* More connections than there are places: silent ones have to go, event clients stay, too many are refused. */
static void crowds(void)
{
    view_server *const server = client_server();
    int events[VIEW_EVENT_CLIENTS], silent[100];
    for (size_t i = 0; i < VIEW_EVENT_CLIENTS; i++) events[i] = client_events(server);
    CHECK_INT(client_get(server, "/events"), 503);
    for (size_t i = 0; i < 100; i++) silent[i] = client_connect(server);
    check_alive(server);
    CHECK_INT(view_server_clients(server), VIEW_EVENT_CLIENTS);
    client_publish(server, 9, 1000);
    for (size_t i = 0; i < VIEW_EVENT_CLIENTS; i++) CHECK(client_wait_text(events[i], "{\"frame\":9}"));
    for (size_t i = 0; i < 100; i++) close(silent[i]);
    for (size_t i = 0; i < VIEW_EVENT_CLIENTS; i++) close(events[i]);
    CHECK(client_count_becomes(server, 0));
    view_server_close(server);
}

/* A thousand frames at full speed, while clients download slowly or never read. Publishing does not wait, packets in
 * memory are bounded, and the newest frame arrives. */
static void slow_clients(void)
{
    enum { SLOW_FRAMES = 1000, SLOW_CLIENTS = 6 };
    view_server *const server = client_server();
    int never[SLOW_CLIENTS], deaf[SLOW_CLIENTS];
    const int events = client_events(server);
    client_publish(server, 1, 8 << 20);
    for (size_t i = 0; i < SLOW_CLIENTS; i++) {
        never[i] = client_connect_small(server, 4096);
        client_say(never[i], "GET /frame HTTP/1.1\r\nHost: localhost\r\n\r\n");
        deaf[i] = client_connect_small(server, 4096);
        client_say(deaf[i], "GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n");
    }
    CHECK(client_count_becomes(server, SLOW_CLIENTS + 1));
    size_t most = 0;
    for (int i = 0; i < SLOW_FRAMES; i++) {
        client_publish(server, i % 200, 1 << 18);
        const size_t packets = view_server_packets(server);
        if (packets > most) most = packets;
    }
    CHECK_MSG(most <= 1 + SLOW_CLIENTS, "%zu packets in memory", most);
    client_publish(server, 222, 1 << 18);
    CHECK(client_wait_text(events, "data: {\"frame\":222}"));
    const client_answer a = client_ask(server, "GET /frame HTTP/1.1\r\nHost: localhost\r\n\r\n");
    CHECK(a.status == 200 && a.size == 1 << 18 && a.body[0] == 222);
    free(a.body);
    const client_answer old = client_receive(never[0], true); /* a slow download keeps the packet that it began with */
    CHECK(old.status == 200 && old.size > 0 && old.body[0] == old.body[old.size - 1]);
    free(old.body);
    view_server_close(server); /* with all these clients connected */
    close(events);
    for (size_t i = 0; i < SLOW_CLIENTS; i++) close(never[i]), close(deaf[i]);
}

/* An event client that goes on sending is closed: its bytes would never be read. */
static void talkative(void)
{
    view_server *const server = client_server();
    const int s = client_events(server);
    client_say(s, "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");
    CHECK(client_count_becomes(server, 0));
    close(s);
    check_alive(server);
    view_server_close(server);
}

/* --- Foxglove --------------------------------------------------------------------------------------------- */

static int code_after(const view_server *server, const void *bytes, size_t size)
{
    const int s = client_foxglove(server, 0);
    client_send(s, bytes, size);
    const int code = client_close_code(s);
    close(s);
    return code;
}

#define CODE(text) code_after(server, text, sizeof text - 1)

static void forged_frames(void)
{
    view_server *const server = client_server();
    CHECK_INT(CODE("\x81\x02hi"), 1002);                                       /* no mask */
    CHECK_INT(CODE("\xc1\x80\0\0\0\0"), 1002);                                 /* an extension */
    CHECK_INT(CODE("\x83\x80\0\0\0\0"), 1002);                                 /* a reserved opcode */
    CHECK_INT(CODE("\x09\x80\0\0\0\0"), 1002);                                 /* a ping in parts */
    CHECK_INT(CODE("\x89\xfe\x01\0\0\0\0\0"), 1002);                           /* a ping of 256 bytes */
    CHECK_INT(CODE("\x80\x80\0\0\0\0"), 1002);                                 /* continues nothing */
    CHECK_INT(CODE("\x01\x80\0\0\0\0\x81\x80\0\0\0\0"), 1002);                 /* begins inside another */
    CHECK_INT(CODE("\x81\xfe\0\x05\0\0\0\0"), 1002);                           /* a length in too many bytes */
    CHECK_INT(CODE("\x81\xff\xff\xff\xff\xff\xff\xff\xff\xff\0\0\0\0"), 1009); /* 2^64 - 1 bytes */
    CHECK_INT(CODE("\x82\xff\0\0\0\0\x7f\xff\xff\xff\0\0\0\0"), 1009);         /* 2 GB */
    CHECK_INT(CODE("\x81\xfe\x20\0\0\0\0\0"), 1009);                           /* 8192 bytes */
    CHECK(client_foxglove_becomes(server, 0));
    check_alive(server);
    view_server_close(server);
}

/* A message in parts, bytes one by one, pings in between; then texts that are no requests, and one that is too long. */
static void broken_messages(void)
{
    view_server *const server = client_server();
    client_send_messages(server, 1, 2, 10);
    const int s = client_foxglove(server, 0);
    CHECK(client_hears(s, "\"id\":1") && client_hears(s, "\"id\":2"));
    static const char *const texts[] = {
        "",
        "{",
        "[]",
        "{\"op\"",
        "{\"op\":",
        "{\"op\":7}",
        "{\"op\":\"subscribe\"}",
        "{\"op\":\"subscribe\",\"subscriptions\":[{\"id\":-1,\"channelId\":1}]}",
        "{\"op\":\"subscribe\",\"subscriptions\":[{\"id\":4294967296,\"channelId\":1}]}",
        "{\"op\":\"subscribe\",\"subscriptions\":[{\"id\":1,\"channelId\":0}]}",
        "{\"op\":\"unsubscribe\",\"subscriptionIds\":[[[",
        "{\"op\":\"\\",
        "\"\\\"",
        "{\"a\":[[[[[[[[[[[[[[[[[[[[[[[[",
        "{\"op\":\"advertise\",\"channels\":[]}"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) client_send_text(s, texts[i]);
    client_send_frame(s, 0x82, "\1\2\3", 3); /* a binary message: passed over */
    static const char whole[] = "{\"op\":\"subscribe\",\"subscriptions\":[{\"id\":1,\"channelId\":2}]}";
    for (size_t i = 0; i < sizeof whole - 1; i++) {
        const int fin = i + 2 == sizeof whole ? 0x80 : 0;
        client_send_frame(s, fin | (i ? VIEW_SOCKET_CONTINUED : VIEW_SOCKET_TEXT), whole + i, 1);
    }
    client_frame f = client_read_frame(s);
    CHECK(f.opcode == VIEW_SOCKET_BINARY && f.size == 9);
    free(f.data);
    f = client_read_frame(s);
    CHECK(f.opcode == VIEW_SOCKET_BINARY && f.size == 23);
    free(f.data);
    char part[4000] = {0};
    for (int i = 0; i < 3; i++) client_send_frame(s, i ? VIEW_SOCKET_CONTINUED : VIEW_SOCKET_TEXT, part, sizeof part);
    CHECK_INT(client_close_code(s), 1009);
    close(s);
    check_alive(server);
    view_server_close(server);
}

/* Upgrades and frames that break off at every byte. */
static void half_requests(void)
{
    view_server *const server = client_server();
    static const char whole[] = "GET / HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\n"
                                "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n"
                                "Sec-WebSocket-Protocol: foxglove.sdk.v1\r\n\r\n"
                                "\x81\x85\0\0\0\0hello\x88\x80\0\0\0\0";
    for (size_t size = 1; size < sizeof whole; size++) {
        const int s = client_connect(server);
        client_send(s, whole, size);
        close(s);
    }
    CHECK(client_foxglove_becomes(server, 0));
    check_alive(server);
    view_server_close(server);
}

/* A client that never reads: frames are skipped and counted, memory stays bounded, publishing does not wait. */
static void slow_subscribers(void)
{
    enum { FRAMES = 100, SIZE = 1000000 };
    view_server *const server = client_server();
    client_send_messages(server, 1, 1, 10);
    const int slow = client_foxglove(server, 4096), quick = client_foxglove(server, 0);
    static const char subscribe[] = "{\"op\":\"subscribe\",\"subscriptions\":[{\"id\":1,\"channelId\":1}]}";
    client_send_text(slow, subscribe);
    client_send_text(quick, subscribe);
    CHECK(client_hears(quick, "\"id\":1"));
    client_frame f = {0};
    for (int i = 2; i <= FRAMES; i++) {
        client_send_messages(server, i, 1, SIZE);
        CHECK(view_server_packets(server) <= 4); /* the newest, one per client, and the one that is put together */
        bool got = false;
        while (!got && f.opcode >= 0) {
            f = client_read_frame(quick);
            got = f.size == SIZE + 13 && f.data[13] == i;
            free(f.data);
        }
        CHECK(got);
    }
    f = (client_frame){0};
    while (f.opcode >= 0 && f.size != SIZE + 13) f = client_read_frame(slow), free(f.data); /* the one that was begun */
    f = client_read_frame(slow);
    CHECK(f.size == 9 && f.data[1] == FRAMES); /* then the newest */
    free(f.data);
    CHECK(view_server_skipped(server) >= FRAMES - 10 && view_server_skipped(server) < FRAMES);
    close(slow);
    close(quick);
    view_server_close(server);
}

static void crowds_of_foxglove(void)
{
    view_server *const server = client_server();
    int sockets[VIEW_FOXGLOVE_CLIENTS];
    for (int i = 0; i < VIEW_FOXGLOVE_CLIENTS; i++) sockets[i] = client_foxglove(server, 0);
    const int s = client_connect(server);
    const client_answer a =
        client_upgrade(s, "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Protocol: foxglove.websocket.v1\r\n");
    CHECK_INT(a.status, 503);
    free(a.body);
    close(s);
    check_alive(server);
    for (int i = 0; i < VIEW_FOXGLOVE_CLIENTS; i++) close(sockets[i]);
    CHECK(client_foxglove_becomes(server, 0));
    view_server_close(server);
}

CHECK_PROGRAM(test_view_server_hostile)
{
    RUN(garbage);
    RUN(endless_heads);
    RUN(breaking_off);
    RUN(crowds);
    RUN(slow_clients);
    RUN(talkative);
    RUN(forged_frames);
    RUN(broken_messages);
    RUN(half_requests);
    RUN(slow_subscribers);
    RUN(crowds_of_foxglove);
}
