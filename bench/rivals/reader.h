/* SPDX-License-Identifier: BSD-3-Clause
 *
 * reader.h: what the bench and the tests ask of another reader of cloud files. A module loaded at run
 * time, as a rival is (rival.h).
 */
#ifndef CLUMP_BENCH_READER_H
#define CLUMP_BENCH_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define CLUMP_READER_INTERFACE 2

typedef struct clump_reader_field {
    char name[64];
    char kind;       /* 'i' signed, 'u' unsigned, 'f' float */
    size_t size;     /* bytes of an element */
    size_t elements; /* a point */
    size_t offset;   /* in the record of a point */
} clump_reader_field;

typedef struct clump_reader {
    int interface_version; /* CLUMP_READER_INTERFACE */
    const char *name;      /* "pcl" */
    const char *version;   /* "PCL 1.13.0" */

    /* The file as records of whatever fields it has. Null when it cannot be read. */
    void *(*load)(const char *path);
    size_t (*points)(const void *cloud);
    size_t (*fields)(const void *cloud);
    void (*field)(const void *cloud, size_t index, clump_reader_field *out);
    const unsigned char *(*record)(const void *cloud, size_t point);
    void (*release)(void *cloud);

    /* The file as its users get it: points with x y z and intensity. Returns their number and frees them;
     * SIZE_MAX when it cannot be read. */
    size_t (*load_points)(const char *path, double *seconds);

    /* The labels of the file as users of labelled points get them. Returns the number of points, of which the
     * first `room` have their label in `labels`; SIZE_MAX when the file cannot be read. */
    size_t (*load_labels)(const char *path, uint32_t *labels, size_t room);
} clump_reader;

/* The one symbol of a module. */
typedef const clump_reader *clump_reader_entry(void);
#define CLUMP_READER_ENTRY "clump_reader_get"

#ifdef __cplusplus
}
#endif
#endif
