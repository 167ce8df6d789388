/* SPDX-License-Identifier: BSD-3-Clause
 *
 * server_request.c: see server_inside.h. The grammar is that of RFC 9112, without what no browser sends: folded lines,
 * bodies, targets that are not a path.
 */
#include "viewer/server/server_inside.h"

#include <string.h>

static char lower_of(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Returns whether the character may be in a method or in the name of a header. */
static bool is_token(char c)
{
    const char small = lower_of(c);
    return (small >= 'a' && small <= 'z') || is_digit(c) || (c && strchr("!#$%&'*+-.^_`|~", c));
}

static bool all_token(view_words words)
{
    for (size_t i = 0; i < words.size; i++)
        if (!is_token(words.text[i])) return false;
    return words.size > 0;
}

/* Returns whether the words have no control characters; a tab is allowed where `tab` is set. */
static bool all_printable(view_words words, bool tab)
{
    for (size_t i = 0; i < words.size; i++) {
        const unsigned char c = (unsigned char)words.text[i];
        if ((c < 0x20 && !(tab && c == '\t')) || c == 0x7f) return false;
    }
    return true;
}

bool view_words_are(view_words words, const char *lower)
{
    if (words.size != strlen(lower)) return false;
    for (size_t i = 0; i < words.size; i++)
        if (lower_of(words.text[i]) != lower[i]) return false;
    return true;
}

bool view_words_split(view_words *rest, char mark, view_words *part)
{
    const char *const at = rest->size ? memchr(rest->text, mark, rest->size) : NULL;
    if (!at) return false;
    *part = (view_words){rest->text, (size_t)(at - rest->text)};
    *rest = (view_words){at + 1, rest->size - part->size - 1};
    return true;
}

/* Takes a line off the rest. The end of a line is CR LF or LF. */
static bool split_line(view_words *rest, view_words *line)
{
    if (!view_words_split(rest, '\n', line)) return false;
    if (line->size && line->text[line->size - 1] == '\r') line->size--;
    return true;
}

view_words view_words_trim(view_words words)
{
    while (words.size && (words.text[0] == ' ' || words.text[0] == '\t')) words.text++, words.size--;
    while (words.size && (words.text[words.size - 1] == ' ' || words.text[words.size - 1] == '\t')) words.size--;
    return words;
}

/* Returns the status for a first line that is refused, else 0. */
static int read_first_line(view_words line, view_request *request)
{
    view_words method, target, query;
    if (!view_words_split(&line, ' ', &method) || !all_token(method)) return 400;
    if (!view_words_split(&line, ' ', &target) || !target.size || !all_printable(target, false)) return 400;
    if (line.size != 8 || memcmp(line.text, "HTTP/", 5) != 0 || !is_digit(line.text[5]) || line.text[6] != '.' ||
        !is_digit(line.text[7]))
        return 400;
    if (line.text[5] != '1') return 505;
    request->keep = line.text[7] != '0';
    request->head = method.size == 4 && memcmp(method.text, "HEAD", 4) == 0;
    if (!request->head && !(method.size == 3 && memcmp(method.text, "GET", 3) == 0)) return 405;
    if (target.text[0] != '/') return 400;
    request->path = target;
    if (view_words_split(&target, '?', &query)) request->path = query;
    return 0;
}

/* Reads a header of WebSocket. */
static void read_socket_header(view_words name, view_words value, view_request *request)
{
    if (view_words_are(name, "upgrade")) request->upgrade = view_words_are(value, "websocket");
    if (view_words_are(name, "sec-websocket-version")) request->version = view_words_are(value, "13");
    if (view_words_are(name, "sec-websocket-key")) request->key = value;
    if (view_words_are(name, "sec-websocket-protocol")) request->protocols = value;
    if (view_words_are(name, "origin")) request->origin = value;
}

/* Reads one header. Returns the status where it is refused, else 0. A request with a body is refused: its end need not
 * be searched. */
static int read_header(view_words line, view_request *request)
{
    view_words name;
    if (!view_words_split(&line, ':', &name) || !all_token(name) || !all_printable(line, true)) return 400;
    const view_words value = view_words_trim(line);
    if (view_words_are(name, "host")) {
        if (request->host.text) return 400;
        request->host = value;
    }
    if (view_words_are(name, "connection") && view_words_are(value, "close")) request->keep = false;
    if (view_words_are(name, "content-length") && !view_words_are(value, "0")) return 400;
    if (view_words_are(name, "transfer-encoding")) return 501;
    read_socket_header(name, value, request);
    return 0;
}

/* Returns the bytes up to the end of the head: a blank line. 0: it is not there. */
static size_t find_end(const char *bytes, size_t size)
{
    view_words rest = {bytes, size}, line;
    while (split_line(&rest, &line))
        if (line.size == 0 && line.text != bytes) return size - rest.size;
    return 0;
}

view_request view_request_read(const char *bytes, size_t size)
{
    view_request request = {.size = find_end(bytes, size < VIEW_REQUEST_MOST ? size : VIEW_REQUEST_MOST)};
    if (request.size == 0) {
        if (size >= VIEW_REQUEST_MOST) request.refusal = 431;
        return request;
    }
    view_words rest = {bytes, request.size}, line = rest;
    split_line(&rest, &line);
    request.refusal = read_first_line(line, &request);
    const bool needs_host = request.keep; /* HTTP/1.1 */
    while (!request.refusal && split_line(&rest, &line) && line.size > 0) request.refusal = read_header(line, &request);
    if (!request.refusal && needs_host && !request.host.text) request.refusal = 400;
    return request;
}

bool view_host_is_local(view_words host, const char *address)
{
    size_t name = host.size;
    while (name > 0 && is_digit(host.text[name - 1])) name--;
    if (name > 0 && name < host.size && host.text[name - 1] == ':') host.size = name - 1; /* the rest is a port */
    if (view_words_are(host, "localhost") || view_words_are(host, "127.0.0.1") || view_words_are(host, "[::1]"))
        return true;
    const bool bracket = host.size >= 2 && host.text[0] == '[' && host.text[host.size - 1] == ']';
    if (bracket) host = (view_words){host.text + 1, host.size - 2};
    return bracket == (strchr(address, ':') != NULL) && view_words_are(host, address);
}
