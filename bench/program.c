/* SPDX-License-Identifier: BSD-3-Clause
 *
 * program.c: see program.h.
 */
#include "program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool positive(const char *text, long *out)
{
    char *end;
    *out = strtol(text, &end, 10);
    return end != text && *end == '\0' && *out > 0 && *out < 100000;
}

static const bench_option *find(const bench_option *options, size_t count, const char *name, size_t length)
{
    for (size_t i = 0; i < count; i++)
        if (strlen(options[i].name) == length && memcmp(options[i].name, name, length) == 0) return &options[i];
    return NULL;
}

/* "--name value" or "--name=value". */
static bool parse(const bench_program *program, bench_settings *s, int argc, char **argv)
{
    const bench_option common[] = {
        {"-l", .flag = &s->list},           {"--list", .flag = &s->list},
        {"--machine", .flag = &s->machine}, {"--help", .flag = &s->help},
        {"--csv", .text = &s->csv},         {"--data", .text = &s->data},
        {"--repeat", .number = &s->repeat}, {"--no-rivals", .flag = &s->no_rivals},
    };
    for (int i = 1; i < argc; i++) {
        if (argv[i][0] != '-') {
            s->filters[s->filter_count++] = argv[i];
            continue;
        }
        const char *const name = argv[i], *const equal = strchr(name, '=');
        const size_t length = equal ? (size_t)(equal - name) : strlen(name);
        const bench_option *o = find(common, sizeof common / sizeof *common, name, length);
        if (!o) o = find(program->options, program->option_count, name, length);
        if (!o) {
            fprintf(stderr, "%s: %s is not an option (see --help)\n", program->name, name);
            return false;
        }
        const char *const value = equal ? equal + 1 : o->flag || i + 1 >= argc ? NULL : argv[++i];
        if (o->flag ? value != NULL : !value || (o->number && !positive(value, o->number))) {
            fprintf(stderr, "%s: the value of %s is missing or wrong (see --help)\n", program->name, name);
            return false;
        }
        if (o->flag) *o->flag = true;
        if (o->text) *o->text = value;
    }
    return true;
}

int bench_main(const bench_program *program, bench_settings *s, int argc, char **argv)
{
    const char *const data = getenv("CLUMP_DATA");
    s->data = data && *data ? data : CLUMP_BENCH_DATA;
    s->filters = calloc((size_t)argc + 1, sizeof *s->filters);
    if (!s->filters) return 1;
    int status = 0;
    if (!parse(program, s, argc, argv)) {
        status = 2;
    } else if (s->help) {
        puts(program->help);
    } else if (s->list) {
        program->list(s);
    } else {
        const machine m = machine_describe();
        if (s->machine)
            puts(m.name);
        else
            status = program->run(s, &m);
    }
    free(s->filters);
    return status;
}

bool bench_selected(const bench_settings *s, const char *name)
{
    for (size_t i = 0; i < s->filter_count; i++)
        if (strstr(name, s->filters[i])) return true;
    return s->filter_count == 0;
}
