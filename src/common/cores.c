/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cores.c: see team.h. Where the quota of a process is found:
 *
 *     /proc/self/cgroup      0::/a/b                             version 2: the process is in /a/b
 *                            4:cpu,cpuacct:/a/b                  version 1: one line per set of controllers
 *     /proc/self/mountinfo   ... /a /sys/fs/cgroup ... - cgroup2   the folder /a of the hierarchy is mounted there
 *     /sys/fs/cgroup/b       cpu.max                             "150000 100000": 150 of every 100 ms; "max": no quota
 *                            cpu.cfs_quota_us, cpu.cfs_period_us   version 1; -1: no quota
 *
 * The files of /sys/fs/cgroup/b and of each folder above it up to the mount are read. What does not exist or cannot be
 * parsed sets no limit. Files are read without the C library's streams: a context allocates nothing but its memory.
 */
#if defined(__linux__) && !defined(_GNU_SOURCE)
#define _GNU_SOURCE /* sched_getaffinity */
#endif
#include "common/team.h"

#include <ctype.h>
#include <fcntl.h>
#include <limits.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { CORES_PATH = 2048 }; /* longest path and longest line; longer ones are ignored */

/* ----- lines of a file -------------------------------------------------------------------------------------------- */

typedef struct line_reader {
    int file;
    size_t filled, at; /* bytes in `bytes`; the first one that is not consumed */
    char bytes[4096];
} line_reader;

static bool next_byte(line_reader *r, char *byte)
{
    if (r->at == r->filled) {
        const ssize_t got = read(r->file, r->bytes, sizeof r->bytes);
        if (got <= 0) return false;
        r->filled = (size_t)got;
        r->at = 0;
    }
    *byte = r->bytes[r->at++];
    return true;
}

/* Reads the next line without its end into `line`; false: there is none. A line that is too long becomes empty. */
static bool next_line(line_reader *r, char line[CORES_PATH])
{
    size_t length = 0;
    char byte = '\0';
    bool any = false;
    while (next_byte(r, &byte) && byte != '\n') {
        any = true;
        if (length < CORES_PATH) line[length++] = byte;
    }
    line[length < CORES_PATH ? length : 0] = '\0';
    return any || byte == '\n';
}

/* Opens root + folder + name. */
static bool open_lines(line_reader *r, const char *root, const char *folder, const char *name)
{
    char path[3 * CORES_PATH];
    const int length = snprintf(path, sizeof path, "%s%s%s", root, folder, name);
    *r = (line_reader){.file = -1};
    if (length < 0 || (size_t)length >= sizeof path) return false;
    r->file = open(path, O_RDONLY | O_CLOEXEC);
    return r->file >= 0;
}

/* Reads the first line of a file; false where there is none. */
static bool first_line(const char *root, const char *folder, const char *name, char line[CORES_PATH])
{
    line_reader r;
    if (!open_lines(&r, root, folder, name)) return false;
    const bool found = next_line(&r, line);
    close(r.file);
    return found;
}

/* ----- quotas ----------------------------------------------------------------------------------------------------- */

/* Reads a positive number at *text and moves behind it; 0: there is no such number. */
static long long read_positive(const char **text)
{
    while (**text == ' ') ++*text;
    if (!isdigit((unsigned char)**text)) return 0;
    char *end;
    const long long value = strtoll(*text, &end, 10);
    *text = end;
    return value > 0 && value < LLONG_MAX && (*end == '\0' || *end == ' ') ? value : 0;
}

/* Returns the smaller limit; 0 stands for none. */
static int smaller_limit(int a, int b)
{
    return a == 0 || (b != 0 && b < a) ? b : a;
}

/* Returns the threads for `quota` of every `period`, rounded up; 0 where either is not positive. */
static int quota_threads(long long quota, long long period)
{
    if (quota <= 0 || period <= 0) return 0;
    const long long threads = quota / period + (quota % period != 0);
    return threads < INT_MAX ? (int)threads : INT_MAX;
}

/* Returns the limit that one folder of a hierarchy sets; 0: none. */
static int folder_limit(const char *root, const char *folder, bool version_2)
{
    char quota[CORES_PATH], period[CORES_PATH];
    const char *a = quota, *b = period;
    if (version_2) {
        if (!first_line(root, folder, "/cpu.max", quota)) return 0;
        const long long time = read_positive(&a);
        return quota_threads(time, read_positive(&a));
    }
    if (!first_line(root, folder, "/cpu.cfs_quota_us", quota) ||
        !first_line(root, folder, "/cpu.cfs_period_us", period))
        return 0;
    const long long time = read_positive(&a);
    return quota_threads(time, read_positive(&b));
}

/* Returns the limit of the folder `path` and of those above it, down to its first `base` bytes. Shortens `path`. */
static int folders_limit(const char *root, char *path, size_t base, bool version_2)
{
    int limit = 0;
    for (;;) {
        limit = smaller_limit(limit, folder_limit(root, path, version_2));
        char *const slash = strrchr(path, '/');
        if (!slash || (size_t)(slash - path) < base) return limit;
        *slash = '\0';
    }
}

/* ----- the cgroup and its mount ----------------------------------------------------------------------------------- */

/* Whether the list "a,b,c" has the word `cpu`. */
static bool has_cpu(const char *list)
{
    for (const char *at = list; (at = strstr(at, "cpu")); at++)
        if ((at == list || at[-1] == ',') && (at[3] == ',' || at[3] == '\0')) return true;
    return false;
}

/* The paths of the process in the hierarchies of both versions; "": it is in none. */
typedef struct groups {
    char version_1[CORES_PATH], version_2[CORES_PATH];
} groups;

static void find_groups(const char *root, groups *g)
{
    g->version_1[0] = g->version_2[0] = '\0';
    line_reader r;
    if (!open_lines(&r, root, "/proc/self/cgroup", "")) return;
    for (char line[CORES_PATH]; next_line(&r, line);) {
        char *const first = strchr(line, ':'), *const second = first ? strchr(first + 1, ':') : NULL;
        if (!second || second[1] != '/') continue;
        *second = '\0';
        char *const to = strcmp(line, "0:") == 0 ? g->version_2 : has_cpu(first + 1) ? g->version_1 : NULL;
        if (to) memcpy(to, second + 1, strlen(second + 1) + 1);
    }
    close(r.file);
}

/* Replaces \040 and the like, as mountinfo writes blanks, by their characters. */
static void unescape(char *text)
{
    char *to = text;
    for (const char *from = text; *from; to++) {
        const bool octal = from[0] == '\\' && from[1] >= '0' && from[1] <= '3' && from[2] >= '0' && from[2] <= '7' &&
                           from[3] >= '0' && from[3] <= '7';
        *to = octal ? (char)((from[1] - '0') * 64 + (from[2] - '0') * 8 + (from[3] - '0')) : *from;
        from += octal ? 4 : 1;
    }
    *to = '\0';
}

/* The fields of a line of mountinfo that matter here. */
typedef struct mount {
    char *inner, *point, *type, *options; /* folder of the hierarchy; where it is mounted; kind; options of the kind */
} mount;

/* Splits a line "id parent device inner point flags optional... - type source options". */
static bool parse_mount(char *line, mount *m)
{
    char *word[6], *more = line;
    for (int k = 0; k < 6; k++)
        if (!(word[k] = strsep(&more, " ")) || !*word[k]) return false;
    char *field;
    while ((field = strsep(&more, " ")) && strcmp(field, "-") != 0) {}
    m->inner = word[3];
    m->point = word[4];
    if (!field || !(m->type = strsep(&more, " ")) || !strsep(&more, " ") || !(m->options = strsep(&more, " ")))
        return false;
    unescape(m->inner);
    unescape(m->point);
    return m->inner[0] == '/' && m->point[0] == '/';
}

/* Whether a folder of the path is "..": it is outside of the namespace. */
static bool leads_outside(const char *path)
{
    for (const char *at = path; (at = strstr(at, "/..")); at++)
        if (at[3] == '/' || at[3] == '\0') return true;
    return false;
}

/* Returns the part of `path` below the folder `inner`; null where it is not below. */
static const char *below(const char *path, const char *inner)
{
    const size_t length = strcmp(inner, "/") == 0 ? 0 : strlen(inner);
    if (strncmp(path, inner, length) != 0 || (path[length] != '/' && path[length] != '\0')) return NULL;
    if (leads_outside(path)) return NULL;
    return strcmp(path + length, "/") == 0 ? "" : path + length;
}

/* The limits that the mounts of one version show; 0: none. In some containers no mount shows the process's group. The
 * mounts themselves are the best guess then. Beside a mount that shows it, they are those of other groups. */
typedef struct version_limit {
    bool shown;     /* a mount shows the process's group */
    int own, guess; /* the limit of such mounts; of the others */
} version_limit;

/* Adds the limit of one mount to those of its version: of[0] and of[1] for versions 1 and 2. */
static void add_mount(const char *root, const groups *g, const mount *m, version_limit of[2])
{
    const bool version_2 = strcmp(m->type, "cgroup2") == 0;
    if (!version_2 && (strcmp(m->type, "cgroup") != 0 || !has_cpu(m->options))) return;
    const char *const group = version_2 ? g->version_2 : g->version_1;
    if (!*group) return;
    const char *const rest = below(group, m->inner);
    char path[2 * CORES_PATH];
    snprintf(path, sizeof path, "%s%s", m->point, rest ? rest : "");
    const int limit = folders_limit(root, path, strlen(m->point), version_2);
    version_limit *const v = &of[version_2];
    if (rest) {
        v->shown = true;
        v->own = smaller_limit(v->own, limit);
    } else {
        v->guess = smaller_limit(v->guess, limit);
    }
}

int clump_cores_quota(const char *root)
{
    groups g;
    line_reader r;
    version_limit of[2] = {{0}, {0}};
    find_groups(root, &g);
    if (!open_lines(&r, root, "/proc/self/mountinfo", "")) return 0;
    for (char line[CORES_PATH]; next_line(&r, line);) {
        mount m;
        if (parse_mount(line, &m)) add_mount(root, &g, &m, of);
    }
    close(r.file);
    return smaller_limit(of[0].shown ? of[0].own : of[0].guess, of[1].shown ? of[1].own : of[1].guess);
}

int clump_cores_online(void)
{
    const long online = sysconf(_SC_NPROCESSORS_ONLN);
    return online > 0 && online < INT_MAX ? (int)online : 1;
}

int clump_cores_allowed(void)
{
#ifdef __linux__
    cpu_set_t set[8]; /* 8192 processors */
    if (sched_getaffinity(0, sizeof set, set) == 0 && CPU_COUNT_S(sizeof set, set) > 0)
        return CPU_COUNT_S(sizeof set, set);
#endif
    return clump_cores_online();
}

/* Returns the smaller of `cores` and the quotas. Reading their files takes some 50 us. */
static int within_quota(int cores)
{
    return cores == 1 ? 1 : smaller_limit(cores, clump_cores_quota(""));
}

int clump_cores(void)
{
    return within_quota(clump_cores_allowed());
}

int clump_cores_for_others(void)
{
    return within_quota(clump_cores_online());
}
