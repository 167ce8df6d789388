/* SPDX-License-Identifier: BSD-3-Clause
 *
 * info_advice.c: see info.h.
 */
#include "info/info.h"

#include "common/assert.h"

#include "files/source.h"
#include "files/output.h"
#include "view/view.h"
#include "files/view_write.h"

#include <clump/info.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

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

/* Prints the operand, and the options that say how it is read. */
static void put_input(FILE *to, const cli_input *input)
{
    if (input->path[0] == '-' && !cli_is_dash(input->path)) { /* a file, not an option */
        char *const path = cli_text("./%s", input->path);
        cli_put_word(to, path ? path : input->path);
        free(path);
    } else {
        cli_put_word(to, input->path);
    }
    if (input->format) fprintf(to, " --format %s", input->format);
    if (input->columns) fputs(" --columns", to), cli_put_word(to, input->columns);
    if (input->partial) fputs(" --partial", to);
}

/* Returns the command that clusters the file. `detect` has a distance for scans in metres, and keeps it where points are
 * not far sparser: on 14 labelled KITTI frames its panoptic quality is 0.65, and 0.61 with the distance from the spacing.
 * Null: no distance is known, or no memory. */
static char *cluster_command(const cli_survey *survey, const cli_input *input, const cli_advice *a)
{
    char *text = NULL;
    size_t size = 0;
    FILE *const to = a->job && !isnan(survey->suggestion) ? open_memstream(&text, &size) : NULL;
    if (!to) return NULL;
    CLUMP_ASSERT(survey->suggestion > 0);
    fprintf(to, "clump %s", a->job);
    put_input(to, input);
    if (survey->drop[0]) fprintf(to, " --drop-class %s", survey->drop);
    const bool has_own = strcmp(a->job, "detect") == 0 && survey->suggestion <= 2 * (double)clump_detect_defaults().d;
    if (!has_own) fprintf(to, " -d %.6g", survey->suggestion);
    if (a->insist) fputs(" --device cpu", to);
    if (a->ram > 0 && !input->partial && !cli_is_dash(input->path))
        fprintf(to, " --ram %lluM", (unsigned long long)(a->ram >> 20));
    return cli_text_end(to, &text);
}

/* Returns the command that shows the labels of the cloud, as a page in the working folder. */
static char *view_command(const cli_input *input, const clump_cloud *cloud)
{
    char *text = NULL;
    size_t size = 0;
    if (cli_is_dash(input->path) || input->columns || !cli_view_has_labels(cloud)) return NULL;
    FILE *const to = open_memstream(&text, &size);
    if (!to) return NULL;
    fputs("clump view", to);
    put_input(to, input);
    if (input->labels) fputs(" --labels", to), cli_put_word(to, input->labels);
    const char *const name = cli_view_name(input->path);
    char *const page = cli_text("%.*s.html", (int)(strcspn(name, ".") ? strcspn(name, ".") : strlen(name)), name);
    fputs(" -o", to);
    cli_put_word(to, page ? page : "page.html");
    free(page);
    return cli_text_end(to, &text);
}

cli_info_advice cli_info_advise(const cli_survey *survey, const cli_input *input, const clump_cloud *cloud)
{
    cli_advice_input in = {.points = survey->finite,
                           .turn = survey->turn,
                           .ground = survey->ground_likely,
                           .classified = survey->drop[0] != '\0'};
    if (in.points >= CLI_ADVICE_GPU_FROM) ask_devices(&in);
    cli_info_advice found = {.advice = cli_advise(in)};
    if (found.advice.job) cli_advice_text(found.text, in, &found.advice);
    found.cluster = cluster_command(survey, input, &found.advice);
    found.view = view_command(input, cloud);
    return found;
}

void cli_info_advice_release(cli_info_advice *advice)
{
    free(advice->cluster);
    free(advice->view);
    *advice = (cli_info_advice){0};
}

void cli_info_print_advice(const cli_info_advice *advice)
{
    if (advice->view) printf("try       %s\n", advice->view);
    if (advice->cluster) printf("try       %s\n", advice->cluster);
    if (advice->text[0]) printf("advice    %s\n", advice->text);
}

void cli_info_put_advice(cli_json *j, const cli_info_advice *found, const char *drop)
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
    cli_put_classes(j, drop[0] ? drop : NULL);
    cli_json_text(j, "command", found->cluster);
    cli_json_text(j, "text", found->text);
    cli_json_close(j, '}');
}
