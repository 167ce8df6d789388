/* SPDX-License-Identifier: BSD-3-Clause
 *
 * values.h: arguments that are numbers and words. Every function returns 0, or -1 with an exception set: TypeError for
 * another type, ArgumentError for a value that cannot be. `name` is the name of the argument in the sentence.
 */
#ifndef CLUMP_PYTHON_VALUES_H
#define CLUMP_PYTHON_VALUES_H

#include "arrays.h"
#include "module.h"

#include <clump/io.h>

/* The function `name` has `got` arguments and needs `wanted`. */
int py_arguments(const char *name, Py_ssize_t got, Py_ssize_t wanted);

/* Sets TypeError: "NAME must be WANTED, not TYPE". Returns null. */
PyObject *py_type_error(const char *name, const char *wanted, PyObject *object);

int py_double(PyObject *object, const char *name, double *out);
int py_float(PyObject *object, const char *name, float *out);
int py_int(PyObject *module, PyObject *object, const char *name, int *out);
int py_number(PyObject *module, PyObject *object, const char *name, size_t *out); /* 0 or more */
int py_size(PyObject *module, PyObject *object, const char *name, size_t *out);   /* the same; None is 0 */
int py_bool(PyObject *object, const char *name, bool *out);
int py_floats(PyObject *module, PyObject *object, const char *name, float *out, Py_ssize_t count);

/* Borrowed references to the elements of a tuple of `count` values. */
enum { PY_MOST_VALUES = 16 };
int py_unpack(PyObject *tuple, const char *name, size_t count, PyObject **values);

/* Options by the rows of a table of the library (clump/options.h): every row whose name is a key of `given`, a dict. Others
 * keep their value. inside: of a function that does more than find the ground, and says ground_extent and ground_tile. */
int py_options(PyObject *module, PyObject *given, const char *table, bool inside, void *options);

/* option_rows(table) -> a tuple (name, default) per row. A size of 0 is None. */
PyObject *py_option_rows(PyObject *module, PyObject *name);

/* The same for one float that has no row. */
int py_option_float(PyObject *given, const char *name, float *out);

#define PY_COUNT(array) (sizeof(array) / sizeof *(array))

/* A word of a list that ends with null: its position. `what` is what the words are, "method". */
int py_word(PyObject *module, PyObject *object, const char *job, const char *what, const char *const *words, int *out);

/* The axis that is up. */
int py_up(PyObject *module, PyObject *object, clump_up *out);

/* A value that has a name; name_of(i) is the name of value i, null where there is none. `what` is what the values are. */
typedef const char *py_name_of(int value);
int py_named(PyObject *module, PyObject *object, const char *job, const char *what, py_name_of *name_of, int *out);

/* As py_named, for the methods of a job. */
int py_method(PyObject *module, PyObject *object, const char *job, py_name_of *name_of, int *out);

/* --- arguments that several jobs have --------------------------------------------------------------- */

/* ----- clusters as rows of bytes, which Python sees as a structured array: describe.c ------------------------------- */

/* An array of bytes that holds clump_cluster structs. */
int py_clusters_get(PyObject *module, PyObject *object, py_array *out, int32_t *capacity);

/* Turns boxes such that the length is never shorter than the width, as the program does: yaw is then [0, 180). */
void py_clusters_turn(clump_cluster *clusters, int32_t count);

/* ----- the ground and the elevation map: obstacles.c ---------------------------------------------------------------- */

/* The method of the ground. */
int py_ground_method(PyObject *module, PyObject *object, clump_ground_method *out);

/* ----- clusters per class: jobs.c ----------------------------------------------------------------------------------- */

typedef struct py_classes {
    py_array of;
    clump_class_table table;
    clump_classes classes;
} py_classes;

/* tuple: None, or (classes of the points, uint16; table, the name of a file or the bytes of one; length of a step, 0: none). Sets
 * common->classes. */
int py_classes_get(PyObject *module, PyObject *tuple, size_t count, py_classes *out, clump_clustering *common);
void py_classes_release(py_classes *classes); /* a zeroed one is fine */

/* ----- clump_objects: objects.c ------------------------------------------------------------------------------------- */

/* levels is a sequence of factors. boxes is None, or a sequence of tuples (length, width, least_top, most_top, most_bottom,
 * fits). people is a bool. */
int py_tree_options(PyObject *module, PyObject *levels, PyObject *boxes, PyObject *people,
                    clump_objects_options *options);

/* One ring per point, uint16; None: not given. */
int py_rings_get(PyObject *module, PyObject *object, size_t count, py_array *out, clump_objects_options *options);

/* Memory for the list of clusters: bytes of any number of clump_objects; None: no list. */
int py_found_get(PyObject *module, PyObject *object, py_array *out, clump_objects_options *options);

#endif
