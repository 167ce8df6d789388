/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Opens the modules of rivals. RTLD_LOCAL: the symbols of one rival, and of the libraries it is linked with, are never
 * bound to by another rival.
 */
#include "rivals/load.h"

#include <dirent.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
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

/* --- a folder of modules ------------------------------------------------------------------------- */

/* How every table begins. */
typedef struct rival_head {
    int interface_version;
    const char *name;
} rival_head;

static int is_module(const struct dirent *file)
{
    const size_t length = strlen(file->d_name);
    return length > 3 && strcmp(file->d_name + length - 3, ".so") == 0;
}

/* Appends the tables of a list. Returns null, or why they are left out. */
static const char *append(const char *list, int version, size_t size, rival_list *out)
{
    for (; list && ((const rival_head *)(const void *)list)->name; list += size) {
        if (((const rival_head *)(const void *)list)->interface_version != version) return "it is of another version";
        if (out->count == RIVALS_MOST) return "there are too many rivals";
        out->tables[out->count++] = list;
    }
    return NULL;
}

/* Opens a module. It is never closed: its tables are used. A module without the entry serves another job. */
static void load_module(const char *program, const char *path, const char *entry, int version, size_t size,
                        rival_list *out)
{
    void *const opened = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    void *const symbol = opened ? dlsym(opened, entry) : NULL;
    const char *why = opened ? NULL : dlerror();
    if (symbol) {
        const void *(*get)(void) = NULL;
        memcpy(&get, &symbol, sizeof get);
        why = append(get(), version, size, out);
    }
    if (why) fprintf(stderr, "%s: without %s: %s\n", program, path, why);
}

void rivals_load(const char *program, const char *folder, const char *entry, int version, size_t size, rival_list *out)
{
    struct dirent **files = NULL;
    if (!folder || !*folder) return;
    const int count = scandir(folder, &files, is_module, alphasort);
    if (count < 0) fprintf(stderr, "%s: without the rivals of %s: there is no such folder\n", program, folder);
    for (int i = 0; i < count; i++) {
        char path[1200];
        snprintf(path, sizeof path, "%s/%s", folder, files[i]->d_name);
        load_module(program, path, entry, version, size, out);
        free(files[i]);
    }
    free(files);
}
