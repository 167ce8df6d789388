/* SPDX-License-Identifier: BSD-3-Clause
 *
 * clump_bench scale: the plan of clump-mpi and its counters alone, for 1 to 4096 ranks, on a synthetic density map of a state.
 * No point is read, so it takes seconds and needs no cluster of machines.
 *
 *     clump_bench scale                     4.5e11 points, as the largest project of USGS 3DEP has
 *     clump_bench scale --points 6.4e9      the median project
 *     clump_bench scale --dbscan            rims on both sides, of two voxels
 *
 * Tiles, the division among ranks and the coarse cells are those of a real run. Points within a cell are taken as even: so
 * rims are their share of the cell. The exit status is 1 where a figure of docs/scale.md is missed: imbalance 1.15, and 26
 * bytes per point.
 */
#include "jobs/jobs.h"

#include "tiles/map.h"
#include "job.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SCALE_RECORD      14  /* bytes of a point that goes to its tile or a rim */
#define SCALE_LINK        16  /* bytes of a point in a rim, or of one that is there: it goes to the rank of its index */
#define SCALE_LABEL       8   /* bytes of a label and its place, to the writer */
#define SCALE_CLUSTER     24  /* bytes per cluster: first point and size, and the number back */
#define SCALE_PER_CLUSTER 400 /* points of a cluster on average */
#define SCALE_NODE        128 /* bytes on rank 0 per cluster that crosses tiles */
#define SCALE_LINK_METRES 4.0 /* length of the side of a tile per cluster that crosses it */
#define SCALE_WIDE        5e5 /* metres along x */
#define SCALE_HIGH        4e5 /* metres along y */
#define SCALE_RANKS       4096 /* at most */

enum { SCALE_IMBALANCE = 115, SCALE_BYTES = 26 }; /* the figures; imbalance in hundredths */

typedef struct state {
    clump_big_frame frame;
    clump_big_map map;
    uint64_t *counts, points;
    uint64_t *loads; /* per tile: own points and rim */
    uint64_t rims;   /* of all tiles */
} state;

/* ----- the density map ------------------------------------------------------------------------------------------------ */

/* Returns smooth noise between 0 and 1: random values on a lattice, with a given spacing in cells. */
static double noise_at(double x, double y, double spacing, uint64_t seed)
{
    const double cx = floor(x / spacing), cy = floor(y / spacing), fx = x / spacing - cx, fy = y / spacing - cy;
    double corners[4];
    for (int k = 0; k < 4; k++) {
        uint64_t z = seed + (uint64_t)(int64_t)(cx + k % 2) * 0x9e3779b97f4a7c15u +
                     (uint64_t)(int64_t)(cy + k / 2) * 0xbf58476d1ce4e5b9u;
        z = (z ^ z >> 30) * 0x94d049bb133111ebu;
        z = (z ^ z >> 27) * 0x9e3779b97f4a7c15u;
        corners[k] = (double)((z ^ z >> 31) >> 11) * 0x1p-53;
    }
    const double low = corners[0] + (corners[1] - corners[0]) * fx, high = corners[2] + (corners[3] - corners[2]) * fx;
    return low + (high - low) * fy;
}

/* Returns the relative density at a place, in metres: 0 outside of the state and on water, 1 for fields, 2 where flight lines
 * overlap, up to 6 in forests and towns. */
static double density_at(double x, double y)
{
    const double dx = x / SCALE_WIDE - 0.5, dy = y / SCALE_HIGH - 0.5;
    const double border = 0.38 + 0.14 * noise_at(x, y, 60e3, 1);
    if (dx * dx + dy * dy > border * border) return 0;
    if (noise_at(x, y, 25e3, 2) < 0.12) return 0; /* lakes */
    const double woods = noise_at(x, y, 8e3, 3), town = noise_at(x, y, 12e3, 4);
    double density = woods > 0.5 ? 2.2 : 1;
    if (town > 0.85) density += 3;
    if (fmod(y, 1500) < 400) density *= 1.8; /* overlap of flight lines */
    return density;
}

/* Makes the counts per coarse cell, which add up to about `points`. */
static bool fill_counts(state *s, double points)
{
    const clump_tiling *const t = &s->map.tiling;
    const size_t cells = clump_big_map_cells(&s->map);
    const double side = (double)s->frame.d * (double)((int64_t)1 << t->shift[0]);
    double *const weights = malloc(cells * sizeof *weights), sum = 0;
    s->counts = malloc(cells * sizeof *s->counts);
    if (!weights || !s->counts) return free(weights), false;
    for (size_t c = 0; c < cells; c++) {
        const double x = ((double)(c % (size_t)t->size[0]) + 0.5) * side,
                     y = ((double)(c / (size_t)t->size[0]) + 0.5) * side;
        sum += weights[c] = density_at(x, y);
    }
    for (size_t c = 0; c < cells; c++) s->points += s->counts[c] = (uint64_t)(weights[c] / sum * points);
    free(weights);
    return true;
}

/* ----- rims ----------------------------------------------------------------------------------------------------------- */

/* Calls a function for every cell and side of it behind which is another tile. share: of the points of the cell, those near
 * that side. length: of the side in metres; 0 for a corner. */
typedef void side_function(state *s, size_t cell, uint32_t other, double share, double length, void *arg);

static void for_each_side(state *s, side_function *function, void *arg)
{
    const clump_tiling *const t = &s->map.tiling;
    const double voxels = (double)((int64_t)1 << t->shift[0]), near = t->reach / voxels;
    for (int64_t y = 0; y < t->size[1]; y++)
        for (int64_t x = 0; x < t->size[0]; x++) {
            const size_t cell = (size_t)(y * t->size[0] + x);
            uint32_t known[8];
            int count = 0;
            for (int k = 0; k < 8; k++) { /* sides first, then corners */
                static const int dx[8] = {1, -1, 0, 0, 1, 1, -1, -1}, dy[8] = {0, 0, 1, -1, 1, -1, 1, -1};
                const int64_t u = x + dx[k], v = y + dy[k];
                if (s->counts[cell] == 0 || u < 0 || v < 0 || u >= t->size[0] || v >= t->size[1]) continue;
                const uint32_t other = s->map.tiles[v * t->size[0] + u];
                bool again = other == s->map.tiles[cell];
                for (int i = 0; i < count && k >= 4; i++) again |= known[i] == other;
                if (again) continue;
                known[count++] = other;
                function(s, cell, other, k < 4 ? near : near * near, k < 4 ? voxels * (double)s->frame.d : 0, arg);
            }
        }
}

/* Whether the points near a side are in the rim of the tile behind it. */
static bool is_rim(const state *s, size_t cell, uint32_t other)
{
    return s->frame.reach > 1 || other > s->map.tiles[cell];
}

static void add_rim(state *s, size_t cell, uint32_t other, double share, double length, void *arg)
{
    (void)length, (void)arg;
    const uint64_t points = (uint64_t)((double)s->counts[cell] * share);
    if (!is_rim(s, cell, other)) return;
    s->loads[other] += points;
    s->rims += points;
}

/* ----- ranks ---------------------------------------------------------------------------------------------------------- */

typedef struct division {
    const int *rank_of; /* per tile */
    uint64_t strips;    /* points that are in the rim of another rank */
    double metres;      /* of sides between tiles */
} division;

static void add_strip(state *s, size_t cell, uint32_t other, double share, double length, void *arg)
{
    division *const d = arg;
    const bool away = d->rank_of[s->map.tiles[cell]] != d->rank_of[other];
    if (away && is_rim(s, cell, other)) d->strips += (uint64_t)((double)s->counts[cell] * share);
    d->metres += length / 2; /* each side is met from both cells */
}

/* Prints the counters for a number of ranks. Returns whether the figures hold. */
static bool report(state *s, int ranks, uint32_t *first, int *rank_of)
{
    clump_big_survey_share(s->loads, s->map.tile_count, ranks, first);
    uint64_t total = 0, most = 0;
    for (int r = 0; r < ranks; r++) {
        uint64_t load = 0;
        for (uint32_t t = first[r]; t < first[r + 1]; t++) load += s->loads[t], rank_of[t] = r;
        total += load;
        most = load > most ? load : most;
    }
    division d = {.rank_of = rank_of};
    for_each_side(s, add_strip, &d);
    const double n = (double)s->points, away = 1 - 1.0 / ranks, imbalance = (double)most * ranks / (double)total;
    const double rim = (double)s->rims / n, cells = (double)clump_big_map_cells(&s->map);
    double bytes = away * (SCALE_RECORD * (1 + rim) + SCALE_LABEL + (double)SCALE_CLUSTER / SCALE_PER_CLUSTER);
    bytes += away * 2 * SCALE_LINK * rim;
    bytes += ranks > 1 ? 8 * ranks * (cells + 3.0 * s->map.tile_count) / n : 0; /* the map and sums over tiles */
    const double links = d.metres / SCALE_LINK_METRES;
    printf("%5d %9.1f %10.3f %8.3f %8.3f %8.2f %12.4g %10.4g %10.3f\n", ranks, (double)s->map.tile_count / ranks,
           imbalance, 100 * rim, 100 * (double)d.strips / n, bytes, links, SCALE_NODE * links * 1e-6,
           n / ranks * 24e-9);
    const bool enough = (double)s->map.tile_count >= 8.0 * ranks; /* else there are too few tiles to divide */
    return !enough || (imbalance * 100 <= SCALE_IMBALANCE && bytes <= SCALE_BYTES);
}

static bool make_plan(state *s, double points, bool dbscan)
{
    const uint64_t most = clump_big_survey_tile((uint64_t)points, 1);
    s->frame = (clump_big_frame){.kind = CLUMP_FILE_FRAME_WHOLE, .reach = dbscan ? 2 : 1, .d = 0.5f};
    const int64_t low[3] = {0, 0, 0};
    const int64_t high[3] = {(int64_t)(SCALE_WIDE / (double)s->frame.d), (int64_t)(SCALE_HIGH / (double)s->frame.d), 0};
    clump_message why = {{0}};
    bool made = clump_big_map_place(&s->map, &s->frame, low, high, (uint64_t)points, most, false, &why) == CLUMP_OK;
    made = made && fill_counts(s, points);
    made = made && clump_big_map_cut(&s->map, &s->frame, s->counts, most, &why) == CLUMP_OK;
    s->loads = made ? calloc(s->map.tile_count, sizeof *s->loads) : NULL;
    if (!s->loads) return fprintf(stderr, "clump_bench scale: no plan: %s\n", why.text), false;
    for (size_t c = 0; c < clump_big_map_cells(&s->map); c++) s->loads[s->map.tiles[c]] += s->counts[c];
    for_each_side(s, add_rim, NULL);
    return true;
}

int bench_scale(int argc, char **argv)
{
    double points = 4.5e11;
    bool dbscan = false, known = true;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--dbscan") == 0)
            dbscan = true;
        else if (strcmp(argv[i], "--points") == 0 && i + 1 < argc)
            known &= (points = strtod(argv[++i], NULL)) >= 1e6 && points <= 1e15;
        else
            known = false;
    }
    if (!known) {
        const bool help = argc == 2 && strcmp(argv[1], "--help") == 0;
        fputs("clump_bench scale [--points N] [--dbscan]   the plan for N points, 1e6 to 1e15 (default 4.5e11)\n",
              help ? stdout : stderr);
        return help ? 0 : 2;
    }
    state s = {0};
    uint32_t *const first = malloc((SCALE_RANKS + 1) * sizeof *first);
    if (!first || !make_plan(&s, points, dbscan)) return 1;
    int *const rank_of = malloc(s.map.tile_count * sizeof *rank_of);
    if (!rank_of) return 1;
    printf("%.4g points, d %g m, %s: %zu coarse cells of %.0f m, %u tiles of at most %.3g points\n\n", (double)s.points,
           (double)s.frame.d, dbscan ? "dbscan" : "ec", clump_big_map_cells(&s.map),
           (double)s.frame.d * (double)((int64_t)1 << s.map.tiling.shift[0]), s.map.tile_count,
           (double)clump_big_survey_tile(s.points, 1));
    puts("ranks tiles/rank  imbalance    rim %  strip %  B/point        links  MB rank 0  GB per rank");
    bool held = true;
    for (int ranks = 1; ranks <= SCALE_RANKS; ranks *= 2) held &= report(&s, ranks, first, rank_of);
    puts(held ? "\nimbalance <= 1.15 and bytes per point <= 26: yes"
              : "\nimbalance <= 1.15 and bytes per point <= 26: NO");
    clump_big_map_release(&s.map);
    free(s.counts);
    free(s.loads);
    free(first);
    free(rank_of);
    return held ? 0 : 1;
}
