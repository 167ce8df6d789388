/* SPDX-License-Identifier: BSD-3-Clause
 *
 * container.h: what fuzz targets of containers have in common. Reading twice must give the same messages, and must not
 * count losses twice.
 */
#ifndef CLUMP_TESTS_FUZZ_CONTAINER_H
#define CLUMP_TESTS_FUZZ_CONTAINER_H

#include "crc32.h"
#include "containers/container.h"
#include "target.h"

#include <string.h>

typedef struct fuzz_sum {
    uint64_t messages, bytes;
    int64_t middle; /* time of a message */
    uint64_t crc;   /* no padding: sums are compared as bytes */
} fuzz_sum;

static inline fuzz_sum fuzz_read_all(const clump_io_container *container, void *state, const clump_io_topics *topics)
{
    fuzz_sum sum = {0};
    for (;;) {
        clump_io_message message;
        bool more = false;
        if (container->next(state, NULL, 0, &message, &more) != CLUMP_OK) abort();
        if (!more) return sum;
        if (message.topic >= topics->count) abort();
        sum.crc = clump_io_crc32((uint32_t)sum.crc, message.bytes, message.size);
        sum.crc = clump_io_crc32((uint32_t)sum.crc, &message.received, sizeof message.received);
        sum.bytes += message.size;
        if (++sum.messages % 3 == 1) sum.middle = message.received;
    }
}

static inline clump_status fuzz_seen(void *user, uint32_t topic, int64_t received)
{
    (void)received;
    if (topic >= ((const clump_io_topics *)user)->count) abort();
    return CLUMP_OK;
}

static inline int fuzz_container(const clump_io_container *container, const uint8_t *data, size_t size)
{
    clump_message why = {0};
    const clump_io_blob blob = {.memory = data, .size = size, .where = {"fuzz", &why}};
    clump_io_topics topics = {0};
    clump_io_losses losses = {0};
    void *state = NULL;
    if (container->open(&blob, &topics, &losses, &state) == CLUMP_OK) {
        const fuzz_sum sum = fuzz_read_all(container, state, &topics);
        clump_io_losses before;
        memcpy(&before, &losses, sizeof losses);
        if (container->seek(state, INT64_MIN) != CLUMP_OK) abort();
        const fuzz_sum again = fuzz_read_all(container, state, &topics);
        if (memcmp(&sum, &again, sizeof sum) != 0 || memcmp(&before, &losses, sizeof losses) != 0) abort();
        if (container->survey && container->survey(state, fuzz_seen, &topics) != CLUMP_OK) abort();
        if (container->seek(state, sum.middle) != CLUMP_OK) abort();
        if (fuzz_read_all(container, state, &topics).messages > sum.messages) abort();
    } else if (!why.text[0]) {
        abort();
    }
    if (state) container->close(state);
    clump_io_topics_release(&topics);
    return 0;
}

#endif
