/* SPDX-License-Identifier: BSD-3-Clause
 *
 * formats.c: the list of formats. A new format is one new file and one line here.
 */
#include "format.h"

#include <stdio.h>
#include <string.h>

/* NAME stands for the clump_io_format clump_io_format_NAME. The order is that of sentences that list formats, and that in
 * which formats recognise their content. tests/io.cmake reads these lines: it finds test_NAME.c and the fuzz target. */
#define FORMATS(NAME)                                                                                                  \
    NAME(pcd)                                                                                                          \
    NAME(ply)                                                                                                          \
    NAME(las)                                                                                                          \
    NAME(laz)                                                                                                          \
    NAME(kitti)                                                                                                        \
    NAME(nuscenes)                                                                                                     \
    NAME(raw)                                                                                                          \
    NAME(text)                                                                                                         \
    NAME(npy)                                                                                                          \
    NAME(labels)                                                                                                       \
    NAME(semantickitti)

#define DECLARE(name) extern const clump_io_format clump_io_format_##name;
#define ADDRESS(name) &clump_io_format_##name,
FORMATS(DECLARE)
const clump_io_format *const clump_io_formats[] = {FORMATS(ADDRESS) NULL};

void clump_io_list_written(char *list, size_t room)
{
    size_t used = 0;
    list[0] = 0;
    for (const clump_io_format *const *f = clump_io_formats; *f; f++)
        for (const char *const *e = (*f)->extensions; (*f)->write && *e && used < room; e++)
            used += (size_t)snprintf(list + used, room - used, "%s.%s", used ? " " : "", *e);
}

const clump_io_format *clump_io_format_of(clump_format format)
{
    if (format == CLUMP_FORMAT_GUESS) return NULL;
    for (const clump_io_format *const *f = clump_io_formats; *f; f++)
        if ((*f)->format == format) return *f;
    return NULL;
}

const char *clump_format_name(clump_format format)
{
    const clump_io_format *f = clump_io_format_of(format);
    return f ? f->name : NULL;
}

bool clump_format_describe(clump_format format, clump_format_info *out)
{
    const clump_io_format *f = clump_io_format_of(format);
    if (!f || !out) return false;
    *out = (clump_format_info){.name = f->name,
                               .extensions = f->extensions,
                               .reads = f->holds_points,
                               .writes = f->write != NULL,
                               .holds_points = f->holds_points,
                               .holds_fields = f->holds_fields,
                               .holds_labels = f->holds_labels,
                               .ascii = f->encodings & CLUMP_IO_ASCII,
                               .binary = f->encodings & CLUMP_IO_BINARY,
                               .compressed = f->encodings & CLUMP_IO_COMPRESSED,
                               .big_endian = f->encodings & CLUMP_IO_BIG_ENDIAN};
    return true;
}

clump_format clump_format_of_path(const char *path)
{
    const clump_io_format *f = clump_io_format_of_name(path);
    return f ? f->format : CLUMP_FORMAT_GUESS;
}

bool clump_format_from_name(const char *name, clump_format *format)
{
    for (const clump_io_format *const *f = clump_io_formats; name && *f; f++) {
        if (strcmp((*f)->name, name) != 0) continue;
        if (format) *format = (*f)->format;
        return true;
    }
    return false;
}

static char lower_case(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c + 32) : c;
}

static bool ends_with(const char *base, const char *extension)
{
    const size_t length = strlen(base), tail = strlen(extension);
    if (length < tail + 1 || base[length - tail - 1] != '.') return false;
    for (size_t i = 0; i < tail; i++)
        if (lower_case(base[length - tail + i]) != extension[i]) return false;
    return true;
}

const char *clump_io_base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* The longest extension wins: "scan.pcd.bin" is not a .bin. */
const clump_io_format *clump_io_format_of_name(const char *file_name)
{
    const clump_io_format *best = NULL;
    size_t best_length = 0;
    const char *base = file_name ? clump_io_base_name(file_name) : "";
    for (const clump_io_format *const *f = clump_io_formats; *f; f++) {
        for (const char *const *extension = (*f)->extensions; *extension; extension++) {
            if (strlen(*extension) <= best_length || !ends_with(base, *extension)) continue;
            best = *f;
            best_length = strlen(*extension);
        }
    }
    return best;
}

void clump_io_extension(const char *file_name, char extension[16])
{
    extension[0] = 0;
    const char *dot = file_name ? strrchr(clump_io_base_name(file_name), '.') : NULL;
    if (!dot || strlen(dot + 1) > 15) return;
    size_t i = 0;
    for (const char *c = dot + 1; *c; c++) extension[i++] = lower_case(*c);
    extension[i] = 0;
}
