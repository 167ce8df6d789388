/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 14_objects.c: what has the size of a car or of a person, with scores. A person stands 0.3 m before a wall of 20 m: with one distance they
 * are one cluster. clump_objects clusters with several radii, and cuts the tree of clusters where a size fits.
 */
#include <clump/info.h>
#include <stdio.h>

enum { MOST = 40000, ROOM = 16 };

typedef struct scan {
    float xyz[MOST][3];
    size_t count;
} scan;

/* Fills a box with points at distances of `step`. Corners are in metres from the sensor. */
static void add_box(scan *s, const float low[3], const float high[3], float step)
{
    for (float x = low[0]; x <= high[0]; x += step)
        for (float y = low[1]; y <= high[1]; y += step)
            for (float z = low[2]; z <= high[2] && s->count < MOST; z += step) {
                float *const p = s->xyz[s->count++];
                p[0] = x, p[1] = y, p[2] = z;
            }
}

static void print_object(const clump_object *o)
{
    printf("cluster %d: %s%s, %d points, %.1f x %.1f m, %.1f to %.1f m above the ground, score %.2f\n", (int)o->label,
           o->object ? "size of a " : "background", o->object ? clump_fit_name(o->fits) : "", (int)o->count,
           (double)o->length, (double)o->width, (double)o->bottom, (double)o->top, (double)o->score);
}

int main(void)
{
    static scan s;
    static int32_t labels[MOST];
    add_box(&s, (float[]){-20, -20, -1.5f}, (float[]){20, 20, -1.5f}, 0.5f);      /* the floor */
    add_box(&s, (float[]){6, 2, -1.2f}, (float[]){10, 3.7f, 0}, 0.15f);           /* a car */
    add_box(&s, (float[]){-10, 9, -1.5f}, (float[]){10, 9.05f, 1}, 0.1f);         /* a wall */
    add_box(&s, (float[]){0.2f, 8.5f, -1.3f}, (float[]){0.6f, 8.7f, 0.2f}, 0.1f); /* a person */

    clump_context *ctx;
    if (clump_context_create(NULL, &ctx) != CLUMP_OK) return 1;
    clump_object found[ROOM];
    clump_objects_options options = clump_objects_defaults();
    options.found = found;
    options.found_capacity = ROOM;

    const clump_points points = {.xyz = s.xyz[0], .count = s.count};
    int32_t count = 0;
    const clump_status status = clump_objects(ctx, points, &options, labels, &count);
    if (status == CLUMP_OK) {
        for (int32_t i = 0; i < count && i < ROOM; i++) print_object(&found[i]);
        printf("%s neighbours\n", clump_neighbour_kind_name(clump_context_stats(ctx).neighbours));
    } else {
        puts(clump_context_error(ctx));
    }
    clump_context_destroy(ctx);
    return status != CLUMP_OK;
}
