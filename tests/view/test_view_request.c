/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_view_request.c: the parser of requests of the live server.
 */
#include "support/check.h"

#include "viewer/server/server_inside.h"

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

int main(int argc, char **argv)
{
    CHECK_BEGIN(argc, argv);
    RUN(requests_of_browsers);
    RUN(incomplete);
    RUN(refused);
    RUN(hosts);
    RUN(frames_of_any_size);
    RUN(origins);
    return CHECK_END();
}
