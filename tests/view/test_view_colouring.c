/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_view_colouring.c: clusters near each other get different colours.
 */
#include "support/check.h"
#include "viewer/scene/palette.h"

#include <math.h>

typedef struct scene {
    clump_cluster *clusters;
    clump_track *tracks;
    uint8_t *colours;
    view_labels labels;
} scene;

static scene make_scene(int32_t count)
{
    scene s = {.clusters = calloc((size_t)count + 1, sizeof(clump_cluster)),
               .tracks = calloc((size_t)count + 1, sizeof(clump_track)),
               .colours = calloc((size_t)count + 1, 1)};
    s.labels = (view_labels){.clusters = s.clusters, .count = count};
    s.colours[count] = 99; /* must stay */
    return s;
}

static void choose(scene *s)
{
    CHECK(view_choose_colours(&s->labels, s->colours));
    for (int32_t i = 0; i < s->labels.count; i++) CHECK(s->colours[i] < VIEW_PALETTE);
    CHECK_INT(s->colours[s->labels.count], 99);
}

static void release(scene *s)
{
    free(s->clusters), free(s->tracks), free(s->colours);
}

static void set_box(clump_cluster *c, float x, float y, float z, float length, float width, float height)
{
    const float lower[3] = {x, y, z}, upper[3] = {x + length, y + width, z + height};
    memcpy(c->lower, lower, sizeof lower), memcpy(c->upper, upper, sizeof upper);
}

static double gap(const clump_cluster *a, const clump_cluster *b)
{
    double sum = 0;
    for (int k = 0; k < 3; k++) {
        const double g = fmax((double)a->lower[k] - (double)b->upper[k], (double)b->lower[k] - (double)a->upper[k]);
        if (g > 0) sum += g * g;
    }
    return sqrt(sum);
}

/* The share of clusters that have the colour of their nearest, second or third nearest cluster. */
static double share_of_clashes(const scene *s, int nearest)
{
    int clashes = 0;
    for (int32_t i = 0; i < s->labels.count; i++) {
        double bound = -1;
        for (int k = 0; k < nearest; k++) {
            double least = INFINITY;
            int32_t found = -1;
            for (int32_t j = 0; j < s->labels.count; j++) {
                const double d = gap(&s->clusters[i], &s->clusters[j]);
                if (j != i && d > bound && d < least) least = d, found = j;
            }
            if (found < 0) break;
            bound = least;
            if (s->colours[found] == s->colours[i]) {
                clashes++;
                break;
            }
        }
    }
    return (double)clashes / s->labels.count;
}

static void near_clusters_differ(void)
{
    for (uint64_t seed = 1; seed <= 6; seed++) {
        uint64_t random = seed;
        const int up = (int)(seed % 3);
        scene s = make_scene(400);
        for (int32_t i = 0; i < s.labels.count; i++) {
            clump_cluster *c = &s.clusters[i];
            for (int k = 0; k < 3; k++) {
                c->lower[k] = (k == up ? 2.f : 80.f) * check_random_float(&random);
                c->upper[k] = c->lower[k] + 3 * powf(check_random_float(&random), 3);
            }
            if (i % 50 == 0) c->upper[(up + 1) % 3] += 40; /* a wall */
        }
        choose(&s);
        const double one = share_of_clashes(&s, 1), three = share_of_clashes(&s, 3);
        if (one > 0.01 || three > 0.03)
            CHECK_FAIL("seed %d: clashes with the nearest %.1f %%, the three nearest %.1f %%", (int)seed, 100 * one,
                       100 * three);
        size_t uses[VIEW_PALETTE] = {0};
        for (int32_t i = 0; i < s.labels.count; i++) uses[s.colours[i]]++;
        for (int k = 0; k < VIEW_PALETTE; k++)
            if (uses[k] < 4) CHECK_FAIL("seed %d: colour %d is used %zu times of 400", (int)seed, k, uses[k]);
        release(&s);
    }
}

/* Small clusters along a wall of 100 m differ from the wall and from each other. */
static void a_wall_differs_from_what_stands_at_it(void)
{
    scene s = make_scene(51);
    for (int32_t i = 0; i < 50; i++) set_box(&s.clusters[i], 2 * (float)i, 0.5f, 0, 0.5f, 0.5f, 1);
    set_box(&s.clusters[50], 0, 0, 0, 100, 0.3f, 3);
    choose(&s);
    for (int i = 0; i < 50; i++) CHECK(s.colours[i] != s.colours[50]);
    for (int i = 1; i < 50; i++) CHECK(s.colours[i] != s.colours[i - 1]);
    release(&s);
}

static void two_neighbours_are_far_apart_in_colour(void)
{
    scene s = make_scene(2);
    set_box(&s.clusters[0], 0, 0, 0, 1, 1, 1);
    set_box(&s.clusters[1], 1.1f, 0, 0, 1, 1, 1);
    choose(&s);
    CHECK(view_apart[s.colours[0]][s.colours[1]] >= 200);
    release(&s);
}

/* An object keeps its colour in another frame with other clusters, in another order. */
static void colours_follow_tracks(void)
{
    enum { COUNT = 40 };
    scene a = make_scene(COUNT), b = make_scene(COUNT);
    for (int32_t i = 0; i < COUNT; i++) {
        const int32_t other = (i * 7 + 3) % COUNT;
        set_box(&a.clusters[i], 30 * (float)i, (float)(i % 5), 0, 1, 1, 1);
        set_box(&b.clusters[other], 30 * (float)i + 1, (float)(i % 5), 0, 1, 1, 1);
        a.tracks[i].id = b.tracks[other].id = 1000 + (uint64_t)i;
    }
    a.labels.tracks = a.tracks, b.labels.tracks = b.tracks;
    choose(&a), choose(&b);
    int kept = 0;
    for (int32_t i = 0; i < COUNT; i++) kept += a.colours[i] == b.colours[(i * 7 + 3) % COUNT];
    if (kept < COUNT * 9 / 10) CHECK_FAIL("%d of %d objects keep their colour", kept, COUNT);
    CHECK(share_of_clashes(&a, 1) == 0);
    release(&a), release(&b);
}

/* The same identity would have the same colour: objects side by side differ nevertheless. */
static void tracked_neighbours_differ(void)
{
    scene s = make_scene(20);
    for (int32_t i = 0; i < s.labels.count; i++) {
        set_box(&s.clusters[i], 2 * (float)i, 0, 0, 1, 1, 1);
        s.tracks[i].id = 5;
    }
    s.labels.tracks = s.tracks;
    choose(&s);
    for (int32_t i = 1; i < s.labels.count; i++) CHECK(s.colours[i] != s.colours[i - 1]);
    release(&s);
}

static void odd_boxes_get_a_colour(void)
{
    static const float odd[] = {0, NAN, INFINITY, -INFINITY, 3.4e38f, -3.4e38f, 1e-40f, 1e6f};
    scene s = make_scene(4096);
    uint64_t random = 5;
    for (int32_t i = 0; i < s.labels.count; i++)
        for (int k = 0; k < 3; k++) {
            s.clusters[i].lower[k] = odd[check_random(&random) % 8];
            s.clusters[i].upper[k] = odd[check_random(&random) % 8];
        }
    choose(&s);
    for (int32_t count = 0; count < 5; count++) {
        s.labels.count = count;
        s.colours[count] = 99;
        choose(&s);
    }
    release(&s);
}

/* 40,000 clusters in one place, and 40,000 of all sizes: a quadratic algorithm would not end within the time limit. */
static void very_many_take_little_time(void)
{
    scene s = make_scene(40000), again = make_scene(40000);
    choose(&s);
    uint64_t random = 9;
    for (int32_t i = 0; i < s.labels.count; i++) {
        const float size = exp2f(-8 + 16 * check_random_float(&random));
        set_box(&s.clusters[i], 1000 * check_random_float(&random), 1000 * check_random_float(&random), 0, size, size,
                1);
    }
    choose(&s);
    memcpy(again.clusters, s.clusters, 40000 * sizeof *s.clusters);
    choose(&again);
    CHECK(memcmp(s.colours, again.colours, 40000) == 0);
    release(&s), release(&again);
}

CHECK_PROGRAM(test_view_colouring)
{
    RUN(near_clusters_differ);
    RUN(a_wall_differs_from_what_stands_at_it);
    RUN(two_neighbours_are_far_apart_in_colour);
    RUN(colours_follow_tracks);
    RUN(tracked_neighbours_differ);
    RUN(odd_boxes_get_a_colour);
    RUN(very_many_take_little_time);
}
