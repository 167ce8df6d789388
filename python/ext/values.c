/* SPDX-License-Identifier: BSD-3-Clause
 *
 * values.c: see values.h.
 */
#include "values.h"

#include <clump/options.h>

#include <limits.h>
#include <stdio.h>
#include <string.h>

int py_arguments(const char *name, Py_ssize_t got, Py_ssize_t wanted)
{
    if (got == wanted) return 0;
    PyErr_Format(PyExc_TypeError, "%s has %zd arguments, not %zd", name, wanted, got);
    return -1;
}

PyObject *py_type_error(const char *name, const char *wanted, PyObject *object)
{
    PyObject *type = PyType_GetName(Py_TYPE(object));
    if (type) PyErr_Format(PyExc_TypeError, "%s must be %s, not %U", name, wanted, type);
    Py_XDECREF(type);
    return NULL;
}

int py_double(PyObject *object, const char *name, double *out)
{
    *out = PyFloat_AsDouble(object);
    if (*out != -1.0 || !PyErr_Occurred()) return 0;
    if (PyErr_ExceptionMatches(PyExc_OverflowError)) { /* an int beyond all doubles is inf, which the library judges */
        PyErr_Clear();
        PyObject *const zero = PyLong_FromLong(0);
        const int negative = zero ? PyObject_RichCompareBool(object, zero, Py_LT) : -1;
        Py_XDECREF(zero);
        *out = negative > 0 ? -Py_HUGE_VAL : Py_HUGE_VAL;
        return negative < 0 ? -1 : 0;
    }
    if (PyErr_ExceptionMatches(PyExc_TypeError)) {
        PyErr_Clear();
        py_type_error(name, "a number", object);
    }
    return -1;
}

int py_float(PyObject *object, const char *name, float *out)
{
    double value;
    if (py_double(object, name, &value)) return -1;
    *out = (float)value;
    return 0;
}

/* Reads an integer, of NumPy too. A bool counts as integer, as in Python. */
static int get_integer(PyObject *object, const char *name, long long *out)
{
    PyObject *number = PyNumber_Index(object);
    if (!number) {
        if (PyErr_ExceptionMatches(PyExc_TypeError)) {
            PyErr_Clear();
            py_type_error(name, "an integer", object);
        }
        return -1;
    }
    int overflow;
    *out = PyLong_AsLongLongAndOverflow(number, &overflow);
    Py_DECREF(number);
    if (overflow) *out = overflow > 0 ? LLONG_MAX : LLONG_MIN;
    return *out == -1 && PyErr_Occurred() ? -1 : 0;
}

int py_int(PyObject *module, PyObject *object, const char *name, int *out)
{
    long long value;
    if (get_integer(object, name, &value)) return -1;
    if (value < INT_MIN || value > INT_MAX) return py_refuse(module, "%s is %R, which is too large", name, object);
    *out = (int)value;
    return 0;
}

int py_number(PyObject *module, PyObject *object, const char *name, size_t *out)
{
    long long value;
    if (get_integer(object, name, &value)) return -1;
    if (value < 0) return py_refuse(module, "%s is %R, but cannot be negative", name, object);
    *out = (size_t)value;
    return 0;
}

int py_size(PyObject *module, PyObject *object, const char *name, size_t *out)
{
    *out = 0;
    return object == Py_None ? 0 : py_number(module, object, name, out);
}

int py_bool(PyObject *object, const char *name, bool *out)
{
    const int truth = object == Py_True ? 1 : object == Py_False ? 0 : PyObject_IsTrue(object);
    if (truth < 0) {
        PyErr_Clear(); /* an array of several values is neither */
        py_type_error(name, "True or False", object);
        return -1;
    }
    *out = truth > 0;
    return 0;
}

int py_floats(PyObject *module, PyObject *object, const char *name, float *out, Py_ssize_t count)
{
    PyObject *tuple = PySequence_Tuple(object);
    if (!tuple) {
        if (PyErr_ExceptionMatches(PyExc_TypeError)) {
            PyErr_Clear();
            py_type_error(name, "a sequence of numbers", object);
        }
        return -1;
    }
    int status = 0;
    if (PyTuple_Size(tuple) != count)
        status = py_refuse(module, "%s has %zd numbers, but needs %zd", name, PyTuple_Size(tuple), count);
    for (Py_ssize_t i = 0; i < count && !status; i++) status = py_float(PyTuple_GetItem(tuple, i), name, &out[i]);
    Py_DECREF(tuple);
    return status;
}

int py_unpack(PyObject *tuple, const char *name, size_t count, PyObject **values)
{
    if (!PyTuple_Check(tuple) || PyTuple_Size(tuple) != (Py_ssize_t)count) {
        PyErr_Format(PyExc_TypeError, "%s must be a tuple of %zu values", name, count);
        return -1;
    }
    for (size_t i = 0; i < count; i++) values[i] = PyTuple_GetItem(tuple, (Py_ssize_t)i);
    return 0;
}

/* --- rows of the library -------------------------------------------------------------------- */

/* A word of a row. */
static int get_choice(PyObject *module, PyObject *value, const clump_option *row, const char *name, int *out)
{
    const bool order = strcmp(name, "order") == 0, up = strcmp(name, "up") == 0,
               selection = strcmp(name, "selection") == 0;
    if (!order && !PyUnicode_Check(value)) {
        py_type_error(name, "a string", value);
        return -1;
    }
    const char *const job = order ? "clusters" : up ? "up" : selection ? "hdbscan" : "objects";
    return py_named(module, value, job, up ? "axis" : row->noun, row->choice, out);
}

static int get_row(PyObject *module, PyObject *value, const clump_option *row, const char *name, void *place)
{
    switch (row->kind) {
    case CLUMP_OPTION_BOOL:
        return py_bool(value, name, place);
    case CLUMP_OPTION_FLOAT:
        return py_float(value, name, place);
    case CLUMP_OPTION_DOUBLE:
        return py_double(value, name, place);
    case CLUMP_OPTION_INT:
        return py_int(module, value, name, place);
    case CLUMP_OPTION_SIZE:
        return py_size(module, value, name, place);
    case CLUMP_OPTION_CHOICE:
        return get_choice(module, value, row, name, place);
    case CLUMP_OPTION_POINT:
        break;
    }
    return py_floats(module, value, name, place, 3);
}

int py_options(PyObject *module, PyObject *given, const char *name, bool inside, void *options)
{
    if (!PyDict_Check(given)) {
        PyErr_SetString(PyExc_TypeError, "options must be a dict");
        return -1;
    }
    const clump_option_table *const table = clump_option_table_named(name);
    for (size_t i = 0; i < table->count; i++) {
        const clump_option *const row = &table->rows[i];
        const bool size = strcmp(row->name, "extent") == 0 || strcmp(row->name, "tile") == 0;
        const char *const key = !inside || !size ? row->name : row->name[0] == 'e' ? "ground_extent" : "ground_tile";
        PyObject *const value = PyDict_GetItemString(given, key);
        if (value && get_row(module, value, row, key, (char *)options + row->offset)) return -1;
    }
    return 0;
}

int py_option_float(PyObject *given, const char *name, float *out)
{
    PyObject *const value = PyDict_GetItemString(given, name);
    return value ? py_float(value, name, out) : 0;
}

PyObject *py_option_rows(PyObject *module, PyObject *name)
{
    const char *const text = PyUnicode_Check(name) ? PyUnicode_AsUTF8AndSize(name, NULL) : NULL;
    const clump_option_table *const table = clump_option_table_named(text);
    if (!table) return py_refuse(module, "there is no table %R", name), NULL;
    PyObject *const list = PyList_New(0);
    for (size_t i = 0; list && i < table->count; i++) {
        const clump_option *const row = &table->rows[i];
        PyObject *pair =
            row->kind == CLUMP_OPTION_BOOL     ? Py_BuildValue("sO", row->name, row->usual != 0 ? Py_True : Py_False)
            : row->kind == CLUMP_OPTION_CHOICE ? Py_BuildValue("ss", row->name, row->choice((int)row->usual))
            : row->kind == CLUMP_OPTION_INT    ? Py_BuildValue("si", row->name, (int)row->usual)
            : row->kind == CLUMP_OPTION_POINT  ? Py_BuildValue("s(ddd)", row->name, 0.0, 0.0, 0.0)
            : row->kind != CLUMP_OPTION_SIZE   ? Py_BuildValue("sd", row->name, row->usual)
            : row->usual == 0                  ? Py_BuildValue("sO", row->name, Py_None)
                                               : Py_BuildValue("sn", row->name, (Py_ssize_t)row->usual);
        const int status = pair ? PyList_Append(list, pair) : -1;
        Py_XDECREF(pair);
        if (status) {
            Py_DECREF(list);
            return NULL;
        }
    }
    return list;
}

/* --- words ----------------------------------------------------------------------------------- */

/* The text of a string object, valid as long as the object; null with TypeError set. */
static const char *text_of(PyObject *object, const char *name)
{
    if (PyUnicode_Check(object)) return PyUnicode_AsUTF8AndSize(object, NULL);
    py_type_error(name, "a string", object);
    return NULL;
}

/* Where there is no such word: the sentence names all words there are. */
static int refuse_word(PyObject *module, PyObject *object, const char *job, const char *what,
                       const char *(*word)(const void *, int), const void *words)
{
    char list[512] = "";
    size_t used = 0;
    for (int i = 0; word(words, i) && used < sizeof list; i++)
        used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", i ? ", " : "", word(words, i));
    return py_refuse(module, "%s: there is no %s %R; there are: %s", job, what, object, list);
}

static int find_word(PyObject *module, PyObject *object, const char *job, const char *what,
                     const char *(*word)(const void *, int), const void *words, int *out)
{
    const char *text = text_of(object, what);
    if (!text) return -1;
    for (int i = 0; word(words, i); i++) {
        if (!strcmp(word(words, i), text)) {
            *out = i;
            return 0;
        }
    }
    return refuse_word(module, object, job, what, word, words);
}

static const char *word_of_list(const void *words, int i)
{
    return ((const char *const *)words)[i];
}

int py_word(PyObject *module, PyObject *object, const char *job, const char *what, const char *const *words, int *out)
{
    return find_word(module, object, job, what, word_of_list, words, out);
}

int py_up(PyObject *module, PyObject *object, clump_up *out)
{
    static const char *const words[] = {"z", "y", NULL};
    int found;
    if (!PyUnicode_Check(object)) {
        py_type_error("up", "a string", object);
        return -1;
    }
    if (py_word(module, object, "up", "axis", words, &found)) return -1;
    *out = (clump_up)found;
    return 0;
}

typedef struct value_names {
    py_name_of *name_of;
} value_names;

static const char *word_of_values(const void *words, int i)
{
    return ((const value_names *)words)->name_of(i);
}

int py_named(PyObject *module, PyObject *object, const char *job, const char *what, py_name_of *name_of, int *out)
{
    const value_names names = {name_of};
    return find_word(module, object, job, what, word_of_values, &names, out);
}

int py_method(PyObject *module, PyObject *object, const char *job, py_name_of *name_of, int *out)
{
    return py_named(module, object, job, "method", name_of, out);
}
