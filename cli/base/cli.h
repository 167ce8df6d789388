/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cli.h: what the files of the program share: commands, exit statuses, messages.
 *
 * Each file cmd_NAME.c defines one cli_command: its words for --help, its options and its function. main.c lists the
 * commands. Parsing, --help, the manual page and shell completion read these tables only.
 *
 * The program never calls setlocale(), so numbers are read and written with a '.' everywhere.
 *
 * The room, in the order of a run of the program:
 *
 *     args.c         the option parser
 *     rows.c         the options of a command, and which of them were given
 *     help.c         -h and --help
 *     completion.c   shell completions
 *     say.c          messages; colour.c: on a terminal
 *     stop.c         Ctrl-C and other signals
 *     progress.c     how far long work is
 *     pace.c         when a frame of a recording is due
 *     peers.c        the program as one of several processes
 *     number.c       numbers as text
 *     units.c        times and sizes for people
 *     table.c        tables of text
 *     json.c         JSON
 */
#ifndef CLUMP_CLI_H
#define CLUMP_CLI_H

#include "base/args.h"

#include <clump/clump.h>
#include <clump/io.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* Exit statuses. CLI_HELPED exits with 0: the help has been printed, and the command does not run. */
enum { CLI_DONE = 0, CLI_FAILED = 1, CLI_USAGE = 2, CLI_HELPED = 3 };

/* Returns the status of the call from the function around it, unless that is CLI_DONE. */
#define CLI_TRY(call)                                                                                                  \
    do {                                                                                                               \
        const int cli_status_ = (call);                                                                                \
        if (cli_status_ != CLI_DONE) return cli_status_;                                                               \
    } while (0)

typedef struct cli_command cli_command;
typedef struct cli_plan cli_plan; /* plan.h */
struct cli_command {
    const char *name;          /* "ec"; "gen factors" is a command of two words */
    const char *operands;      /* "IN", "A B": one word per operand, all required; "REC...": one or more */
    const char *usage;         /* "IN -d R [options]", what follows the name in --help */
    const char *brief;         /* one line for the list of commands */
    const char *about;         /* what it does, for --help; newlines are kept */
    const char *examples;      /* lines "command\n  what it does" */
    const cli_option *options; /* ends with a zeroed row */
    int (*run)(const cli_command *self, int argc, char **argv); /* exit status */

    /* Reads the command line of a clustering command into a zeroed plan, and returns the exit status. Null for other
     * commands. The caller releases the plan. */
    int (*plan)(const cli_command *self, int argc, char **argv, cli_plan *plan);
};

extern const cli_command *const cli_commands[]; /* in the order they are listed; ends with null */

/* Markers in a help text. Each is replaced by the endings of formats that the text does not name yet, " .ext .ext", after
 * '(' without the first blank. A new format thus appears in the help without an edit. */
#define CLI_MORE_POINTS "\1" /* formats that hold points */
#define CLI_MORE_FIELDS "\2" /* formats that can be written with fields of any name */
#define CLI_MORE_LABELS "\3" /* formats that can be written with the labels alone */
enum { CLI_HELP_SIZE = 1024 };
void cli_expand(char text[CLI_HELP_SIZE], const char *help); /* replaces the markers */

/* Writes what --help says of an option: its help text, then the words that the libraries accept. */
void cli_option_text(char text[CLI_HELP_SIZE], const cli_option *option);

/* Returns the length of the first clause of a help text, for -h and completion. The colon of cuda:N does not end it. */
size_t cli_clause_length(const char *text);

/* --- messages (say.c): one sentence, one line, on stderr --------------------------------------- */

#if defined(__GNUC__)
#define CLI_PRINTF(text, first) __attribute__((format(printf, text, first)))
#else
#define CLI_PRINTF(text, first)
#endif

int cli_fail(const char *format, ...) CLI_PRINTF(1, 2);                              /* returns CLI_FAILED */
int cli_usage(const cli_command *command, const char *format, ...) CLI_PRINTF(2, 3); /* returns CLI_USAGE */
void cli_warn(const char *format, ...) CLI_PRINTF(1, 2);                             /* the command goes on */

/* Prints a failure of libclump_io or libclump_sim. Their messages name the file. */
int cli_fail_message(const char *path, clump_status status, const clump_message *message);

int cli_fail_context(const clump_context *context, clump_status status); /* prints why the last call failed */

/* Creates a context. Returns CLI_DONE, or prints why not and returns CLI_FAILED. */
int cli_context_create(const clump_context_options *options, clump_context **out);

/* Messages of one thread that another thread prints. A message that begins with none of the names in `about` gets the first
 * of them before it. */
typedef struct cli_said {
    char *text; /* one message per line, after '!' for a failure and ' ' for a warning; null: none */
    size_t length;
    const char *about[2];
} cli_said;

void cli_hold_messages(cli_said *said); /* of this thread from now on; null: they are printed again */
bool cli_messages_held(void);           /* by this thread */
void cli_print_said(cli_said *said);    /* and frees the messages */

/* --- the rest ------------------------------------------------------------------------------------ */

void cli_help(FILE *to, const cli_command *command);                                /* null: the program's own help */
void cli_help_brief(FILE *to, const cli_command *command);                          /* what -h prints */
void cli_help_group(FILE *to, const char *first_word);                              /* every command "first_word ..." */
bool cli_print_completion(FILE *to, const char *shell);                             /* false: no such shell */
int cli_print_manual(FILE *to, const char *path);                                   /* exit status; see manual.c */
const char *cli_nearest(const char *word, const char *best, const char *candidate); /* see say.c */
/* Returns the name of a file for a terminal: control characters are escaped, "a\x1bb". Valid for three more calls. */
const char *cli_shown(const char *name);
void cli_put_word(FILE *to, const char *word); /* a blank, and the word as typed in a shell */

void *cli_allocate(size_t count, size_t size); /* malloc for count elements, also for none; null: no memory */

/* Point i: three floats. */
static inline const float *cli_point(clump_points points, size_t i)
{
    return points.xyz + i * (points.stride ? points.stride / sizeof(float) : 3);
}

/* Reads a cloud, with a progress bar if it takes long. On failure prints why and returns null. Prints the note about
 * the file to stderr, unless own_notes is set. */
typedef struct cli_input {
    const char *path;
    const char *format; /* null, or a name that clump_format_from_name() knows */
    const char *labels; /* null, or a file of labels to attach */
    bool quiet, own_notes;
    const char *columns; /* null, or the columns of a file without a header (--columns) */
    bool partial;        /* read a file that ends too early as far as it goes */
} cli_input;
/* The input that the settings of CLI_INPUT_OPTIONS describe; the other members follow. */
#define CLI_INPUT(settings, ...)                                                                                       \
    (&(cli_input){                                                                                                     \
        .format = (settings)->format, .columns = (settings)->columns, .partial = (settings)->partial, __VA_ARGS__})
clump_cloud *cli_load(const cli_input *input);

/* Lists the names of the fields of the cloud, "intensity, ring", as far as there is room. single: only fields of one number
 * per point. */
void cli_list_fields(const clump_cloud *cloud, bool single, char *list, size_t room);
const char *cli_readable_format(int index); /* choices of --format */

/* --- colour.c: bold headings, dim hints and red errors on a terminal -------------------------------- */

typedef enum cli_style { CLI_STYLE_PLAIN, CLI_STYLE_BOLD, CLI_STYLE_DIM, CLI_STYLE_RED } cli_style;

/* Returns what begins a style, CLI_STYLE_PLAIN ends all others. Returns "" where the stream is no terminal, the variable
 * NO_COLOR is set and not empty, or TERM is "dumb" or not set. */
const char *cli_colour(FILE *to, cli_style style);

#endif
