/* SPDX-License-Identifier: BSD-3-Clause
 *
 * colouring.c: which cluster gets which colour of the palette.
 *
 * Clusters are coloured one after the other, large boxes first. A cluster avoids the colours of its nearest neighbours
 * that have one already. Neighbours are found in grids, seen along the axis of least extent. There is one grid per level;
 * its cells are twice as wide as those of the level before. A cluster is entered once, by the middle of its box, at the
 * first level whose cells are as wide as the box. Boxes that touch therefore have middles in the same or in adjacent
 * cells of the coarser level of the two, and the larger box is entered first. So a cluster looks into 3 x 3 cells of its
 * own level and of every coarser one.
 */
#include "viewer/scene/scene.h"
#include "common/assert.h"
#include "viewer/scene/palette.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    COLOURING_LEVELS = 24,     /* cells of the last are 2^23 times as wide as those of the first */
    COLOURING_NEIGHBOURS = 12, /* their colours are avoided: at least 4 of the 16 are left */
    COLOURING_PER_CELL = 8,    /* looked at per cell, newest first: bounds the time where all boxes are in one place */
    COLOURING_NEAREST = 3,     /* nearest clusters whose colours a tracked object avoids; it keeps its own otherwise */
    COLOURING_ENOUGH = 200,    /* of view_apart: differences above this are as good as each other */
    COLOURING_NONE = -1
};

typedef struct colouring_box {
    float lower[3], upper[3];
} colouring_box;

typedef struct colouring {
    colouring_box *boxes; /* of the clusters, side by side: they are read often */
    size_t count;
    int axes[2];     /* the grid lies along these */
    double cell;     /* width of a cell of level 0 */
    uint64_t *keys;  /* hash table of cells */
    int32_t *heads;  /* per cell: the cluster entered last, or COLOURING_NONE for an empty slot */
    int32_t *next;   /* per cluster: the one entered into the same cell before */
    int32_t *order;  /* clusters, coarsest level first */
    uint8_t *levels; /* per cluster */
    size_t slots;    /* a power of two */
    bool used[COLOURING_LEVELS];
    size_t uses[VIEW_PALETTE];
} colouring;

typedef struct colouring_near {
    int32_t cluster[COLOURING_NEIGHBOURS];
    float distance[COLOURING_NEIGHBOURS];
    size_t count;
} colouring_near;

/* Returns the middle of the box along the axis; 0 where the box is not finite. */
static double middle_of(const colouring_box *box, int axis)
{
    CLUMP_ASSERT(axis >= 0 && axis < 3);
    const double middle = ((double)box->lower[axis] + (double)box->upper[axis]) / 2;
    return isfinite(middle) ? middle : 0;
}

static double extent_of(const colouring_box *box, int axis)
{
    CLUMP_ASSERT(axis >= 0 && axis < 3);
    const double extent = (double)box->upper[axis] - (double)box->lower[axis];
    return isfinite(extent) ? extent : 0;
}

/* Chooses axes and cell width: about two clusters per cell of level 0 in the part of the scene that holds nine tenths of
 * the clusters along each axis. */
static bool choose_grid(colouring *job)
{
    double *sorted = malloc(job->count * sizeof *sorted), spread[3];
    if (!sorted) return false;
    for (int axis = 0; axis < 3; axis++) {
        for (size_t i = 0; i < job->count; i++) sorted[i] = middle_of(&job->boxes[i], axis);
        qsort(sorted, job->count, sizeof *sorted, view_compare_numbers);
        spread[axis] = sorted[job->count - 1 - job->count / 20] - sorted[job->count / 20];
    }
    free(sorted);
    const int least = spread[2] <= spread[0] && spread[2] <= spread[1] ? 2 : spread[1] <= spread[0] ? 1 : 0;
    job->axes[0] = least == 0 ? 1 : 0;
    job->axes[1] = least == 2 ? 1 : 2;
    job->cell = sqrt(2 * spread[job->axes[0]] * spread[job->axes[1]] / (double)job->count);
    if (!(job->cell > 1e-6))
        job->cell = fmax(1e-6, fmax(spread[job->axes[0]], spread[job->axes[1]]) / (double)job->count);
    return true;
}

/* Sets levels[] and order[]: coarse levels first, by index within a level. */
static void sort_by_level(colouring *job)
{
    size_t begins[COLOURING_LEVELS + 1] = {0};
    for (size_t i = 0; i < job->count; i++) {
        const double extent = fmax(extent_of(&job->boxes[i], job->axes[0]), extent_of(&job->boxes[i], job->axes[1]));
        uint8_t level = 0;
        while (level + 1 < COLOURING_LEVELS && ldexp(job->cell, level) < extent) level++;
        job->levels[i] = level;
        job->used[level] = true;
        begins[COLOURING_LEVELS - level]++;
    }
    for (size_t k = 0; k < COLOURING_LEVELS; k++) begins[k + 1] += begins[k];
    for (size_t i = 0; i < job->count; i++) job->order[begins[COLOURING_LEVELS - 1 - job->levels[i]]++] = (int32_t)i;
}

static int64_t cell_of(double middle, double width)
{
    const double cell = floor(middle / width);
    return cell < -1e9 ? -1000000000 : cell > 1e9 ? 1000000000 : (int64_t)cell;
}

static uint64_t key_of(int level, int64_t row, int64_t column)
{
    uint64_t key = (uint64_t)(row + 2000000000) << 32 | (uint64_t)(column + 2000000000);
    key = key * 0x9e3779b97f4a7c15u + (uint64_t)level;
    return key ^ key >> 29;
}

/* Returns the slot of the cell, or the empty slot where the cell would be. */
static size_t find_slot(const colouring *job, uint64_t key)
{
    size_t slot = (size_t)(key * 0xbf58476d1ce4e5b9u >> 20) & (job->slots - 1);
    while (job->heads[slot] != COLOURING_NONE && job->keys[slot] != key) slot = (slot + 1) & (job->slots - 1);
    return slot;
}

/* Squared distance between the boxes; 0 where they overlap or are not finite. */
static float box_distance(const colouring_box *a, const colouring_box *b)
{
    float sum = 0;
    for (int axis = 0; axis < 3; axis++) {
        const float below = a->lower[axis] - b->upper[axis], above = b->lower[axis] - a->upper[axis];
        const float gap = below > above ? below : above;
        sum += gap > 0 ? gap * gap : 0;
    }
    return sum;
}

/* Keeps the nearest ones, sorted; of equal distances the one that came first stays first. */
static void keep_near(colouring_near *near, int32_t cluster, float distance)
{
    size_t at = near->count;
    while (at > 0 && near->distance[at - 1] > distance) at--;
    if (at == COLOURING_NEIGHBOURS) return;
    if (near->count < COLOURING_NEIGHBOURS) near->count++;
    for (size_t k = near->count - 1; k > at; k--) {
        near->cluster[k] = near->cluster[k - 1];
        near->distance[k] = near->distance[k - 1];
    }
    near->cluster[at] = cluster;
    near->distance[at] = distance;
}

static void look_around(const colouring *job, const colouring_box *box, int level, colouring_near *near)
{
    const double width = ldexp(job->cell, level);
    const int64_t row = cell_of(middle_of(box, job->axes[0]), width);
    const int64_t column = cell_of(middle_of(box, job->axes[1]), width);
    for (int64_t r = row - 1; r <= row + 1; r++)
        for (int64_t c = column - 1; c <= column + 1; c++) {
            int32_t other = job->heads[find_slot(job, key_of(level, r, c))];
            for (int k = 0; other != COLOURING_NONE && k < COLOURING_PER_CELL; k++, other = job->next[other])
                keep_near(near, other, box_distance(box, &job->boxes[other]));
        }
}

static void enter(colouring *job, int32_t index)
{
    CLUMP_ASSERT(index >= 0);
    const double width = ldexp(job->cell, job->levels[index]);
    const colouring_box *box = &job->boxes[index];
    const uint64_t key = key_of(job->levels[index], cell_of(middle_of(box, job->axes[0]), width),
                                cell_of(middle_of(box, job->axes[1]), width));
    const size_t slot = find_slot(job, key);
    job->keys[slot] = key;
    job->next[index] = job->heads[slot];
    job->heads[slot] = index;
}

/* Returns the colour that differs most from the neighbours', near ones first; of equally good ones the least used. */
static uint8_t choose_among(const colouring *job, const colouring_near *near, const uint8_t *colours)
{
    uint8_t best = 0;
    double best_value = -1;
    for (uint8_t colour = 0; colour < VIEW_PALETTE; colour++) {
        double value = COLOURING_ENOUGH;
        for (size_t k = 0; k < near->count; k++) {
            const double apart = view_apart[colour][colours[near->cluster[k]]];
            value = fmin(value, apart * (1 + (double)k / 4)); /* a colour of a neighbour has the value 0 */
        }
        if (value > best_value || (value == best_value && job->uses[colour] < job->uses[best])) {
            best = colour;
            best_value = value;
        }
    }
    return best;
}

/* Returns the colour of an identity: the first of a sequence of its own that no close neighbour has. */
static uint8_t choose_for(uint64_t id, const colouring_near *near, const uint8_t *colours)
{
    uint64_t mixed = id * 0x9e3779b97f4a7c15u;
    mixed ^= mixed >> 32;
    const uint8_t first = (uint8_t)(mixed % VIEW_PALETTE);
    for (uint8_t k = 0; k < VIEW_PALETTE; k++) {
        const uint8_t colour = (uint8_t)((first + 5 * k) % VIEW_PALETTE); /* 5 and 16 are coprime: visits all */
        bool taken = false;
        for (size_t n = 0; n < near->count && n < COLOURING_NEAREST; n++)
            taken |= view_apart[colour][colours[near->cluster[n]]] == 0;
        if (!taken) return colour;
    }
    return first;
}

static void choose_all(colouring *job, const clump_track *tracks, uint8_t *colours)
{
    for (size_t i = 0; i < job->count; i++) {
        const int32_t index = job->order[i];
        colouring_near near = {.count = 0};
        for (int level = job->levels[index]; colours[index] == VIEW_NO_COLOUR && level < COLOURING_LEVELS; level++)
            if (job->used[level]) look_around(job, &job->boxes[index], level, &near);
        if (colours[index] == VIEW_NO_COLOUR)
            colours[index] = tracks ? choose_for(tracks[index].id, &near, colours) : choose_among(job, &near, colours);
        job->uses[colours[index]]++;
        enter(job, index);
    }
}

bool view_choose_free_colours(const view_labels *labels, uint8_t *colours)
{
    if (labels->count <= 0) return true;
    colouring job = {.count = (size_t)labels->count, .slots = 64};
    while (job.slots < 2 * job.count) job.slots *= 2;
    job.keys = malloc(job.slots * sizeof *job.keys);
    job.heads = malloc(job.slots * sizeof *job.heads);
    job.next = malloc(job.count * sizeof *job.next);
    job.order = malloc(job.count * sizeof *job.order);
    job.levels = malloc(job.count);
    job.boxes = malloc(job.count * sizeof *job.boxes);
    bool enough = job.keys && job.heads && job.next && job.order && job.levels && job.boxes;
    for (size_t i = 0; enough && i < job.count; i++) {
        memcpy(job.boxes[i].lower, labels->clusters[i].lower, sizeof job.boxes[i].lower);
        memcpy(job.boxes[i].upper, labels->clusters[i].upper, sizeof job.boxes[i].upper);
    }
    enough = enough && choose_grid(&job);
    if (enough) {
        memset(job.heads, 0xff, job.slots * sizeof *job.heads); /* COLOURING_NONE */
        sort_by_level(&job);
        choose_all(&job, labels->tracks, colours);
    }
    free(job.keys), free(job.heads), free(job.next), free(job.order), free(job.levels), free(job.boxes);
    return enough;
}

bool view_choose_colours(const view_labels *labels, uint8_t *colours)
{
    if (labels->colours && labels->count > 0) return memcpy(colours, labels->colours, (size_t)labels->count), true;
    memset(colours, VIEW_NO_COLOUR, labels->count > 0 ? (size_t)labels->count : 0);
    return view_choose_free_colours(labels, colours);
}

bool view_choose_frame_colours(const view_frame *frame, size_t which, uint8_t *colours)
{
    CLUMP_ASSERT(which < frame->labeling_count);
    const view_labels *const labels = &frame->labelings[which], *const first = &frame->labelings[0];
    if (which == 0 || labels->count <= 0 || first->count <= 0) return view_choose_colours(labels, colours);
    const size_t count = (size_t)labels->count, points = clump_cloud_points(frame->clouds[0]).count;
    int32_t *partners = malloc(count * sizeof *partners);
    uint8_t *first_colours = malloc((size_t)first->count);
    const bool enough = partners && first_colours && view_choose_colours(first, first_colours) &&
                        view_find_partners(first->labels, labels->labels, points, partners, count);
    for (size_t i = 0; enough && i < count; i++) {
        const bool known = partners[i] >= 0 && partners[i] < first->count;
        colours[i] = known ? first_colours[partners[i]] : VIEW_NO_COLOUR;
    }
    free(partners), free(first_colours);
    return enough && view_choose_free_colours(labels, colours);
}
