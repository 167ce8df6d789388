/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_view_server.c: the live server as a browser or Foxglove meets it: page, packets, events, addresses; and its parsers of
 * requests and frames.
 */
#include "support/check.h"
#include "view/view_client.h"

/* --- parsers ---------------------------------------------------------------------------------------------- */

static view_request parse(const char *text)
{
    return view_request_read(text, strlen(text));
}

static int refusal(const char *text)
{
    const view_request r = parse(text);
    CHECK_MSG(r.size == strlen(text), "%s", text);
    return r.refusal;
}

static void requests_of_browsers(void)
{
    const char text[] = "GET /frame?x=1 HTTP/1.1\r\nHost: 127.0.0.1:8080\r\nAccept: */*\r\n\r\nGET";
    view_request r = parse(text);
    CHECK_INT(r.refusal, 0);
    CHECK_INT(r.size, sizeof text - 1 - 3);
    CHECK(view_words_are(r.path, "/frame"));
    CHECK(view_words_are(r.host, "127.0.0.1:8080"));
    CHECK(r.keep && !r.head);
    r = parse("HEAD / HTTP/1.0\nhOsT:  LocalHost\t \nX: \n\n");
    CHECK_INT(r.refusal, 0);
    CHECK(r.head && !r.keep);
    CHECK(view_words_are(r.path, "/"));
    CHECK(view_words_are(r.host, "localhost"));
    CHECK(!parse("GET / HTTP/1.1\r\nHost: a\r\nConnection: Close\r\n\r\n").keep);
}

/* A head that is not complete is not answered, wherever it ends. */
static void incomplete(void)
{
    const char text[] = "GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n";
    for (size_t size = 0; size < sizeof text - 1; size++) {
        const view_request r = view_request_read(text, size);
        CHECK_MSG(r.size == 0 && r.refusal == 0, "%zu bytes", size);
    }
    char *const large = malloc(VIEW_REQUEST_MOST);
    memset(large, 'a', VIEW_REQUEST_MOST);
    CHECK_INT(view_request_read(large, VIEW_REQUEST_MOST - 1).refusal, 0);
    CHECK_INT(view_request_read(large, VIEW_REQUEST_MOST).refusal, 431);
    free(large);
}

static void refused(void)
{
    CHECK_INT(refusal("POST / HTTP/1.1\r\nHost: a\r\n\r\n"), 405);
    CHECK_INT(refusal("get / HTTP/1.1\r\nHost: a\r\n\r\n"), 405);
    CHECK_INT(refusal("OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n"), 405);
    CHECK_INT(refusal("GET / HTTP/1.1\r\n\r\n"), 400); /* no host */
    CHECK_INT(refusal("GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n"), 400);
    CHECK_INT(refusal("GET / HTTP/2.0\r\n\r\n"), 505);
    CHECK_INT(refusal("GET / HTTP/1.x\r\n\r\n"), 400);
    CHECK_INT(refusal("GET  / HTTP/1.1\r\nHost: a\r\n\r\n"), 400);
    CHECK_INT(refusal("GET /\r\n\r\n"), 400);
    CHECK_INT(refusal("GET http://a/ HTTP/1.1\r\nHost: a\r\n\r\n"), 400);
    CHECK_INT(refusal("GET / HTTP/1.1\r\nHost : a\r\n\r\n"), 400);
    CHECK_INT(refusal("GET / HTTP/1.1\r\nHost: a\r\n folded\r\n\r\n"), 400);
    CHECK_INT(refusal("GET / HTTP/1.1\r\nHost: a\rb\r\n\r\n"), 400);
    CHECK_INT(refusal("GET /\x01 HTTP/1.1\r\nHost: a\r\n\r\n"), 400);
    CHECK_INT(refusal("GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\n"), 400);
    CHECK_INT(refusal("GET / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"), 501);
    CHECK_INT(refusal("\r\n\r\n"), 400);
    const char zero[] = "GET /\0 HTTP/1.1\r\nHost: a\r\n\r\n";
    CHECK_INT(view_request_read(zero, sizeof zero - 1).refusal, 400);
}

static bool local(const char *host, const char *address)
{
    return view_host_is_local((view_words){host, strlen(host)}, address);
}

static void hosts(void)
{
    CHECK(local("localhost", "127.0.0.1") && local("LOCALHOST:8080", "127.0.0.1"));
    CHECK(local("127.0.0.1", "127.0.0.1") && local("127.0.0.1:1", "::1"));
    CHECK(local("[::1]", "127.0.0.1") && local("[::1]:65535", "::1"));
    CHECK(local("127.0.0.5:80", "127.0.0.5") && local("[0::1]:80", "0::1"));
    static const char *const foreign[] = {"",
                                          "evil.example",
                                          "localhost.evil.example",
                                          "evil.example:8080",
                                          "127.0.0.2",
                                          "localhost:80a",
                                          "127.0.0.1.evil.example",
                                          "::1",
                                          "[::1",
                                          "localhost:80:80",
                                          ":80",
                                          "[127.0.0.1]:8080",
                                          "[]",
                                          "xlocalhost"};
    for (size_t i = 0; i < sizeof foreign / sizeof foreign[0]; i++)
        CHECK_MSG(!local(foreign[i], "127.0.0.1"), "%s", foreign[i]);
    CHECK(!view_host_is_local((view_words){0}, "127.0.0.1"));
}

/* --- frames of WebSocket ---------------------------------------------------------------------------------- */

static void frames_of_any_size(void)
{
    static const size_t sizes[] = {0, 1, 125, 126, 127, 4000, VIEW_REQUEST_MOST - 8};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        char bytes[VIEW_REQUEST_MOST + 14], copy[sizeof bytes];
        size_t head = view_socket_head((uint8_t *)bytes, VIEW_SOCKET_TEXT, sizes[i]);
        bytes[1] = (char)(bytes[1] | 0x80);
        memcpy(bytes + head, "\1\2\4\10", 4);
        head += 4;
        for (size_t k = 0; k < sizes[i]; k++) bytes[head + k] = (char)((char)k ^ (1 << (k & 3)));
        const size_t all = head + sizes[i];
        for (size_t cut = 0; cut < all; cut += 1 + cut / 16) {
            memcpy(copy, bytes, all);
            const view_socket_frame part = view_socket_read(copy, cut);
            CHECK(part.size == 0 && part.refusal == 0 && memcmp(copy, bytes, all) == 0);
        }
        const view_socket_frame frame = view_socket_read(bytes, all + 3 < sizeof bytes ? all + 3 : all);
        CHECK(frame.size == all && frame.refusal == 0 && frame.last && frame.opcode == VIEW_SOCKET_TEXT);
        CHECK(frame.payload.size == sizes[i] && frame.payload.text == bytes + head);
        for (size_t k = 0; k < frame.payload.size; k++) CHECK(frame.payload.text[k] == (char)k);
    }
    uint8_t head[10];
    CHECK_INT(view_socket_head(head, VIEW_SOCKET_BINARY, 65536), 10);
    CHECK(memcmp(head, "\x82\x7f\0\0\0\0\0\1\0\0", 10) == 0);
}

static void origins(void)
{
    static const struct {
        const char *origin;
        bool trusted;
    } rows[] = {{"http://localhost:8080", true},
                {"http://127.0.0.1", true},
                {"https://localhost", true},
                {"https://app.foxglove.dev", true},
                {"file://", true},
                {"null", false},
                {"http://app.foxglove.dev", false},
                {"https://foxglove.dev.evil.example", false},
                {"https://xfoxglove.dev", false},
                {"https://.foxglove.dev", false},
                {"http://localhost.evil.dev", false},
                {"HTTPS://evil.example", false}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const view_words origin = {rows[i].origin, strlen(rows[i].origin)};
        CHECK_MSG(view_origin_is_trusted(origin, "127.0.0.1") == rows[i].trusted, "%s", rows[i].origin);
    }
    CHECK(view_origin_is_trusted((view_words){0}, "127.0.0.1"));
}

/* --- the server ------------------------------------------------------------------------------------------- */

static void page_and_heads(void)
{
    view_server *const server = client_server();
    client_answer a = client_ask(server, "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");
    CHECK_INT(a.status, 200);
    CHECK_TEXT((const char *)a.body, client_page);
    static const char *const lines[] = {"Content-Type: text/html; charset=utf-8\r\n", "Cache-Control: no-store\r\n",
                                        "X-Content-Type-Options: nosniff\r\n",
                                        "Content-Security-Policy: default-src 'none'",
                                        "Cross-Origin-Resource-Policy: same-origin\r\n"};
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) CHECK_MSG(strstr(a.head, lines[i]), "%s", lines[i]);
    CHECK(!strstr(a.head, "Access-Control-Allow-Origin"));
    free(a.body);
    a = client_ask(server, "HEAD / HTTP/1.1\r\nHost: localhost\r\n\r\n");
    CHECK_INT(a.status, 200);
    char length[64];
    snprintf(length, sizeof length, "Content-Length: %zu\r\n", sizeof client_page - 1);
    CHECK(strstr(a.head, length));
    free(a.body);
    CHECK_INT(client_get(server, "/favicon.ico"), 204);
    CHECK_INT(client_get(server, "/frame"), 204); /* none yet */
    CHECK_INT(client_get(server, "/other"), 404);
    CHECK_INT(client_get(server, "/../etc/passwd"), 404);
    CHECK_INT(client_get(server, "//etc/passwd"), 404);
    CHECK_INT(client_get(server, "/%2e%2e/%2e%2e/etc/passwd"), 404);
    CHECK_INT(client_status(server, "POST / HTTP/1.1\r\nHost: localhost\r\n\r\n"), 405);
    CHECK_INT(client_status(server, "DELETE /frame HTTP/1.1\r\nHost: localhost\r\n\r\n"), 405);
    view_server_close(server);
}

static void foreign_hosts(void)
{
    view_server *const server = client_server();
    CHECK_INT(client_status(server, "GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n"), 403);
    CHECK_INT(client_status(server, "GET /frame HTTP/1.1\r\nHost: evil.example:80\r\n\r\n"), 403);
    CHECK_INT(client_status(server, "GET /events HTTP/1.1\r\nHost: localhost.evil.example\r\n\r\n"), 403);
    CHECK_INT(client_status(server, "GET / HTTP/1.0\r\n\r\n"), 403);
    CHECK_INT(client_status(server, "GET / HTTP/1.0\r\nHost: 127.0.0.1:9\r\n\r\n"), 200);
    view_server_close(server);
    /* 127.0.0.1, written as IPv6 has it */
    view_server *mapped = NULL;
    const view_server_options options = {
        .address = "::ffff:127.0.0.1", .page = client_page, .page_size = sizeof client_page - 1};
    if (view_server_open(&options, &mapped, NULL) != CLUMP_OK) return; /* not every machine has IPv6 */
    CHECK_INT(client_status(mapped, "GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n"), 403);
    CHECK_INT(client_status(mapped, "GET / HTTP/1.1\r\nHost: [::ffff:127.0.0.1]:9\r\n\r\n"), 200);
    CHECK_INT(client_status(mapped, "GET / HTTP/1.1\r\nHost: 127.0.0.1:9\r\n\r\n"), 200);
    view_server_close(mapped);
}

static void frames_and_events(void)
{
    view_server *const server = client_server();
    const int s = client_events(server);
    CHECK(client_count_becomes(server, 1));
    for (int value = 1; value <= 3; value++) {
        char text[32];
        client_publish(server, value, 1000 * (size_t)value);
        snprintf(text, sizeof text, "data: {\"frame\":%d}", value);
        CHECK(client_wait_text(s, text));
        client_answer a = client_ask(server, "GET /frame HTTP/1.1\r\nHost: localhost\r\n\r\n");
        CHECK_INT(a.status, 200);
        CHECK_INT(a.size, 1000 * value);
        CHECK(a.size > 0 && a.body[0] == value && a.body[a.size - 1] == value);
        free(a.body);
    }
    const int late = client_events(server); /* one that comes later gets the newest event at once */
    CHECK(client_wait_text(late, "data: {\"frame\":3}"));
    close(late);
    CHECK(client_count_becomes(server, 1));
    CHECK_INT(view_server_packets(server), 1);
    close(s);
    CHECK(client_count_becomes(server, 0));
    view_server_close(server);
}

/* Clients hear of the end, and can fetch the last frame after it. */
static void *close_it(void *server)
{
    view_server_close(server);
    return NULL;
}

static void the_end(void)
{
    view_server *const server = client_server();
    const int events = client_events(server), fetch = client_connect(server);
    client_publish(server, 7, 100);
    pthread_t thread;
    CHECK_INT(pthread_create(&thread, NULL, close_it, server), 0);
    CHECK(client_wait_text(events, "data: {\"frame\":7}"));
    CHECK(client_wait_text(events, "event: end"));
    client_say(fetch, "GET /frame HTTP/1.1\r\nHost: localhost\r\n\r\n");
    const client_answer a = client_receive(fetch, true);
    CHECK_INT(a.status, 200);
    CHECK_INT(a.size, 100);
    free(a.body);
    char byte;
    CHECK(client_read(events, &byte, 1, CLIENT_LIMIT) == 1); /* the line break after the event */
    close(events);
    close(fetch);
    pthread_join(thread, NULL);
}

/* Several requests over one connection, and several that were sent at once. */
static void kept_and_pipelined(void)
{
    view_server *const server = client_server();
    client_publish(server, 5, 300000);
    const int s = client_connect(server);
    for (int i = 0; i < 3; i++) {
        client_say(s, "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");
        const client_answer a = client_receive(s, true);
        CHECK_INT(a.status, 200);
        CHECK_INT(a.size, sizeof client_page - 1);
        free(a.body);
    }
    for (int i = 0; i < 40; i++) client_say(s, "GET /frame HTTP/1.1\r\nHost: localhost\r\n\r\n");
    client_say(s, "GET /other HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
    for (int i = 0; i < 41; i++) {
        const client_answer a = client_receive(s, true);
        CHECK_INT(a.status, i < 40 ? 200 : 404);
        if (i < 40) CHECK_INT(a.size, 300000);
        free(a.body);
    }
    char byte;
    CHECK_INT(client_read(s, &byte, 1, CLIENT_LIMIT), 0);
    close(s);
    view_server_close(server);
}

/* --- Foxglove --------------------------------------------------------------------------------------------- */

static int upgrade_status(const view_server *server, const char *lines, const char *expected)
{
    const int s = client_connect(server);
    const client_answer a = client_upgrade(s, lines);
    if (expected) CHECK_MSG(strstr(a.head, expected), "%s", a.head);
    free(a.body);
    close(s);
    return a.status;
}

#define VERSION  "Sec-WebSocket-Version: 13\r\n"
#define PROTOCOL "Sec-WebSocket-Protocol: foxglove.websocket.v1\r\n"

static void upgrades(void)
{
    view_server *const server = client_server();
    CHECK_INT(upgrade_status(server, VERSION PROTOCOL, "Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n"), 101);
    CHECK_INT(upgrade_status(server, VERSION PROTOCOL, "Sec-WebSocket-Protocol: foxglove.websocket.v1\r\n"), 101);
    CHECK_INT(upgrade_status(server, VERSION "Sec-WebSocket-Protocol: x , foxglove.sdk.v1,foxglove.websocket.v1\r\n",
                             "Sec-WebSocket-Protocol: foxglove.sdk.v1\r\n"),
              101);
    CHECK_INT(upgrade_status(server, VERSION, "Content-Length: "), 400);
    CHECK_INT(upgrade_status(server, VERSION "Sec-WebSocket-Protocol: chat\r\n", NULL), 400);
    CHECK_INT(upgrade_status(server, VERSION PROTOCOL "Sec-WebSocket-Key: short\r\n", NULL), 400);
    CHECK_INT(upgrade_status(server, PROTOCOL, "Sec-WebSocket-Version: 13\r\n"), 426);
    CHECK_INT(upgrade_status(server, VERSION PROTOCOL "Origin: http://evil.example\r\n", NULL), 403);
    CHECK_INT(upgrade_status(server, VERSION PROTOCOL "Origin: https://app.foxglove.dev\r\n", NULL), 101);
    CHECK_INT(client_status(server, "GET /x HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\n\r\n"), 404);
    CHECK_INT(client_status(server, "GET / HTTP/1.1\r\nHost: localhost\r\nUpgrade: h2c\r\n\r\n"), 200);
    view_server_close(server);
}

/* Reads a message of a subscription, all of its bytes `value`. */
static void check_message(int s, uint32_t id, int value, size_t size)
{
    const client_frame f = client_read_frame(s);
    CHECK_INT(f.opcode, VIEW_SOCKET_BINARY);
    CHECK_INT(f.size, 13 + size);
    if (f.size == 13 + size) {
        CHECK(f.data[0] == 1 && f.data[1] == id && f.data[2] == 0 && f.data[5] == value && f.data[12] == 0);
        CHECK(f.data[13] == value && f.data[12 + size] == value);
    }
    free(f.data);
}

static void check_time(int s, int value)
{
    const client_frame f = client_read_frame(s);
    CHECK_INT(f.opcode, VIEW_SOCKET_BINARY);
    CHECK(f.size == 9 && f.data[0] == 2 && f.data[1] == value && f.data[8] == 0);
    free(f.data);
}

static void foxglove_messages(void)
{
    view_server *const server = client_server();
    const int s = client_foxglove(server, 0);
    CHECK_INT(view_server_foxglove(server), 1);
    CHECK_INT(view_server_clients(server), 0); /* no page */
    client_send_messages(server, 5, 2, 100000);
    CHECK(client_hears(s, "{\"op\":\"advertise\",\"channels\":[{\"id\":1,\"topic\":\"/points\",\"encoding\":\"cdr\","
                          "\"schemaEncoding\":\"ros2msg\",\"schemaName\":\"pkg/msg/Type\","
                          "\"schema\":\"uint8 \\\"x\\\"\\u000a\"}]}"));
    CHECK(client_hears(s, "\"id\":2,\"topic\":\"/boxes\""));
    client_send_text(s, "{\"op\":\"subscribe\",\"subscriptions\":[{\"id\":9,\"channelId\":2}]}");
    check_time(s, 5); /* the newest frame at once */
    check_message(s, 9, 5, 100000);
    client_send_text(
        s, " { \"subscriptions\" : [ {\"channelId\":1,\"more\":[{}],\"id\":7} , {\"id\":3,\"channelId\":99} ] ,"
           " \"op\" : \"subscribe\" } ");
    check_time(s, 5);
    check_message(s, 7, 5, 100000); /* the other one was sent before */
    client_send_messages(server, 6, 3, 10);
    CHECK(client_hears(s, "\"id\":3,\"topic\":\"/tf\"")); /* a topic that is new */
    check_time(s, 6);
    check_message(s, 7, 6, 10);
    check_message(s, 9, 6, 10);
    client_send_text(s, "{\"op\":\"unsubscribe\",\"subscriptionIds\":[3,7]}");
    client_send_frame(s, 0x89, "are you there", 13);
    client_frame f = client_read_frame(s);
    CHECK(f.opcode == VIEW_SOCKET_PONG && f.size == 13 && memcmp(f.data, "are you there", 13) == 0);
    free(f.data);
    client_send_messages(server, 7, 3, 10);
    check_time(s, 7);
    check_message(s, 9, 7, 10);
    CHECK_INT(view_server_skipped(server), 0);
    client_send_frame(s, 0x88, "\x03\xe8", 2);
    CHECK_INT(client_close_code(s), 1000);
    char byte;
    CHECK_INT(client_read(s, &byte, 1, CLIENT_LIMIT), 0);
    close(s);
    view_server_close(server);
}

/* A client that connects before any page and any frame hears of the end. */
static void foxglove_end(void)
{
    view_server *const server = client_server();
    const int s = client_foxglove(server, 0);
    pthread_t thread;
    CHECK_INT(pthread_create(&thread, NULL, close_it, server), 0);
    CHECK_INT(client_close_code(s), 1001);
    close(s);
    pthread_join(thread, NULL);
}

static clump_status open_at(const char *address, uint16_t port, clump_message *message)
{
    view_server *server = NULL;
    const view_server_options options = {.address = address, .port = port};
    const clump_status status = view_server_open(&options, &server, message);
    CHECK((status == CLUMP_OK) == (server != NULL));
    view_server_close(server);
    return status;
}

static void addresses(void)
{
    clump_message message = {{0}};
    CHECK_INT(open_at("localhost", 0, &message), CLUMP_ERR_ARGUMENT);
    CHECK_TEXT(message.text, "'localhost' is not a numeric IPv4 or IPv6 address");
    CHECK_INT(open_at("127.0.0.1x", 0, NULL), CLUMP_ERR_ARGUMENT);
    CHECK_INT(open_at("192.0.2.1", 0, &message), CLUMP_ERR_IO_OPEN); /* kept for documentation: no machine has it */
    CHECK_TEXT(message.text, "192.0.2.1 is no address of this machine");
    CHECK_INT(open_at("0.0.0.0", 0, &message), CLUMP_OK);
    const clump_status six = open_at("::1", 0, &message);
    CHECK_MSG(six == CLUMP_OK || six == CLUMP_ERR_IO_OPEN, "%s", message.text); /* not every machine has IPv6 */
    view_server *const server = client_server();
    char expected[128];
    CHECK_INT(open_at("127.0.0.1", view_server_port(server), &message), CLUMP_ERR_IO_OPEN);
    snprintf(expected, sizeof expected, "port %u of 127.0.0.1 is in use by another program", view_server_port(server));
    CHECK_TEXT(message.text, expected);
    view_server_close(server);
    view_server_close(NULL);
}

CHECK_PROGRAM(test_view_server)
{
    RUN(requests_of_browsers);
    RUN(incomplete);
    RUN(refused);
    RUN(hosts);
    RUN(frames_of_any_size);
    RUN(origins);
    RUN(page_and_heads);
    RUN(foreign_hosts);
    RUN(frames_and_events);
    RUN(the_end);
    RUN(kept_and_pipelined);
    RUN(upgrades);
    RUN(foxglove_messages);
    RUN(foxglove_end);
    RUN(addresses);
}
