/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_assert.c: CLUMP_ASSERT stops a debug build and evaluates nothing in a release build. This file compiles both
 * forms of the macro, whatever the build. The last test is on the assertions of the library itself.
 */
#include "support/check.h"

#include "core/span.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef NDEBUG
#define LIBRARY_ASSERTS false
#else
#define LIBRARY_ASSERTS true
#define NDEBUG
#endif

static int evaluations;

static bool evaluate(bool condition)
{
    evaluations++;
    return condition;
}

#include "common/assert.h"

static void assert_in_release(bool condition)
{
    CLUMP_ASSERT(evaluate(condition));
}

#undef NDEBUG
#undef CLUMP_ASSERT
#undef CLUMP_COMMON_ASSERT_H
#include "common/assert.h"

static void assert_in_debug(bool condition)
{
    CLUMP_ASSERT(evaluate(condition));
}

/* Runs f(false) in a child process. Returns its wait status; `text` receives what it wrote to stderr. */
static int run_in_child(void (*f)(bool), char *text, size_t size)
{
    int ends[2] = {-1, -1}, status = 0;
    CHECK(pipe(ends) == 0);
    fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
        dup2(ends[1], STDERR_FILENO);
        f(false);
        _exit(0);
    }
    close(ends[1]);
    size_t length = 0;
    for (ssize_t got; length + 1 < size && (got = read(ends[0], text + length, size - 1 - length)) > 0;)
        length += (size_t)got;
    text[length] = '\0';
    close(ends[0]);
    CHECK(child > 0 && waitpid(child, &status, 0) == child);
    return status;
}

static void release_evaluates_nothing(void)
{
    evaluations = 0;
    assert_in_release(true);
    assert_in_release(false);
    CHECK_INT(evaluations, 0);
}

static void debug_goes_on_when_true(void)
{
    evaluations = 0;
    assert_in_debug(true);
    CHECK_INT(evaluations, 1);
}

static void debug_stops_when_false(void)
{
    char text[512];
    const int status = run_in_child(assert_in_debug, text, sizeof text);
    CHECK_MSG(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT, "status %d", status);
    CHECK_MSG(strstr(text, "test_assert.c:") && strstr(text, ": assertion failed: evaluate(condition)\n"), "%s", text);
    CHECK(run_in_child(assert_in_release, text, sizeof text) == 0 && text[0] == '\0');
}

/* An alignment that is no power of two is an error of the library, not of its caller. */
static void check_bad_span(bool unused)
{
    (void)unused;
    const clump_span span = clump_span_in("mask", &evaluations, 1, 4, 3);
    clump_check_spans(NULL, "test_assert", &span, 1);
}

static void library_asserts(void)
{
    char text[512];
    if (!LIBRARY_ASSERTS) SKIP(DO_ASSERTIONS);
    const int status = run_in_child(check_bad_span, text, sizeof text);
    CHECK_MSG(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT, "status %d", status);
    CHECK_MSG(strstr(text, "span.c:") && strstr(text, "assertion failed: "), "%s", text);
}

CHECK_PROGRAM(test_assert)
{
    RUN(release_evaluates_nothing);
    RUN(debug_goes_on_when_true);
    RUN(debug_stops_when_false);
    RUN(library_asserts);
}
