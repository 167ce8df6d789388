/* SPDX-License-Identifier: BSD-3-Clause
 *
 * info_advice.c: see info_advice.h.
 */
#include "info_advice.h"

/* Finds the free memory of the CPU and of the first GPU. To look for a GPU takes about 0.1 s the first time. */
static void ask_devices(cli_advice_input *in)
{
    const int count = clump_device_count();
    for (int i = 0; i < count && !in->gpu; i++) {
        clump_device_info info;
        if (clump_device_query(i, &info) != CLUMP_OK) continue;
        if (info.backend == CLUMP_BACKEND_CUDA) {
            in->gpu = true;
            in->gpu_free = info.memory_free;
        } else {
            in->host_free = info.memory_free;
        }
    }
}

cli_info_advice cli_info_advise(const cli_survey *survey)
{
    cli_advice_input in = {.points = survey->finite, .turn = survey->turn, .ground = survey->ground_likely};
    if (in.points >= CLI_ADVICE_GPU_FROM) ask_devices(&in);
    cli_info_advice found = {.advice = cli_advise(in)};
    if (found.advice.job) cli_advice_text(found.text, in, &found.advice);
    return found;
}

void cli_info_put_advice(cli_json *j, const cli_info_advice *found)
{
    const cli_advice *const a = &found->advice;
    if (!a->job) {
        cli_json_null(j, "advice");
        return;
    }
    cli_json_open(j, "advice", '{');
    cli_json_text(j, "job", a->job);
    cli_json_text(j, "method", a->method);
    cli_json_text(j, "device", a->gpu ? "cuda" : "cpu");
    cli_json_text(j, "of_the_six", a->six);
    cli_json_text(j, "text", found->text);
    cli_json_close(j, '}');
}
