/* SPDX-License-Identifier: BSD-3-Clause
 *
 * hostile_known.c: see hostile_known.h.
 */
#include "hostile/hostile_known.h"

#include <stdio.h>
#include <string.h>

/* One line of hang-parameters.txt. It does not hold the masks; the cases run without. */
static bool read_line(const char *line, hostile_known *k)
{
    clump_dbscan_options *const o = &k->dbscan;
    unsigned seed;
    int two_d, order, no_border = 0, at = 0, more = 0;
    char job[16];
    *k = (hostile_known){.min_points = 5, .ec = clump_ec_defaults(), .dbscan = clump_dbscan_defaults()};
    const int read =
        sscanf(line,
               "HANG seed=%u kind=%*s n=%*d d=%f %15s method=0 threads=%d 2d=%d order=%d min=%zu max=%zu "
               "mask=%*d %n",
               &seed, &k->d, job, &k->threads, &two_d, &order, &o->common.min_size, &o->common.max_size, &at);
    if (read != 8) return false;
    if (strcmp(job, "dbscan") == 0 &&
        sscanf(line + at, "noborder=%d minpts=%zu %n", &no_border, &k->min_points, &more) != 2)
        return false;
    if (sscanf(line + at + more, "S=%f sensor=%f,%f,%f", &o->common.eps_per_metre, &o->common.sensor[0],
               &o->common.sensor[1], &o->common.sensor[2]) != 4)
        return false;
    o->common.two_d = two_d, o->common.order = (clump_order)order, o->no_border_points = no_border;
    snprintf(k->file, sizeof k->file, "hang-%u.f32", seed);
    return true;
}

/* x y z; with a stride of 16 an intensity after them. */
static bool load(const char *folder, size_t stride, hostile_known *k)
{
    static float xyz[4 * 4096];
    char path[1200];
    snprintf(path, sizeof path, "%s/hostile/%s", folder, k->file);
    FILE *const f = fopen(path, "rb");
    if (!f) return false;
    k->points = (clump_points){.xyz = xyz, .count = fread(xyz, stride, sizeof xyz / stride, f), .stride = stride};
    fclose(f);
    return k->points.count > 0;
}

static void run(hostile_known *k, void (*each)(const hostile_known *))
{
    const clump_dbscan_options *const o = &k->dbscan;
    k->ec.common.two_d = o->common.two_d, k->ec.common.order = o->common.order,
    k->ec.common.min_size = o->common.min_size, k->ec.common.max_size = o->common.max_size;
    k->ec.common.eps_per_metre = o->common.eps_per_metre;
    memcpy(k->ec.common.sensor, o->common.sensor, sizeof k->ec.common.sensor);
    each(k);
}

/* Three points, the sensor at the first. */
static int three_points(const char *folder, const char *only, void (*each)(const hostile_known *))
{
    static const char *const files[] = {"hang-ranged.bin", "hang-ranged-1axis.bin"};
    int done = 0;
    for (int i = 0; i < 8; i++) {
        hostile_known k = {.d = 1, .threads = 1 + i, .min_points = 2 + (size_t)(i / 4)};
        k.ec = clump_ec_defaults(), k.dbscan = clump_dbscan_defaults();
        k.dbscan.common.eps_per_metre = i / 2 % 2 ? 1.1f : 0.01f;
        snprintf(k.file, sizeof k.file, "%s", files[i % 2]);
        if (only && !strstr(k.file, only)) continue;
        if (!load(folder, 16, &k)) return -2;
        memcpy(k.dbscan.common.sensor, k.points.xyz, sizeof k.dbscan.common.sensor);
        run(&k, each);
        done++;
    }
    return done;
}

int hostile_known_cases(const char *folder, const char *only, void (*each)(const hostile_known *))
{
    char path[1200], line[600];
    snprintf(path, sizeof path, "%s/hostile/hang-parameters.txt", folder ? folder : "");
    FILE *const f = folder ? fopen(path, "r") : NULL;
    if (!f) return -1;
    int done = 0;
    hostile_known k;
    while (done >= 0 && fgets(line, sizeof line, f)) {
        if (!read_line(line, &k)) {
            done = -2;
        } else if (!only || strstr(k.file, only)) {
            const bool loaded = load(folder, 12, &k);
            if (loaded) run(&k, each);
            done = loaded ? done + 1 : -2;
        }
    }
    fclose(f);
    const int more = done < 0 ? done : three_points(folder, only, each);
    return more < 0 ? more : done + more;
}
