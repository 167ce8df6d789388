/* SPDX-License-Identifier: BSD-3-Clause
 *
 * ranks_folder.c: the work folder of ranks: its key, and which files in it are results. See ranks.h.
 */
#define _GNU_SOURCE /* O_NOFOLLOW */
#include "ranks/ranks.h"

#include "store/hash.h"
#include "job.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#define FOLDER_KEY_HEAD "clump-ranks 1 " /* then the key, in 16 hexadecimal digits */

enum { FOLDER_PATH = 4096 };

/* Returns the key of the run: whatever decides what is in a tile. */
static uint64_t key_of(const clump_ranks *ranks)
{
    const clump_joint_settings *const s = &ranks->settings;
    const uint64_t words[] = {ranks->work_key,
                              ranks->points,
                              ranks->left_out,
                              ranks->most,
                              (uint64_t)s->two_d,
                              s->min_points,
                              ranks->map.tile_count,
                              (uint64_t)s->no_border_points,
                              (uint64_t)ranks->frame.kind,
                              (uint64_t)ranks->frame.edge};
    clump_big_hash hash;
    clump_big_hash_begin(&hash);
    clump_big_hash_add(&hash, words, sizeof words);
    clump_big_hash_add(&hash, &s->d, sizeof s->d);
    clump_big_hash_add(&hash, &ranks->frame.step, sizeof ranks->frame.step);
    return clump_big_hash_end(&hash);
}

/* ----- files of the folder -------------------------------------------------------------------------------------------- */

/* Returns whether a name is that of a result, "clump-tile-000012", or of a part of one, "clump-tile-000012.4711". */
static bool is_tile_name(const char *name)
{
    const size_t head = sizeof CLUMP_RANKS_TILE_NAME - 1;
    if (strncmp(name, CLUMP_RANKS_TILE_NAME, head) != 0) return false;
    const size_t digits = strspn(name + head, "0123456789");
    const char *const rest = name + head + digits;
    if (digits < 6 || *rest == 0) return digits >= 6;
    return *rest == '.' && rest[1] != 0 && rest[1 + strspn(rest + 1, "0123456789")] == 0;
}

/* Returns whether a file begins with the mark of a result. An empty file is one that a rank has just begun. */
static bool has_mark(int folder, const char *name)
{
    uint64_t mark = 0;
    const int file = openat(folder, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    struct stat about;
    bool right = file >= 0 && fstat(file, &about) == 0 && S_ISREG(about.st_mode);
    if (right && about.st_size > 0)
        right = read(file, &mark, sizeof mark) == sizeof mark && mark == CLUMP_RANKS_TILE_MARK;
    if (file >= 0) close(file);
    return right;
}

/* Refuses the folder where a file has the name of a result and is none, which would be overwritten. */
static clump_status check_tiles(clump_ranks *ranks)
{
    DIR *const folder = opendir(ranks->work);
    clump_status status = CLUMP_OK;
    if (!folder)
        return clump_big_fail_errno(&ranks->message, CLUMP_ERR_IO_OPEN, ranks->work, "the work folder cannot be opened",
                                    errno);
    for (const struct dirent *entry; status == CLUMP_OK && (entry = readdir(folder));)
        if (is_tile_name(entry->d_name) && !has_mark(dirfd(folder), entry->d_name))
            status = clump_big_not_ours(&ranks->message, ranks->work, entry->d_name);
    closedir(folder);
    return status;
}

/* Reads the key of the folder. *found: there is one. An empty file is one that rank 0 had just begun. */
static clump_status read_key(clump_ranks *ranks, const char *path, bool *found, uint64_t *key)
{
    FILE *const file = fopen(path, "r");
    *found = file != NULL;
    if (!file && errno == ENOENT) return CLUMP_OK;
    if (!file) return clump_big_fail_errno(&ranks->message, CLUMP_ERR_IO_OPEN, path, "cannot be opened", errno);
    const int first = fgetc(file);
    *found = first != EOF;
    const bool right = !*found || (ungetc(first, file) != EOF && fscanf(file, FOLDER_KEY_HEAD "%16" SCNx64, key) == 1);
    fclose(file);
    return right ? CLUMP_OK : clump_big_not_ours(&ranks->message, ranks->work, CLUMP_RANKS_NAME);
}

/* Writes the key into a new folder, or compares it with that of an old one; on rank 0. */
static clump_status open_folder(clump_ranks *ranks)
{
    char path[FOLDER_PATH];
    bool found;
    uint64_t key = 0;
    if (mkdir(ranks->work, 0777) != 0 && errno != EEXIST)
        return clump_big_fail_errno(&ranks->message, CLUMP_ERR_IO_WRITE, ranks->work, "cannot be created", errno);
    snprintf(path, sizeof path, "%s/" CLUMP_BIG_PLAN_NAME, ranks->work);
    if (access(path, F_OK) == 0)
        return clump_big_fail(&ranks->message, CLUMP_ERR_ARGUMENT,
                              "%.300s: the work folder is that of clump without MPI; remove it, or use another",
                              ranks->work);
    CLUMP_BIG_TRY(check_tiles(ranks));
    snprintf(path, sizeof path, "%s/" CLUMP_RANKS_NAME, ranks->work);
    CLUMP_BIG_TRY(read_key(ranks, path, &found, &key));
    if (found && key == ranks->work_key) return CLUMP_OK;
    if (found)
        return clump_big_fail(
            &ranks->message, CLUMP_ERR_ARGUMENT,
            "%.300s: the work folder is that of a run with other input or parameters; remove it, or use another",
            ranks->work);
    FILE *const file = fopen(path, "w");
    const bool written = file && fprintf(file, FOLDER_KEY_HEAD "%016" PRIx64 "\n", ranks->work_key) > 0;
    const int error = errno;
    if (file && fclose(file) == 0 && written) return CLUMP_OK;
    if (file) unlink(path);
    return clump_big_fail_errno(&ranks->message, CLUMP_ERR_IO_WRITE, path, "cannot be written", error);
}

/* ----- the folder ----------------------------------------------------------------------------------------------------- */

clump_status clump_ranks_work_open(clump_ranks *ranks)
{
    if (!ranks->work) return CLUMP_OK;
    ranks->work_key = key_of(ranks);
    return clump_ranks_agree(ranks, ranks->mail.peers.rank == 0 ? open_folder(ranks) : CLUMP_OK);
}

void clump_ranks_work_remove(clump_ranks *ranks)
{
    DIR *const folder = ranks->work && ranks->mail.peers.rank == 0 ? opendir(ranks->work) : NULL;
    if (!folder) return;
    for (const struct dirent *entry; (entry = readdir(folder));)
        if (is_tile_name(entry->d_name) && has_mark(dirfd(folder), entry->d_name))
            unlinkat(dirfd(folder), entry->d_name, 0);
    unlinkat(dirfd(folder), CLUMP_RANKS_NAME, 0);
    closedir(folder);
    rmdir(ranks->work);
}
