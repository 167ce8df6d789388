/* SPDX-License-Identifier: BSD-3-Clause
 *
 * container.h: reads a container of messages whole, for fuzz targets: open, all messages, a survey, a seek.
 */
#ifndef CLUMP_TESTS_FUZZ_CONTAINER_H
#define CLUMP_TESTS_FUZZ_CONTAINER_H

#include "target.h"

#include "recordings/container.h"

static inline clump_status fuzz_seen(void *user, uint32_t topic, int64_t received)
{
    (void)received;
    if (topic >= ((const clump_io_topics *)user)->count) abort();
    return CLUMP_OK;
}

/* Reads messages up to the end. Each byte is read, for the sanitizer. */
static inline size_t fuzz_read_all(const clump_io_container *container, void *state, const clump_io_topics *topics)
{
    clump_io_message message;
    bool more = true;
    size_t count = 0;
    while (container->next(state, NULL, 0, &message, &more) == CLUMP_OK && more) {
        volatile unsigned char sum = 0;
        for (size_t i = 0; i < message.size; i++) sum = (unsigned char)(sum ^ message.bytes[i]);
        (void)sum;
        if (message.topic >= topics->count) abort();
        count++;
    }
    return count;
}

static inline void fuzz_container(const clump_io_container *container, const uint8_t *data, size_t size)
{
    clump_message why = {0};
    const clump_io_blob blob = {.memory = data, .file = -1, .size = size, .where = {"fuzz", &why}};
    clump_io_topics topics = {0};
    clump_io_losses losses = {0};
    void *state = NULL;
    const clump_status status = container->open(&blob, &topics, &losses, &state);
    if (status != CLUMP_OK && !why.text[0]) abort();
    if (status == CLUMP_OK) {
        fuzz_read_all(container, state, &topics);
        const size_t known = topics.count;
        if (container->survey) container->survey(state, fuzz_seen, &topics);
        if (container->seek(state, INT64_MIN) != CLUMP_OK) abort();
        const size_t count = fuzz_read_all(container, state, &topics);
        /* Once all topics are known, each pass gives the same messages. */
        if (container->seek(state, INT64_MIN) != CLUMP_OK) abort();
        if (fuzz_read_all(container, state, &topics) != count || topics.count != known) abort();
    }
    if (state) container->close(state);
    clump_io_topics_release(&topics);
}

#endif
