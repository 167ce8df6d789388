/* SPDX-License-Identifier: BSD-3-Clause
 *
 * objects_compare.h: compares clump_objects with its reference: labels, list of clusters and counts, for several numbers of
 * threads.
 */
#ifndef CLUMP_TESTS_OBJECTS_COMPARE_H
#define CLUMP_TESTS_OBJECTS_COMPARE_H

#include "support/calls.h"
#include "support/options.h"
#include "oracle/objects_reference.h"

#include <clump/info.h>

enum { CONTEXTS = 4 };

static const int threads_of[CONTEXTS] = {1, 2, 3, 8};
static clump_context *contexts[CONTEXTS];
static size_t seen_objects, seen_people, seen_background, seen_below; /* a test without them is void */

static inline const char *text_of(const clump_objects_options *o)
{
    static char text[600];
    char switches[OPTIONS_TEXT];
    snprintf(text, sizeof text,
             "ground %s%s, levels %d, boxes %d, people %d, mask %d, up %d, order %d, least %zu, score %g",
             clump_ground_method_name(o->ground.method), options_text("ground", &o->ground, switches), o->levels,
             o->boxes, !o->no_people, o->common.mask != NULL, (int)o->ground.up, (int)o->common.order,
             o->common.min_size, (double)o->min_score);
    return text;
}

static inline void compare_found(const clump_object *found, const objects_reference *r, int32_t capacity,
                                 const char *name, const clump_objects_options *o)
{
    const int32_t known = r->count < capacity ? r->count : capacity;
    for (int32_t c = 0; c < known; c++) {
        const clump_object *const a = &found[c], *const b = &r->found[c];
        if (memcmp(a, b, sizeof *a) == 0) continue;
        CHECK_FAIL("%s: %s: cluster %d: count %d object %d fits %d, %.9g x %.9g, %.9g to %.9g, level %d, score %.9g; "
                   "expected %d %d %d, %.9g x %.9g, %.9g to %.9g, level %d, score %.9g",
                   name, text_of(o), c, a->count, a->object, (int)a->fits, (double)a->length, (double)a->width,
                   (double)a->bottom, (double)a->top, a->level, (double)a->score, b->count, b->object, (int)b->fits,
                   (double)b->length, (double)b->width, (double)b->bottom, (double)b->top, b->level, (double)b->score);
        break;
    }
    for (size_t k = 0; k < sizeof *found; k++) /* nothing behind the last */
        if (((const uint8_t *)(found + known))[k] != 0x5a) {
            CHECK_FAIL("%s: %s: entry %d was written", name, text_of(o), known);
            break;
        }
}

/* Compares one call with the reference. */
static inline void compare(clump_context *ctx, clump_points points, const clump_objects_options *given,
                           const objects_reference *r, int32_t capacity, const char *name)
{
    int32_t *const labels = malloc((points.count + 1) * sizeof *labels), count = -1;
    clump_object *const found = malloc(((size_t)capacity + 1) * sizeof *found);
    memset(found, 0x5a, ((size_t)capacity + 1) * sizeof *found);
    clump_objects_options o = *given;
    o.found = capacity ? found : NULL;
    o.found_capacity = capacity;
    const clump_status status = clump_objects(ctx, points, &o, labels, &count);
    CHECK_MSG(status == CLUMP_OK, "%s: %s: %s", name, text_of(&o), clump_context_error(ctx));
    const clump_stats stats = clump_context_stats(ctx);
    CHECK_MSG(count == r->count && stats.clusters == count, "%s: %s: %d clusters, expected %d", name, text_of(&o),
              (int)count, (int)r->count);
    size_t at = 0;
    while (at < points.count && labels[at] == r->labels[at]) at++;
    if (at < points.count)
        CHECK_FAIL("%s: %s: label of point %zu is %d, expected %d", name, text_of(&o), at, labels[at], r->labels[at]);
    compare_found(found, r, capacity, name, &o);
    CHECK_MSG(stats.points == points.count && stats.finite == r->finite && stats.masked == r->masked, "%s", name);
    CHECK_MSG(stats.noise == r->noise && stats.ground == r->ground, "%s: %s: noise %zu, expected %zu", name,
              text_of(&o), stats.noise, r->noise);
    const bool scan = given->neighbours == CLUMP_NEIGHBOURS_SCAN;
    CHECK_MSG(stats.neighbours == given->neighbours && (stats.rings > 0) == scan, "%s", name);
    free(labels);
    free(found);
}

static inline void compare_all(clump_points points, const clump_objects_options *o, bool all_pairs, const char *name)
{
    objects_reference r = reference_objects(contexts[0], points, o, all_pairs);
    for (int k = 0; k < CONTEXTS; k++) compare(contexts[k], points, o, &r, r.count + 1, name);
    compare(contexts[0], points, o, &r, r.count / 2, name);
    compare(contexts[1], points, o, &r, 0, name);
    for (int32_t c = 0; c < r.count; c++) {
        seen_people += r.found[c].fits == CLUMP_FIT_PERSON;
        seen_objects += r.found[c].object != 0;
        seen_background += r.found[c].level < 0;
        seen_below += r.found[c].level >= 0 && !r.found[c].object;
    }
    objects_reference_release(&r);
}

static inline clump_objects_options exact_defaults(void)
{
    clump_objects_options o = clump_objects_defaults();
    o.neighbours = CLUMP_NEIGHBOURS_EXACT;
    return o;
}

#endif
