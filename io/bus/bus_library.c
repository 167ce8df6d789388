/* SPDX-License-Identifier: BSD-3-Clause
 *
 * bus_library.c: loads CycloneDDS by the name of the library that this build has seen, whose structures it knows. It stays
 * loaded: its threads may not have ended.
 */
#include "bus/bus.h"

#ifdef CLUMP_IO_DDS
#include "bus/bus_inside.h"

#include <dlfcn.h>
#include <string.h>

const bus_calls *clump_io_bus_library(const clump_io_where *where)
{
    static bus_calls calls;
    static bool loaded;
    if (loaded) return &calls;
    void *const library = dlopen(CLUMP_IO_DDS, RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        clump_io_fail(where, CLUMP_ERR_IO_UNSUPPORTED, "ROS 2 needs CycloneDDS, which is not installed: %s", dlerror());
        return NULL;
    }
    const char *missing = NULL;
    void *symbol;
#define BUS_CALL(name)                                                                                                 \
    symbol = dlsym(library, #name);                                                                                    \
    if (!symbol) missing = #name;                                                                                      \
    memcpy(&calls.name, &symbol, sizeof symbol); /* ISO C has no cast from an object pointer to a function pointer */
    BUS_CALLS(BUS_CALL)
#undef BUS_CALL
    if (missing) {
        clump_io_fail(where, CLUMP_ERR_IO_UNSUPPORTED, "%s has no %s: it is another version", CLUMP_IO_DDS, missing);
        dlclose(library);
        return NULL;
    }
    loaded = true;
    return &calls;
}
#endif
