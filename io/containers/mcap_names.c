/* SPDX-License-Identifier: BSD-3-Clause
 *
 * mcap_names.c: schemas and channels of MCAP become topics.
 */
#include "containers/mcap.h"

#include "common/assert.h"

#include <stdlib.h>
#include <string.h>

/* Bytes of a name that are kept. Topics are cut as well. */
enum { NAMES_LONGEST = 1024 };

bool clump_io_mcap_string(const unsigned char *body, size_t size, size_t *at, const unsigned char **text,
                          size_t *text_size)
{
    if (*at > size || size - *at < 4) return false;
    const size_t length = clump_io_u32(body + *at);
    if (length > size - *at - 4) return false;
    *text = body + *at + 4;
    *text_size = length;
    *at += 4 + length;
    return true;
}

/* Makes the list of `*count` items long enough for the id. New items are zero. */
static clump_status reserve_id(const clump_io_mcap *mcap, void **list, size_t *count, size_t item, unsigned id)
{
    CLUMP_ASSERT(item >= 1 && id <= UINT16_MAX);
    if (id < *count) return CLUMP_OK;
    size_t wanted = *count ? *count : 64; /* a power of two, at most 65536 */
    while (wanted <= id) wanted *= 2;
    unsigned char *const grown = realloc(*list, wanted * item);
    if (!grown) return clump_io_no_memory(&mcap->blob->where, wanted * item);
    memset(grown + *count * item, 0, (wanted - *count) * item);
    *list = grown;
    *count = wanted;
    return CLUMP_OK;
}

clump_status clump_io_mcap_schema_add(clump_io_mcap *mcap, const unsigned char *body, size_t size, bool *good)
{
    const unsigned char *name;
    size_t name_size, at = 2;
    *good = size >= 2 && clump_io_mcap_string(body, size, &at, &name, &name_size);
    if (!*good) return CLUMP_OK;
    const unsigned id = clump_io_u16(body);
    if (clump_io_mcap_has_schema(mcap, id)) return CLUMP_OK;
    void *list = mcap->schemas;
    CLUMP_IO_TRY(reserve_id(mcap, &list, &mcap->schema_count, sizeof *mcap->schemas, id));
    mcap->schemas = list;
    if (name_size > NAMES_LONGEST) name_size = NAMES_LONGEST;
    CLUMP_IO_TRY(clump_io_bytes_reserve(&mcap->blob->where, &mcap->text, mcap->text.size + name_size + 1));
    memcpy(mcap->text.data + mcap->text.size, name, name_size);
    mcap->schemas[id] = (clump_io_mcap_schema){(uint32_t)mcap->text.size, (uint32_t)name_size + 1};
    mcap->text.size += name_size; /* at most 65536 names: below 2^32 */
    return CLUMP_OK;
}

static clump_io_coding coding_of(const unsigned char *name, size_t size)
{
    if (size == 3 && memcmp(name, "cdr", 3) == 0) return CLUMP_IO_CODING_CDR;
    if (size == 4 && memcmp(name, "ros1", 4) == 0) return CLUMP_IO_CODING_ROS1;
    return CLUMP_IO_CODING_OTHER;
}

clump_status clump_io_mcap_channel_add(clump_io_mcap *mcap, const unsigned char *body, size_t size, bool *good)
{
    const unsigned char *topic, *encoding;
    size_t topic_size, encoding_size, at = 4;
    *good = size >= 4 && clump_io_mcap_string(body, size, &at, &topic, &topic_size) &&
            clump_io_mcap_string(body, size, &at, &encoding, &encoding_size);
    if (!*good) return CLUMP_OK;
    const unsigned id = clump_io_u16(body), schema_id = clump_io_u16(body + 2);
    if (clump_io_mcap_channel(mcap, id)) return CLUMP_OK;
    void *list = mcap->channels;
    CLUMP_IO_TRY(reserve_id(mcap, &list, &mcap->channel_count, sizeof *mcap->channels, id));
    mcap->channels = list;
    const bool typed = clump_io_mcap_has_schema(mcap, schema_id);
    const clump_io_mcap_schema schema = typed ? mcap->schemas[schema_id] : (clump_io_mcap_schema){0, 1};
    const char *const type = typed ? (const char *)mcap->text.data + schema.at : "";
    uint32_t index;
    const clump_status status =
        clump_io_topics_add(&mcap->blob->where, mcap->topics, (const char *)topic, topic_size, type, schema.size_1 - 1,
                            coding_of(encoding, encoding_size), &index);
    if (status == CLUMP_ERR_IO_UNSUPPORTED) {
        mcap->channels[id] = CLUMP_IO_MCAP_REFUSED;
        clump_io_lose(mcap->losses, NULL, 0, "the recording has too many topics, some are left out");
        return CLUMP_OK;
    }
    CLUMP_IO_TRY(status);
    mcap->channels[id] = index + 1;
    return CLUMP_OK;
}
