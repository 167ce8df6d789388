/* SPDX-License-Identifier: BSD-3-Clause
 *
 * ranks_work.c: see ranks.h. A result gets its name when it is complete. It is a head, arrays, and a checksum:
 *
 *     head | firsts | sizes | rim indices | strip indices | rim labels | strip labels | choice offsets | choices | labels | sum
 *
 * The arrays of 8-byte numbers come first, so that all are aligned in memory.
 */
#include "ranks/ranks.h"

#include "common/assert.h"
#include "store/hash.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

enum { WORK_PATH = 4096, WORK_ARRAYS = 9 };

typedef struct work_head {
    uint64_t mark, key, tile, own, rim, rim_count, strip_count, choices;
    uint32_t cluster_count, choice_count;
} work_head;

static void path_of(const clump_ranks *ranks, uint64_t tile, const char *ending, char path[WORK_PATH])
{
    snprintf(path, WORK_PATH, "%s/" CLUMP_RANKS_TILE_NAME "%06llu%s", ranks->work, (unsigned long long)tile, ending);
}

/* Sizes of the arrays in bytes, in their order. Returns their sum. */
static uint64_t array_sizes(const work_head *h, uint64_t sizes[WORK_ARRAYS])
{
    const uint64_t labels = (uint64_t)h->cluster_count + h->choice_count;
    const uint64_t all[WORK_ARRAYS] = {8 * (uint64_t)h->cluster_count,
                                       8 * labels,
                                       8 * h->rim_count,
                                       8 * h->strip_count,
                                       4 * h->rim_count,
                                       4 * h->strip_count,
                                       h->choice_count > 0 ? 4 * ((uint64_t)h->choice_count + 1) : 0,
                                       4 * h->choices,
                                       4 * h->own};
    uint64_t sum = 0;
    for (int k = 0; k < WORK_ARRAYS; k++) sum += sizes[k] = all[k];
    return sum;
}

static uint64_t number_of(const clump_ranks *ranks, size_t tile)
{
    return ranks->first_tile[ranks->mail.peers.rank] + (uint64_t)tile;
}

clump_status clump_ranks_work_save(const clump_ranks *ranks, size_t tile, clump_message *message)
{
    CLUMP_ASSERT(tile < ranks->tiles_here);
    const clump_ranks_tile *const t = &ranks->tiles[tile];
    const clump_piece *const p = t->piece;
    char path[WORK_PATH], part[WORK_PATH], ending[32];
    const work_head head = {.mark = CLUMP_RANKS_TILE_MARK,
                            .key = ranks->work_key,
                            .tile = number_of(ranks, tile),
                            .own = t->own,
                            .rim = t->rim,
                            .rim_count = p->rim_count,
                            .strip_count = p->strip_count,
                            .choices = p->choice_count > 0 ? (uint64_t)p->choice_offsets[p->choice_count] : 0,
                            .cluster_count = (uint32_t)p->cluster_count,
                            .choice_count = (uint32_t)p->choice_count};
    const void *const arrays[WORK_ARRAYS] = {p->firsts,         p->sizes,      p->rim_indices,
                                             p->strip_indices,  p->rim_labels, p->strip_labels,
                                             p->choice_offsets, p->choices,    t->labels};
    uint64_t sizes[WORK_ARRAYS];
    array_sizes(&head, sizes);
    snprintf(ending, sizeof ending, ".%ld", (long)getpid());
    path_of(ranks, head.tile, "", path);
    path_of(ranks, head.tile, ending, part);
    clump_big_hash hash;
    clump_big_hash_begin(&hash);
    clump_big_hash_add(&hash, &head, sizeof head);
    FILE *const file = fopen(part, "wb");
    bool written = file && fwrite(&head, sizeof head, 1, file) == 1;
    for (int k = 0; k < WORK_ARRAYS && written; k++) {
        if (sizes[k] == 0) continue;
        clump_big_hash_add(&hash, arrays[k], (size_t)sizes[k]);
        written = fwrite(arrays[k], 1, (size_t)sizes[k], file) == sizes[k];
    }
    const uint64_t sum = clump_big_hash_end(&hash);
    written = written && fwrite(&sum, sizeof sum, 1, file) == 1;
    if (file) written &= fclose(file) == 0;
    if (written && rename(part, path) == 0) return CLUMP_OK;
    const int error = errno;
    unlink(part);
    return clump_big_fail_errno(message, CLUMP_ERR_IO_WRITE, path, "cannot be written", error);
}

/* Whether a head is that of a tile as it is now. */
static bool fits(const clump_ranks *ranks, size_t tile, const work_head *h, uint64_t bytes)
{
    const clump_ranks_tile *const t = &ranks->tiles[tile];
    uint64_t sizes[WORK_ARRAYS];
    return h->mark == CLUMP_RANKS_TILE_MARK && h->key == ranks->work_key && h->tile == number_of(ranks, tile) &&
           h->own == t->own && h->rim == t->rim && h->cluster_count <= INT32_MAX && h->choice_count <= INT32_MAX &&
           h->rim_count <= h->rim && h->strip_count <= h->own && h->choices <= bytes &&
           sizeof *h + array_sizes(h, sizes) + 8 == bytes;
}

/* Makes a piece whose arrays follow it in memory. */
static clump_piece *make_piece(const work_head *h, unsigned char *memory, const uint64_t sizes[WORK_ARRAYS])
{
    const void *at[WORK_ARRAYS];
    unsigned char *next = memory + sizeof(clump_piece) + sizeof *h;
    for (int k = 0; k < WORK_ARRAYS; k++) at[k] = next, next += sizes[k];
    clump_piece *const piece = (clump_piece *)(void *)memory;
    *piece = (clump_piece){.own = (size_t)h->own,
                           .cluster_count = (int32_t)h->cluster_count,
                           .choice_count = (int32_t)h->choice_count,
                           .firsts = at[0],
                           .sizes = at[1],
                           .rim_count = (size_t)h->rim_count,
                           .strip_count = (size_t)h->strip_count,
                           .rim_indices = at[2],
                           .strip_indices = at[3],
                           .rim_labels = at[4],
                           .strip_labels = at[5],
                           .choice_offsets = h->choice_count > 0 ? at[6] : NULL,
                           .choices = at[7]};
    return piece;
}

bool clump_ranks_work_load(clump_ranks *ranks, size_t tile)
{
    CLUMP_ASSERT(tile < ranks->tiles_here);
    char path[WORK_PATH];
    struct stat there;
    work_head head;
    uint64_t sizes[WORK_ARRAYS], sum;
    path_of(ranks, number_of(ranks, tile), "", path);
    FILE *const file = fopen(path, "rb");
    unsigned char *memory = NULL;
    clump_ranks_tile *const t = &ranks->tiles[tile];
    bool right = file && fstat(fileno(file), &there) == 0 && fread(&head, sizeof head, 1, file) == 1 &&
                 fits(ranks, tile, &head, (uint64_t)there.st_size);
    const size_t bytes = right ? (size_t)there.st_size - sizeof head - sizeof sum : 0;
    if (right) memory = malloc(sizeof(clump_piece) + sizeof head + bytes);
    right = memory && fread(memory + sizeof(clump_piece) + sizeof head, 1, bytes, file) == bytes &&
            fread(&sum, sizeof sum, 1, file) == 1;
    if (right) {
        unsigned char *const data = memory + sizeof(clump_piece);
        memcpy(data, &head, sizeof head);
        right = clump_big_checksum(data, sizeof head + bytes) == sum;
        array_sizes(&head, sizes);
    }
    if (right) {
        t->piece = make_piece(&head, memory, sizes);
        t->is_loaded = true;
        memcpy(t->labels, memory + sizeof(clump_piece) + sizeof head + bytes - sizes[8], (size_t)sizes[8]);
    } else {
        free(memory);
    }
    if (file) fclose(file);
    return right;
}
