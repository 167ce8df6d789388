/* SPDX-License-Identifier: BSD-3-Clause
 *
 * files.c: a sequence of cloud files as a container. Its blob is a list in memory, which sources.c makes: per file a
 * clump_io_file_entry and the path, which ends with 0. A message is the path: it stays as long as the list.
 */
#include "recordings/recording.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

typedef struct files_state {
    const clump_io_blob *blob;
    uint64_t at;
    uint32_t topic;
} files_state;

clump_status clump_io_files_make_list(const clump_io_where *where, const clump_io_paths *paths, const int64_t *stamps,
                                      bool nclt, clump_io_bytes *list)
{
    for (size_t i = 0; i < paths->count; i++) {
        const clump_io_where there = {paths->list[i], where->message};
        struct stat about;
        if (stat(paths->list[i], &about) != 0)
            return clump_io_fail_errno(&there, CLUMP_ERR_IO_OPEN, "cannot open", errno);
        const clump_io_file_entry entry = {stamps[i], nclt, (uint32_t)strlen(paths->list[i]) + 1};
        CLUMP_IO_TRY(clump_io_bytes_reserve(where, list, list->size + sizeof entry + entry.size));
        memcpy(list->data + list->size, &entry, sizeof entry);
        memcpy(list->data + list->size + sizeof entry, paths->list[i], entry.size);
        list->size += sizeof entry + entry.size;
    }
    return CLUMP_OK;
}

/* Reads the entry at the position, and goes behind it. */
static bool read_entry(files_state *files, clump_io_file_entry *entry, const char **path)
{
    if (files->at >= files->blob->size) return false;
    memcpy(entry, files->blob->memory + files->at, sizeof *entry);
    *path = (const char *)files->blob->memory + files->at + sizeof *entry;
    files->at += sizeof *entry + entry->size;
    return true;
}

static clump_status open_list(const clump_io_blob *blob, clump_io_topics *topics, clump_io_losses *losses, void **state)
{
    (void)losses;
    files_state *const files = calloc(1, sizeof *files);
    if (!files) return clump_io_no_memory(&blob->where, sizeof *files);
    *state = files;
    files->blob = blob;
    clump_io_file_entry entry = {0};
    const char *path;
    read_entry(files, &entry, &path);
    files->at = 0;
    const char *const type = entry.nclt ? CLUMP_IO_FILES_NCLT : CLUMP_IO_FILES_CLOUD;
    return clump_io_topics_add(&blob->where, topics, "clouds", 6, type, strlen(type), CLUMP_IO_CODING_FILE,
                               &files->topic);
}

static clump_status next(void *state, const bool *wanted, size_t wanted_count, clump_io_message *message, bool *more)
{
    files_state *const files = state;
    clump_io_file_entry entry;
    const char *path = NULL;
    *more = (!wanted || (files->topic < wanted_count && wanted[files->topic])) && read_entry(files, &entry, &path);
    if (*more)
        *message = (clump_io_message){.topic = files->topic,
                                      .received = entry.stamp,
                                      .bytes = (const unsigned char *)path,
                                      .size = entry.size - 1};
    return CLUMP_OK;
}

static clump_status seek(void *state, int64_t time)
{
    files_state *const files = state;
    clump_io_file_entry entry;
    const char *path;
    files->at = 0;
    for (uint64_t before = 0; read_entry(files, &entry, &path); before = files->at) {
        if (entry.stamp < time) continue;
        files->at = before;
        return CLUMP_OK;
    }
    return CLUMP_OK;
}

const clump_io_container clump_io_container_files = {
    .format = CLUMP_RECORDING_CLOUDS, .name = "clouds", .open = open_list, .next = next, .seek = seek, .close = free};
