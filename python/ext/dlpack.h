/* SPDX-License-Identifier: BSD-3-Clause
 *
 * dlpack.h: the structs of DLPack, through which array libraries hand each other memory. Written from the standard
 * (dmlc.github.io/dlpack): the layout is fixed, for both kinds of capsules.
 */
#ifndef CLUMP_PYTHON_DLPACK_H
#define CLUMP_PYTHON_DLPACK_H

#include <stdint.h>

enum { /* dl_device.type */
       DL_CPU = 1,
       DL_CUDA = 2,
       DL_CUDA_HOST = 3, /* pinned host memory */
       DL_CUDA_MANAGED = 13
};

enum { /* dl_type.code */
       DL_INT = 0,
       DL_UINT = 1,
       DL_FLOAT = 2,
       DL_BOOL = 6
};

#define DL_READ_ONLY ((uint64_t)1) /* dl_versioned.flags */

enum { DL_MAJOR = 1, DL_MINOR = 0 }; /* the version that is written; any 1.x can be read */

typedef struct dl_device {
    int32_t type, id;
} dl_device;

typedef struct dl_type {
    uint8_t code, bits;
    uint16_t lanes;
} dl_type;

typedef struct dl_tensor {
    void *data;
    dl_device device;
    int32_t ndim;
    dl_type type;
    int64_t *shape;
    int64_t *strides; /* in elements; null: C order */
    uint64_t byte_offset;
} dl_tensor;

/* In a capsule "dltensor". The consumer renames the capsule to "used_dltensor" and calls the deleter once. */
typedef struct dl_managed {
    dl_tensor tensor;
    void *manager;
    void (*deleter)(struct dl_managed *self); /* may be null */
} dl_managed;

/* In a capsule "dltensor_versioned", since DLPack 1.0. Of another major version, only `major` to `deleter` may be used. */
typedef struct dl_versioned {
    uint32_t major, minor;
    void *manager;
    void (*deleter)(struct dl_versioned *self); /* may be null */
    uint64_t flags;
    dl_tensor tensor;
} dl_versioned;

#define DL_CAPSULE                "dltensor"
#define DL_CAPSULE_USED           "used_dltensor"
#define DL_CAPSULE_VERSIONED      "dltensor_versioned"
#define DL_CAPSULE_VERSIONED_USED "used_dltensor_versioned"

#endif
