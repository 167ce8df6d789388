/* SPDX-License-Identifier: BSD-3-Clause
 *
 * bus_type.c: a type of DDS that is only a name. A value is the bytes of a message in CDR, with the 4 bytes of its head, as they
 * are on the network. So messages of every type are received and sent without code per type, and bytes that lie are found
 * where they are read. The types have no key: all values are of one instance.
 */
#include "bus/bus.h"

#ifdef CLUMP_IO_DDS
#include "bus/bus_inside.h"

#include "common/assert.h"

#include <dds/ddsi/ddsi_keyhash.h>
#include <dds/ddsi/q_radmin.h>

#include <stdlib.h>
#include <string.h>

#define BUS_TYPE_MOST ((size_t)1 << 30) /* bytes of a message; readers of recordings have the same limit */

/* Functions of the library, set once before the first type is made. */
static const bus_calls *bus_type_calls;

typedef struct bus_value {
    struct ddsi_serdata base;
    size_t size;
    unsigned char bytes[]; /* with zeros up to a multiple of 4 */
} bus_value;

static const bus_value *value_of(const struct ddsi_serdata *data)
{
    return (const bus_value *)(const void *)data;
}

/* Returns a new value with room for so many bytes; null: no memory, or too many. */
static bus_value *new_value(const struct ddsi_sertype *type, enum ddsi_serdata_kind kind, size_t size)
{
    if (size < 4 || size > BUS_TYPE_MOST) return NULL;
    bus_value *const value = malloc(sizeof *value + size + 3);
    if (!value) return NULL;
    bus_type_calls->ddsi_serdata_init(&value->base, type, kind);
    value->size = size;
    memset(value->bytes + size, 0, 3);
    return value;
}

/* --- values ------------------------------------------------------------------------------------------------ */

static bool equal_keys(const struct ddsi_serdata *a, const struct ddsi_serdata *b)
{
    (void)a, (void)b;
    return true;
}

static uint32_t get_size(const struct ddsi_serdata *data)
{
    return (uint32_t)value_of(data)->size;
}

/* Fragments come by ascending begin and may overlap; the last may be padded. Null where bytes are missing. */
static struct ddsi_serdata *from_fragments(const struct ddsi_sertype *type, enum ddsi_serdata_kind kind,
                                           const struct nn_rdata *fragment, size_t size)
{
    bus_value *const value = new_value(type, kind, size);
    size_t filled = 0;
    for (; value && fragment; fragment = fragment->nextfrag) {
        const size_t end = fragment->maxp1 < size ? fragment->maxp1 : size;
        if (fragment->min > filled) break;
        if (end <= filled) continue;
        const unsigned char *const payload = NN_RMSG_PAYLOADOFF(fragment->rmsg, NN_RDATA_PAYLOAD_OFF(fragment));
        memcpy(value->bytes + filled, payload + (filled - fragment->min), end - filled);
        filled = end;
    }
    if (value && filled == size) return &value->base;
    free(value);
    return NULL;
}

static struct ddsi_serdata *from_pieces(const struct ddsi_sertype *type, enum ddsi_serdata_kind kind,
                                        ddsrt_msg_iovlen_t count, const ddsrt_iovec_t *pieces, size_t size)
{
    bus_value *const value = new_value(type, kind, size);
    size_t filled = 0;
    for (size_t i = 0; value && i < (size_t)count; i++) {
        const size_t left = size - filled, part = pieces[i].iov_len < left ? pieces[i].iov_len : left;
        if (part) memcpy(value->bytes + filled, pieces[i].iov_base, part);
        filled += part;
    }
    if (value && filled == size) return &value->base;
    free(value);
    return NULL;
}

static struct ddsi_serdata *from_key_hash(const struct ddsi_sertype *type, const struct ddsi_keyhash *hash)
{
    (void)hash;
    bus_value *const value = new_value(type, SDK_KEY, 4);
    if (!value) return NULL;
    memcpy(value->bytes, "\0\1\0\0", 4);
    return &value->base;
}

static struct ddsi_serdata *from_bytes(const struct ddsi_sertype *type, enum ddsi_serdata_kind kind, const void *sample)
{
    const bus_bytes *const given = sample;
    if (kind != SDK_DATA) return from_key_hash(type, NULL);
    bus_value *const value = new_value(type, kind, given->size);
    if (!value) return NULL;
    memcpy(value->bytes, given->data, given->size);
    return &value->base;
}

static void copy_part(const struct ddsi_serdata *data, size_t from, size_t size, void *to)
{
    CLUMP_ASSERT(from + size <= value_of(data)->size + 3);
    memcpy(to, value_of(data)->bytes + from, size);
}

static struct ddsi_serdata *lend_part(const struct ddsi_serdata *data, size_t from, size_t size, ddsrt_iovec_t *part)
{
    CLUMP_ASSERT(from + size <= value_of(data)->size + 3);
    part->iov_base = (void *)(uintptr_t)(value_of(data)->bytes + from);
    part->iov_len = (ddsrt_iov_len_t)size;
    return bus_type_calls->ddsi_serdata_ref(data);
}

static void give_part_back(struct ddsi_serdata *data, const ddsrt_iovec_t *part)
{
    (void)part;
    bus_type_calls->ddsi_serdata_unref(data);
}

/* Samples are never read: messages are taken as bytes. */
static bool to_sample(const struct ddsi_serdata *data, void *sample, void **room, void *room_end)
{
    (void)data, (void)sample, (void)room, (void)room_end;
    return false;
}

static struct ddsi_serdata *to_untyped(const struct ddsi_serdata *data)
{
    struct ddsi_serdata *const key = from_key_hash(data->type, NULL);
    if (key) key->type = NULL;
    return key;
}

static bool untyped_to_sample(const struct ddsi_sertype *type, const struct ddsi_serdata *data, void *sample,
                              void **room, void *room_end)
{
    (void)type, (void)data, (void)sample, (void)room, (void)room_end;
    return true;
}

static void free_value(struct ddsi_serdata *data)
{
    free(data);
}

static size_t print_value(const struct ddsi_sertype *type, const struct ddsi_serdata *data, char *to, size_t size)
{
    (void)type, (void)data;
    if (size) to[0] = '\0';
    return 0;
}

static void get_key_hash(const struct ddsi_serdata *data, struct ddsi_keyhash *to, bool force_md5)
{
    (void)data, (void)force_md5;
    memset(to, 0, sizeof *to);
}

/* --- the type ---------------------------------------------------------------------------------------------- */

static void free_type(struct ddsi_sertype *type)
{
    bus_type_calls->ddsi_sertype_fini(type);
    free(type);
}

static void zero_samples(const struct ddsi_sertype *type, void *samples, size_t count)
{
    (void)type, (void)samples, (void)count;
}

static void reallocate_samples(void **samples, const struct ddsi_sertype *type, void *old, size_t old_count,
                               size_t count)
{
    (void)type, (void)old, (void)old_count, (void)count;
    *samples = NULL;
}

static void free_samples(const struct ddsi_sertype *type, void **samples, size_t count, dds_free_op_t op)
{
    (void)type, (void)samples, (void)count, (void)op;
}

static bool equal_types(const struct ddsi_sertype *a, const struct ddsi_sertype *b)
{
    (void)a, (void)b; /* names are compared before */
    return true;
}

static uint32_t hash_type(const struct ddsi_sertype *type)
{
    (void)type;
    return 0;
}

void clump_io_bus_type_begin(bus_type_ops *ops, const bus_calls *calls)
{
    bus_type_calls = calls;
    *ops = (bus_type_ops){.type = {.version = calls->ddsi_sertype_v0,
                                   .free = free_type,
                                   .zero_samples = zero_samples,
                                   .realloc_samples = reallocate_samples,
                                   .free_samples = free_samples,
                                   .equal = equal_types,
                                   .hash = hash_type},
                          .data = {.eqkey = equal_keys,
                                   .get_size = get_size,
                                   .from_ser = from_fragments,
                                   .from_ser_iov = from_pieces,
                                   .from_keyhash = from_key_hash,
                                   .from_sample = from_bytes,
                                   .to_ser = copy_part,
                                   .to_ser_ref = lend_part,
                                   .to_ser_unref = give_part_back,
                                   .to_sample = to_sample,
                                   .to_untyped = to_untyped,
                                   .untyped_to_sample = untyped_to_sample,
                                   .free = free_value,
                                   .print = print_value,
                                   .get_keyhash = get_key_hash}};
}

struct ddsi_sertype *clump_io_bus_type_new(const bus_type_ops *ops, const bus_calls *calls, const char *name)
{
    struct ddsi_sertype *const type = calloc(1, sizeof *type);
    if (!type) return NULL;
    calls->ddsi_sertype_init_flags(type, name, &ops->type, &ops->data, DDSI_SERTYPE_FLAG_TOPICKIND_NO_KEY);
    type->allowed_data_representation = DDS_DATA_REPRESENTATION_FLAG_XCDR1;
    return type;
}

bus_bytes clump_io_bus_type_bytes(const struct ddsi_serdata *message)
{
    return (bus_bytes){value_of(message)->bytes, value_of(message)->size};
}
#endif
