/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Opens the modules of rivals. RTLD_LOCAL: the symbols of one rival, and of the libraries it is linked with, are never
 * bound to by another rival.
 */
#include "rivals/load.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

const void *module_load(const char *path, const char *entry, int version, void **library, char *why, size_t why_size)
{
    void *const opened = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!opened) {
        snprintf(why, why_size, "%s", dlerror());
        return NULL;
    }
    void *const symbol = dlsym(opened, entry);
    const void *(*get)(void) = NULL;
    memcpy(&get, &symbol, sizeof get); /* ISO C has no cast from an object pointer to a function pointer */
    const void *const table = get ? get() : NULL;
    if (table && *(const int *)table == version) {
        if (library) *library = opened;
        return table;
    }
    snprintf(why, why_size, "%s: not a rival's module, or one of another version", path);
    dlclose(opened);
    return NULL;
}

bool rival_load(const char *path, loaded_rival *out, char *why, size_t why_size)
{
    *out = (loaded_rival){NULL, NULL};
    out->rival = module_load(path, CLUMP_RIVAL_ENTRY, CLUMP_RIVAL_INTERFACE, &out->library, why, why_size);
    return out->rival != NULL;
}

void rival_unload(loaded_rival *loaded)
{
    if (loaded->library) dlclose(loaded->library);
    *loaded = (loaded_rival){NULL, NULL};
}

const clump_reader *reader_load(const char *path)
{
    char why[512];
    return module_load(path, CLUMP_READER_ENTRY, CLUMP_READER_INTERFACE, NULL, why, sizeof why);
}
