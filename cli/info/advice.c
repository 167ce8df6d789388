/* SPDX-License-Identifier: BSD-3-Clause
 *
 * advice.c: see advice.h. Every number here is measured: docs/choosing.md has the tables behind it.
 */
#include "info/advice.h"

#include "base/number.h"

#include <stdio.h>

/* Memory per point of `fast`, rounded up from the largest figures of bench/results (clouds of 100,000 points or more).
 * On a GPU from pageable memory. `detect` on the CPU: with thinning. */
typedef struct advice_job {
    const char *name;
    uint64_t host, gpu; /* bytes per point */
    bool in_tiles;      /* it has --ram */
} advice_job;
static const advice_job advice_ec = {"ec", 40, 200, true}, advice_detect = {"detect", 80, 260, false};

static const uint64_t advice_least_ram = 16 << 20; /* of --ram */

cli_advice cli_advise(cli_advice_input in)
{
    if (in.points < 2) return (cli_advice){0};
    const advice_job job = in.ground && !in.classified ? advice_detect : advice_ec;
    const bool large = in.gpu && in.points >= CLI_ADVICE_GPU_FROM;
    const bool fits = in.points <= in.gpu_free / job.gpu, gpu = large && fits;
    cli_advice advice = {.job = job.name, .method = "fast", .gpu = gpu, .insist = large && !fits};
    advice.bytes = in.points * (gpu ? job.gpu : job.host);
    advice.too_large = !gpu && in.host_free > 0 && advice.bytes > in.host_free;
    if (advice.too_large && job.in_tiles)
        advice.ram = in.host_free / 2 > advice_least_ram ? in.host_free / 2 : advice_least_ram;
    return advice;
}

static const char *kind_of_cloud(cli_advice_input in)
{
    if (in.classified) return "a survey whose ground is classified";
    if (in.turn) return in.ground ? "one turn of a spinning sensor, with ground" : "one turn of a spinning sensor";
    return in.ground ? "a cloud with ground" : "a survey, a map or an object";
}

void cli_advice_text(char text[CLI_ADVICE_SIZE], cli_advice_input in, const cli_advice *a)
{
    char need[CLI_BYTES_SIZE], host[CLI_BYTES_SIZE], gpu[CLI_BYTES_SIZE];
    cli_bytes_text(need, a->bytes);
    cli_bytes_text(host, in.host_free);
    cli_bytes_text(gpu, in.gpu_free);
    int used = snprintf(text, CLI_ADVICE_SIZE, "%s by %s on the %s: %s", a->job, a->method, a->gpu ? "GPU" : "CPU",
                        kind_of_cloud(in));
    char *const rest = text + used;
    const size_t room = CLI_ADVICE_SIZE - (size_t)used;
    if (a->too_large)
        snprintf(rest, room, "; it may need %s of memory and %s are free: %s", need, host,
                 a->ram ? "--ram works in tiles" : "--crop takes a part, --thin S fewer points");
    else if (a->insist)
        snprintf(rest, room, "; too large for the %s that are free on the GPU", gpu);
}
