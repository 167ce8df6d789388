/* SPDX-License-Identifier: BSD-3-Clause
 *
 * packet_json.c: whether a text is a JSON object (RFC 8259). A header with wrong JSON inside could not be read at all.
 */
#include "viewer/packet/packet_parts.h"

#include <string.h>

enum { JSON_DEPTH = 32 };

static const char *skip_blanks(const char *at)
{
    return at + strspn(at, " \t\r\n");
}

/* Each of these returns what follows, or null where the text is wrong. */
static const char *skip_value(const char *at, int depth);

static const char *skip_string(const char *at)
{
    if (*at++ != '"') return NULL;
    for (; *at != '"'; at++) {
        if ((unsigned char)*at < 0x20) return NULL; /* also the end of the text */
        if (*at != '\\') continue;
        at++;
        if (*at == 'u') {
            if (strspn(at + 1, "0123456789abcdefABCDEF") < 4) return NULL;
            at += 4;
        } else if (!*at || !strchr("\"\\/bfnrt", *at)) {
            return NULL;
        }
    }
    return at + 1;
}

static const char *skip_digits(const char *at)
{
    const size_t digits = strspn(at, "0123456789");
    return digits ? at + digits : NULL;
}

static const char *skip_number(const char *at)
{
    if (*at == '-') at++;
    at = *at == '0' ? at + 1 : skip_digits(at);
    if (at && *at == '.') at = skip_digits(at + 1);
    if (at && (*at == 'e' || *at == 'E')) at = skip_digits(at + 1 + (at[1] == '+' || at[1] == '-'));
    return at;
}

/* The members of an object or the elements of an array, up to the bracket that closes it. */
static const char *skip_list(const char *at, char close, int depth)
{
    at = skip_blanks(at + 1);
    if (*at == close) return at + 1;
    for (;;) {
        if (close == '}') {
            at = skip_string(at);
            if (!at) return NULL;
            at = skip_blanks(at);
            if (*at++ != ':') return NULL;
        }
        at = skip_value(skip_blanks(at), depth);
        if (!at) return NULL;
        at = skip_blanks(at);
        if (*at == close) return at + 1;
        if (*at++ != ',') return NULL;
        at = skip_blanks(at);
    }
}

static const char *skip_value(const char *at, int depth)
{
    static const char *const words[] = {"true", "false", "null"};
    if (depth == 0) return NULL;
    if (*at == '{') return skip_list(at, '}', depth - 1);
    if (*at == '[') return skip_list(at, ']', depth - 1);
    if (*at == '"') return skip_string(at);
    for (size_t k = 0; k < 3; k++)
        if (strncmp(at, words[k], strlen(words[k])) == 0) return at + strlen(words[k]);
    return skip_number(at);
}

bool packet_is_json_object(const char *text)
{
    const char *at = skip_blanks(text);
    if (*at != '{') return false;
    at = skip_value(at, JSON_DEPTH);
    return at && *skip_blanks(at) == 0;
}
