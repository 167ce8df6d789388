/* SPDX-License-Identifier: BSD-3-Clause
 *
 * stream.c: reads the bytes of a file into memory.
 *
 * A file is read, not mapped. If another program truncates a mapped file, an access kills the process with SIGBUS,
 * which only a signal handler could prevent. A file that is read and becomes shorter gives a status.
 *
 *     bytes    head | not loaded yet ...                       | tail
 *              loaded first: which format is it?                 required by LAS only
 *
 * The whole file has addresses, but memory is only taken for bytes that are loaded. Formats of records (streams in
 * clump_io_format) load what they need besides their points, and read the points through a window that stays in the
 * cache. So they take no memory for the file. For other formats, all bytes are loaded before parse().
 */
#define _GNU_SOURCE /* MAP_ANONYMOUS, madvise */
#include "format.h"
#include "common/assert.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define STREAM_HEAD  ((size_t)64 << 10) /* bytes that are read before the format is known */
#define STREAM_TOP   ((size_t)64 << 20) /* bytes that have addresses, where the rest is not loaded */
#define STREAM_PIECE ((size_t)4 << 20)  /* bytes that are read at a time, where there are many */

bool clump_io_is_dash(const char *path)
{
    return strcmp(path, "-") == 0;
}

/* Reads bytes [from, from + size) of a file, up to its end; *got is their number. */
static clump_status read_at(const clump_io_where *where, int file, size_t from, unsigned char *to, size_t size,
                            size_t *got)
{
    *got = 0;
    while (*got < size) {
        const ssize_t now = pread(file, to + *got, size - *got, (off_t)(from + *got));
        if (now == 0) break;
        if (now > 0)
            *got += (size_t)now;
        else if (errno != EINTR)
            return clump_io_fail_errno(where, CLUMP_ERR_IO_READ, "cannot read", errno);
    }
    return CLUMP_OK;
}

static clump_status became_shorter(const clump_io_where *where, size_t is, size_t was)
{
    return clump_io_fail(where, CLUMP_ERR_IO_TRUNCATED,
                         "the file became shorter while it was read: %zu of %zu bytes are there", is, was);
}

/* Reads a pipe or a device to its end. */
static clump_status read_all(const clump_io_where *where, clump_io_stream *s)
{
    size_t capacity = 0;
    for (;;) {
        if (s->size == capacity) {
            if (!clump_io_multiply(capacity ? capacity : 32768, 2, &capacity))
                return clump_io_no_memory(where, SIZE_MAX);
            unsigned char *grown = realloc(s->data, capacity);
            if (!grown) return clump_io_no_memory(where, capacity);
            s->data = grown;
        }
        const ssize_t got = read(s->file, s->data + s->size, capacity - s->size);
        if (got == 0) break;
        if (got > 0)
            s->size += (size_t)got;
        else if (errno != EINTR)
            return clump_io_fail_errno(where, CLUMP_ERR_IO_READ, "cannot read", errno);
    }
    s->loaded = s->size;
    return CLUMP_OK;
}

/* Reads the head of a regular file, and reserves addresses for the rest, at most `most` in all. */
static clump_status read_head(const clump_io_where *where, clump_io_stream *s, size_t size, size_t most)
{
    const size_t mapped = size < most ? size : most;
    void *data = mmap(NULL, mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (data == MAP_FAILED) return clump_io_no_memory(where, mapped);
    s->data = data;
    s->size = size;
    s->mapped = mapped;
    const size_t head = size < STREAM_HEAD ? size : STREAM_HEAD;
    const clump_status status = read_at(where, s->file, 0, s->data, head, &s->loaded);
    if (status != CLUMP_OK || s->loaded == head) return status;
    struct stat about; /* some files of the system are shorter than they say from the start */
    if (fstat(s->file, &about) != 0 || (uintmax_t)about.st_size != size) return became_shorter(where, s->loaded, size);
    s->size = s->loaded;
    return CLUMP_OK;
}

static clump_status open_stream(const clump_io_where *where, const char *path, size_t most, clump_io_stream *s)
{
    *s = (clump_io_stream){.file = clump_io_is_dash(path) ? fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3)
                                                          : open(path, O_RDONLY | O_CLOEXEC)};
    if (s->file < 0) return clump_io_fail_errno(where, CLUMP_ERR_IO_OPEN, "cannot open", errno);
    struct stat about;
    clump_status status = CLUMP_OK;
    if (fstat(s->file, &about) != 0)
        status = clump_io_fail_errno(where, CLUMP_ERR_IO_READ, "cannot read", errno);
    else if (S_ISREG(about.st_mode) && about.st_size > 0 && (uintmax_t)about.st_size <= SIZE_MAX &&
             lseek(s->file, 0, SEEK_CUR) == 0) /* standard input may have been read from before */
        status = read_head(where, s, (size_t)about.st_size, most);
    else
        status = read_all(where, s);
    if (status != CLUMP_OK) clump_io_stream_close(s);
    return status;
}

clump_status clump_io_stream_open(const clump_io_where *where, const char *path, clump_io_stream *s)
{
    return open_stream(where, path, SIZE_MAX, s);
}

clump_status clump_io_stream_open_head(const clump_io_where *where, const char *path, clump_io_stream *s)
{
    return open_stream(where, path, STREAM_TOP, s);
}

void clump_io_stream_close(clump_io_stream *s)
{
    if (s->mapped)
        munmap(s->data, s->mapped);
    else
        free(s->data);
    if (s->file >= 0) close(s->file);
    *s = (clump_io_stream){.file = -1};
}

clump_status clump_io_read(const clump_io_source *source, size_t from, unsigned char *to, size_t size)
{
    CLUMP_ASSERT(source->stream);
    size_t got;
    const clump_status status = read_at(&source->where, source->stream->file, from, to, size, &got);
    if (status != CLUMP_OK || got == size) return status;
    return became_shorter(&source->where, from + got, source->size);
}

clump_status clump_io_peek(const clump_io_source *source, size_t from, unsigned char *to, size_t size)
{
    CLUMP_ASSERT(size <= source->size && from <= source->size - size);
    if (from + size > clump_io_loaded(source)) return clump_io_read(source, from, to, size);
    if (size) memcpy(to, source->bytes + from, size);
    return CLUMP_OK;
}

clump_status clump_io_require(const clump_io_source *source, size_t from, size_t to)
{
    CLUMP_ASSERT(from <= to);
    clump_io_stream *s = source->stream;
    CLUMP_ASSERT(to <= source->size);
    if (!s || to <= s->loaded || from >= to) return CLUMP_OK;
    if (from < s->loaded) from = s->loaded;
    if (s->mapped && to > s->mapped)
        return CLUMP_IO_UNSUPPORTED(source, "byte %zu is needed before the points, which should begin in the first %zu",
                                    to - 1, s->mapped);
    const clump_status status = clump_io_read(source, from, s->data + from, to - from);
    if (status == CLUMP_OK && from == s->loaded) s->loaded = to;
    return status;
}

clump_status clump_io_require_all(const clump_io_source *source)
{
    clump_io_stream *s = source->stream;
    if (!s || s->loaded == s->size) return CLUMP_OK;
#ifdef MADV_HUGEPAGE
    madvise(s->data, s->mapped, MADV_HUGEPAGE); /* a mapping begins with a page */
#endif
    clump_status status = CLUMP_OK;
    while (status == CLUMP_OK && s->loaded < s->size) {
        const size_t left = s->size - s->loaded;
        status = clump_io_require(source, s->loaded, s->loaded + (left < STREAM_PIECE ? left : STREAM_PIECE));
        if (left > STREAM_PIECE) clump_io_report(&source->progress, s->loaded, s->size);
    }
    return status;
}
