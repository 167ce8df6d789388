/* SPDX-License-Identifier: BSD-3-Clause
 *
 * type.c: the ten types a field can have.
 */
#include "format.h"

#include <string.h>

static const struct {
    const char *name;
    size_t size;
} types[] = {
    [CLUMP_TYPE_I8] = {"int8", 1},     [CLUMP_TYPE_U8] = {"uint8", 1},   [CLUMP_TYPE_I16] = {"int16", 2},
    [CLUMP_TYPE_U16] = {"uint16", 2},  [CLUMP_TYPE_I32] = {"int32", 4},  [CLUMP_TYPE_U32] = {"uint32", 4},
    [CLUMP_TYPE_I64] = {"int64", 8},   [CLUMP_TYPE_U64] = {"uint64", 8}, [CLUMP_TYPE_F32] = {"float32", 4},
    [CLUMP_TYPE_F64] = {"float64", 8},
};

static bool is_type(clump_type type)
{
    return (unsigned)type < sizeof types / sizeof types[0];
}

const char *clump_type_name(clump_type type)
{
    return is_type(type) ? types[type].name : NULL;
}

size_t clump_type_size(clump_type type)
{
    return is_type(type) ? types[type].size : 0;
}

double clump_io_value(clump_type type, const void *data, size_t index)
{
#define ELEMENT(constant, kind)                                                                                        \
    case constant:                                                                                                     \
        return (double)((const kind *)data)[index]
    switch (type) {
        ELEMENT(CLUMP_TYPE_I8, int8_t);
        ELEMENT(CLUMP_TYPE_U8, uint8_t);
        ELEMENT(CLUMP_TYPE_I16, int16_t);
        ELEMENT(CLUMP_TYPE_U16, uint16_t);
        ELEMENT(CLUMP_TYPE_I32, int32_t);
        ELEMENT(CLUMP_TYPE_U32, uint32_t);
        ELEMENT(CLUMP_TYPE_I64, int64_t);
        ELEMENT(CLUMP_TYPE_U64, uint64_t);
        ELEMENT(CLUMP_TYPE_F32, float);
        ELEMENT(CLUMP_TYPE_F64, double);
    }
#undef ELEMENT
    return 0;
}
