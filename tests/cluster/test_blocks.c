/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_blocks.c: the grid of blocks (cpu/grid/blocks.h) with any number of threads against its definition, and its hash
 * (rules/hash.h) against clouds that were made to break it.
 */
#include "support/check.h"

#include "support/calls.h"
#include "support/clouds.h"
#include "core/context.h"
#include "cpu/grid/bin.h"
#include "cpu/grid/blocks.h"
#include "cpu/grid/deal.h"

#include <math.h>

/* ----- blocks against their definition ------------------------------------------------------------------------- */

enum { MOST = 30000, SOME = 9000 }; /* eight chunks of several threads; three */
enum { LARGE = 12 * 24576 + 100 };  /* the last chunk is short; random points have chunks of more than 2^16 */
static float xyz[3 * LARGE];
static uint8_t mask[MOST];
static int32_t labels[LARGE];

static bool takes_part(const clump_cloud_job *job, size_t i)
{
    const float *const f = xyz + 3 * i;
    return isfinite(f[0]) && isfinite(f[1]) && (job->two_d || isfinite(f[2])) && (!job->mask || job->mask[i]);
}

/* Every point is in the block of its cell, the block is found by its coordinates, the rep of its cell is the first point
 * there, and `multi` tells which cells have more than one. seen: one entry per cell. */
static void check_blocks(const clump_blocks *b, const clump_cloud_job *job, const char *name, int threads)
{
    const clump_cell_rule rule = clump_cell_rule_make(job->d, job->two_d);
    uint32_t *const seen = calloc((size_t)b->cell_count + 1, sizeof *seen);
    size_t wrong = 0, left_out = 0;
    for (size_t i = 0; i < job->count; i++) {
        const float *const f = xyz + 3 * i;
        if (!takes_part(job, i)) {
            left_out++;
            wrong += b->owner[i] != CLUMP_NO_BLOCK;
            continue;
        }
        const int32_t x = clump_cell(f[0], rule), y = clump_cell(f[1], rule),
                      z = job->two_d ? 0 : clump_cell(f[2], rule);
        const unsigned sub = (unsigned)((x & 3) | (y & 3) << 2 | (z & 3) << 4);
        const uint32_t id = clump_blocks_find(b, x >> 2, y >> 2, z >> 2);
        if (id >= b->block_count || id != b->owner[i] || b->sub[i] != sub || !(b->block[id].cells >> sub & 1)) {
            wrong++;
            continue;
        }
        const uint32_t c = clump_cell_number(&b->block[id], sub);
        if (c >= b->cell_count) {
            wrong++;
            continue;
        }
        const clump_rep *const rep = &b->rep[c];
        if (seen[c]++ == 0) /* points come in order, so this is the first of its cell */
            wrong += rep->index != i || rep->x != f[0] || rep->y != f[1] || rep->z != (job->two_d ? 0 : f[2]);
    }
    uint32_t cells = 0;
    for (uint32_t id = 0; id < b->block_count; id++) {
        const clump_block *const k = &b->block[id];
        wrong += k->first != cells || k->cells == 0 || clump_blocks_find(b, k->x, k->y, k->z) != id;
        for (unsigned sub = 0; sub < 64; sub++) {
            if (!(k->cells >> sub & 1)) continue;
            wrong += seen[cells] == 0 || (k->multi >> sub & 1) != (seen[cells] > 1);
            cells++;
        }
    }
    CHECK_MSG(wrong == 0 && cells == b->cell_count && left_out == b->left_out, "%s, %zu points, %d threads: %zu wrong",
              name, job->count, threads, wrong);
    free(seen);
}

static void blocks_are_right_with_all_threads(void)
{
    uint64_t random = 21;
    clump_context *const ctx = cpu_context(16);
    clump_blocks b = {0};
    for (int round = 0; round < check_rounds(2); round++) {
        for (int shape = 0; shape < CLOUD_SHAPES; shape++) {
            const size_t n = round % 2 ? SOME : check_random(&random) % 600 + 32;
            const float d = cloud_fill((cloud_shape)shape, xyz, n, &random);
            if (shape % 2) cloud_spoil(xyz, n, 20, &random);
            for (size_t i = 0; i < n; i++) mask[i] = check_random(&random) % 4 != 0;
            for (int threads = 1; threads <= 16; threads += threads < 4 ? 1 : 4) {
                const clump_cloud_job job = {.points = (const char *)xyz,
                                             .count = n,
                                             .stride = 12,
                                             .d = d,
                                             .bound = d * d,
                                             .two_d = shape % 3 == 1,
                                             .mask = shape % 5 == 2 ? mask : NULL,
                                             .labels = labels};
                CHECK_INT(clump_blocks_build(&ctx->work, &b, &job, threads), CLUMP_OK);
                check_blocks(&b, &job, cloud_name((cloud_shape)shape), threads);
            }
        }
    }
    clump_blocks_release(&ctx->work, &b);
    clump_context_destroy(ctx);
}

/* Points in order have runs in one block, from one point to whole batches. A new grid has few blocks to begin with, so its
 * table grows in the middle of batches. Some points are not finite: their batches have no runs. */
static void points_in_order_are_placed_by_runs(void)
{
    static const float steps[] = {0.01f, 0.1f, 0.4f, 1, 3, 20};
    uint64_t random = 25;
    clump_context *const ctx = cpu_context(3);
    for (size_t k = 0; k < 2 * sizeof steps / sizeof *steps; k++) {
        float at[3] = {0, 0, 0};
        for (size_t i = 0; i < 3 * (size_t)SOME; i++)
            xyz[i] = at[i % 3] += steps[k / 2] * ((float)(check_random(&random) % 2048) / 1024 - 0.9f);
        for (size_t i = 500; k % 2 && i < SOME; i += check_random(&random) % 900) xyz[3 * i] = NAN;
        for (int threads = 1; threads <= 3; threads++) {
            const clump_cloud_job job = {
                .points = (const char *)xyz, .count = SOME, .stride = 12, .d = 1, .bound = 1, .labels = labels};
            clump_blocks b = {0};
            CHECK_INT(clump_blocks_build(&ctx->work, &b, &job, threads), CLUMP_OK);
            check_blocks(&b, &job, "in order", threads);
            clump_blocks_release(&ctx->work, &b);
        }
    }
    clump_context_destroy(ctx);
}

/* Chunks alternate between a walk with small steps and points at random in the same box. Some points of the walk are
 * copies of random points, so that both kinds of chunks share cells. */
static void fill_both_kinds(size_t chunk, uint64_t *random)
{
    float at[3] = {20, 20, 20};
    for (size_t i = 0; i < MOST; i++) {
        const bool walks = i / chunk % 2 == 0, copies = walks && i > chunk && check_random(random) % 16 == 0;
        for (int a = 0; a < 3; a++) {
            const float step = (float)(check_random(random) % 2048) / 1024 - 1;
            if (walks) at[a] = fminf(fmaxf(at[a] + step * 0.25f, 0), 40);
            xyz[3 * i + (size_t)a] = walks ? at[a] : 20 + 20 * step;
        }
        if (copies) memcpy(xyz + 3 * i, xyz + 3 * (chunk + check_random(random) % chunk), 3 * sizeof(float));
    }
}

/* Returns, one bit per chunk, which chunks of the cloud are bundled. */
static unsigned bundled_chunks(const clump_cloud_job *job, clump_hash_key key, int threads)
{
    clump_deal d = {.job = job, .rule.cell = clump_cell_rule_make(job->d, job->two_d), .key = key};
    clump_deal_plan(&d, job->count, threads, clump_deal_is_random(&d));
    CHECK(d.chunks <= clump_deal_most_chunks(job->count, threads));
    d.owner = malloc(job->count * sizeof *d.owner);
    d.sub = malloc(job->count);
    d.record = malloc(job->count * sizeof *d.record);
    d.entry = malloc(clump_deal_most_entries(job->count) * sizeof *d.entry);
    d.start = malloc(d.chunks * (d.parts + 1) * sizeof *d.start);
    d.chunk = malloc(d.chunks * sizeof *d.chunk);
    size_t used = 0;
    d.used = &used;
    d.room = clump_deal_most_entries(job->count);
    d.scratch = aligned_alloc(64, clump_deal_scratch_bytes(&d));
    clump_deal_chunks(&d, 0, d.chunks, 0);
    CHECK(used <= d.room);
    unsigned bits = 0;
    for (size_t c = 0; c < d.chunks; c++) bits |= (unsigned)d.chunk[c].bundled << c;
    free(d.owner), free(d.sub), free(d.record), free(d.entry), free(d.start), free(d.chunk), free(d.scratch);
    return bits;
}

static void chunks_of_both_kinds_are_merged(void)
{
    uint64_t random = 22;
    clump_context *const ctx = cpu_context(16);
    clump_blocks b = {0};
    clump_deal plan;
    clump_deal_plan(&plan, MOST, 16, true); /* chunks of the least size */
    for (int round = 0; round < 4; round++) {
        fill_both_kinds(plan.points, &random);
        if (round % 2) cloud_spoil(xyz, MOST, 50, &random);
        for (size_t i = 0; i < MOST; i++) mask[i] = check_random(&random) % 16 != 0;
        const clump_cloud_job job = {.points = (const char *)xyz,
                                     .count = MOST,
                                     .stride = 12,
                                     .d = 1,
                                     .bound = 1,
                                     .mask = round == 2 ? mask : NULL,
                                     .labels = labels};
        CHECK_INT(bundled_chunks(&job, ctx->work.hash_key, 16), 0x55);
        for (int threads = 1; threads <= 16; threads += 3) {
            CHECK_INT(clump_blocks_build(&ctx->work, &b, &job, threads), CLUMP_OK);
            check_blocks(&b, &job, "both kinds", threads);
        }
    }
    clump_blocks_release(&ctx->work, &b);
    clump_context_destroy(ctx);
}

/* After clump_blocks_reserve() no cloud of up to as many points needs more memory, however many chunks it has. */
static void chunks_are_bounded(void)
{
    for (int kind = 0; kind < 2; kind++) {
        for (int threads = 1; threads <= 256; threads = threads * 3 / 2 + 1) {
            size_t most = 0;
            for (size_t n = 0; n < 5000000; n += 9973) {
                clump_deal d;
                clump_deal_plan(&d, n, threads, kind);
                CHECK(d.points >= 1 && d.points <= CLUMP_DEAL_MOST && d.parts <= CLUMP_DEAL_MOST_PARTS);
                most = d.chunks > most ? d.chunks : most;
                CHECK(most <= clump_deal_most_chunks(n, threads) && d.chunks * d.points >= n);
            }
        }
    }
}

/* Points in order but for the last, which have blocks of their own; points in random order, with few blocks or many. */
static void fill_large(int kind, uint64_t *random)
{
    float at[3] = {20, 20, 20};
    for (size_t i = 0; i < LARGE; i++) {
        for (int a = 0; a < 3; a++) {
            const float any = (float)(check_random(random) % 40960) / 1024;
            at[a] = fminf(fmaxf(at[a] + any / 80 - 0.25f, 0), 40);
            xyz[3 * i + (size_t)a] = kind == 2 ? 5 * any : kind == 1 || i >= LARGE - 100 ? any : at[a];
        }
    }
}

/* Two threads have large chunks. */
static void large_chunks_are_merged(void)
{
    static const char *const names[] = {"in order", "random, bundled", "random, plain"};
    uint64_t random = 23;
    clump_context *const ctx = cpu_context(3);
    clump_blocks b = {0};
    for (int kind = 0; kind < 3; kind++) {
        fill_large(kind, &random);
        const clump_cloud_job job = {
            .points = (const char *)xyz, .count = LARGE, .stride = 12, .d = 1, .bound = 1, .labels = labels};
        const clump_deal d = {.job = &job, .rule.cell = clump_cell_rule_make(1, false), .key = ctx->work.hash_key};
        CHECK_INT(clump_deal_is_random(&d), kind > 0);
        CHECK_INT(bundled_chunks(&job, ctx->work.hash_key, 2), kind == 0 ? 0x3ffffff : kind == 1 ? 0xf : 0);
        for (int threads = 2; threads <= 3; threads++) {
            CHECK_INT(clump_blocks_build(&ctx->work, &b, &job, threads), CLUMP_OK);
            check_blocks(&b, &job, names[kind], threads);
        }
    }
    clump_blocks_release(&ctx->work, &b);
    clump_context_destroy(ctx);
}

/* ----- the hash against attacks -------------------------------------------------------------------------------- */

enum { BLOCKS = 6000, SLOTS = 2 * BLOCKS };
typedef struct place {
    int32_t x, y, z;
} place;
static place attack[BLOCKS];

/* How far the search for a block goes at most, when these are put into a table that is half full. */
static uint32_t longest_search(uint32_t (*hash)(place, const void *), const void *user)
{
    static uint8_t taken[SLOTS];
    memset(taken, 0, sizeof taken);
    uint32_t longest = 0;
    for (size_t k = 0; k < BLOCKS; k++) {
        uint32_t s = clump_hash_slot(hash(attack[k], user), SLOTS), steps = 0;
        while (taken[s]) s = s + 1 < SLOTS ? s + 1 : 0, steps++;
        taken[s] = 1;
        longest = steps > longest ? steps : longest;
    }
    return longest;
}

/* The hash up to version 0.9, with its public constants: linear modulo 2^32 and then mixed. */
static uint32_t unkeyed_sum(place p)
{
    return (uint32_t)p.x * 0x9e3779b1u + (uint32_t)p.y * 0x85ebca77u + (uint32_t)p.z * 0xc2b2ae3du;
}

static uint32_t unkeyed(place p, const void *user)
{
    (void)user;
    return clump_hash_mixed(unkeyed_sum(p));
}

static uint32_t keyed(place p, const void *user)
{
    return clump_hash(*(const clump_hash_key *)user, p.x, p.y, p.z, 0);
}

/* The same with 32-bit keys in place of the constants: a key alone is not enough. */
static uint32_t keyed_sum(place p, const void *user)
{
    const clump_hash_key *const key = user;
    return clump_hash_mixed((uint32_t)p.x * (key->x | 1) + (uint32_t)p.y * (key->y | 1) + (uint32_t)p.z * (key->z | 1) +
                            key->level);
}

/* Fills `attack` with blocks of a cube whose hashes lie in a sixteenth of all. */
static void fill_window(uint32_t (*hash)(place, const void *), const void *user)
{
    size_t n = 0;
    for (int32_t i = 0; n < BLOCKS; i++) {
        const place p = {i % 48, i / 48 % 48, i / (48 * 48)};
        if (hash(p, user) < UINT32_MAX / 16) attack[n++] = p;
    }
}

/* The longest of 6000 searches in a table that is half full: 17 to 43 steps for 64 keys and every attack below. */
enum { SHORT = 150, LONG = 1000 };

/* Whatever the key: the attack does not know it. */
static void check_keys(const char *name)
{
    for (uint64_t seed = 1; seed <= 64; seed++) {
        const clump_hash_key key = clump_hash_key_make(seed);
        const uint32_t longest = longest_search(keyed, &key);
        CHECK_MSG(longest < SHORT, "%s: a search of %u steps with seed %d", name, longest, (int)seed);
    }
}

static void windows_do_not_fit_another_key(void)
{
    fill_window(unkeyed, NULL);
    CHECK(longest_search(unkeyed, NULL) > LONG); /* the attack works where the hash is known */
    check_keys("window of the constants");
    const clump_hash_key known = clump_hash_key_make(4711);
    fill_window(keyed, &known);
    CHECK(longest_search(keyed, &known) > LONG);
    check_keys("window of another key");
}

/* Vectors whose linear hash is 0, and all sums of a few of them: one slot for all. */
static void lattices_do_not_collide(void)
{
    uint32_t inverse = 1;
    for (int i = 0; i < 6; i++) inverse *= 2 - 0xc2b2ae3du * inverse;
    place v[3];
    int found = 0;
    for (int32_t x = 0; x < 4096 && found < 3; x++) {
        for (int32_t y = 1; y < 4096 && found < 3; y++) {
            const int32_t z = (int32_t)((0u - unkeyed_sum((place){x, y, 0})) * inverse);
            if (z > -2048 && z < 2048) v[found++] = (place){x, y, z};
        }
    }
    CHECK_INT(found, 3);
    for (int32_t i = 0; i < BLOCKS; i++) {
        const int32_t a = i % 18, b = i / 18 % 18, c = i / (18 * 18);
        attack[i] = (place){a * v[0].x + b * v[1].x + c * v[2].x, a * v[0].y + b * v[1].y + c * v[2].y,
                            a * v[0].z + b * v[1].z + c * v[2].z};
    }
    CHECK(longest_search(unkeyed, NULL) > LONG);
    check_keys("lattice");
}

/* Coordinates that are multiples of a power of two, as the cells of floats far out are. */
static void powers_of_two_do_not_collide(void)
{
    const clump_hash_key key = clump_hash_key_make(1);
    for (int shift = 0; shift <= 24; shift += 4) {
        for (int32_t i = 0; i < BLOCKS; i++)
            attack[i] = (place){(i % 19 - 9) * (1 << shift), (i / 19 % 19 - 9) * (1 << shift), i / 361 * (1 << shift)};
        if (shift == 24) CHECK(longest_search(keyed_sum, &key) > SHORT);
        check_keys("cube");
        for (int32_t i = 0; i < BLOCKS; i++) attack[i] = (place){i << (shift < 16 ? shift : 16), 7, -3};
        check_keys("line along x");
        for (int32_t i = 0; i < BLOCKS; i++) attack[i] = (place){5, 0, i << (shift < 16 ? shift : 16)};
        check_keys("line along z");
        for (int32_t i = 0; i < BLOCKS; i++)
            attack[i] = (place){(i % 77) << shift / 2, -(i % 77) * (1 << shift / 2), (i / 77) << shift / 2};
        check_keys("tilted plane");
    }
}

/* The table of blocks itself, filled with a cloud against the old constants. */
static void tables_use_the_key(void)
{
    enum { POINTS = BLOCKS };
    static float cloud[3 * POINTS];
    static int32_t cluster[POINTS];
    fill_window(unkeyed, NULL);
    const double edge = 1 / clump_cell_rule_make(1, false).inverse;
    for (size_t i = 0; i < POINTS; i++) {
        cloud[3 * i] = (float)((4 * attack[i].x + 1.5) * edge);
        cloud[3 * i + 1] = (float)((4 * attack[i].y + 1.5) * edge);
        cloud[3 * i + 2] = (float)((4 * attack[i].z + 1.5) * edge);
    }
    const clump_cloud_job job = {
        .points = (const char *)cloud, .count = POINTS, .stride = 12, .d = 1, .bound = 1, .labels = cluster};
    for (int threads = 1; threads <= 4; threads++) {
        clump_context *const ctx = cpu_context(threads);
        ctx->work.hash_key = clump_hash_key_make((uint64_t)threads);
        clump_blocks b = {0};
        CHECK_INT(clump_blocks_build(&ctx->work, &b, &job, threads), CLUMP_OK);
        CHECK_INT(b.block_count, BLOCKS);
        uint32_t longest = 0;
        for (uint32_t s = 0; s < b.slots; s++) {
            if (b.slot[s] == CLUMP_NO_BLOCK) continue;
            const clump_block *const k = &b.block[b.slot[s]];
            const uint32_t home = clump_blocks_slot(&b, k->x, k->y, k->z),
                           steps = s >= home ? s - home : s + b.slots - home;
            longest = steps > longest ? steps : longest;
        }
        CHECK_MSG(longest < SHORT, "%d threads: a search of %u steps", threads, longest);
        clump_blocks_release(&ctx->work, &b);
        clump_context_destroy(ctx);
    }
}

/* ----- keys ---------------------------------------------------------------------------------------------------- */

static bool same_key(clump_hash_key a, clump_hash_key b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z && a.level == b.level;
}

static void contexts_have_different_keys(void)
{
    clump_context *const a = cpu_context(1), *const b = cpu_context(1);
    CHECK(!same_key(a->work.hash_key, b->work.hash_key));
    CHECK(clump_seed_draw(a) != clump_seed_draw(a));
    CHECK(clump_seed_from_clock(a) != clump_seed_from_clock(b)); /* where the system has no random numbers */
    CHECK(same_key(clump_hash_key_make(3), clump_hash_key_make(3)));
    CHECK(!same_key(clump_hash_key_make(3), clump_hash_key_make(4)));
    clump_context_destroy(a);
    clump_context_destroy(b);
}

static void labels_do_not_depend_on_the_key(void)
{
    enum { POINTS = SOME };
    uint64_t random = 23;
    clump_context *const ctx = cpu_context(2);
    for (int shape = 0; shape < CLOUD_SHAPES; shape++) {
        const float d = cloud_fill((cloud_shape)shape, xyz, POINTS, &random);
        const clump_points points = {.xyz = xyz, .count = POINTS};
        clump_ec_options ec = clump_ec_defaults();
        clump_dbscan_options dbscan = clump_dbscan_defaults();
        clump_erccl_options erccl = clump_erccl_defaults();
        erccl.method = CLUMP_ERCCL_HASH;
        uint64_t expected[3] = {0};
        for (uint64_t seed = 0; seed < 6; seed++) {
            ctx->work.hash_key = clump_hash_key_make(seed);
            uint64_t hash[3];
            CHECK_INT(clump_ec(ctx, points, d, &ec, labels, NULL), CLUMP_OK);
            hash[0] = clump_labels_hash(labels, POINTS);
            CHECK_INT(clump_dbscan(ctx, points, d, 4, &dbscan, labels, NULL), CLUMP_OK);
            hash[1] = clump_labels_hash(labels, POINTS);
            CHECK_INT(clump_erccl(ctx, points, &erccl, labels, NULL), CLUMP_OK);
            hash[2] = clump_labels_hash(labels, POINTS);
            if (seed == 0) memcpy(expected, hash, sizeof hash);
            CHECK_MSG(memcmp(expected, hash, sizeof hash) == 0, "%s, seed %d", cloud_name((cloud_shape)shape),
                      (int)seed);
        }
    }
    clump_context_destroy(ctx);
}

CHECK_PROGRAM(test_blocks)
{
    RUN(blocks_are_right_with_all_threads);
    RUN(points_in_order_are_placed_by_runs);
    RUN(chunks_of_both_kinds_are_merged);
    RUN(large_chunks_are_merged);
    RUN(chunks_are_bounded);
    RUN(windows_do_not_fit_another_key);
    RUN(lattices_do_not_collide);
    RUN(powers_of_two_do_not_collide);
    RUN(tables_use_the_key);
    RUN(contexts_have_different_keys);
    RUN(labels_do_not_depend_on_the_key);
}
