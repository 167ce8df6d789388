/* SPDX-License-Identifier: BSD-3-Clause
 *
 * device.c: see device.h.
 */
#include "files/device.h"

#include "common/assert.h"

#include <clump/info.h>

#include <stdlib.h>
#include <string.h>

const char *cli_device_choice(int index)
{
    CLUMP_ASSERT(index >= 0 && index <= 3);
    return (const char *const[]){"auto", "cpu", "cuda", NULL}[index];
}

const char *cli_memory_choice(int index)
{
    CLUMP_ASSERT(index >= 0 && index <= 3);
    return (const char *const[]){"pageable", "pinned", "device", NULL}[index];
}

void cli_device_text(char text[CLI_DEVICE_SIZE], clump_backend backend, int device)
{
    if (backend == CLUMP_BACKEND_CUDA)
        snprintf(text, CLI_DEVICE_SIZE, "cuda:%d", device);
    else
        snprintf(text, CLI_DEVICE_SIZE, "cpu");
}

/* Reads the word of --device. False: no such device can exist. */
static bool read_device(const char *text, clump_context_options *options)
{
    if (strcmp(text, "auto") == 0) return options->backend = CLUMP_BACKEND_AUTO, true;
    if (strcmp(text, "cpu") == 0) return options->backend = CLUMP_BACKEND_CPU, true;
    if (strncmp(text, "cuda", 4) != 0) return false;
    options->backend = CLUMP_BACKEND_CUDA;
    if (text[4] == '\0') return true;
    const size_t digits = strspn(text + 5, "0123456789");
    if (text[4] != ':' || digits == 0 || digits > 4 || text[5 + digits] != '\0') return false;
    options->device = atoi(text + 5);
    return true;
}

int cli_check_device(const cli_command *self, const char *device, const char *memory, clump_context_options *options,
                     cli_memory_kind *kind)
{
    if (!read_device(device, options))
        return cli_usage(self, "unknown device '%s', there are auto, cpu, cuda and cuda:N", device);
    *kind = CLI_MEMORY_PAGEABLE;
    while (strcmp(cli_memory_choice((int)*kind), memory) != 0) *kind = (cli_memory_kind)((int)*kind + 1);
    if (*kind == CLI_MEMORY_PAGEABLE) return CLI_DONE;
    if (options->backend == CLUMP_BACKEND_CPU)
        return cli_usage(self, "--memory %s is for CUDA, and --device cpu does without; use --memory pageable", memory);
    const char *const why = clump_device_absence(CLUMP_BACKEND_CUDA);
    if (why)
        return cli_fail("--memory %s needs a CUDA device: %s; leave it out to run on the CPU (--device cpu)", memory,
                        why);
    return CLI_DONE;
}
