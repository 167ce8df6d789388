/* SPDX-License-Identifier: BSD-3-Clause
 *
 * server_request.h: reads the head of an HTTP request. The bytes come from a stranger: none is trusted, and nothing is
 * copied or allocated.
 */
#ifndef CLUMP_VIEWER_SERVER_REQUEST_H
#define CLUMP_VIEWER_SERVER_REQUEST_H

#include <stdbool.h>
#include <stddef.h>

enum { VIEW_REQUEST_MOST = 8192 }; /* bytes of a head; a longer one is refused */

/* A part of the request; null: absent. */
typedef struct view_words {
    const char *text;
    size_t size;
} view_words;

typedef struct view_request {
    size_t size;     /* bytes of the head with its blank line; 0: the head is not complete */
    int refusal;     /* 0, or the status of the answer: 400, 405, 431, 501 or 505 */
    bool head;       /* HEAD: the answer has no body */
    bool keep;       /* the client wants to send more requests */
    view_words path; /* without the query */
    view_words host; /* as sent, with its port */
} view_request;

/* Reads the request at the begin of the bytes. A complete or refused one has members that point into the bytes. With
 * size VIEW_REQUEST_MOST, an incomplete head is refused. */
view_request view_request_read(const char *bytes, size_t size);

/* Returns whether the text equals the other, which is in lower case; letters of both cases are equal. */
bool view_words_are(view_words words, const char *lower);

/* Returns whether the Host of a request names this machine: localhost, 127.0.0.1, [::1] or `address`, with any port. A
 * page of another site that makes its own name point to this machine (DNS rebinding) sends that name. */
bool view_host_is_local(view_words host, const char *address);

#endif
