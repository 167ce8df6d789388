/* SPDX-License-Identifier: BSD-3-Clause
 *
 * device.c: what the operating system says about the processor.
 */
#include "cpu/device.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int clump_cpu_device_count(const char **why)
{
    (void)why;
    return 1;
}

/* ARM systems report part numbers instead of a model name. These are the common 64-bit parts. */
static const char *arm_part(unsigned long part)
{
    static const struct {
        unsigned long part;
        const char *name;
    } parts[] = {{0xd08, "ARM Cortex-A72"},  {0xd0b, "ARM Cortex-A76"},   {0xd0c, "ARM Neoverse-N1"},
                 {0xd40, "ARM Neoverse-V1"}, {0xd42, "ARM Cortex-A78AE"}, {0xd49, "ARM Neoverse-N2"},
                 {0xd4f, "ARM Neoverse-V2"}};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (parts[i].part == part) return parts[i].name;
    return "ARM processor";
}

/* Reads the name of the processor from /proc/cpuinfo; "processor" where there is none. */
static void model_name(char *name, size_t size)
{
    snprintf(name, size, "processor");
    FILE *const file = fopen("/proc/cpuinfo", "r");
    if (!file) return;
    char line[256];
    while (fgets(line, sizeof line, file)) {
        const char *value = strchr(line, ':');
        if (!value) continue;
        value += strspn(value, ": \t");
        if (strncmp(line, "model name", 10) == 0) {
            snprintf(name, size, "%.*s", (int)strcspn(value, "\n"), value);
            break;
        }
        if (strncmp(line, "CPU part", 8) == 0) {
            snprintf(name, size, "%s", arm_part(strtoul(value, NULL, 0)));
            break;
        }
    }
    fclose(file);
}

clump_status clump_cpu_device_query(int device, clump_device_info *out)
{
    if (device != 0) return CLUMP_ERR_NO_DEVICE;
    *out = (clump_device_info){.backend = CLUMP_BACKEND_CPU};
    model_name(out->name, sizeof out->name);
    const long cores = sysconf(_SC_NPROCESSORS_ONLN);
    const long page = sysconf(_SC_PAGESIZE);
    const long pages = sysconf(_SC_PHYS_PAGES);
    const long free_pages = sysconf(_SC_AVPHYS_PAGES);
    out->units = cores > 0 ? (int)cores : 1;
    if (page > 0 && pages > 0) out->memory_total = (size_t)page * (size_t)pages;
    if (page > 0 && free_pages > 0) out->memory_free = (size_t)page * (size_t)free_pages;
    return CLUMP_OK;
}
