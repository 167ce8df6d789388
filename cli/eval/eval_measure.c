/* SPDX-License-Identifier: BSD-3-Clause
 *
 * eval_measure.c: see eval.h. All measures come from one contingency table: how many points each pair of an instance
 * and a cluster shares. The table is sparse, so it is made by sorting.
 *
 *     points     (instance, cluster)    (3,0) (3,0) (3,1) (5,1) (5,1) ...
 *     table      3: 0 twice, 1 once     5: 1 twice                       + sizes of 3, 5 and 0, 1
 */
#include "eval/eval.h"
#include "common/assert.h"

#include <clump/clump.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const cli_eval_verdict_names[CLI_EVAL_VERDICTS] = {"matched", "over_segmented", "under_segmented",
                                                               "missed"};

typedef struct group { /* an instance, or a cluster */
    int32_t label;
    size_t size;
} group;

typedef struct groups {
    group *list; /* ascending by label */
    size_t count;
} groups;

typedef struct shared {       /* one entry of the table */
    size_t instance, cluster; /* places in the lists; cluster EVAL_NONE: points in no cluster */
    size_t points;
} shared;

#define EVAL_NONE SIZE_MAX

typedef struct measurement {
    const cli_eval_input *in;
    cli_eval_result *out;
    groups instances, clusters; /* of at least one point that counts */
    uint64_t *keys;
    shared *table; /* ascending by instance */
    size_t entries;
    size_t *match;        /* of each cluster: the instance, or EVAL_NONE */
    unsigned char *holds; /* of each cluster: how many judged instances have at least half of their points in it */
    bool *fragment;       /* of each cluster: at least half of it is of one judged instance */
    group *most;          /* of each cluster: the judged instance with the most of its points, and their number */
} measurement;

static int by_key(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* Sorts the first n keys and returns how many are distinct. */
static size_t sort_keys(measurement *w, size_t n)
{
    CLUMP_ASSERT(n <= w->in->count);
    size_t distinct = 0;
    qsort(w->keys, n, sizeof *w->keys, by_key);
    for (size_t i = 0; i < n; i++) distinct += i == 0 || w->keys[i] != w->keys[i - 1];
    return distinct;
}

/* Finds the distinct labels >= 0 of the points that count, and the size of each. */
static bool find_groups(measurement *w, const int32_t *labels, groups *found)
{
    size_t n = 0;
    for (size_t i = 0; i < w->in->count; i++)
        if (labels[i] >= 0 && cli_eval_counts(w->in, i)) w->keys[n++] = (uint64_t)labels[i];
    const size_t different = sort_keys(w, n);
    found->list = malloc((different ? different : 1) * sizeof *found->list);
    if (!found->list) return false;
    for (size_t i = 0; i < n; i++) {
        if (i == 0 || w->keys[i] != w->keys[i - 1]) found->list[found->count++] = (group){(int32_t)w->keys[i], 0};
        found->list[found->count - 1].size++;
    }
    return true;
}

static size_t place_of(const groups *g, int32_t label)
{
    CLUMP_ASSERT(g->count >= 1);
    size_t lower = 0, upper = g->count;
    while (upper - lower > 1) {
        const size_t middle = lower + (upper - lower) / 2;
        if (g->list[middle].label <= label)
            lower = middle;
        else
            upper = middle;
    }
    return lower;
}

static bool make_table(measurement *w)
{
    const cli_eval_input *in = w->in;
    size_t n = 0;
    for (size_t i = 0; i < in->count; i++) {
        if (in->truth[i] < 0 || !cli_eval_counts(in, i)) continue;
        const uint64_t instance = place_of(&w->instances, in->truth[i]);
        const uint64_t cluster = in->labels[i] >= 0 ? place_of(&w->clusters, in->labels[i]) : UINT32_MAX;
        w->keys[n++] = instance << 32 | cluster;
    }
    const size_t different = sort_keys(w, n);
    w->table = malloc((different ? different : 1) * sizeof *w->table);
    if (!w->table) return false;
    for (size_t i = 0; i < n; i++) {
        if (i == 0 || w->keys[i] != w->keys[i - 1]) {
            const uint32_t cluster = (uint32_t)w->keys[i];
            w->table[w->entries++] = (shared){w->keys[i] >> 32, cluster == UINT32_MAX ? EVAL_NONE : cluster, 0};
        }
        w->table[w->entries - 1].points++;
    }
    return true;
}

/* --- instances ------------------------------------------------------------------------------------ */

static cli_eval_verdict judge(const cli_eval_instance *t, size_t covered, bool matched)
{
    if (matched) return CLI_EVAL_MATCHED;
    if (2 * covered < t->points) return CLI_EVAL_MISSED;
    return t->size - t->shared > t->points - t->shared ? CLI_EVAL_UNDER : CLI_EVAL_OVER;
}

/* Judges one instance from its entries of the table. IoU >= 0.5 requires at least half of both sets. A second match of
 * an instance or cluster is thus possible only at exactly one half; the first match wins. */
static cli_eval_instance judge_instance(measurement *w, const shared *entries, size_t count)
{
    CLUMP_ASSERT(count >= 1);
    const group *const truth = &w->instances.list[entries[0].instance];
    cli_eval_instance t = {.truth = truth->label, .points = truth->size, .best = CLUMP_NOISE};
    size_t covered = 0;
    bool matched = false;
    for (size_t i = 0; i < count; i++) {
        const size_t c = entries[i].cluster, both = entries[i].points;
        if (c == EVAL_NONE) continue;
        const size_t size = w->clusters.list[c].size, either = truth->size + size - both;
        t.clusters++;
        covered += both;
        const bool here = !matched && w->match[c] == EVAL_NONE && 2 * both >= either;
        if (here || (!matched && both > t.shared)) {
            t.best = w->clusters.list[c].label;
            t.shared = both;
            t.size = size;
            t.iou = (double)both / (double)either;
        }
        if (here) w->match[c] = entries[i].instance, matched = true;
        if (2 * both >= truth->size && w->holds[c] < 2) w->holds[c]++;
        if (2 * both >= size) w->fragment[c] = true;
        if (both > w->most[c].size) w->most[c] = (group){truth->label, both};
    }
    t.verdict = judge(&t, covered, matched);
    return t;
}

static bool judge_instances(measurement *w)
{
    cli_eval_result *const out = w->out;
    out->instances = malloc((w->instances.count ? w->instances.count : 1) * sizeof *out->instances);
    if (!out->instances) return false;
    for (size_t i = 0, end; i < w->entries; i = end) {
        for (end = i; end < w->entries && w->table[end].instance == w->table[i].instance;) end++;
        if (w->instances.list[w->table[i].instance].size < w->in->min_size) continue;
        const cli_eval_instance t = judge_instance(w, &w->table[i], end - i);
        out->instances[out->all.instances++] = t;
        out->all.verdicts[t.verdict]++;
        out->all.best_iou += t.iou;
        if (t.verdict == CLI_EVAL_MATCHED) out->all.matched_iou += t.iou;
    }
    out->mean_iou = out->all.instances ? out->all.best_iou / (double)out->all.instances : NAN;
    return true;
}

/* A cluster is false when it matches no instance, and is a mixture (it has at least half of a judged instance) or a piece
 * (at least half of it is of one judged instance). */
static bool judge_clusters(const measurement *w)
{
    cli_eval_result *const out = w->out;
    out->falses = malloc((w->clusters.count ? w->clusters.count : 1) * sizeof *out->falses);
    if (!out->falses) return false;
    for (size_t c = 0; c < w->clusters.count; c++) {
        const group *const cluster = &w->clusters.list[c];
        if (cluster->size < w->in->min_size) continue;
        out->clusters++;
        const bool is_false = w->match[c] == EVAL_NONE && (w->holds[c] > 0 || w->fragment[c]);
        out->wrong += w->holds[c] > 1 || is_false;
        if (is_false)
            out->falses[out->all.false_positives++] =
                (cli_eval_false){cluster->label, cluster->size, 0, w->most[c].label};
    }
    return true;
}

/* --- pairs of points ------------------------------------------------------------------------------ */

static double pairs(size_t n)
{
    return (double)n * ((double)n - 1) / 2;
}

/* Computes the adjusted Rand index over the points of judged instances. A point in no cluster counts as a cluster of
 * one. */
static bool find_rand_index(measurement *w)
{
    size_t *const inside = calloc(w->clusters.count ? w->clusters.count : 1, sizeof *inside);
    if (!inside) return false;
    double together = 0, truly = 0, found = 0;
    size_t points = 0;
    for (size_t i = 0; i < w->entries; i++) {
        const shared *const e = &w->table[i];
        const size_t size = w->instances.list[e->instance].size;
        if (size < w->in->min_size) continue;
        if (i == 0 || w->table[i - 1].instance != e->instance) truly += pairs(size), points += size;
        if (e->cluster == EVAL_NONE) continue;
        inside[e->cluster] += e->points;
        together += pairs(e->points);
    }
    for (size_t c = 0; c < w->clusters.count; c++) found += pairs(inside[c]);
    free(inside);
    const double all = pairs(points), expected = all > 0 ? truly * found / all : 0, most = (truly + found) / 2;
    w->out->rand_index = points == 0 ? NAN : most == expected ? 1 : (together - expected) / (most - expected);
    return true;
}

bool cli_eval_measure(const cli_eval_input *in, cli_eval_result *out)
{
    memset(out, 0, sizeof *out);
    measurement w = {.in = in, .out = out, .keys = malloc((in->count ? in->count : 1) * sizeof *w.keys)};
    bool done = w.keys && find_groups(&w, in->truth, &w.instances) && find_groups(&w, in->labels, &w.clusters) &&
                make_table(&w);
    const size_t clusters = w.clusters.count ? w.clusters.count : 1;
    w.match = malloc(clusters * sizeof *w.match);
    w.holds = calloc(clusters, sizeof *w.holds);
    w.fragment = calloc(clusters, sizeof *w.fragment);
    w.most = calloc(clusters, sizeof *w.most);
    done = done && w.match && w.holds && w.fragment && w.most;
    for (size_t c = 0; done && c < w.clusters.count; c++) w.match[c] = EVAL_NONE;
    done = done && judge_instances(&w) && judge_clusters(&w) && find_rand_index(&w);
    if (done) cli_eval_break_down(in, out);
    done = done && cli_eval_find_entropies(in, out);
    free(w.keys);
    free(w.instances.list);
    free(w.clusters.list);
    free(w.table);
    free(w.match);
    free(w.holds);
    free(w.fragment);
    free(w.most);
    return done;
}

void cli_eval_free(cli_eval_result *result)
{
    free(result->instances);
    free(result->falses);
    result->instances = NULL;
    result->falses = NULL;
}
