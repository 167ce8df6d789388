/* SPDX-License-Identifier: BSD-3-Clause
 *
 * options.h: the options of the library as rows of tables, one row per option: name, default, bounds, and how clump's program
 * spells it. For bindings to other languages, and for programs whose users set options by name. The library's own defaults
 * and checks, its program, its Python package and its tests use these rows.
 *
 *     const clump_option_table *ground = clump_option_table_named("ground");
 *     for (size_t i = 0; i < ground->count; i++) puts(ground->rows[i].name);
 *
 * Methods, pointers, the cookie, and options that are lists (factors, boxes) have no row.
 */
#ifndef CLUMP_OPTIONS_H
#define CLUMP_OPTIONS_H

#include <clump/clump.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum clump_option_kind {
    CLUMP_OPTION_BOOL = 0,   /* bool */
    CLUMP_OPTION_FLOAT = 1,  /* float */
    CLUMP_OPTION_DOUBLE = 2, /* double */
    CLUMP_OPTION_INT = 3,    /* int */
    CLUMP_OPTION_SIZE = 4,   /* size_t */
    CLUMP_OPTION_CHOICE = 5, /* an enum; choice(value) is the name of a value, null after the last */
    CLUMP_OPTION_POINT = 6   /* float[3], finite */
} clump_option_kind;

/* Which numbers are allowed. */
typedef enum clump_option_bounds {
    CLUMP_BOUNDS_OTHER = 0,   /* any that its comment in the header allows: not checked by the row alone */
    CLUMP_BOUNDS_RANGE = 1,   /* least ... most, both included */
    CLUMP_BOUNDS_FINITE = 2,  /* every finite number */
    CLUMP_BOUNDS_ABOVE_0 = 3, /* above 0, at most `most`, which may be infinite or FLT_MAX: finite */
    CLUMP_BOUNDS_FROM_0 = 4   /* 0 or more, at most `most`, likewise */
} clump_option_bounds;

typedef struct clump_option {
    const char *name; /* of the member, "sensor_height"; in Python, too */
    clump_option_kind kind;
    size_t offset; /* of the member in its struct, in bytes */
    double usual;  /* the default */
    clump_option_bounds bounds;
    double least, most;
    const char *noun; /* in messages: "the sensor height" */
    const char *(*choice)(int value);
    const char *word;     /* of the program, "sensor-height"; null: the program has no such option, or one that takes
                             * more than this value. The key of the program's JSON is the same with _ for - */
    const char *argument; /* "H"; null for a bool */
    const char *help;     /* {} stands for the default, {what} for what the command calls its clusters */
    const char *job;      /* of the table papers: the job that has the option, "ec"; else null */
} clump_option;

typedef struct clump_option_table {
    const char *name; /* "ground": rows of clump_ground_options */
    const clump_option *rows;
    size_t count;
} clump_option_table;

/* Tables: clustering (clump_clustering), ground, dbscan, erccl, objects, detect, describe, papers (clump_papers), index, icp,
 * odometry, tracker, map. Returns table i, or the one of that name; null where there is none. */
CLUMP_API const clump_option_table *clump_option_table_at(int i);
CLUMP_API const clump_option_table *clump_option_table_named(const char *name);

#ifdef __cplusplus
}
#endif
#endif
