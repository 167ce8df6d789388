/* SPDX-License-Identifier: BSD-3-Clause
 *
 * open_files.c: descriptors of the files. A survey may have more files than a process may have open, so the one that was
 * used the longest time ago is closed for the next. Every time a file is taken, it is compared with what it was when it was
 * opened first: a file that another program replaces, writes to or cuts is refused, not read halfway.
 */
#define _DEFAULT_SOURCE /* st_mtim */
#include "blocks/blocks.h"

#include "common/assert.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FILES_OPEN = 64 }; /* at the same time, unless more threads need one each */

bool clump_io_block_look(int descriptor, clump_io_block_stamp *stamp)
{
    CLUMP_ASSERT(descriptor >= 0);
    struct stat about;
    if (fstat(descriptor, &about) != 0) return false;
    *stamp = (clump_io_block_stamp){about.st_dev, about.st_ino, (uint64_t)about.st_size, about.st_mtim};
    return true;
}

static clump_status compare(const clump_io_block_file *file, int descriptor, const clump_io_where *where)
{
    const clump_io_block_stamp *was = &file->stamp;
    clump_io_block_stamp is;
    if (!clump_io_block_look(descriptor, &is))
        return clump_io_fail_errno(where, CLUMP_ERR_IO_READ, "cannot read", errno);
    if (is.size < was->size)
        return clump_io_fail(where, CLUMP_ERR_IO_TRUNCATED,
                             "the file became shorter while it was read: %llu of %llu bytes are there",
                             (unsigned long long)is.size, (unsigned long long)was->size);
    if (is.size != was->size || is.device != was->device || is.inode != was->inode ||
        is.changed.tv_sec != was->changed.tv_sec || is.changed.tv_nsec != was->changed.tv_nsec)
        return clump_io_fail(where, CLUMP_ERR_IO_READ, "another program changed the file while it was read");
    return CLUMP_OK;
}

/* Closes the file that was used the longest time ago, of those that are not in use. */
static void close_oldest(clump_reader *reader)
{
    clump_io_block_file *oldest = NULL;
    for (size_t i = 0; i < reader->file_count; i++) {
        clump_io_block_file *f = &reader->files[i];
        if (f->file >= 0 && f->users == 0 && (!oldest || f->last_used < oldest->last_used)) oldest = f;
    }
    if (!oldest) return;
    close(oldest->file);
    oldest->file = -1;
    reader->open_count--;
}

clump_status clump_io_block_take_file(clump_reader *reader, clump_io_block_file *file, const clump_io_where *where,
                                      int *descriptor)
{
    pthread_mutex_lock(&reader->lock);
    int error = 0;
    if (file->file < 0) {
        if (reader->open_count >= FILES_OPEN) close_oldest(reader);
        file->file = open(file->path, O_RDONLY | O_CLOEXEC);
        error = file->file < 0 ? errno : 0;
        reader->open_count += !error;
    }
    if (!error) file->users++;
    file->last_used = ++reader->clock;
    *descriptor = file->file;
    pthread_mutex_unlock(&reader->lock);
    if (error) return clump_io_fail_errno(where, CLUMP_ERR_IO_OPEN, "cannot open", error);
    const clump_status status = compare(file, *descriptor, where);
    if (status != CLUMP_OK) clump_io_block_give_back(reader, file);
    return status;
}

void clump_io_block_give_back(clump_reader *reader, clump_io_block_file *file)
{
    pthread_mutex_lock(&reader->lock);
    file->users--;
    pthread_mutex_unlock(&reader->lock);
}
