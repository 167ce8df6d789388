/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Opens a rival's module. Locally, so that the symbols of one rival and of the libraries it brings
 * along are never used by another.
 */
#include "load.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

/* ISO C has no cast from an object to a function pointer. */
static void find_entry(void *library, const char *name, void *entry, size_t size)
{
    void *const symbol = dlsym(library, name);
    memcpy(entry, &symbol, size);
}

bool rival_load(const char *path, loaded_rival *out, char *why, size_t why_size)
{
    *out = (loaded_rival){NULL, NULL};
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        snprintf(why, why_size, "%s", dlerror());
        return false;
    }
    clump_rival_entry *entry = NULL;
    find_entry(library, CLUMP_RIVAL_ENTRY, &entry, sizeof entry);
    const clump_rival *rival = entry ? entry() : NULL;
    if (!rival || rival->interface_version != CLUMP_RIVAL_INTERFACE) {
        snprintf(why, why_size, "%s: not a rival's module, or one of another version", path);
        dlclose(library);
        return false;
    }
    *out = (loaded_rival){rival, library};
    return true;
}

void rival_unload(loaded_rival *loaded)
{
    if (loaded->library) dlclose(loaded->library);
    *loaded = (loaded_rival){NULL, NULL};
}

const clump_reader *reader_load(const char *path)
{
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!library) return NULL;
    clump_reader_entry *entry = NULL;
    find_entry(library, CLUMP_READER_ENTRY, &entry, sizeof entry);
    const clump_reader *reader = entry ? entry() : NULL;
    if (reader && reader->interface_version == CLUMP_READER_INTERFACE) return reader;
    dlclose(library);
    return NULL;
}
