/* SPDX-License-Identifier: BSD-3-Clause
 *
 * registry.c: the backends of this build. No other file of the library has an #if on a backend.
 */
#include "core/registry.h"

#include "core/context.h"

#include <stdio.h>

#ifdef CLUMP_WITH_CUDA
const clump_backend_table *clump_backend_cuda(void);
#endif

/* Returns table i of this build; null after the last. */
static const clump_backend_table *table(int i)
{
    switch (i) {
    case 0:
        return clump_backend_cpu();
#ifdef CLUMP_WITH_CUDA
    case 1:
        return clump_backend_cuda();
#endif
    default:
        return NULL;
    }
}

const clump_backend_table *clump_registry_find(clump_backend id)
{
    for (int i = 0; table(i); i++)
        if (table(i)->id == id) return table(i);
    return NULL;
}

int clump_device_count(void)
{
    int count = 0;
    for (int i = 0; table(i); i++) count += table(i)->device_count(NULL);
    return count;
}

/* Writes the level of new contexts. */
static void name_level(clump_device_info *cpu)
{
    const clump_level *level;
    clump_message why;
    if (clump_level_choose(&level, &why) == CLUMP_OK) snprintf(cpu->level, sizeof cpu->level, "%s", level->name);
}

clump_status clump_device_query(int index, clump_device_info *out)
{
    if (!out || index < 0) return CLUMP_ERR_ARGUMENT;
    for (int i = 0; table(i); i++) {
        const int here = table(i)->device_count(NULL);
        if (index < here) {
            CLUMP_TRY(table(i)->device_query(index, out));
            if (out->backend == CLUMP_BACKEND_CPU) name_level(out);
            return CLUMP_OK;
        }
        index -= here;
    }
    return CLUMP_ERR_NO_DEVICE;
}

const char *clump_device_absence(clump_backend backend)
{
    if (backend != CLUMP_BACKEND_CPU && backend != CLUMP_BACKEND_CUDA) return NULL; /* AUTO always has the CPU */
    const clump_backend_table *const found = clump_registry_find(backend);
    const char *why = NULL;
    if (!found) return CLUMP_NO_CUDA_BUILT;
    return found->device_count(&why) > 0 ? NULL : why;
}
