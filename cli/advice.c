/* SPDX-License-Identifier: BSD-3-Clause
 *
 * advice.c: see advice.h. Every number here is measured: docs/choosing.md has the tables behind it.
 */
#include "advice.h"

#include <stdio.h>

/* Memory per point of `fast`, rounded up from the largest figures of bench/results (clouds of 100,000 points or more).
 * On a GPU from pageable memory. `detect` on the CPU: with thinning. */
typedef struct advice_job {
    const char *name;
    uint64_t host, gpu; /* bytes per point */
} advice_job;
static const advice_job advice_ec = {"ec", 40, 200}, advice_detect = {"detect", 80, 260};

/* The fastest of the six, by where it runs, kind of cloud and number of points: the first row that fits. A turn of a
 * sensor has long chains of neighbours: vertex and edge need a pass per link, matrix fewer than ten passes, which cost
 * more. Turns are those of ec-sensors, without ground (bench/results/papers). Other clouds: the paper's, layout joints
 * with 128 clusters. GPU: H200; CPU: its host, and Neoverse-V1, one thread. */
typedef struct advice_row {
    bool gpu, turn;
    size_t most; /* points */
    const char *method;
} advice_row;
static const advice_row advice_six[] = {
    {true, true, 8192, "edge-es"},       /* 0.53 ms; edge-rs 0.55 ms, matrix-es 0.59 ms: HDL-32E, 6083 points */
    {true, true, 40000, "edge-rs"},      /* 0.89 ms; vertex-rs 1.10 ms, matrix-rs 1.24 ms: HDL-64E, 34248 points */
    {true, true, SIZE_MAX, "matrix-rs"}, /* 1.3 ms; edge-rs 1.8 ms: KITTI, 51453 points */
    {true, false, 4096, "vertex-es"},    /* 0.18 ms; edge-es 0.19 ms, vertex-rs 0.23 ms */
    {true, false, 65536, "edge-rs"},     /* 0.77 ms; vertex-rs 0.82 ms, matrix-rs 0.83 ms */
    {true, false, SIZE_MAX, "matrix-rs"},
    {false, true, 8192, "edge-rs"},       /* 13 ms; matrix-rs 14 ms: HDL-32E, 6083 points */
    {false, true, SIZE_MAX, "matrix-rs"}, /* 53 ms; edge-rs 65 ms: HDL-64E, 21783 points. 270 and 1169 ms: KITTI */
    {false, false, 8192, "edge-rs"},      /* 7.9 ms; vertex-rs 9.4 ms, matrix-rs 10 ms; at 16384: 26, 31 and 21 ms */
    {false, false, SIZE_MAX, "matrix-rs"},
};

static const char *fastest_of_six(bool gpu, bool turn, size_t points)
{
    const advice_row *row = advice_six;
    while (row->gpu != gpu || row->turn != turn || points > row->most) row++; /* the last row of a kind fits all */
    return row->method;
}

cli_advice cli_advise(cli_advice_input in)
{
    if (in.points < 2) return (cli_advice){0};
    const advice_job job = in.ground ? advice_detect : advice_ec;
    const bool large = in.gpu && in.points >= CLI_ADVICE_GPU_FROM;
    const bool fits = in.points <= in.gpu_free / job.gpu, gpu = large && fits;
    cli_advice advice = {.job = job.name, .method = "fast", .gpu = gpu, .insist = large && !fits};
    advice.six = fastest_of_six(gpu, in.turn, in.points);
    advice.bytes = in.points * (gpu ? job.gpu : job.host);
    advice.too_large = !gpu && in.host_free > 0 && advice.bytes > in.host_free;
    return advice;
}

static const char *kind_of_cloud(cli_advice_input in)
{
    if (in.turn) return in.ground ? "one turn of a spinning sensor, with ground" : "one turn of a spinning sensor";
    return in.ground ? "a cloud with ground" : "a survey, a map or an object";
}

void cli_advice_text(char text[CLI_ADVICE_SIZE], cli_advice_input in, const cli_advice *a)
{
    int used = snprintf(text, CLI_ADVICE_SIZE, "%s by %s on the %s: %s", a->job, a->method, a->gpu ? "GPU" : "CPU",
                        kind_of_cloud(in));
    char *const rest = text + used;
    const size_t room = CLI_ADVICE_SIZE - (size_t)used;
    if (a->too_large)
        snprintf(rest, room,
                 "; it may need %.1f GB of memory and %.1f GB are free: --crop takes a part, --thin S fewer points",
                 1e-9 * (double)a->bytes, 1e-9 * (double)in.host_free);
    else if (a->insist)
        snprintf(rest, room, "; too large for the %.1f GB that are free on the GPU: give --device cpu",
                 1e-9 * (double)in.gpu_free);
    else
        snprintf(rest, room, "; of the paper's six methods %s would be the fastest", a->six);
}
