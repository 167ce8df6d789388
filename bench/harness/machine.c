/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The machine and the compiler of a result. Linux names the processor in /proc/cpuinfo: x86 by its model name, ARM by
 * the numbers of implementer and part.
 */
#include "harness/machine.h"

#include <clump/info.h>

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static const struct arm_part {
    unsigned implementer, part;
    const char *name;
} arm_parts[] = {
    {0x41, 0xd03, "Cortex-A53"},  {0x41, 0xd05, "Cortex-A55"},   {0x41, 0xd07, "Cortex-A57"},
    {0x41, 0xd08, "Cortex-A72"},  {0x41, 0xd0b, "Cortex-A76"},   {0x41, 0xd0c, "Neoverse-N1"},
    {0x41, 0xd40, "Neoverse-V1"}, {0x41, 0xd42, "Cortex-A78AE"}, {0x41, 0xd49, "Neoverse-N2"},
    {0x41, 0xd4f, "Neoverse-V2"}, {0x41, 0xd84, "Neoverse-V3"},  {0x4e, 0x004, "Carmel"},
    {0xc0, 0xac3, "Ampere-1"},    {0xc0, 0xac4, "Ampere-1A"},
};

/* Returns the value of a line "key   : value"; null where the line has another key. */
static const char *value_of(const char *line, const char *key)
{
    const size_t length = strlen(key);
    if (strncmp(line, key, length) != 0) return NULL;
    const char *at = line + length + strspn(line + length, " \t");
    return *at == ':' ? at + 1 + strspn(at + 1, " \t") : NULL;
}

static void find_cpu(char *out, size_t size)
{
    unsigned implementer = 0, part = 0;
    snprintf(out, size, "unknown");
    FILE *const file = fopen("/proc/cpuinfo", "r");
    char line[512];
    for (bool named = false; file && !named && fgets(line, sizeof line, file);) {
        const char *value;
        line[strcspn(line, "\n")] = '\0';
        if ((value = value_of(line, "model name"))) snprintf(out, size, "%s", value), named = true;
        if ((value = value_of(line, "CPU implementer"))) implementer = (unsigned)strtoul(value, NULL, 16);
        if (!named && (value = value_of(line, "CPU part"))) {
            part = (unsigned)strtoul(value, NULL, 16);
            snprintf(out, size, "ARM %02x-%03x", implementer, part);
        }
    }
    if (file) fclose(file);
    for (size_t i = 0; i < sizeof arm_parts / sizeof arm_parts[0]; i++)
        if (arm_parts[i].implementer == implementer && arm_parts[i].part == part)
            snprintf(out, size, "%s", arm_parts[i].name);
}

void machine_file_name(const char *text, char *out, size_t size)
{
    size_t length = 0;
    for (; *text && length + 1 < size; text++) {
        const unsigned char c = (unsigned char)*text;
        if (isalnum(c))
            out[length++] = (char)tolower(c);
        else if (length && out[length - 1] != '-')
            out[length++] = '-';
    }
    while (length && out[length - 1] == '-') length--;
    out[length] = '\0';
}

void machine_print_gpu(const char *gpu)
{
    char name[96];
    machine_file_name(strncmp(gpu, "NVIDIA ", 7) == 0 ? gpu + 7 : gpu, name, sizeof name);
    puts(name);
}

static void replace_commas(char *text)
{
    for (; *text; text++)
        if (*text == ',') *text = ' ';
}

bool machine_find_gpu(clump_device_info *out)
{
    for (int i = 0; i < clump_device_count(); i++) {
        if (clump_device_query(i, out) != CLUMP_OK || out->backend != CLUMP_BACKEND_CUDA) continue;
        replace_commas(out->name);
        return true;
    }
    return false;
}

machine machine_describe(void)
{
    machine m = {.cores = (int)sysconf(_SC_NPROCESSORS_ONLN)};
    find_cpu(m.cpu, sizeof m.cpu);
    replace_commas(m.cpu);
    char cpu[96];
    machine_file_name(m.cpu, cpu, sizeof cpu);
    snprintf(m.name, sizeof m.name, "%s-%dcores", cpu, m.cores);
#if defined(__clang__)
    snprintf(m.compiler, sizeof m.compiler, "clang %d.%d.%d " CLUMP_BENCH_BUILD, __clang_major__, __clang_minor__,
             __clang_patchlevel__);
#else
    snprintf(m.compiler, sizeof m.compiler, "gcc %d.%d.%d " CLUMP_BENCH_BUILD, __GNUC__, __GNUC_MINOR__,
             __GNUC_PATCHLEVEL__);
#endif
    const time_t now = time(NULL);
    struct tm utc;
    if (gmtime_r(&now, &utc)) strftime(m.date, sizeof m.date, "%Y-%m-%d", &utc);
    const char *const commit = getenv("CLUMP_COMMIT");
    const size_t length = strlen(m.date);
    if (commit && *commit) snprintf(m.date + length, sizeof m.date - length, " %.16s", commit);
    replace_commas(m.date);
    return m;
}

static double read_clock(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

double machine_seconds(void)
{
    return read_clock(CLOCK_MONOTONIC);
}

double machine_cpu_seconds(void)
{
    return read_clock(CLOCK_PROCESS_CPUTIME_ID);
}

void machine_sleep_until(double seconds)
{
    double left;
    while ((left = seconds - machine_seconds()) > 0) {
        const time_t whole = (time_t)left;
        const struct timespec time = {.tv_sec = whole, .tv_nsec = (long)(1e9 * (left - (double)whole))};
        nanosleep(&time, NULL);
    }
}
