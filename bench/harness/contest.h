/* SPDX-License-Identifier: BSD-3-Clause
 *
 * contest.h: the harness of the benches. A contest is one case of one job: contestants, ours and rivals, on the same
 * points. A bench is a table of functions, contest_job; the harness does the rest: options, turns, medians, comparison
 * of the answers, the printed table, CSV. Exit status: 0 done (also where a figure is missed), 1 answers differ or
 * something failed, 2 wrong usage.
 *
 * Contestants take turns. Whatever else the machine does (clock frequency, other processes) then slows all of them
 * alike, and the ratio of their medians is the figure:
 *
 *     first run    fast bfs pcl pcl    answers compared; also warms caches and buffers
 *     round 1      fast bfs pcl pcl    samples
 *     round 2      fast bfs pcl pcl    ...
 *
 * The room, in the order of a contest:
 *
 *     cases.c                    what is measured, and the figures to reach
 *     clouds.c                   the clouds
 *     likeness.c, scan_shape.c   which simulated scan is most like a real one
 *     steps.c                    the labels of clump_detect in plain steps
 *     pcl.c, sklearn.c           rivals as contestants
 *     neighbours.c               contests of nearest neighbours
 *     busy.c                     other programs that keep cores busy
 *     contest.c                  the contest
 *     samples.c                  median and percentiles
 *     machine.c                  machine, compiler, clock
 *     csv.c                      rows of results
 *
 * The jobs are in bench/jobs; frame.c serves latency.c there.
 */
#ifndef CLUMP_BENCH_CONTEST_H
#define CLUMP_BENCH_CONTEST_H

#include "harness/clouds.h"
#include "harness/csv.h"
#include "harness/machine.h"

#include <stdint.h>

#include <clump/info.h>

enum {
    CONTEST_MOST = 32,  /* contestants of a case */
    CONTEST_CLOCKS = 4, /* durations of a run: in all, and three that the job chooses */
    CONTEST_NAME = 64,  /* bytes of a case's name, */
    CONTEST_TEXT = 200, /* and of its parameters */
    CONTEST_GPU = -1,   /* as a number of threads */
};
#define CONTEST_TURN_SECONDS 0.02

typedef struct contestant {
    const char *name, *version; /* "fast", "0.1.0"; "pcl-best", "PCL 1.13.0" */
    int threads;                /* 0: the default of clump; CONTEST_GPU: on the GPU */
    const bench_cloud *cloud;
    double tolerance;              /* share of its answers that may differ from those of the first contestant */
    bool rival;                    /* else ours */
    bool incomparable;             /* its answers are of another kind, or of other points */
    bool beside;                   /* on the cloud of another case: it has no row in the CSV file */
    size_t turn_runs;              /* samples of a turn; 0: those that fit into the job's turn_seconds */
    const struct contestant *base; /* what it is divided by; null: the first contestant */
    int method;                    /* of ours */
    clump_context *context;        /* of ours, or null */
    const void *module;            /* of a rival: its functions */
    void *state;                   /* the job's own: freed by its leave() */

    /* Found by the contest. */
    bool failed;
    char error[CONTEST_TEXT], note[CONTEST_TEXT];
    char left_out[CONTEST_TEXT]; /* "", or why it does not run: "more than 4 s", "no memory". Set by enter(), by a run()
                                  * that returns false, or by the contest (limit_seconds). It has a row without times. */
    size_t differ;               /* answers that differ from those of the first contestant */
    uint64_t hash;               /* of the labels */
    clump_stats stats;
    samples_summary time[CONTEST_CLOCKS];
    samples taken[CONTEST_CLOCKS];
    double first_seconds;
} contestant;

struct contest_job;

typedef struct contest {
    const struct contest_job *job;
    size_t index; /* of the case */
    char name[CONTEST_NAME], text[CONTEST_TEXT];
    bench_cloud clouds[2];
    contestant list[CONTEST_MOST]; /* the first is what the others are divided by and compared with */
    size_t count;
    size_t answers;       /* 4 bytes each: labels, distances, or the words of boxes; set by enter() */
    int32_t *answer;      /* where run() of ours puts them; at least one per point of the larger cloud */
    int32_t *reference;   /* those of the first contestant */
    void *scratch;        /* the job's own, allocated by enter() */
    double limit_seconds; /* set by enter(): a first run of ours that takes longer is cancelled, and the contestant left
                           * out; 0: no limit */
} contest;

typedef struct contest_totals {
    int reached, missed; /* figures that were set */
    int wrong;           /* contestants that failed or whose answers differ */
} contest_totals;

/* An option; one of the three pointers is not null. Numbers are 1 to 999999999. */
typedef struct contest_option {
    const char *name; /* "--quick" */
    const char **text;
    long *number;
    bool *flag;
} contest_option;

/* What the command line says. A job may set defaults before contest_main(). */
typedef struct contest_settings {
    const char *program, *csv, *data; /* data: folder with the scans, CLUMP_DATA or the folder beside the project's */
    const char **filters;
    size_t filter_count;
    int cores;
    long threads; /* of the second measurement of ours; 1 on a machine with one core */
    long repeat;  /* rounds; 0: those that fit into the job's seconds */
    bool no_rivals, list, machine, help;
    bool resume; /* cases that have rows of this commit (CLUMP_COMMIT, without a +) in the CSV file are left out */
    /* Null, or called before a case, while it is measured, and before its results are printed. part: 0 to 1. */
    void (*progress)(const contest *c, double part);
} contest_settings;
extern contest_settings settings;

/* What all contests have, and what those with rivals have besides. */
#define CONTEST_LIST                                                                                                   \
    {"-l", .flag = &settings.list}, {"--list", .flag = &settings.list},                                                \
    {                                                                                                                  \
        "--resume", .flag = &settings.resume                                                                           \
    }
#define CONTEST_OPTIONS                                                                                                \
    CONTEST_LIST, {"--repeat", .number = &settings.repeat},                                                            \
    {                                                                                                                  \
        "--no-rivals", .flag = &settings.no_rivals                                                                     \
    }

typedef struct contest_job {
    const char *program, *help, *csv_header;
    const contest_option *options;
    size_t option_count, case_count;
    double seconds;      /* per case: how many rounds fit, 3 to 25 */
    long least_rounds;   /* or at least this number; 0: 3 */
    double turn_seconds; /* a turn is the runs that fit, at least one; CONTEST_TURN_SECONDS for jobs with runs below
                          * 1 ms: a single run of 40 us after another contestant's would measure cold caches */
    bool warm_turns;     /* the first run of a turn is no sample: it meets cold caches, and threads that have slept */
    double slow_seconds; /* contestants whose first run took longer have 3 rounds; 0: none has */
    double once_seconds; /* a first run that took longer is the only sample; 0: none is */
    bool hash;           /* the answers are labels */

    const char *legend;  /* null, or what is printed before the first case */
    bool (*check)(void); /* null, or false, after a sentence on standard error, where the value of an option is wrong */
    void (*begin)(void); /* what happens once: rivals are loaded */
    /* The case's name and parameters. Returns false where the settings leave it out. */
    bool (*describe)(size_t index, char *name, char *text);
    /* Makes the clouds and enters the contestants. Returns false with a sentence in why. */
    bool (*enter)(contest *c, clump_message *why);
    /* One run; seconds[0] is the time of it all. */
    bool (*run)(contest *c, contestant *who, double seconds[CONTEST_CLOCKS]);
    bool (*fetch)(contest *c, contestant *who);          /* null, or puts a rival's labels into c->answer */
    void (*note)(const contest *c, contestant *who);     /* writes who->note, which follows its time */
    void (*leave)(contestant *who);                      /* null, or frees who->state */
    void (*figures)(contest *c, contest_totals *totals); /* prints the figures that were set */
    void (*row)(const contest *c, const contestant *who, csv *rows);
    void (*end)(contest_totals *totals); /* null, or what is printed after the last case */
} contest_job;

/* The members of a contest_job whose functions and tables have the member's name in every bench. */
#define CONTEST_MEMBERS                                                                                                \
    .help = help, .options = options, .option_count = sizeof options / sizeof *options, .begin = begin,                \
    .describe = describe, .enter = enter, .run = run, .note = note, .figures = figures, .row = row

/* Plays the chosen cases, prints their tables, adds to the totals, and writes the CSV file after every case: a run that is
 * interrupted keeps what it has. Returns false after a sentence on standard error where the file cannot be written. */
bool contest_play(const contest_job *job, contest_totals *totals);

/* All of main(). */
int contest_main(const contest_job *job, int argc, char **argv);

/* Fills the settings, of these options and --help, --machine, --csv, --data. Returns false after a sentence on standard
 * error. The caller frees settings.filters. */
bool contest_parse(const char *program, const contest_option *options, size_t count, int argc, char **argv);

/* Marks the names that `only` lists, "fast,dbscan"; all where it is null. Returns false where a name is unknown. */
bool contest_choose(const char *only, const char *const names[], size_t count, bool chosen[]);

/* Returns whether the case is chosen: by a part of its name, or because no word was given. */
bool contest_selected(const char *name);

/* For enter(). Both return null where the list is full. */
contestant *contest_ours(contest *c, const bench_cloud *cloud, const char *name, int method, int threads);
contestant *contest_rival(contest *c, const bench_cloud *cloud, const char *name, const char *version,
                          const void *module, void *state); /* state null: it has failed */

/* For figures(): null where there is none, or it failed. */
const contestant *contest_find(const contest *c, const char *name, int threads);

/* The median of a contestant over that of its base, or of the first; 0 where one failed. */
double contest_ratio(const contest *c, const contestant *who);

/* Our scratch memory; 0 for rivals. */
double contest_bytes_per_point(const contestant *who);

/* Prints the sentence with "ok" or "MISS", and counts it. */
void contest_figure(contest_totals *totals, bool reached, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
