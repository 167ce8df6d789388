/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The harness of the benches: see contest.h.
 */
#include "harness/contest.h"

#include <clump/info.h>

#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>

/* CONTEST_MAX_RUNS bounds the samples of very short runs. The others are the range of rounds that docs/benchmarks.md
 * states. */
enum { CONTEST_MAX_RUNS = 200, CONTEST_MIN_ROUNDS = 3, CONTEST_MAX_ROUNDS = 25, CONTEST_SLOW_ROUNDS = 3 };

contest_settings settings = {.threads = 2};

/* Cancels the running call of ours: contest.limit_seconds. */
static volatile sig_atomic_t is_late;

/* --- settings ------------------------------------------------------------------------------------ */

static bool parse_number(const char *text, long *out)
{
    char *end;
    *out = strtol(text, &end, 10);
    return end != text && *end == '\0' && *out > 0 && *out < 1000000000;
}

static const contest_option *find_option(const contest_option *options, size_t count, const char *name, size_t length)
{
    for (size_t i = 0; i < count; i++)
        if (strlen(options[i].name) == length && memcmp(options[i].name, name, length) == 0) return &options[i];
    return NULL;
}

/* Adds "-quick" to the commit that rows name: to --resume, the rows of few rounds do not stand for those of all. */
static void name_quick(void)
{
    char name[32];
    const char *const commit = getenv("CLUMP_COMMIT");
    if (!commit || !*commit || strstr(commit, "-quick")) return;
    snprintf(name, sizeof name, "%.9s-quick", commit);
    setenv("CLUMP_COMMIT", name, 1);
}

/* "--name value" or "--name=value". */
bool contest_parse(const char *program, const contest_option *options, size_t count, int argc, char **argv)
{
    static const contest_option common[] = {{"--machine", .flag = &settings.machine},
                                            {"--help", .flag = &settings.help},
                                            {"--csv", .text = &settings.csv},
                                            {"--data", .text = &settings.data}};
    const char *const data = getenv("CLUMP_DATA");
    settings.program = program;
    settings.data = data && *data ? data : CLUMP_BENCH_DATA;
    settings.filters = calloc((size_t)argc + 1, sizeof *settings.filters);
    if (!settings.filters) return false;
    for (int i = 1; i < argc; i++) {
        if (argv[i][0] != '-') {
            settings.filters[settings.filter_count++] = argv[i];
            continue;
        }
        const char *const name = argv[i], *const equal = strchr(name, '=');
        const size_t length = equal ? (size_t)(equal - name) : strlen(name);
        const contest_option *o = find_option(common, sizeof common / sizeof *common, name, length);
        if (!o) o = find_option(options, count, name, length);
        if (!o) {
            fprintf(stderr, "%s: %s is not an option (see --help)\n", program, name);
            return false;
        }
        const char *const value = equal ? equal + 1 : o->flag || i + 1 >= argc ? NULL : argv[++i];
        if (o->flag ? value != NULL : !value || (o->number && !parse_number(value, o->number))) {
            fprintf(stderr, "%s: the value of %s is missing or wrong (see --help)\n", program, name);
            return false;
        }
        if (o->flag) *o->flag = true;
        if (o->text) *o->text = value;
        if (strcmp(name, "--quick") == 0) name_quick();
    }
    return true;
}

bool contest_choose(const char *only, const char *const names[], size_t count, bool chosen[])
{
    for (size_t i = 0; i < count; i++) chosen[i] = !only;
    for (const char *name = only; name && *name;) {
        const size_t length = strcspn(name, ",");
        size_t i = 0;
        while (i < count && (strlen(names[i]) != length || memcmp(names[i], name, length) != 0)) i++;
        if (i == count) return false;
        chosen[i] = true;
        name += length + (name[length] == ',');
    }
    return !only || *only;
}

bool contest_selected(const char *name)
{
    for (size_t i = 0; i < settings.filter_count; i++)
        if (strstr(name, settings.filters[i])) return true;
    return settings.filter_count == 0;
}

/* Returns whether an earlier run of the same commit has measured the case: --resume. */
static bool is_measured(const char *name)
{
    const char *const commit = getenv("CLUMP_COMMIT");
    const bool known = commit && *commit && !strchr(commit, '+');
    return settings.resume && settings.csv && known && csv_has(settings.csv, name, commit);
}

/* --- contestants --------------------------------------------------------------------------------- */

static contestant *enter(contest *c, const bench_cloud *cloud, const char *name, const char *version)
{
    if (c->count == CONTEST_MOST) return NULL;
    contestant *const who = &c->list[c->count++];
    *who = (contestant){.name = name, .version = version, .threads = 1, .cloud = cloud};
    return who;
}

contestant *contest_ours(contest *c, const bench_cloud *cloud, const char *name, int method, int threads)
{
    contestant *const who = enter(c, cloud, name, clump_version());
    if (!who) return NULL;
    clump_context_options options = clump_context_defaults();
    options.backend = threads == CONTEST_GPU ? CLUMP_BACKEND_CUDA : CLUMP_BACKEND_CPU;
    options.threads = threads == CONTEST_GPU ? 1 : threads;
    options.cancel = &is_late;
    who->threads = threads;
    who->method = method;
    who->failed = clump_context_create(&options, &who->context) != CLUMP_OK;
    return who;
}

contestant *contest_rival(contest *c, const bench_cloud *cloud, const char *name, const char *version,
                          const void *module, void *state)
{
    contestant *const who = enter(c, cloud, name, version);
    if (!who) return NULL;
    who->rival = true, who->module = module, who->state = state, who->failed = !state;
    return who;
}

static bool is_out(const contestant *who)
{
    return who->failed || who->left_out[0];
}

const contestant *contest_find(const contest *c, const char *name, int threads)
{
    for (size_t i = 0; i < c->count; i++) {
        const contestant *const who = &c->list[i];
        if (strcmp(who->name, name) == 0 && who->threads == threads && !is_out(who)) return who;
    }
    return NULL;
}

double contest_ratio(const contest *c, const contestant *who)
{
    const contestant *const base = who->base ? who->base : c->list;
    const double divisor = base->time[0].median_ms;
    return !is_out(who) && !is_out(base) && divisor > 0 ? who->time[0].median_ms / divisor : 0;
}

double contest_bytes_per_point(const contestant *who)
{
    return who->cloud->count ? (double)who->stats.host_bytes / (double)who->cloud->count : 0;
}

/* --- a contest ----------------------------------------------------------------------------------- */

/* Whether the first run of a contestant took so long that it is the only one. */
static bool runs_once(const contest *c, const contestant *who)
{
    return c->job->once_seconds > 0 && who->first_seconds > c->job->once_seconds;
}

static void be_late(int signal_number)
{
    (void)signal_number;
    is_late = 1;
}

/* Sets the clock that cancels a run after these seconds; 0 stops it. */
static void set_limit(double seconds)
{
    const struct sigaction action = {.sa_handler = be_late, .sa_flags = SA_RESTART};
    const struct itimerval timer = {
        .it_value = {(time_t)seconds, (suseconds_t)(1e6 * (seconds - (double)(time_t)seconds))}};
    is_late = 0;
    sigaction(SIGALRM, &action, NULL);
    setitimer(ITIMER_REAL, &timer, NULL);
}

static void keep_sample(contestant *who, const double seconds[CONTEST_CLOCKS])
{
    for (int k = 0; k < CONTEST_CLOCKS && !who->failed; k++)
        if (!samples_add(&who->taken[k], seconds[k])) {
            who->failed = true;
            snprintf(who->error, sizeof who->error, "no memory for the samples");
        }
}

/* Returns whether the run was done, with its durations. */
static bool run_once(contest *c, contestant *who, double seconds[CONTEST_CLOCKS])
{
    for (int k = 0; k < CONTEST_CLOCKS; k++) seconds[k] = 0;
    if (c->job->run(c, who, seconds)) return true;
    if (is_late) snprintf(who->left_out, sizeof who->left_out, "more than %g s", c->limit_seconds);
    who->failed = !who->left_out[0];
    if (who->failed && !who->error[0])
        snprintf(who->error, sizeof who->error, "%s",
                 who->context ? clump_context_error(who->context) : "the run failed");
    return false;
}

/* The first run: its answers beside those of the first contestant. */
static void verify(contest *c, contestant *who)
{
    double seconds[CONTEST_CLOCKS];
    set_limit(who->rival ? 0 : c->limit_seconds);
    const bool done = run_once(c, who, seconds);
    set_limit(0);
    who->first_seconds = seconds[0];
    if (done && runs_once(c, who)) keep_sample(who, seconds);
    if (!done || who->beside || (who->rival && c->job->hash && !c->job->fetch)) return;
    if (who->rival && c->job->fetch && !c->job->fetch(c, who)) {
        who->failed = true;
        return;
    }
    if (c->job->hash) who->hash = clump_labels_hash(c->answer, c->answers);
    if (who == c->list) memcpy(c->reference, c->answer, 4 * c->answers);
    for (size_t i = 0; i < c->answers && !who->incomparable; i++)
        who->differ += memcmp(c->answer + i, c->reference + i, 4) != 0;
}

static void take_turn(contest *c, contestant *who)
{
    const size_t most = who->turn_runs ? who->turn_runs : CONTEST_MAX_RUNS;
    double spent = 0, seconds[CONTEST_CLOCKS];
    if (c->job->warm_turns && !is_out(who)) run_once(c, who, seconds);
    for (size_t i = 0; i < most && !is_out(who) && (i == 0 || who->turn_runs || spent < c->job->turn_seconds); i++) {
        if (run_once(c, who, seconds)) keep_sample(who, seconds);
        spent += seconds[0];
    }
}

static long count_rounds(const contest *c)
{
    if (settings.repeat) return settings.repeat;
    double round = 0;
    for (size_t i = 0; i < c->count; i++) {
        const double first = c->list[i].first_seconds;
        if (is_out(&c->list[i]) || runs_once(c, &c->list[i])) continue;
        round += first > c->job->turn_seconds ? first : c->job->turn_seconds;
    }
    const double fit = round > 0 ? c->job->seconds / round : 0;
    const long least = c->job->least_rounds ? c->job->least_rounds : CONTEST_MIN_ROUNDS;
    return fit < (double)least ? least : fit > CONTEST_MAX_ROUNDS ? CONTEST_MAX_ROUNDS : (long)fit;
}

static void note_left_out(contestant *who)
{
    char why[sizeof who->left_out]; /* a copy: the compiler cannot tell that two members of an array do not overlap */
    memcpy(why, who->left_out, sizeof why);
    snprintf(who->note, sizeof who->note, "left out: %.180s", why);
}

static void tell(const contest *c, double part)
{
    if (settings.progress) settings.progress(c, part);
}

static void hold(contest *c)
{
    for (size_t i = 0; i < c->count; i++) {
        if (!is_out(&c->list[i])) verify(c, &c->list[i]);
        tell(c, 0.5 * (double)(i + 1) / (double)c->count);
    }
    const long rounds = count_rounds(c);
    for (long round = 0; round < rounds; round++)
        for (size_t i = 0; i < c->count; i++) {
            tell(c, 0.5 + 0.5 * ((double)round + (double)i / (double)c->count) / (double)rounds);
            const bool slow = c->job->slow_seconds > 0 && c->list[i].first_seconds > c->job->slow_seconds;
            if (runs_once(c, &c->list[i])) continue;
            if (!slow || round < CONTEST_SLOW_ROUNDS) take_turn(c, &c->list[i]);
        }
    for (size_t i = 0; i < c->count; i++) {
        contestant *const who = &c->list[i];
        for (int k = 0; k < CONTEST_CLOCKS; k++) who->time[k] = samples_sum_up(&who->taken[k]);
        if (who->context && !is_out(who)) who->stats = clump_context_stats(who->context);
    }
    for (size_t i = 0; i < c->count; i++) {
        contestant *const who = &c->list[i];
        if (!is_out(who)) c->job->note(c, who);
        if (who->left_out[0]) note_left_out(who);
    }
}

static void leave(contest *c)
{
    for (size_t i = 0; i < c->count; i++) {
        contestant *const who = &c->list[i];
        if (c->job->leave && who->state) c->job->leave(who);
        clump_context_destroy(who->context);
        for (int k = 0; k < CONTEST_CLOCKS; k++) samples_free(&who->taken[k]);
    }
    for (int k = 0; k < 2; k++) bench_cloud_free(&c->clouds[k]);
    free(c->answer), free(c->reference), free(c->scratch);
}

/* --- report -------------------------------------------------------------------------------------- */

void contest_figure(contest_totals *totals, bool reached, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    printf("  "), vprintf(format, arguments), puts(reached ? " ok" : " MISS");
    va_end(arguments);
    totals->reached += reached, totals->missed += !reached;
}

static void report(contest *c, contest_totals *totals)
{
    printf("%s: %zu points, %s\n", c->name, c->list[0].cloud->count, c->text);
    for (size_t i = 0; i < c->count; i++) {
        const contestant *const who = &c->list[i];
        printf("  %-13s ", who->name);
        if (who->threads == CONTEST_GPU)
            printf("GPU      ");
        else if (who->threads)
            printf("%d thread%s", who->threads, who->threads > 1 ? "s" : " ");
        else
            printf("default  ");
        if (who->failed) {
            printf(" failed: %s\n", who->error);
            totals->wrong++;
            continue;
        }
        if (who->left_out[0]) {
            printf(" %s\n", who->note);
            continue;
        }
        const double ms = who->time[0].median_ms;
        printf(" %11.*f ms %8.2fx", ms < 1 ? 4 : 3, ms, contest_ratio(c, who));
        if (who->rival) printf("  %s", who->version);
        if (who->note[0]) printf("  %s", who->note);
        if (who->differ) {
            const bool wrong = (double)who->differ > who->tolerance * (double)c->answers;
            printf("  %s: %zu of %zu answers differ", wrong ? "ERROR" : "note", who->differ, c->answers);
            totals->wrong += wrong;
        }
        puts("");
    }
    c->job->figures(c, totals);
    fflush(stdout);
}

/* --- all cases ----------------------------------------------------------------------------------- */

/* Adds the rows of a contest. Where one of ours failed they name no commit, so --resume measures the case again. */
static void add_rows(const contest *c, const machine *m, csv *rows)
{
    machine named = *m;
    for (size_t i = 0; i < c->count; i++)
        if (c->list[i].failed && !c->list[i].rival) named.date[strcspn(named.date, " ")] = '\0';
    for (size_t i = 0; i < c->count; i++) {
        if (c->list[i].failed || c->list[i].beside) continue;
        c->job->row(c, &c->list[i], rows);
        csv_end(rows, &named);
    }
}

static void play(contest *c, const machine *m, contest_totals *totals, csv *rows)
{
    clump_message why = {""};
    tell(c, 0);
    bool entered = c->job->enter(c, &why);
    if (entered) {
        size_t room = c->answers;
        for (int k = 0; k < 2; k++) room = room > c->clouds[k].count ? room : c->clouds[k].count;
        c->answer = malloc(4 * room + 1), c->reference = malloc(4 * room + 1);
        entered = c->answer && c->reference;
        if (!entered) snprintf(why.text, sizeof why.text, "no memory for %zu labels", c->answers);
    }
    if (entered) {
        hold(c);
        tell(c, 1);
        report(c, totals);
        add_rows(c, m, rows);
    } else {
        tell(c, 1);
        fprintf(stderr, "%s: %s: left out: %s\n", c->job->program, c->name, why.text);
    }
    leave(c);
}

static bool save(const contest_job *job, const csv *rows)
{
    clump_message why;
    if (!settings.csv || !rows->length || csv_save(rows, settings.csv, job->csv_header, 1, &why)) return true;
    fprintf(stderr, "%s: %s\n", job->program, why.text);
    return false;
}

bool contest_play(const contest_job *job, contest_totals *totals)
{
    const machine m = machine_describe();
    csv rows = {0};
    bool saved = true;
    settings.cores = m.cores;
    if (m.cores == 1) settings.threads = 1;
    if (!settings.list) {
        printf("%s, %d cores, %s, clump %s\n%s\n\n", m.cpu, m.cores, m.compiler, clump_version(),
               job->legend ? job->legend : "Median ms; x = times as long as the first line.");
        job->begin();
    }
    for (size_t i = 0; i < job->case_count && saved; i++) {
        contest c = {.job = job, .index = i};
        if (!job->describe(i, c.name, c.text) || !contest_selected(c.name)) continue;
        if (settings.list) {
            printf("%-16s %s\n", c.name, c.text);
            continue;
        }
        if (is_measured(c.name)) continue;
        play(&c, &m, totals, &rows);
        saved = save(job, &rows);
    }
    if (!settings.list && job->end) job->end(totals);
    csv_free(&rows);
    return saved;
}

static int play_all(const contest_job *job)
{
    contest_totals totals = {0, 0, 0};
    const bool saved = contest_play(job, &totals);
    if (settings.list) return 0;
    printf("\n%d figures reached, %d missed, %d wrong\n", totals.reached, totals.missed, totals.wrong);
    return totals.wrong || !saved ? 1 : 0;
}

/* Returns whether the file of results can be used, before anything is measured. */
static bool can_save(const contest_job *job)
{
    clump_message why;
    if (!settings.csv || settings.list || csv_can_save(settings.csv, job->csv_header, &why)) return true;
    return fprintf(stderr, "%s: %s\n", job->program, why.text), false;
}

int contest_main(const contest_job *job, int argc, char **argv)
{
    int status = 0;
    if (!contest_parse(job->program, job->options, job->option_count, argc, argv))
        status = 2;
    else if (settings.help)
        puts(job->help);
    else if (settings.machine)
        puts(machine_describe().name);
    else if ((job->check && !job->check()) || !can_save(job))
        status = 2;
    else
        status = play_all(job);
    free(settings.filters);
    return status;
}
