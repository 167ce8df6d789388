/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Runs the program: see papers.h.
 */
#include "papers/papers.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PROGRAM_WORDS = 32 };

/* The side of the child process. */
static void become_program(const char *const words[], const int out[2])
{
    char *arguments[PROGRAM_WORDS + 2] = {(char *)(uintptr_t)CLUMP_BENCH_PROGRAM};
    for (int i = 0; i < PROGRAM_WORDS && words[i]; i++) arguments[i + 1] = (char *)(uintptr_t)words[i];
    dup2(out[1], STDOUT_FILENO);
    close(out[0]), close(out[1]);
    execv(CLUMP_BENCH_PROGRAM, arguments);
    _exit(127);
}

/* Reads all that the child prints; what does not fit is dropped. */
static void read_output(int from, char *out, size_t size)
{
    char block[4096];
    size_t length = 0;
    for (ssize_t got; (got = read(from, block, sizeof block)) > 0 || (got < 0 && errno == EINTR);)
        for (ssize_t i = 0; i < got && length + 1 < size; i++) out[length++] = block[i];
    if (size > 0) out[length] = '\0';
}

bool program_run(const char *const words[], char *out, size_t size, clump_message *why)
{
    int ends[2], status = -1;
    if (access(CLUMP_BENCH_PROGRAM, X_OK) != 0)
        return snprintf(why->text, sizeof why->text, "the program clump is not there: build the target clump_program"),
               false;
    if (pipe(ends) != 0) return snprintf(why->text, sizeof why->text, "no pipe to the program clump"), false;
    fflush(NULL);
    const pid_t child = fork();
    if (child == 0) become_program(words, ends);
    close(ends[1]);
    read_output(ends[0], out, out ? size : 0);
    close(ends[0]);
    if (child > 0)
        while (waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
    if (child > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0) return true;
    return snprintf(why->text, sizeof why->text, "clump %s failed", words[0]), false;
}

double program_number(const char *json, const char *key)
{
    char quoted[80];
    snprintf(quoted, sizeof quoted, "\"%s\":", key);
    const char *const at = strstr(json, quoted);
    if (!at) return (double)NAN;
    char *end;
    const char *const number = at + strlen(quoted);
    const double value = strtod(number, &end);
    return end == number ? (double)NAN : value;
}

bool program_make_folder(clump_message *why)
{
    char path[1024];
    snprintf(path, sizeof path, "%s", papers.folder);
    for (char *c = path + 1; *c; c++) {
        if (*c != '/') continue;
        *c = '\0';
        mkdir(path, 0777);
        *c = '/';
    }
    if (mkdir(path, 0777) == 0 || errno == EEXIST) return true;
    return snprintf(why->text, sizeof why->text, "the folder %s cannot be made", papers.folder), false;
}
