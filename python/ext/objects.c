/* SPDX-License-Identifier: BSD-3-Clause
 *
 * objects.c: clump_objects.
 */
#include "values.h"

#include <clump/info.h>

#include <string.h>

_Static_assert(sizeof(clump_object) == 40 && offsetof(clump_object, fits) == 12 && offsetof(clump_object, score) == 36,
               "the structured type of python/clump/_objects.py");

static const char *fit_name(int fit)
{
    return clump_fit_name((clump_fit)fit);
}

/* The module gets fits, a tuple of the names of clump_fit. */
int py_objects_init(PyObject *module)
{
    Py_ssize_t count = 0;
    while (fit_name((int)count)) count++;
    PyObject *fits = PyTuple_New(count);
    for (Py_ssize_t i = 0; fits && i < count; i++) {
        PyObject *name = PyUnicode_FromString(fit_name((int)i));
        if (!name || PyTuple_SetItem(fits, i, name)) Py_CLEAR(fits); /* which takes the reference */
    }
    const int status = fits ? PyModule_AddObjectRef(module, "fits", fits) : -1;
    Py_XDECREF(fits);
    return status;
}

/* --- options --------------------------------------------------------------------------------- */

/* A new tuple of the elements of a sequence; null with TypeError set. */
static PyObject *sequence(PyObject *object, const char *name, const char *wanted)
{
    PyObject *tuple = PySequence_Tuple(object);
    if (!tuple && PyErr_ExceptionMatches(PyExc_TypeError)) {
        PyErr_Clear();
        py_type_error(name, wanted, object);
    }
    return tuple;
}

static int limit(Py_ssize_t count)
{
    return count < INT32_MAX ? (int)count : INT32_MAX;
}

/* The library refuses a number of levels that cannot be; those beyond are not read. */
static int get_levels(PyObject *object, clump_objects_options *options)
{
    PyObject *tuple = sequence(object, "levels", "a sequence of numbers");
    if (!tuple) return -1;
    int status = 0;
    options->levels = limit(PyTuple_Size(tuple));
    for (int k = 0; k < options->levels && k < CLUMP_OBJECTS_LEVELS && !status; k++)
        status = py_float(PyTuple_GetItem(tuple, k), "levels", &options->factors[k]);
    Py_DECREF(tuple);
    return status;
}

static int get_box(PyObject *module, PyObject *tuple, clump_object_box *box)
{
    PyObject *values[PY_MOST_VALUES];
    int fit;
    if (py_unpack(tuple, "box", 6, values)) return -1;
    if (py_float(values[0], "length", &box->length) || py_float(values[1], "width", &box->width)) return -1;
    if (py_float(values[2], "least_top", &box->least_top) || py_float(values[3], "most_top", &box->most_top)) return -1;
    if (py_float(values[4], "most_bottom", &box->most_bottom)) return -1;
    if (py_named(module, values[5], "boxes", "fits", fit_name, &fit)) return -1;
    box->fits = (clump_fit)fit;
    return 0;
}

/* As get_levels. */
static int get_boxes(PyObject *module, PyObject *object, clump_objects_options *options)
{
    if (object == Py_None) return 0;
    PyObject *tuple = sequence(object, "boxes", "a sequence of boxes");
    if (!tuple) return -1;
    int status = 0;
    options->boxes = limit(PyTuple_Size(tuple));
    for (int k = 0; k < options->boxes && k < CLUMP_OBJECTS_BOXES && !status; k++)
        status = get_box(module, PyTuple_GetItem(tuple, k), &options->box[k]);
    Py_DECREF(tuple);
    return status;
}

int py_tree_options(PyObject *module, PyObject *levels, PyObject *boxes, PyObject *people,
                    clump_objects_options *options)
{
    bool finds_people;
    if (get_levels(levels, options)) return -1;
    if (get_boxes(module, boxes, options)) return -1;
    if (py_bool(people, "people", &finds_people)) return -1;
    options->no_people = !finds_people;
    return 0;
}

int py_rings_get(PyObject *module, PyObject *object, size_t count, py_array *out, clump_objects_options *options)
{
    if (py_array_get(module, object, "rings", 'H', PY_READ_OPTIONAL, count, out)) return -1;
    options->rings = out->data;
    return 0;
}

int py_found_get(PyObject *module, PyObject *object, py_array *out, clump_objects_options *options)
{
    if (py_array_get(module, object, "found", 'B', PY_WRITE_OPTIONAL, PY_ANY_COUNT, out)) return -1;
    const size_t count = out->count / sizeof(clump_object);
    if (count > INT32_MAX) return py_refuse(module, "found has %zu entries, which is too much", count);
    options->found = out->data;
    options->found_capacity = (int32_t)count;
    options->found_place = out->place;
    return 0;
}

/* --- the call -------------------------------------------------------------------------------- */

/* objects(context, points, mask, labels, rings, found, levels, boxes, people, ground method, options, classes) -> number of clusters, which may be larger than the capacity of `found`; -1: not known, the call did not wait */
static PyObject *objects(PyObject *module, PyObject *const *args, Py_ssize_t count)
{
    if (py_arguments("objects", count, 12)) return NULL;
    PyObject *result = NULL;
    py_points points = {0};
    py_array mask = {0}, labels = {0}, rings = {0}, found = {0};
    py_classes classes = {0};
    clump_objects_options options = clump_objects_defaults();
    if (py_points_get(module, args[1], &points)) goto done;
    if (py_array_get(module, args[2], "mask", 'B', PY_READ_OPTIONAL, points.points.count, &mask)) goto done;
    if (py_array_get(module, args[3], "labels", 'i', PY_WRITE, points.points.count, &labels)) goto done;
    if (py_rings_get(module, args[4], points.points.count, &rings, &options)) goto done;
    if (py_found_get(module, args[5], &found, &options)) goto done;
    if (py_tree_options(module, args[6], args[7], args[8], &options)) goto done;
    if (py_ground_method(module, args[9], &options.ground.method)) goto done;
    if (py_options(module, args[10], "clustering", false, &options.common)) goto done;
    if (py_options(module, args[10], "objects", false, &options)) goto done;
    if (py_options(module, args[10], "ground", true, &options.ground)) goto done;
    if (py_classes_get(module, args[11], points.points.count, &classes, &options.common)) goto done;
    memset(options.common.sensor, 0, sizeof options.common.sensor); /* it is that of the ground */
    options.common.mask = mask.data;

    clump_context *ctx;
    int32_t clusters = -1;
    clump_status status;
    if (py_context_begin_on(module, args[0], points.stream, &ctx)) goto done;
    Py_BEGIN_ALLOW_THREADS
    status = clump_objects(ctx, points.points, &options, labels.data,
                           found.data ? &clusters : py_counted(&points, &clusters));
    Py_END_ALLOW_THREADS
    if (!py_context_finish(module, args[0], ctx, status)) result = PyLong_FromLong(clusters);
done:
    py_classes_release(&classes);
    py_array_release(&found);
    py_array_release(&rings);
    py_array_release(&labels);
    py_array_release(&mask);
    py_points_release(&points);
    return result;
}

PyMethodDef py_object_functions[] = {
    {"objects", (PyCFunction)(uintptr_t)objects, METH_FASTCALL, NULL},
    {NULL, NULL, 0, NULL},
};
