/* SPDX-License-Identifier: BSD-3-Clause
 *
 * check_pcl.c: see play.h.
 *
 *     cloud, labels  ->  points that take part  ->  PCL's clusters  ->  limits of size, numbers  ->  equal to labels?
 *
 * A point takes part if it is finite, in the region, and not ground by clump's own labels: PCL has no such ground.
 */
#define _DEFAULT_SOURCE /* readlink */
#include "play/play.h"
#include "common/assert.h"
#include "rivals/load.h"
#include "base/progress.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct cli_check_pcl {
    float d;
    size_t min_size, max_size; /* max_size 0: no limit */
    const cli_region *region;
    loaded_rival pcl;
    size_t capacity;  /* points that the following have room for */
    float *xyz;       /* of the points that take part */
    uint32_t *index;  /* of these points in the cloud */
    int32_t *labels;  /* PCL's, one per point that takes part */
    int32_t *numbers; /* of PCL's clusters, in the order of their first points; CLUMP_NOISE: too small or too large */
    int32_t *own;     /* the same of clump's clusters */
    size_t *sizes;    /* of PCL's clusters */
    uint8_t *mask;
    cli_check_pcl_result result;
};

/* Writes where the module may be, index 0, 1 ... Returns false past the last place. */
static bool module_place(int index, char *path, size_t room)
{
    CLUMP_ASSERT(index >= 0);
    static const char *const beside[] = {"../rivals", "../lib/clump", CLUMP_CLI_MODULES};
    const char *const given = getenv("CLUMP_PCL");
    if (given) return snprintf(path, room, "%s", given), index == 0;
    if (index == sizeof beside / sizeof *beside) return false;
    char program[600];
    const ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    program[length > 0 ? length : 0] = '\0';
    char *const slash = strrchr(program, '/');
    if (slash) *slash = '\0';
    snprintf(path, room, "%s/%s/pcl-best.so", slash ? program : ".", beside[index]);
    return true;
}

int cli_check_pcl_open(const cli_command *self, const clump_detect_options *options, const cli_region *region,
                       cli_check_pcl **out)
{
    *out = NULL;
    const clump_clustering *const common = &options->common;
    if (options->method != CLUMP_DETECT_EC || common->two_d || common->eps_per_metre > 0 || options->thin > 0)
        return cli_usage(self,
                         "--check-pcl is for ec and detect --by ec, without --2d, --eps-per-metre and --thin: PCL "
                         "has none of these");
    cli_check_pcl *const check = calloc(1, sizeof *check);
    if (!check) return cli_fail("not enough memory for --check-pcl");
    check->d = options->d;
    check->min_size = common->min_size;
    check->max_size = common->max_size;
    check->region = region;
    char path[1000], why[600] = "";
    for (int i = 0; !check->pcl.rival && module_place(i, path, sizeof path); i++)
        if (access(path, R_OK) == 0) rival_load(path, &check->pcl, why, sizeof why);
    if (!check->pcl.rival) {
        cli_check_pcl_close(check);
        return cli_fail("--check-pcl: this build has no PCL to compare with (Debian: libpcl-dev)%s%s",
                        why[0] ? ": " : "", why);
    }
    check->result.version = check->pcl.rival->version;
    *out = check;
    return CLI_DONE;
}

static void release_arrays(cli_check_pcl *check)
{
    free(check->xyz);
    free(check->index);
    free(check->labels);
    free(check->numbers);
    free(check->own);
    free(check->sizes);
    free(check->mask);
}

void cli_check_pcl_close(cli_check_pcl *check)
{
    if (!check) return;
    release_arrays(check);
    rival_unload(&check->pcl);
    free(check);
}

static bool reserve(cli_check_pcl *check, size_t count)
{
    if (count <= check->capacity) return true;
    release_arrays(check);
    check->capacity = 0;
    check->xyz = cli_allocate(count, 3 * sizeof *check->xyz);
    check->index = cli_allocate(count, sizeof *check->index);
    check->labels = cli_allocate(count, sizeof *check->labels);
    check->numbers = cli_allocate(count, sizeof *check->numbers);
    check->own = cli_allocate(count, sizeof *check->own);
    check->sizes = cli_allocate(count, sizeof *check->sizes);
    check->mask = cli_allocate(count, 1);
    if (!check->xyz || !check->index || !check->labels || !check->numbers || !check->own || !check->sizes ||
        !check->mask)
        return false;
    check->capacity = count;
    return true;
}

/* Copies the points that take part. Returns their number. */
static size_t choose_points(cli_check_pcl *check, const clump_cloud *cloud, const int32_t *labels)
{
    const clump_points points = clump_cloud_points(cloud);
    cli_region_mask(check->region, cloud, false, check->mask);
    size_t taken = 0;
    for (size_t i = 0; i < points.count; i++) {
        const float *const p = cli_point(points, i);
        if (!check->mask[i] || labels[i] == CLUMP_GROUND) continue;
        if (!isfinite(p[0]) || !isfinite(p[1]) || !isfinite(p[2])) continue;
        memcpy(check->xyz + 3 * taken, p, 3 * sizeof *p);
        check->index[taken++] = (uint32_t)i;
    }
    return taken;
}

/* Applies the limits of size to PCL's clusters, and numbers those that are left in the order of their first points. */
static void number_clusters(cli_check_pcl *check, size_t taken)
{
    size_t clusters = 0;
    for (size_t i = 0; i < taken; i++) {
        if (check->labels[i] < 0) continue; /* PCL left the point out */
        const size_t label = (size_t)check->labels[i];
        while (clusters <= label) check->sizes[clusters++] = 0;
        check->sizes[label]++;
    }
    int32_t next = 0;
    for (size_t c = 0; c < clusters; c++) {
        const bool fits =
            check->sizes[c] >= check->min_size && (check->max_size == 0 || check->sizes[c] <= check->max_size);
        check->numbers[c] = fits ? next++ : CLUMP_NOISE;
    }
}

/* The number of PCL's cluster of the i-th point that takes part. */
static int32_t theirs_of(const cli_check_pcl *check, size_t i)
{
    return check->labels[i] < 0 ? CLUMP_NOISE : check->numbers[check->labels[i]];
}

/* Compares point by point. With --order size, clump's numbers differ from the order of the first points. So clump's
 * clusters are numbered anew, in the order of their first points. `own` gets one entry per cluster of clump. Returns the
 * position of the first difference, or taken. */
static size_t compare(const cli_check_pcl *check, const int32_t *labels, size_t taken, int32_t *own, int32_t *ours)
{
    int32_t next = 0;
    for (size_t i = 0; i < taken; i++) {
        const int32_t label = labels[check->index[i]];
        if (label >= 0 && own[label] < 0) own[label] = next++;
        *ours = label >= 0 ? own[label] : CLUMP_NOISE;
        if (*ours != theirs_of(check, i)) return i;
    }
    return taken;
}

/* Runs PCL on the points that take part. */
static bool run_pcl(cli_check_pcl *check, size_t taken)
{
    const clump_rival *const pcl = check->pcl.rival;
    void *const state = pcl->prepare(check->xyz, taken);
    const double begin = cli_seconds();
    const bool ran = state && pcl->run(state, check->d);
    check->result.seconds += cli_seconds() - begin;
    if (ran) pcl->labels(state, check->labels);
    if (state) pcl->release(state);
    return ran;
}

int cli_check_pcl_frame(cli_check_pcl *check, const clump_cloud *cloud, const int32_t *labels)
{
    const size_t count = clump_cloud_points(cloud).count;
    if (!reserve(check, count)) return cli_fail("not enough memory to compare %zu points with PCL", count);
    const size_t taken = choose_points(check, cloud, labels);
    if (taken > 0 && !run_pcl(check, taken)) return cli_fail("--check-pcl: PCL failed on %zu points", taken);
    number_clusters(check, taken);
    for (size_t i = 0; i < count; i++) check->own[i] = -1; /* clump has at most one cluster per point */
    int32_t ours = 0;
    const size_t at = compare(check, labels, taken, check->own, &ours);
    cli_check_pcl_result *const r = &check->result;
    if (at == taken)
        r->equal++;
    else if (!r->difference[0])
        snprintf(r->difference, sizeof r->difference,
                 "frame %zu: point %u is in cluster %d, with PCL in cluster %d (-1: in none)", r->frames,
                 (unsigned)check->index[at], (int)ours, (int)theirs_of(check, at));
    r->frames++;
    return CLI_DONE;
}

cli_check_pcl_result cli_check_pcl_sum_up(const cli_check_pcl *check)
{
    return check->result;
}
