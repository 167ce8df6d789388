/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 16_classes.c: points with classes, as a network gives them: two cars with 0.6 m between them, a person beside one, and the road. Each
 * class has a distance of its own, and no cluster has points of two classes.
 */
#include <clump/classes.h>
#include <clump/info.h>
#include <stdio.h>

enum { MOST = 20000, ROAD = 40, CAR = 10, PERSON = 30 };

typedef struct scan {
    float xyz[MOST][3];
    uint16_t classes[MOST];
    size_t count;
} scan;

/* Fills a box with points of a class at distances of `step`. Corners are in metres from the sensor. */
static void add_box(scan *s, uint16_t class, const float low[3], const float high[3], float step)
{
    for (float x = low[0]; x <= high[0]; x += step)
        for (float y = low[1]; y <= high[1]; y += step)
            for (float z = low[2]; z <= high[2] && s->count < MOST; z += step) {
                float *const p = s->xyz[s->count];
                p[0] = x, p[1] = y, p[2] = z;
                s->classes[s->count++] = class;
            }
}

int main(void)
{
    static scan s;
    static int32_t labels[MOST];
    add_box(&s, ROAD, (float[]){-10, -10, -1.5f}, (float[]){10, 10, -1.5f}, 0.5f);
    add_box(&s, CAR, (float[]){2, 2, -1.4f}, (float[]){6, 3.7f, 0}, 0.2f);
    add_box(&s, CAR, (float[]){6.6f, 2, -1.4f}, (float[]){10, 3.7f, 0}, 0.2f);
    add_box(&s, PERSON, (float[]){3, 4, -1.4f}, (float[]){3.4f, 4.4f, 0.3f}, 0.1f);

    const clump_class rows[] = {{.id = CAR, .radius = 0.5f, .two_d = true, .name = "car"},
                                {.id = PERSON, .radius = 0.25f, .two_d = true, .name = "person"},
                                {.id = ROAD, .stuff = true, .name = "road"}};
    const clump_classes classes = {.of = s.classes, .rows = rows, .count = 3};
    clump_ec_options options = clump_ec_defaults();
    options.common.classes = &classes;

    clump_context *ctx;
    int32_t clusters = 0;
    uint16_t found[16] = {0};
    if (clump_context_create(NULL, &ctx) != CLUMP_OK) return 1;
    const clump_points points = {.xyz = s.xyz[0], .count = s.count};
    if (clump_ec(ctx, points, 0.5f, &options, labels, &clusters) != CLUMP_OK || clusters > 16 ||
        clump_classes_of_clusters(ctx, labels, s.classes, s.count, clusters, found) != CLUMP_OK)
        return puts(clump_context_error(ctx)), 1;
    for (int32_t k = 0; k < clusters; k++)
        for (size_t r = 0; r < 3; r++)
            if (rows[r].id == found[k]) printf("cluster %d: %s\n", (int)k, rows[r].name);
    printf("%d clusters, %zu points of the road are noise\n", (int)clusters, clump_context_stats(ctx).noise);
    clump_context_destroy(ctx);
    return 0;
}
