/* SPDX-License-Identifier: BSD-3-Clause
 *
 * scikit-learn as a rival: see contestants.h.
 */
#include "harness/contestants.h"

#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* The side of the child process. */
static void become_python(const int in[2], const int out[2], const char *python, const char *script)
{
    dup2(in[0], STDIN_FILENO), dup2(out[1], STDOUT_FILENO);
    close(in[0]), close(in[1]), close(out[0]), close(out[1]);
    char *const arguments[] = {(char *)(uintptr_t)python, (char *)(uintptr_t)script, NULL};
    execvp(python, arguments);
    _exit(127);
}

bool sklearn_start(sklearn *s, const char *python, const char *script, char *why, size_t why_size)
{
    *s = (sklearn){0};
    int in[2], out[2]; /* from the side of the child */
    if (pipe(in) != 0) return false;
    if (pipe(out) != 0) {
        close(in[0]), close(in[1]);
        return false;
    }
    fflush(NULL);
    s->process = fork();
    if (s->process == 0) become_python(in, out, python, script);
    close(in[0]), close(out[1]);
    s->requests = fdopen(in[1], "wb"), s->answers = fdopen(out[0], "rb");
    signal(SIGPIPE, SIG_IGN); /* a write to a process that has ended then fails, instead of ending this one */
    if (s->process > 0 && s->requests && s->answers && fgets(s->version, sizeof s->version, s->answers)) {
        s->version[strcspn(s->version, "\n")] = '\0';
        if (strncmp(s->version, "scikit-learn ", 13) == 0) return true;
    }
    snprintf(why, why_size, "%s has no scikit-learn (Debian: python3-sklearn)", python);
    sklearn_stop(s);
    return false;
}

bool sklearn_points(sklearn *s, const float *xyz, size_t count)
{
    char line[64];
    fprintf(s->requests, "points %zu\n", count);
    return fwrite(xyz, 3 * sizeof *xyz, count, s->requests) == count && fflush(s->requests) == 0 &&
           fgets(line, sizeof line, s->answers) && strcmp(line, "ready\n") == 0;
}

bool sklearn_fit(sklearn *s, float eps, size_t min_points, double *seconds)
{
    char line[64];
    fprintf(s->requests, "fit %.9g %zu\n", (double)eps, min_points);
    return fflush(s->requests) == 0 && fgets(line, sizeof line, s->answers) && sscanf(line, "done %lf", seconds) == 1;
}

bool sklearn_labels(sklearn *s, int32_t *labels, size_t count)
{
    fputs("labels\n", s->requests);
    return fflush(s->requests) == 0 && fread(labels, sizeof *labels, count, s->answers) == count;
}

void sklearn_stop(sklearn *s)
{
    if (s->requests) fclose(s->requests); /* the process ends with its input */
    if (s->answers) fclose(s->answers);
    if (s->process > 0) waitpid(s->process, NULL, 0);
    *s = (sklearn){0};
}
