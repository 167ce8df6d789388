/* SPDX-License-Identifier: BSD-3-Clause
 *
 * sources.c: what a path stands for: a file, the files of a folder, a list, memory. Content decides which container reads
 * a file.
 */
#include "format.h"
#include "common/assert.h"
#include "containers/decompress.h"
#include "recordings/recording.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define SOURCES_HEAD 4096 /* bytes that tell the container */

/* --- sentences ----------------------------------------------------------------------------------------- */

static bool is_cloud_name(const char *name)
{
    const clump_io_format *const format = clump_io_format_of_name(name);
    return format && format->holds_points;
}

static bool is_cloud(const char *name, const unsigned char *bytes, size_t size)
{
    for (const clump_io_format *const *f = clump_io_formats; *f; f++)
        if ((*f)->sniff && (*f)->sniff(bytes, size)) return true;
    return name && is_cloud_name(name);
}

static const char *packed_by(const unsigned char *bytes, size_t size)
{
    if (size >= 4 && memcmp(bytes, "\x28\xb5\x2f\xfd", 4) == 0) return "zstd -d";
    if (size >= 2 && memcmp(bytes, "\x1f\x8b", 2) == 0) return "gunzip";
    if (size >= 3 && memcmp(bytes, "BZh", 3) == 0) return "bunzip2";
    if (size >= 6 && memcmp(bytes,
                            "\xfd"
                            "7zXZ\0",
                            6) == 0)
        return "unxz";
    return size >= 4 && memcmp(bytes, "\x04\x22\x4d\x18", 4) == 0 ? "unlz4" : NULL;
}

static clump_status not_a_recording(const clump_io_where *where, const unsigned char *bytes, size_t size)
{
    if (size == 0) return clump_io_fail(where, CLUMP_ERR_IO_TRUNCATED, "the file is empty");
    const char *const unpack = packed_by(bytes, size);
    if (unpack)
        return clump_io_fail(where, CLUMP_ERR_IO_UNSUPPORTED, "the whole file is compressed: decompress it first, %s",
                             unpack);
    if (is_cloud(where->name, bytes, size))
        return clump_io_fail(where, CLUMP_ERR_IO_UNSUPPORTED,
                             "it is a single cloud, not a recording; a folder of clouds, or a list, is one");
    return clump_io_fail(where, CLUMP_ERR_IO_UNSUPPORTED,
                         "it is not a recording that clump knows: bag, db3, mcap, pcap, pcapng, velodyne_hits.bin or a "
                         "folder of clouds");
}

/* --- one file ---------------------------------------------------------------------------------------------- */

/* Appends an empty file. */
static clump_status append(const clump_io_where *where, clump_io_sources *sources, clump_io_source_file **out)
{
    CLUMP_IO_TRY(
        clump_io_list_reserve(where, &sources->list, &sources->capacity, sources->count + 1, sizeof *sources->list));
    CLUMP_ASSERT(sources->count < sources->capacity);
    *out = &sources->list[sources->count++];
    **out = (clump_io_source_file){.blob = {.file = -1}, .stream = {.file = -1}};
    return CLUMP_OK;
}

static void close_file(clump_io_source_file *file)
{
    if (file->blob.file >= 0) close(file->blob.file);
    if (file->stream.data || file->stream.file >= 0) clump_io_stream_close(&file->stream);
    if (file->pipe && file->pipe->file >= 0) close(file->pipe->file);
    if (file->pipe) clump_io_bytes_release(&file->pipe->head);
    free(file->pipe);
    clump_io_bytes_release(&file->list);
    free(file->path);
}

void clump_io_sources_release(clump_io_sources *sources)
{
    for (size_t i = 0; i < sources->count; i++) close_file(&sources->list[i]);
    free(sources->list);
    *sources = (clump_io_sources){0};
}

/* Reads a regular file that is standard input into memory. */
static clump_status take_stream(const clump_io_where *where, const char *path, clump_io_source_file *file)
{
    CLUMP_IO_TRY(clump_io_stream_open(where, path, &file->stream));
    const clump_io_source all = {
        .bytes = file->stream.data, .size = file->stream.size, .stream = &file->stream, .where = *where};
    CLUMP_IO_TRY(clump_io_require_all(&all));
    file->blob.memory = file->stream.data ? file->stream.data : (const unsigned char *)"";
    file->blob.size = file->stream.size;
    return CLUMP_OK;
}

/* Reads a pipe to its end, or, with `live`, until its bytes are recognised as packets, which are then read as they come. */
static clump_status read_head(const clump_io_where *where, clump_io_source_file *file, bool live)
{
    clump_io_bytes *const head = &file->pipe->head;
    for (ssize_t got = 1; got > 0 && !file->container;) {
        CLUMP_IO_TRY(clump_io_bytes_reserve(where, head, head->size + SOURCES_HEAD));
        do got = read(file->pipe->file, head->data + head->size, head->capacity - head->size);
        while (got < 0 && errno == EINTR);
        if (got < 0) return clump_io_fail_errno(where, CLUMP_ERR_IO_READ, "cannot read", errno);
        head->size += (size_t)got;
        if (live && clump_io_container_pcap.sniff(head->data, head->size))
            file->container = &clump_io_container_pcap_live;
    }
    return CLUMP_OK;
}

/* Opens a pipe, a device or standard input. */
static clump_status take_pipe(const clump_io_where *where, const clump_io_sources *sources, const char *path,
                              clump_io_source_file *file)
{
    clump_io_pipe *const pipe = file->pipe = calloc(1, sizeof *pipe);
    if (!pipe) return clump_io_no_memory(where, sizeof *pipe);
    pipe->wire = sources->wire;
    pipe->file = clump_io_is_dash(path) ? fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3) : open(path, O_RDONLY | O_CLOEXEC);
    if (pipe->file < 0) return clump_io_fail_errno(where, CLUMP_ERR_IO_OPEN, "cannot open", errno);
    CLUMP_IO_TRY(read_head(where, file, sources->alone));
    if (file->container) {
        file->blob.pipe = pipe;
        return CLUMP_OK;
    }
    file->blob.memory = pipe->head.data;
    file->blob.size = pipe->head.size;
    return CLUMP_OK;
}

static clump_status open_file(const clump_io_where *where, const clump_io_sources *sources, const char *path,
                              clump_io_source_file *file)
{
    struct stat about;
    if (clump_io_is_dash(path) && (fstat(STDIN_FILENO, &about) != 0 || S_ISREG(about.st_mode)))
        return take_stream(where, path, file);
    if (clump_io_is_dash(path)) return take_pipe(where, sources, path, file);
    if (stat(path, &about) != 0) return clump_io_fail_errno(where, CLUMP_ERR_IO_OPEN, "cannot open", errno);
    if (S_ISDIR(about.st_mode)) return clump_io_fail(where, CLUMP_ERR_IO_OPEN, "it is a folder");
    if (!S_ISREG(about.st_mode)) return take_pipe(where, sources, path, file);
    file->blob.file = open(path, O_RDONLY | O_CLOEXEC);
    if (file->blob.file < 0) return clump_io_fail_errno(where, CLUMP_ERR_IO_OPEN, "cannot open", errno);
    if (fstat(file->blob.file, &about) != 0) return clump_io_fail_errno(where, CLUMP_ERR_IO_READ, "cannot read", errno);
    file->blob.size = about.st_size > 0 ? (uint64_t)about.st_size : 0;
    return CLUMP_OK;
}

/* A compressed file has the container of what is inside, where that is MCAP. */
static clump_status look_inside(const clump_io_blob *blob, clump_io_source_file *file)
{
    unsigned char begin[64];
    size_t size;
    CLUMP_IO_TRY(clump_io_packed_begin(blob, begin, sizeof begin, &size));
    if (clump_io_container_mcap.sniff(begin, size)) file->container = &clump_io_container_mcap;
    return CLUMP_OK;
}

static clump_status find_container(const clump_io_where *where, clump_io_source_file *file)
{
    const size_t head = file->blob.size < SOURCES_HEAD ? (size_t)file->blob.size : SOURCES_HEAD;
    clump_io_bytes scratch = {0};
    const unsigned char *bytes = NULL;
    clump_io_blob blob = file->blob;
    blob.where = *where;
    clump_status status = clump_io_blob_at(&blob, 0, head, &scratch, &bytes);
    if (status == CLUMP_OK) {
        file->container = clump_io_container_of(bytes, head);
        if (clump_io_is_packed(bytes, head)) status = look_inside(&blob, file);
        if (!file->container) status = not_a_recording(where, bytes, head);
    }
    clump_io_bytes_release(&scratch);
    return status;
}

clump_status clump_io_sources_add_file(const clump_io_where *where, const char *path, clump_io_sources *sources)
{
    clump_io_source_file *file;
    CLUMP_IO_TRY(append(where, sources, &file));
    const bool dash = clump_io_is_dash(path);
    file->path = strdup(dash ? "standard input" : path);
    if (!file->path) return clump_io_no_memory(where, strlen(path) + 1);
    file->blob.path = dash ? NULL : file->path;
    file->blob.where.name = file->path;
    const clump_io_where here = {file->path, &file->why};
    clump_status status = open_file(&here, sources, path, file);
    if (status == CLUMP_OK && !file->container) status = find_container(&here, file);
    if (status != CLUMP_OK) file->container = NULL;
    file->status = status;
    return CLUMP_OK;
}

clump_status clump_io_sources_memory(const clump_io_where *where, const void *bytes, size_t size,
                                     clump_io_sources *sources)
{
    clump_io_source_file *file;
    CLUMP_IO_TRY(append(where, sources, &file));
    file->blob.memory = bytes ? bytes : (const void *)"";
    file->blob.size = size;
    file->blob.where.name = where->name;
    return find_container(where, file);
}

/* --- several files ------------------------------------------------------------------------------------------- */

/* Makes one file of the recording of a list of cloud files. */
static clump_status add_clouds(const clump_io_where *where, const clump_io_paths *paths, clump_io_sources *sources)
{
    clump_io_source_file *file;
    CLUMP_IO_TRY(append(where, sources, &file));
    file->container = &clump_io_container_files;
    file->blob.where.name = where->name;
    int64_t *const stamps = calloc(paths->count, sizeof *stamps);
    if (!stamps) return clump_io_no_memory(where, paths->count * sizeof *stamps);
    clump_status status = clump_io_file_times(where, paths, stamps);
    if (status == CLUMP_OK)
        status = clump_io_files_make_list(where, paths, stamps, clump_io_is_nclt_sync(paths), &file->list);
    free(stamps);
    file->blob.memory = file->list.data;
    file->blob.size = file->list.size;
    return status;
}

static clump_status add_files(const clump_io_where *where, const clump_io_paths *paths, clump_io_sources *sources)
{
    for (size_t i = 0; i < paths->count; i++) CLUMP_IO_TRY(clump_io_sources_add_file(where, paths->list[i], sources));
    return CLUMP_OK;
}

/* drive.mcap.zstd is a name, too. */
static bool is_rosbag2_name(const char *name)
{
    char extension[16], inner[256];
    clump_io_extension(name, extension);
    if (strcmp(extension, "zstd") == 0) {
        snprintf(inner, sizeof inner, "%.*s", (int)(strlen(name) - 5), name);
        clump_io_extension(inner, extension);
    }
    return strcmp(extension, "db3") == 0 || strcmp(extension, "mcap") == 0;
}

static bool is_bag_name(const char *name)
{
    char extension[16];
    clump_io_extension(name, extension);
    return strcmp(extension, "bag") == 0;
}

/* Arrays may be labels, and texts may be lists of anything: a folder that has other clouds is read without them. */
static bool is_certain_cloud_name(const char *name)
{
    const clump_io_format *const format = clump_io_format_of_name(name);
    return format && format->holds_points && format != &clump_io_format_npy && format != &clump_io_format_text;
}

static bool is_array_name(const char *name)
{
    return clump_io_format_of_name(name) == &clump_io_format_npy;
}

static bool is_text_name(const char *name)
{
    if (strcmp(name, "times.txt") == 0 || strcmp(name, "timestamps.txt") == 0) return false;
    return clump_io_format_of_name(name) == &clump_io_format_text;
}

static clump_status add_folder(const clump_io_where *where, const char *folder, clump_io_sources *sources)
{
    clump_io_paths paths = {0};
    bool found = false, clouds = false;
    clump_status status = clump_io_folder_rosbag2(where, folder, &paths, &found);
    bool (*const kinds[])(const char *) = {is_rosbag2_name, is_bag_name, is_certain_cloud_name, is_array_name,
                                           is_text_name};
    for (size_t i = 0; status == CLUMP_OK && !found && i < sizeof kinds / sizeof *kinds; i++) {
        status = clump_io_folder_list(where, folder, kinds[i], &paths);
        found = paths.count > 0;
        clouds = i >= 2;
    }
    if (status == CLUMP_OK && !found)
        status = clump_io_fail(where, CLUMP_ERR_IO_UNSUPPORTED,
                               "the folder has no recording (db3, mcap, bag) and no cloud files");
    if (status == CLUMP_OK) status = clouds ? add_clouds(where, &paths, sources) : add_files(where, &paths, sources);
    clump_io_paths_release(&paths);
    return status;
}

/* Refuses files of different containers: their topics would be told apart, and one of them alone read. */
static clump_status check_one_kind(const clump_io_where *where, const clump_io_sources *sources)
{
    const clump_io_source_file *first = NULL;
    for (size_t i = 0; i < sources->count; i++) {
        const clump_io_source_file *const file = &sources->list[i];
        if (!file->container) continue;
        if (!first) first = file;
        if (file->container->format != first->container->format)
            return clump_io_fail(where, CLUMP_ERR_IO_UNSUPPORTED,
                                 "the parts of a recording are of one format, but %.100s is %s and %.100s is %s",
                                 first->path ? first->path : "one", first->container->name,
                                 file->path ? file->path : "another", file->container->name);
    }
    return CLUMP_OK;
}

/* Passes on why the only file cannot be read. */
static clump_status check_only_file(const clump_io_where *where, const clump_io_sources *sources)
{
    if (sources->count != 1 || sources->list[0].status == CLUMP_OK) return CLUMP_OK;
    if (where->message) *where->message = sources->list[0].why;
    return sources->list[0].status;
}

/* Appends what a URL names. Its container opens it. */
static clump_status add_url(const clump_io_where *where, const char *url, const clump_io_container *container,
                            clump_io_sources *sources)
{
    clump_io_source_file *file;
    CLUMP_IO_TRY(append(where, sources, &file));
    file->path = strdup(url);
    if (!file->path) return clump_io_no_memory(where, strlen(url) + 1);
    file->blob.path = file->blob.where.name = file->path;
    file->blob.wire = sources->wire;
    file->container = container;
    return CLUMP_OK;
}

clump_status clump_io_sources_path(const clump_io_where *where, const char *path, clump_io_sources *sources)
{
    struct stat about;
    const clump_io_container *const live = clump_io_container_of_url(path);
    if (live) return add_url(where, path, live, sources);
    if (!clump_io_is_dash(path) && stat(path, &about) == 0 && S_ISDIR(about.st_mode)) {
        CLUMP_IO_TRY(add_folder(where, path, sources));
        return check_one_kind(where, sources);
    }
    sources->alone = true;
    CLUMP_IO_TRY(clump_io_sources_add_file(where, path, sources));
    return check_only_file(where, sources);
}

clump_status clump_io_sources_paths(const clump_io_where *where, const char *const *paths, size_t count,
                                    clump_io_sources *sources)
{
    clump_io_paths list = {0};
    clump_status status = CLUMP_OK;
    for (size_t i = 0; i < count; i++)
        if (clump_io_container_of_url(paths[i]))
            return clump_io_fail(where, CLUMP_ERR_ARGUMENT,
                                 "%.100s is no part of a recording; several ports: udp://:2368,8308", paths[i]);
    for (size_t i = 0; i < count && status == CLUMP_OK; i++)
        status = clump_io_paths_add(where, &list, NULL, paths[i], strlen(paths[i]));
    if (status == CLUMP_OK) status = clump_io_sources_add_file(where, paths[0], sources);
    /* The first file decides whether the list is one of clouds. */
    if (status == CLUMP_OK && sources->list[0].status != CLUMP_OK && is_cloud_name(paths[0])) {
        clump_io_sources_release(sources);
        status = add_clouds(where, &list, sources);
    } else {
        for (size_t i = 1; i < count && status == CLUMP_OK; i++)
            status = clump_io_sources_add_file(where, paths[i], sources);
    }
    clump_io_paths_release(&list);
    if (status == CLUMP_OK) status = check_one_kind(where, sources);
    return status == CLUMP_OK ? check_only_file(where, sources) : status;
}
