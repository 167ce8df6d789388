/* SPDX-License-Identifier: BSD-3-Clause
 *
 * target.h: targets, which have names, and what they have in common. They are one program: fuzz.c.
 */
#ifndef CLUMP_TESTS_FUZZ_TARGET_H
#define CLUMP_TESTS_FUZZ_TARGET_H

#include <clump/io.h>

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

typedef int fuzz_run(const uint8_t *data, size_t size);
void fuzz_add(const char *name, fuzz_run *run); /* fuzz.c */

/* A function of `data` and `size`, which fuzz.c finds by its name. It returns 0. */
#define FUZZ_TARGET(name)                                                                                              \
    static fuzz_run fuzz_run_##name;                                                                                   \
    __attribute__((constructor)) static void fuzz_add_##name(void)                                                     \
    {                                                                                                                  \
        fuzz_add(#name, fuzz_run_##name);                                                                              \
    }                                                                                                                  \
    static int fuzz_run_##name(const uint8_t *data, size_t size)

/* Formats without a target of their own (target.c). */
int fuzz_format(clump_format format, const uint8_t *data, size_t size);

/* What must be true of every input. Else the program ends, which the fuzzer reports as a crash. */
#define REQUIRE(condition)                                                                                             \
    do {                                                                                                               \
        if (!(condition)) {                                                                                            \
            fprintf(stderr, "%s:%d: not true: %s\n", __FILE__, __LINE__, #condition);                                  \
            abort();                                                                                                   \
        }                                                                                                              \
    } while (0)

/* A file of this process alone, where files are memory. */
static inline const char *fuzz_scratch(const char *extension)
{
    static char path[128];
    snprintf(path, sizeof path, "%s/clump-fuzz-%ld.%s", access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp",
             (long)getpid(), extension);
    return path;
}

/* Writes the cloud to a scratch file and reads it again. Null: it was refused with a sentence (LAS cannot hold NaN, PLY no
 * large 64-bit integers). A written file that cannot be read ends the program. */
static inline clump_cloud *fuzz_write_and_read(const clump_cloud *cloud, const clump_save_options *save,
                                               const char *extension)
{
    const char *const path = fuzz_scratch(extension);
    clump_message why;
    if (clump_cloud_save(path, cloud, NULL, save, &why) != CLUMP_OK) {
        if (!why.text[0]) abort();
        return NULL;
    }
    clump_load_options load = clump_load_defaults();
    load.format = save->format;
    clump_cloud *back;
    if (clump_cloud_load(path, &load, &back, &why) != CLUMP_OK) {
        fprintf(stderr, "what was written cannot be read: %s\n", why.text);
        abort();
    }
    unlink(path);
    return back;
}

#endif
