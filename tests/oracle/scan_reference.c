/* SPDX-License-Identifier: BSD-3-Clause
 *
 * scan_reference.c: see scan_reference.h.
 */
#include "oracle/scan_reference.h"

#include "rules/azimuth.h"

#include <math.h>
#include <stdlib.h>

typedef struct scan_point {
    const float *p;
    float azimuth;
    size_t index;
    float bound[CLUMP_OBJECTS_LEVELS];
} scan_point;

/* One ring, sorted. */
typedef struct scan_ring {
    scan_point *point;
    size_t size;
} scan_ring;

typedef struct scan_reference {
    scan_ring ring[CLUMP_RINGS_MOST];
    int levels;
    int32_t **set; /* of each level: point ──► smallest point of its set, or an earlier member */
} scan_reference;

static int scan_compare(const void *a, const void *b)
{
    const scan_point *const p = a, *const q = b;
    if (p->azimuth != q->azimuth) return p->azimuth < q->azimuth ? -1 : 1;
    return p->index < q->index ? -1 : p->index > q->index;
}

/* The azimuth around the sensor. */
static float scan_azimuth_of(const float *p, const clump_objects_options *o)
{
    const int across = o->ground.up == CLUMP_UP_Y ? 2 : 1;
    const float dx = p[0] - o->ground.sensor[0], da = p[across] - o->ground.sensor[across];
    return isfinite(dx) && isfinite(da) ? clump_azimuth(dx, da) : 0;
}

/* The set of a point. */
static int32_t scan_set(int32_t *set, int32_t i)
{
    while (set[i] != i) i = set[i] = set[set[i]];
    return i;
}

/* Compares two points and joins them on the levels that they are near enough for. Returns whether on the finest. */
static bool scan_test(scan_reference *s, const scan_point *a, const scan_point *b)
{
    const float dx = a->p[0] - b->p[0], dy = a->p[1] - b->p[1], dz = a->p[2] - b->p[2];
    const float squared = dx * dx + dy * dy + dz * dz;
    for (int k = 0; k < s->levels; k++) {
        if (!(squared < a->bound[k] && squared < b->bound[k])) continue;
        const int32_t x = scan_set(s->set[k], (int32_t)a->index), y = scan_set(s->set[k], (int32_t)b->index);
        s->set[k][x > y ? x : y] = x < y ? x : y;
    }
    return squared < a->bound[0] && squared < b->bound[0];
}

static float scan_distance(float a, float b)
{
    const float d = fabsf(a - b);
    return d > 0.5f ? 1 - d : d;
}

/* The position of the nearest azimuth: the last smaller one, or the first other one; around the ring. */
static size_t scan_nearest(const scan_ring *ring, float azimuth)
{
    size_t smaller = 0;
    for (size_t k = 0; k < ring->size; k++) smaller += ring->point[k].azimuth < azimuth;
    const size_t before = (smaller + ring->size - 1) % ring->size, after = smaller % ring->size;
    const float to_before = scan_distance(ring->point[before].azimuth, azimuth);
    return to_before <= scan_distance(ring->point[after].azimuth, azimuth) ? before : after;
}

static void scan_join_point(scan_reference *s, int r, size_t at)
{
    const scan_ring *const own = &s->ring[r];
    const scan_point *const p = &own->point[at];
    for (size_t t = 1; t <= 12 && t < own->size; t++)
        if (scan_test(s, p, &own->point[(at + t) % own->size])) break;
    for (int next = r + 1; next <= r + 3 && next < CLUMP_RINGS_MOST; next++) {
        const scan_ring *const other = &s->ring[next];
        if (other->size == 0) continue;
        const size_t x = scan_nearest(other, p->azimuth);
        bool near = false;
        for (size_t w = 0; w < 3; w++)
            near |= scan_test(s, p, &other->point[(x + w + 2 * other->size - 1) % other->size]);
        if (near) break;
    }
}

void scan_reference_sets(clump_points points, const clump_objects_options *o, const uint8_t *taken,
                         float (*bound)(const void *user, int level, const float *p), const void *user, int32_t **set)
{
    const size_t n = points.count, stride = points.stride ? points.stride : 12;
    scan_reference *const s = calloc(1, sizeof *s);
    s->levels = o->levels;
    s->set = set;
    for (int pass = 0; pass < 2; pass++) { /* counts, then fills */
        for (int r = 0; r < CLUMP_RINGS_MOST && pass == 1; r++) {
            s->ring[r].point = malloc((s->ring[r].size + 1) * sizeof(scan_point));
            s->ring[r].size = 0;
        }
        for (size_t i = 0; i < n; i++) {
            scan_ring *const ring = &s->ring[o->rings ? o->rings[i] : i / o->columns];
            if (!taken[i]) continue;
            if (pass == 1) {
                scan_point *const p = &ring->point[ring->size];
                p->p = (const float *)(const void *)((const char *)points.xyz + i * stride);
                p->azimuth = scan_azimuth_of(p->p, o);
                p->index = i;
                for (int k = 0; k < o->levels; k++) p->bound[k] = bound(user, k, p->p);
            }
            ring->size++;
        }
    }
    for (int k = 0; k < o->levels; k++)
        for (size_t i = 0; i < n; i++) set[k][i] = taken[i] ? (int32_t)i : -1;
    for (int r = 0; r < CLUMP_RINGS_MOST; r++)
        if (s->ring[r].size > 0) qsort(s->ring[r].point, s->ring[r].size, sizeof(scan_point), scan_compare);
    for (int r = 0; r < CLUMP_RINGS_MOST; r++)
        for (size_t k = 0; k < s->ring[r].size; k++) scan_join_point(s, r, k);
    for (int k = 0; k < o->levels; k++)
        for (size_t i = 0; i < n; i++)
            if (taken[i]) set[k][i] = scan_set(set[k], (int32_t)i);
    for (int r = 0; r < CLUMP_RINGS_MOST; r++) free(s->ring[r].point);
    free(s);
}
