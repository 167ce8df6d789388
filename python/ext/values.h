/* SPDX-License-Identifier: BSD-3-Clause
 *
 * values.h: arguments that are numbers and words. Every function returns 0, or -1 with an exception set: TypeError for
 * another type, ArgumentError for a value that cannot be. `name` is the name of the argument in the sentence.
 */
#ifndef CLUMP_PYTHON_VALUES_H
#define CLUMP_PYTHON_VALUES_H

#include "module.h"

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

/* Several arguments as members of a struct of options:
 *     'f' float   'd' double   'i' int   'n' size_t   'z' size_t, None is 0   'b' bool   '3' float[3]   'o' clump_order   'u' clump_up */
typedef struct py_field {
    const char *name;
    char kind;
    size_t offset;
} py_field;

int py_fields(PyObject *module, PyObject *const *values, const py_field *fields, size_t count, void *options);

#define PY_FIELD(type, kind, member)                                                                                   \
    {                                                                                                                  \
#member, kind, offsetof(type, member)                                                                          \
    }
#define PY_COUNT(array) (sizeof(array) / sizeof *(array))

/* A word of a list that ends with null: its position. `what` is what the words are, "method". */
int py_word(PyObject *module, PyObject *object, const char *job, const char *what, const char *const *words, int *out);

/* The order of clusters and the axis that is up. */
int py_order(PyObject *module, PyObject *object, clump_order *out);
int py_up(PyObject *module, PyObject *object, clump_up *out);

/* A value that has a name; name_of(i) is the name of value i, null where there is none. `what` is what the values are. */
typedef const char *py_name_of(int value);
int py_named(PyObject *module, PyObject *object, const char *job, const char *what, py_name_of *name_of, int *out);

/* As py_named, for the methods of a job. */
int py_method(PyObject *module, PyObject *object, const char *job, py_name_of *name_of, int *out);

#endif
