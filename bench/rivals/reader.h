/* SPDX-License-Identifier: BSD-3-Clause
 *
 * reader.h: what the bench and the tests ask of another reader of cloud files: a module loaded at run time, as rivals
 * are (rival.h).
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
    size_t elements; /* per point */
    size_t offset;   /* in the record of a point */
} clump_reader_field;

typedef struct clump_reader {
    int interface_version; /* CLUMP_READER_INTERFACE */
    const char *name;      /* "pcl" */
    const char *version;   /* "PCL 1.13.0" */

    /* The file as records of all its fields. Returns null when it cannot be read. */
    void *(*load)(const char *path);
    size_t (*points)(const void *cloud);
    size_t (*fields)(const void *cloud);
    void (*field)(const void *cloud, size_t index, clump_reader_field *out);
    const unsigned char *(*record)(const void *cloud, size_t point);
    void (*release)(void *cloud);

    /* The file as PCL's users get it: points with x y z and intensity. Frees them, and returns their number; SIZE_MAX
     * when the file cannot be read. */
    size_t (*load_points)(const char *path, double *seconds);

    /* The labels of the file, by PCL's type of labelled points. Writes the labels of the first `room` points. Returns
     * the number of points; SIZE_MAX when the file cannot be read. */
    size_t (*load_labels)(const char *path, uint32_t *labels, size_t room);
} clump_reader;

/* The one symbol of a module: a function without arguments that returns a clump_reader. */
#define CLUMP_READER_ENTRY "clump_reader_get"

#ifdef __cplusplus
}
#endif
#endif
