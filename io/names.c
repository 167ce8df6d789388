/* SPDX-License-Identifier: BSD-3-Clause
 *
 * names.c: makes names of fields unique.
 *
 * clump_cloud_find() and the readers of most formats find a field by its name. Of two fields of one name,
 * one would be unreachable, or get the values of the other. So the later field becomes name_2, name_3 ...
 */
#include "format.h"

#include "common/assert.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A name and its rank among equal names: names that yield come last, then the order counts. */
typedef struct entry {
    const char *name;
    bool yields;
    size_t index;
} entry;

static int by_name(const void *a, const void *b)
{
    const entry *x = a, *y = b;
    const int order = strcmp(x->name, y->name);
    if (order) return order;
    if (x->yields != y->yields) return x->yields ? 1 : -1;
    return (x->index > y->index) - (x->index < y->index);
}

static int only_name(const void *a, const void *b)
{
    return strcmp(((const entry *)a)->name, ((const entry *)b)->name);
}

/* Returns name_number for the first free number from *number on. Null: no memory. Names made from two different names
 * never collide: the number begins at the last '_'. */
static char *free_name(const entry *entries, size_t count, const char *name, size_t *number)
{
    const size_t room = strlen(name) + 24;
    char *made = malloc(room);
    if (!made) return NULL;
    do snprintf(made, room, "%s_%zu", name, (*number)++);
    while (bsearch(&(entry){.name = made}, entries, count, sizeof *entries, only_name));
    return made;
}

clump_status clump_io_names_separate(const clump_io_where *where, char **names, const bool *yields, size_t count,
                                     clump_io_renamed *renamed)
{
    CLUMP_ASSERT(names || count == 0);
    *renamed = (clump_io_renamed){0};
    entry *entries = malloc((count + 1) * sizeof *entries);
    char **made = calloc(count + 1, sizeof *made); /* the entries point to the old names until the end */
    bool enough = entries && made;
    for (size_t i = 0; enough && i < count; i++) entries[i] = (entry){names[i], yields && yields[i], i};
    if (enough) qsort(entries, count, sizeof *entries, by_name);
    for (size_t first = 0, i = 1, number = 2; enough && i < count; i++) {
        if (only_name(&entries[first], &entries[i]) != 0) {
            first = i;
            number = 2;
            continue;
        }
        made[entries[i].index] = free_name(entries, count, entries[i].name, &number);
        enough = made[entries[i].index] != NULL;
    }
    for (size_t i = 0; made && i < count; i++) {
        if (!made[i]) continue;
        if (enough && renamed->count++ == 0) {
            renamed->from = clump_io_quote(names[i], strlen(names[i]));
            renamed->to = clump_io_quote(made[i], strlen(made[i]));
        }
        free(enough ? names[i] : made[i]);
        if (enough) names[i] = made[i];
    }
    free(entries);
    free(made);
    return enough ? CLUMP_OK : clump_io_no_memory(where, count * sizeof *entries);
}

clump_status clump_io_cloud_separate_names(const clump_io_where *where, clump_cloud *cloud)
{
    const size_t count = cloud->field_count;
    char **names = malloc((count + 1) * sizeof *names);
    if (!names) return clump_io_no_memory(where, (count + 1) * sizeof *names);
    for (size_t i = 0; i < count; i++) names[i] = (char *)(uintptr_t)cloud->fields[i].name;
    clump_io_renamed renamed;
    const clump_status status = clump_io_names_separate(where, names, NULL, count, &renamed);
    for (size_t i = 0; i < count; i++) cloud->fields[i].name = names[i];
    free(names);
    if (renamed.count == 1)
        clump_io_note(cloud, "two fields are called %s: the second is now %s", renamed.from.text, renamed.to.text);
    if (renamed.count > 1)
        clump_io_note(cloud, "%zu fields had the name of another: the first of them, %s, is now %s", renamed.count,
                      renamed.from.text, renamed.to.text);
    return status;
}

/* --- columns -------------------------------------------------------------------------------- */

static char *element_name(const clump_field *field, uint32_t element)
{
    const size_t room = strlen(field->name) + 16;
    char *name = malloc(room);
    if (!name) return NULL;
    if (field->count == 1)
        memcpy(name, field->name, strlen(field->name) + 1);
    else
        snprintf(name, room, "%s_%u", field->name, (unsigned)element);
    return name;
}

clump_status clump_io_columns_make(const clump_io_output *output, clump_io_columns *columns)
{
    *columns = (clump_io_columns){0};
    size_t count = 0;
    for (size_t f = 0; f < output->field_count; f++) count += output->fields[f].count;
    columns->names = calloc(count + 1, sizeof *columns->names);
    bool *yields = calloc(count + 1, sizeof *yields);
    clump_status status = CLUMP_OK;
    if (!columns->names || !yields) status = clump_io_no_memory(&output->where, count * sizeof *columns->names);
    for (size_t f = 0; status == CLUMP_OK && f < output->field_count; f++)
        for (uint32_t k = 0; status == CLUMP_OK && k < output->fields[f].count; k++) {
            char *name = element_name(&output->fields[f], k);
            if (!name) status = clump_io_no_memory(&output->where, strlen(output->fields[f].name));
            yields[columns->count] = output->fields[f].count > 1;
            if (name) columns->names[columns->count++] = name;
        }
    clump_io_renamed renamed = {0};
    if (status == CLUMP_OK)
        status = clump_io_names_separate(&output->where, columns->names, yields, columns->count, &renamed);
    free(yields);
    if (status != CLUMP_OK) clump_io_columns_free(columns);
    clump_io_say_renamed(output, &renamed);
    return status;
}

void clump_io_columns_free(clump_io_columns *columns)
{
    for (size_t i = 0; i < columns->count; i++) free(columns->names[i]);
    free(columns->names);
    *columns = (clump_io_columns){0};
}

void clump_io_say_renamed(const clump_io_output *output, const clump_io_renamed *renamed)
{
    if (renamed->count == 1)
        clump_io_fail(&output->where, CLUMP_OK, "the name %s is in use: that column is written as %s",
                      renamed->from.text, renamed->to.text);
    if (renamed->count > 1)
        clump_io_fail(&output->where, CLUMP_OK,
                      "%zu names are in use: these columns have others, the first %s instead of %s", renamed->count,
                      renamed->to.text, renamed->from.text);
}
