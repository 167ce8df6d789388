/* SPDX-License-Identifier: BSD-3-Clause
 *
 * dendrogram.c: see cluster.h. The tree of clump_tree is read from its root to its leaves, by the first rule of clump/tree.h:
 *
 *     parts of a merge     two large ones or more: the branch ends, each is a new one
 *                          one: the branch goes on without the others
 *                          none: the branch ends
 *
 * A `branch` is a cluster of that tree, chosen or not. It is drawn from the distance where it begins, above, to the one where it ends;
 * its width is the number of its points, which becomes smaller where points leave. Branches inside of it are below it, beside each
 * other, in the order of their first points. Colours are readable on white and on black; there is no background.
 */
#include "cluster/cluster.h"

#include "common/assert.h"
#include "files/output.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The picture, in its units. */
enum {
    PICTURE_WIDTH = 960,
    PICTURE_HEIGHT = 480,
    PICTURE_LEFT = 64,
    PICTURE_RIGHT = 944,
    PICTURE_TOP = 56,
    PICTURE_BOTTOM = 462
};
enum { PICTURE_TITLE = 72 }; /* characters */

static const size_t NO_BRANCH = SIZE_MAX;
static const double PICTURE_STEP = 0.5; /* smaller changes are drawn together */

typedef struct branch {
    size_t around;       /* the branch that it is a part of; NO_BRANCH: the root */
    float birth, death;  /* squared distances */
    size_t size, offset; /* points where it begins, and points to the left of it */
    size_t first, last;  /* its steps; NO_BRANCH: none */
    int32_t label;       /* of a chosen cluster, else -1 */
} branch;

/* A change of the width. */
typedef struct step {
    float height;
    size_t size, next;
} step;

/* A point that ends, or a part of a merge. */
typedef struct entry {
    float height;
    int32_t parent, point;
    size_t size;
} entry;

typedef struct picture {
    const cli_dendrogram *given;
    size_t *size, *home;    /* per point: of the component that it is the first point of; the branch it was in last */
    bool *is_in;            /* per point: that component is part of a branch */
    entry *entries, *parts; /* merges, heaviest first; room for the parts of one */
    branch *branches;
    step *steps;
    size_t entry_count, branch_count, branch_room, step_count, points;
    double low, high; /* logarithms of the smallest and largest distance */
} picture;

/* --- the branches --------------------------------------------------------------------------------- */

static int compare_entries(const void *a, const void *b)
{
    const entry *const x = a, *const y = b;
    if (x->height != y->height) return x->height < y->height ? 1 : -1;
    if (x->parent != y->parent) return x->parent < y->parent ? -1 : 1;
    return x->point < y->point ? -1 : x->point > y->point;
}

static bool add_branch(picture *p, branch added)
{
    if (p->branch_count == p->branch_room) {
        const size_t room = 2 * p->branch_room + 64;
        branch *const grown = realloc(p->branches, room * sizeof *grown);
        if (!grown) return false;
        p->branches = grown, p->branch_room = room;
    }
    added.first = added.last = NO_BRANCH;
    added.label = -1;
    p->branches[p->branch_count++] = added;
    return true;
}

static double y_of(const picture *p, float height)
{
    if (!(height < INFINITY)) return PICTURE_TOP;
    const double at = height > 0 ? 0.5 * log10((double)height) : p->low;
    const double share =
        p->high > p->low ? (at - p->low) / (p->high - p->low) : 0; /* of one distance: all of the picture */
    return PICTURE_BOTTOM - (PICTURE_BOTTOM - PICTURE_TOP) * fmin(fmax(share, 0), 1);
}

static void add_step(picture *p, size_t of, float height, size_t size)
{
    branch *const b = &p->branches[of];
    step *const last = b->last == NO_BRANCH ? NULL : &p->steps[b->last];
    if (last && fabs(y_of(p, last->height) - y_of(p, height)) < PICTURE_STEP) {
        last->size = size;
        return;
    }
    p->steps[p->step_count] = (step){height, size, NO_BRANCH};
    if (last)
        last->next = p->step_count;
    else
        b->first = p->step_count;
    b->last = p->step_count++;
}

/* Divides a branch into the n entries of p->parts. */
static bool divide(picture *p, size_t of, float height, size_t n)
{
    const size_t least = p->given->min_size;
    size_t large = 0, offset = p->branches[of].offset;
    for (size_t i = 0; i < n; i++) large += p->parts[i].size >= least;
    if (large != 1) p->branches[of].death = height;
    for (size_t i = 0; i < n; i++) {
        const size_t point = (size_t)p->parts[i].point, size = p->parts[i].size;
        p->is_in[point] = size >= least;
        p->home[point] = of;
        if (!p->is_in[point]) continue;
        if (large == 1) {
            add_step(p, of, height, size);
            continue;
        }
        p->home[point] = p->branch_count;
        if (!add_branch(p, (branch){.around = of, .birth = height, .size = size, .offset = offset})) return false;
        offset += size;
    }
    return true;
}

/* Divides at one merge: the entries from `at` on that have its height and parent. *next is the entry after them. */
static bool divide_merge(picture *p, size_t at, size_t *next)
{
    const entry first = p->entries[at];
    const size_t parent = (size_t)first.parent;
    size_t n = 1;
    p->parts[0] = (entry){.point = first.parent, .size = p->size[parent]};
    for (; at < p->entry_count && p->entries[at].parent == first.parent && p->entries[at].height == first.height;
         at++) {
        p->parts[n] = p->entries[at];
        p->parts[n].size = p->size[p->entries[at].point];
        CLUMP_ASSERT(p->parts[0].size > p->parts[n].size);
        p->parts[0].size -= p->parts[n++].size;
    }
    *next = at;
    p->size[parent] = p->parts[0].size;
    if (p->is_in[parent]) return divide(p, p->home[parent], first.height, n);
    for (size_t i = 1; i < n; i++) p->home[p->parts[i].point] = p->home[parent];
    return true;
}

/* Lists the points that end; counts the points of every component. */
static void list_entries(picture *p)
{
    const cli_dendrogram *const g = p->given;
    double least = INFINITY, most = 0;
    for (size_t i = 0; i < g->count; i++) p->size[i] = g->parents[i] >= 0;
    for (size_t i = g->count; i-- > 0;) {
        const int32_t parent = g->parents[i];
        p->points += parent >= 0;
        if (parent < 0 || parent == (int32_t)i) continue;
        p->size[parent] += p->size[i];
        p->entries[p->entry_count++] = (entry){.height = g->heights[i], .parent = parent, .point = (int32_t)i};
        if (g->heights[i] > 0) least = fmin(least, (double)g->heights[i]);
        most = fmax(most, (double)g->heights[i]);
    }
    p->low = least < INFINITY ? 0.5 * log10(least) : 0;
    p->high = most > 0 ? 0.5 * log10(most) : 0;
    qsort(p->entries, p->entry_count, sizeof *p->entries, compare_entries);
}

static bool make_branches(picture *p)
{
    const cli_dendrogram *const g = p->given;
    list_entries(p);
    if (!add_branch(p, (branch){.around = NO_BRANCH, .birth = INFINITY, .size = p->points})) return false;
    size_t roots = 0;
    for (size_t i = 0; i < g->count; i++) {
        if (g->parents[i] != (int32_t)i) continue;
        p->parts[roots++] = (entry){.point = (int32_t)i, .size = p->size[i]};
        p->is_in[i] = true, p->home[i] = 0;
    }
    if (roots > 1 && !divide(p, 0, INFINITY, roots)) return false;
    for (size_t at = 0; at < p->entry_count;)
        if (!divide_merge(p, at, &at)) return false;
    return true;
}

/* Finds the branches that were chosen: the points of such a branch are those of a label. Of the root, not all points have it. */
static bool find_chosen(picture *p)
{
    const cli_dendrogram *const g = p->given;
    size_t *const counts = calloc((size_t)g->clusters + 1, sizeof *counts);
    if (!counts) return false;
    for (size_t i = 0; i < g->count; i++)
        if (g->labels[i] >= 0) counts[g->labels[i]]++;
    for (size_t i = 0; i < g->count; i++) {
        const int32_t label = g->labels[i];
        if (label < 0 || counts[label] == 0) continue;
        size_t at = p->home[i];
        while (p->branches[at].around != NO_BRANCH && p->branches[at].size != counts[label])
            at = p->branches[at].around;
        p->branches[at].label = label;
        counts[label] = 0; /* found */
    }
    free(counts);
    return true;
}

/* --- the picture ---------------------------------------------------------------------------------- */

/* Characters that end an attribute or a text are replaced. */
static void put_text(FILE *to, const char *text)
{
    for (; *text; text++) {
        const unsigned char c = (unsigned char)*text;
        if (c == '&' || c == '<' || c == '>' || c == '"')
            fprintf(to, "&#%u;", c);
        else
            fputc(c < 0x20 || c >= 0x7f ? '?' : c, to);
    }
}

static void put_head(const picture *p, FILE *to)
{
    const char *const title = p->given->title;
    const size_t length = strlen(title); /* of a long path, the end tells more */
    fprintf(
        to,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" font-family=\"sans-serif\" font-size=\"13\" "
        "fill=\"#7f7f7f\">\n<style>.grid{stroke:#7f7f7f;stroke-opacity:.25}.other{fill:#7f7f7f;fill-opacity:.3}</"
        "style>\n"
        "<text x=\"%d\" y=\"22\" font-size=\"16\">%s",
        PICTURE_WIDTH, PICTURE_HEIGHT, PICTURE_LEFT, length > PICTURE_TITLE ? "..." : "");
    put_text(to, length > PICTURE_TITLE ? title + length - PICTURE_TITLE : title);
    fprintf(to,
            "</text>\n<text x=\"%d\" y=\"42\">%zu point%s, %zu branch%s, of which %d in colour are clusters</text>\n",
            PICTURE_LEFT, p->points, p->points == 1 ? "" : "s", p->branch_count, p->branch_count == 1 ? "" : "es",
            (int)p->given->clusters);
    fprintf(to, "<text x=\"8\" y=\"%d\">distance</text>\n", PICTURE_HEIGHT - 4);
    if (!(p->high > p->low)) return;
    const bool few = p->high - p->low > 4; /* powers of ten alone */
    for (int power = (int)floor(p->low); power <= (int)ceil(p->high); power++) {
        for (int k = 0; k < (few ? 1 : 3); k++) {
            const double value = (double)(int[]){1, 2, 5}[k] * pow(10, power), at = log10(value);
            if (at < p->low || at > p->high) continue;
            const double y = PICTURE_BOTTOM - (PICTURE_BOTTOM - PICTURE_TOP) * (at - p->low) / (p->high - p->low);
            fprintf(to,
                    "<path class=\"grid\" d=\"M%d %.1fH%d\"/><text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%g</text>\n",
                    PICTURE_LEFT, y, PICTURE_RIGHT, PICTURE_LEFT - 8, y + 4, value);
        }
    }
}

static void put_branch(const picture *p, const branch *b, FILE *to)
{
    static const char *const colours[] = {"#3b82c4", "#d9534f", "#4fa34f", "#c98a1b",
                                          "#8a63c4", "#2aa198", "#c45c9a", "#8c6d4f"};
    const double scale = (double)(PICTURE_RIGHT - PICTURE_LEFT) / (double)p->points;
    const double left = PICTURE_LEFT + (double)b->offset * scale;
    fputs("<path ", to);
    if (b->label < 0)
        fputs("class=\"other\"", to);
    else
        fprintf(to, "fill=\"%s\"", colours[b->label % 8]);
    fprintf(to, " d=\"M%.2f %.1fH%.2f", left, y_of(p, b->birth), left + (double)b->size * scale);
    for (size_t i = b->first; i != NO_BRANCH; i = p->steps[i].next)
        fprintf(to, "V%.1fH%.2f", y_of(p, p->steps[i].height), left + (double)p->steps[i].size * scale);
    fprintf(to, "V%.1fH%.2fZ\"><title>", y_of(p, b->death), left);
    if (b->label >= 0) fprintf(to, "cluster %d: ", (int)b->label);
    fprintf(to, "%zu point%s, ends at %.4g", b->size, b->size == 1 ? "" : "s", sqrt((double)b->death));
    if (b->birth < INFINITY) fprintf(to, ", begins at %.4g", sqrt((double)b->birth));
    fputs("</title></path>\n", to);
}

static int put_picture(const picture *p, const char *path)
{
    cli_output out;
    CLI_TRY(cli_output_open(&out, path));
    put_head(p, out.file);
    for (size_t i = 0; i < p->branch_count && p->points > 0; i++) put_branch(p, &p->branches[i], out.file);
    fputs("</svg>\n", out.file);
    return cli_output_close(&out);
}

int cli_dendrogram_write(const char *path, const cli_dendrogram *given)
{
    picture p = {.given = given};
    const size_t n = given->count;
    p.size = cli_allocate(n, sizeof *p.size), p.home = cli_allocate(n, sizeof *p.home);
    p.is_in = calloc(n + 1, sizeof *p.is_in);
    p.entries = cli_allocate(n, sizeof *p.entries), p.parts = cli_allocate(n + 1, sizeof *p.parts);
    p.steps = cli_allocate(n, sizeof *p.steps);
    const bool room = p.size && p.home && p.is_in && p.entries && p.parts && p.steps;
    const int status = room && make_branches(&p) && find_chosen(&p)
                           ? put_picture(&p, path)
                           : cli_fail("not enough memory to draw the tree of %zu points", n);
    free(p.size), free(p.home), free(p.is_in), free(p.entries), free(p.parts), free(p.steps), free(p.branches);
    return status;
}
