/* SPDX-License-Identifier: BSD-3-Clause
 *
 * say.c: messages. Each is a single line on stderr that begins with "clump: ", the name of the program. Control characters, which
 * file names can hold, are replaced before a terminal receives them.
 */
#include "base/cli.h"
#include "common/assert.h"
#include "base/peers.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static _Thread_local char line[8192];
static _Thread_local cli_said *held; /* null: messages of this thread are printed */

void cli_hold_messages(cli_said *said)
{
    held = said;
}

bool cli_messages_held(void)
{
    return held != NULL;
}

/* Returns the name that the line needs before it; null: the line begins with a name. */
static const char *missing_name(void)
{
    for (size_t i = 0; i < sizeof held->about / sizeof held->about[0]; i++)
        if (held->about[i] && strncmp(line, held->about[i], strlen(held->about[i])) == 0) return NULL;
    return held->about[0];
}

/* Appends the line to the messages that are held. False: no memory. */
static bool hold_line(bool failure)
{
    const char *const name = missing_name();
    const size_t room = strlen(line) + (name ? strlen(name) : 0) + sizeof "!: \n";
    char *const text = realloc(held->text, held->length + room);
    if (!text) return false;
    const int length = snprintf(text + held->length, room, "%c%s%s%s\n", failure ? '!' : ' ', name ? name : "",
                                name ? ": " : "", line);
    held->text = text;
    held->length += (size_t)length;
    return true;
}

/* Prints a message of `length` characters, whose hint begins at `hint`. The name of the program is red in a failure. */
static void print_line(bool failure, const char *text, size_t length, size_t hint)
{
    CLUMP_ASSERT(hint <= length);
    const char *const plain = cli_colour(stderr, CLI_STYLE_PLAIN);
    fprintf(stderr, "%s%s:%s %.*s", cli_colour(stderr, failure ? CLI_STYLE_RED : CLI_STYLE_BOLD), cli_program(), plain,
            (int)hint, text);
    if (hint < length)
        fprintf(stderr, "%s%.*s%s", cli_colour(stderr, CLI_STYLE_DIM), (int)(length - hint), text + hint, plain);
    fputc('\n', stderr);
}

void cli_print_said(cli_said *said)
{
    if (said->text) fflush(stdout);
    for (const char *at = said->text; at && *at;) {
        const size_t length = strcspn(at, "\n");
        print_line(at[0] == '!', at + 1, length - 1, length - 1);
        at += length + 1;
    }
    free(said->text);
    *said = (cli_said){0};
}

/* hint: where the hint begins, the end of the line where there is none. */
static void put_line(bool failure, size_t hint)
{
    for (char *c = line; *c; c++) {
        if ((unsigned char)*c < 0x20 || *c == 0x7f) *c = '?';
    }
    if (held && hold_line(failure)) return;
    fflush(stdout);
    print_line(failure, line, strlen(line), hint);
}

static size_t format_line(const char *format, va_list args)
{
    const int length = vsnprintf(line, sizeof line, format, args);
    if (length < 0) line[0] = '\0';
    return strlen(line);
}

int cli_fail(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    const size_t length = format_line(format, args);
    va_end(args);
    put_line(true, length);
    return CLI_FAILED;
}

void cli_warn(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    const size_t length = format_line(format, args);
    va_end(args);
    put_line(false, length);
}

int cli_usage(const cli_command *command, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    const size_t used = format_line(format, args);
    va_end(args);
    snprintf(line + used, sizeof line - used, "; see '%s %s%s--help'", cli_program(), command ? command->name : "",
             command ? " " : "");
    put_line(true, used);
    return CLI_USAGE;
}

int cli_fail_message(const char *path, clump_status status, const clump_message *message)
{
    if (message->text[0]) return cli_fail("%s", message->text);
    return cli_fail("%s: %s", path, clump_status_text(status));
}

int cli_fail_context(const clump_context *context, clump_status status)
{
    const char *const why = clump_context_error(context);
    return cli_fail("%s", why[0] ? why : clump_status_text(status));
}

void *cli_allocate(size_t count, size_t size)
{
    CLUMP_ASSERT(size >= 1);
    return count > SIZE_MAX / size ? NULL : malloc(count ? count * size : 1);
}

int cli_context_create(const clump_context_options *options, clump_context **out)
{
    clump_message message = {.text = ""};
    clump_context_options with_message = *options;
    with_message.message = &message;
    const clump_status status = clump_context_create(&with_message, out);
    if (status == CLUMP_OK) return CLI_DONE;
    const char *const colon = strstr(message.text, ": "); /* after the name of the function */
    return cli_fail("%s", colon ? colon + 2 : clump_status_text(status));
}

/* Returns the edit distance of a and b: insert, delete, replace, swap of two adjacent characters. Words longer than
 * the table are too far from any option name. */
static size_t edits(const char *a, const char *b)
{
    enum { LONGEST = 31 };
    const size_t m = strlen(a), n = strlen(b);
    if (m > LONGEST || n > LONGEST) return LONGEST;
    unsigned char d[LONGEST + 1][LONGEST + 1];
    for (size_t i = 0; i <= m; i++) d[i][0] = (unsigned char)i;
    for (size_t j = 0; j <= n; j++) d[0][j] = (unsigned char)j;
    for (size_t i = 1; i <= m; i++) {
        for (size_t j = 1; j <= n; j++) {
            size_t best = (size_t)d[i - 1][j - 1] + (a[i - 1] != b[j - 1]);
            if (d[i - 1][j] + 1u < best) best = d[i - 1][j] + 1u;
            if (d[i][j - 1] + 1u < best) best = d[i][j - 1] + 1u;
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] && d[i - 2][j - 2] + 1u < best)
                best = d[i - 2][j - 2] + 1u;
            d[i][j] = (unsigned char)best;
        }
    }
    return d[m][n];
}

/* Returns the distance of word to candidate. A prefix of three characters or more counts as one edit. */
static size_t strangeness(const char *word, const char *candidate)
{
    const size_t length = strlen(word);
    if (length >= 3 && strncmp(word, candidate, length) == 0) return 1;
    return edits(word, candidate);
}

/* Returns best (may be null) or candidate, whichever is closer to word; null if neither is close. Fold it over a list
 * to find the word that was meant. */
const char *cli_nearest(const char *word, const char *best, const char *candidate)
{
    const size_t allowed = strlen(word) < 4 ? 1 : strlen(word) < 8 ? 2 : 3;
    const size_t mine = strangeness(word, candidate);
    if (mine > allowed) return best;
    return best && strangeness(word, best) <= mine ? best : candidate;
}

/* Whether a shell takes the word as it is. */
static bool is_plain(const char *word)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./,:@%";
    return word[0] && word[strspn(word, plain)] == '\0';
}

static bool is_control(char c)
{
    return (unsigned char)c < 0x20 || c == 0x7f;
}

static bool has_control(const char *text)
{
    while (*text && !is_control(*text)) text++;
    return *text != 0;
}

const char *cli_shown(const char *name)
{
    static _Thread_local char texts[4][4200];
    static _Thread_local size_t turn;
    if (!has_control(name)) return name;
    char *const text = texts[turn++ % 4];
    size_t used = 0;
    for (; *name && used + 5 < sizeof texts[0]; name++) {
        if (is_control(*name))
            used += (size_t)snprintf(text + used, sizeof texts[0] - used, "\\x%02x", (unsigned)*name);
        else
            text[used++] = *name;
    }
    text[used] = 0;
    return text;
}

/* Puts $'...', which a shell reads, for a word with control characters. */
static void put_escaped(FILE *to, const char *word)
{
    fputs("$'", to);
    for (; *word; word++) {
        if (is_control(*word))
            fprintf(to, "\\%03o", (unsigned)*word);
        else if (*word == '\'' || *word == '\\')
            fprintf(to, "\\%c", *word);
        else
            fputc(*word, to);
    }
    fputc('\'', to);
}

void cli_put_word(FILE *to, const char *word)
{
    fputc(' ', to);
    if (has_control(word)) {
        put_escaped(to, word);
        return;
    }
    if (is_plain(word)) {
        fputs(word, to);
        return;
    }
    fputc('\'', to);
    for (; *word; word++) {
        if (*word == '\'')
            fputs("'\\''", to);
        else
            fputc(*word, to);
    }
    fputc('\'', to);
}
