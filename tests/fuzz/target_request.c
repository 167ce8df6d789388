/* SPDX-License-Identifier: BSD-3-Clause
 *
 * target_request.c: the fuzz target for the requests that the live server of the viewer reads. The bytes are read as one
 * stream, as they come over a connection: request after request.
 */
#include "target.h"

#include "viewer/server/server_inside.h"

#include <stdlib.h>

/* Aborts unless the words lie inside the head, touching each byte. */
static void check_inside(view_words words, const char *head, size_t size)
{
    if (!words.text) return;
    if (words.text < head || words.size > size || (size_t)(words.text - head) > size - words.size) abort();
    volatile char sum = 0;
    for (size_t i = 0; i < words.size; i++) sum = (char)(sum ^ words.text[i]);
}

FUZZ_TARGET(request)
{
    const char *bytes = (const char *)data;
    while (size > 0) {
        const view_request request = view_request_read(bytes, size);
        if (request.size > size || request.size > VIEW_REQUEST_MOST) abort();
        check_inside(request.path, bytes, request.size);
        check_inside(request.host, bytes, request.size);
        (void)view_host_is_local(request.host, "127.0.0.1");
        (void)view_host_is_local(request.host, "fe80::1");
        if (request.size == 0 && !request.refusal && size >= VIEW_REQUEST_MOST) abort(); /* it must be refused */
        if (request.size == 0 || request.refusal) break;
        if (!request.path.text || request.path.text[0] != '/') abort();
        bytes += request.size;
        size -= request.size;
    }
    return 0;
}
