/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_mcap_conformance.c: the files of the MCAP conformance suite, made from their descriptions by mcap_conformance.py.
 * Each must be the original by its SHA-256, and must give every message.
 */
#include "support/check.h"
#include "recordings/test_container.h"

#define CONFORMANCE_CASES 416

typedef struct stream {
    const unsigned char *at, *end;
} stream;

static uint64_t number(stream *s, size_t size)
{
    uint64_t value = 0;
    if ((size_t)(s->end - s->at) < size) {
        CHECK_FAIL("the generator's output is cut");
        s->at = s->end;
        return 0;
    }
    memcpy(&value, s->at, size);
    s->at += size;
    return value;
}

static stream piece(stream *s)
{
    size_t size = (size_t)number(s, 4);
    if (size > (size_t)(s->end - s->at)) {
        CHECK_FAIL("the generator's output is cut");
        size = 0;
    }
    const stream result = {s->at, s->at + size};
    s->at += size;
    return result;
}

static bool is_text(stream s, const char *text)
{
    return strlen(text) == (size_t)(s.end - s.at) && memcmp(s.at, text, strlen(text)) == 0;
}

static void check_messages(opened *r, stream *expected, const char *name)
{
    const size_t count = (size_t)number(expected, 4);
    for (size_t i = 0; i < count; i++) {
        const stream topic = piece(expected), type = piece(expected), data = piece(expected);
        const int64_t time = (int64_t)number(expected, 8);
        clump_io_message message;
        bool more = false;
        CHECK(r->container->next(r->state, NULL, 0, &message, &more) == CLUMP_OK);
        CHECK_MSG(more, "%s: message %zu of %zu is missing", name, i, count);
        if (!more) continue;
        CHECK_MSG(message.received == time, "%s: message %zu", name, i);
        CHECK_MSG(message.topic < r->topics.count && is_text(topic, r->topics.list[message.topic].name) &&
                      is_text(type, r->topics.list[message.topic].type),
                  "%s: message %zu", name, i);
        const size_t size = (size_t)(data.end - data.at);
        CHECK_MSG(message.size == size && memcmp(message.bytes, data.at, size) == 0, "%s: message %zu", name, i);
    }
    clump_io_message message;
    bool more = true;
    CHECK(r->container->next(r->state, NULL, 0, &message, &more) == CLUMP_OK);
    CHECK_MSG(!more, "%s: more than %zu messages", name, count);
}

static clump_status count_message(void *user, uint32_t topic, int64_t received)
{
    (void)topic, (void)received;
    ++*(size_t *)user;
    return CLUMP_OK;
}

static void check_case(stream *all)
{
    const stream name_bytes = piece(all);
    char name[128];
    snprintf(name, sizeof name, "%.*s", (int)(name_bytes.end - name_bytes.at), (const char *)name_bytes.at);
    CHECK_MSG(number(all, 1) == 1, "%s: not the original", name);
    const stream file = piece(all);
    opened r;
    open_bytes(&r, &clump_io_container_mcap, file.at, (size_t)(file.end - file.at), false);
    CHECK_MSG(r.status == CLUMP_OK, "%s: %s", name, r.why.text);
    if (r.status != CLUMP_OK) {
        close_opened(&r);
        return;
    }
    stream expected = *all;
    const size_t count = (size_t)number(&expected, 4);
    check_messages(&r, all, name);
    size_t seen = 0;
    CHECK(r.container->survey(r.state, count_message, &seen) == CLUMP_OK);
    CHECK_MSG(seen == count, "%s: the survey has %zu messages, the file %zu", name, seen, count);
    CHECK_MSG(!r.losses.first[0] && !r.losses.truncated, "%s: %s", name, r.losses.first);
    close_opened(&r);
}

/* Runs the generator. Returns its output, from malloc; null: there is no Python. */
static unsigned char *generate(const char *folder, size_t *size)
{
    char command[4096];
    snprintf(command, sizeof command, "python3 '%s/mcap_conformance.py' '%s/mcap-conformance/cases.json'",
             CLUMP_TEST_SOURCE, folder);
    FILE *const pipe = popen(command, "r");
    if (!pipe) return NULL;
    const size_t room = (size_t)8 << 20;
    unsigned char *const bytes = malloc(room);
    *size = bytes ? fread(bytes, 1, room, pipe) : 0;
    pclose(pipe);
    return bytes;
}

static void conformance(void)
{
    const char *const folder = check_data_folder();
    if (!folder) SKIP(DO_DATA);
    char path[1024];
    snprintf(path, sizeof path, "%s/mcap-conformance/cases.json", folder);
    FILE *const cases = fopen(path, "rb");
    if (!cases) SKIP("%s is not there: " DO_DATA, path);
    fclose(cases);
    size_t size = 0;
    unsigned char *const bytes = generate(folder, &size);
    if (!bytes || size == 0) {
        free(bytes);
        SKIP(DO_SETUP);
    }
    stream all = {bytes, bytes + size};
    size_t count = 0;
    for (; all.at < all.end; count++) check_case(&all);
    CHECK_INT(count, CONFORMANCE_CASES);
    free(bytes);
}

CHECK_PROGRAM(test_mcap_conformance)
{
    RUN(conformance);
}
