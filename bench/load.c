/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Opens a rival's module. Locally, so that the symbols of one rival and of the libraries it brings
 * along are never used by another.
 */
#include "load.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

bool rival_load(const char *path, loaded_rival *out, char *why, size_t why_size)
{
    *out = (loaded_rival){NULL, NULL};
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        snprintf(why, why_size, "%s", dlerror());
        return false;
    }
    clump_rival_entry *entry = NULL;
    void *const symbol = dlsym(library, CLUMP_RIVAL_ENTRY);
    memcpy(&entry, &symbol, sizeof entry); /* ISO C has no cast from an object to a function pointer */
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
