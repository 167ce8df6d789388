/* SPDX-License-Identifier: BSD-3-Clause
 *
 * jobs.c: clump_ec, clump_dbscan, clump_tree and clump_hdbscan.
 */
#include "arrays.h"
#include "values.h"

#include <clump/info.h>
#include <clump/tree.h>

static const char *ec_name(int method)
{
    return clump_ec_method_name((clump_ec_method)method);
}

static const char *dbscan_name(int method)
{
    return clump_dbscan_method_name((clump_dbscan_method)method);
}

int py_classes_get(PyObject *module, PyObject *tuple, size_t count, py_classes *out, clump_clustering *common)
{
    PyObject *values[PY_MOST_VALUES], *path = NULL;
    double step;
    clump_message message;
    clump_status status;
    if (tuple == Py_None) return 0;
    if (py_unpack(tuple, "classes", 3, values) || py_double(values[2], "step", &step)) return -1;
    if (py_array_get(module, values[0], "classes", 'H', PY_READ, count, &out->of)) return -1;
    if (PyBytes_Check(values[1])) {
        status = clump_class_table_parse(PyBytes_AsString(values[1]), (size_t)PyBytes_Size(values[1]), "class_table",
                                         &out->table, &message);
    } else {
        if (!PyUnicode_FSConverter(values[1], &path)) return -1;
        status = clump_class_table_load(PyBytes_AsString(path), &out->table, &message);
        Py_DECREF(path);
    }
    if (status != CLUMP_OK) return py_raise(module, status, message.text);
    for (size_t k = 0; step > 0 && k < out->table.count; k++)
        if (out->table.rows[k].radius > 0)
            out->table.rows[k].radius = clump_steps_distance(out->table.rows[k].radius, step);
    out->classes = (clump_classes){.of = out->of.data, .rows = out->table.rows, .count = out->table.count};
    common->classes = &out->classes;
    return 0;
}

void py_classes_release(py_classes *classes)
{
    clump_class_table_free(&classes->table);
    py_array_release(&classes->of);
}

/* ec(context, points, mask, labels, d, method, options, classes) -> number of clusters */
static PyObject *ec(PyObject *module, PyObject *const *args, Py_ssize_t count)
{
    if (py_arguments("ec", count, 8)) return NULL;
    PyObject *result = NULL;
    py_points points = {0};
    py_array mask = {0}, labels = {0};
    py_classes classes = {0};
    clump_ec_options options = clump_ec_defaults();
    float d;
    int method;
    if (py_points_get(module, args[1], &points)) goto done;
    if (py_array_get(module, args[2], "mask", 'B', PY_READ_OPTIONAL, points.points.count, &mask)) goto done;
    if (py_array_get(module, args[3], "labels", 'i', PY_WRITE, points.points.count, &labels)) goto done;
    if (py_float(args[4], "d", &d)) goto done;
    if (py_method(module, args[5], "ec", ec_name, &method)) goto done;
    if (py_options(module, args[6], "clustering", false, &options.common)) goto done;
    if (py_classes_get(module, args[7], points.points.count, &classes, &options.common)) goto done;
    options.method = (clump_ec_method)method;
    options.common.mask = mask.data;

    clump_context *ctx;
    int32_t clusters = -1;
    clump_status status;
    if (py_context_begin_on(module, args[0], points.stream, &ctx)) goto done;
    Py_BEGIN_ALLOW_THREADS
    status = clump_ec(ctx, points.points, d, &options, labels.data, py_counted(&points, &clusters));
    Py_END_ALLOW_THREADS
    if (!py_context_finish(module, args[0], ctx, status)) result = PyLong_FromLong(clusters);
done:
    py_classes_release(&classes);
    py_array_release(&labels);
    py_array_release(&mask);
    py_points_release(&points);
    return result;
}

/* dbscan(context, points, mask, labels, core, eps, min_points, method, options, classes) -> number of clusters */
static PyObject *dbscan(PyObject *module, PyObject *const *args, Py_ssize_t count)
{
    if (py_arguments("dbscan", count, 10)) return NULL;
    PyObject *result = NULL;
    py_points points = {0};
    py_array mask = {0}, labels = {0}, core = {0};
    py_classes classes = {0};
    clump_dbscan_options options = clump_dbscan_defaults();
    float eps;
    size_t min_points;
    int method;
    if (py_points_get(module, args[1], &points)) goto done;
    if (py_array_get(module, args[2], "mask", 'B', PY_READ_OPTIONAL, points.points.count, &mask)) goto done;
    if (py_array_get(module, args[3], "labels", 'i', PY_WRITE, points.points.count, &labels)) goto done;
    if (py_array_get(module, args[4], "core", 'B', PY_WRITE_OPTIONAL, points.points.count, &core)) goto done;
    if (py_float(args[5], "eps", &eps)) goto done;
    if (py_number(module, args[6], "min_points", &min_points)) goto done;
    if (py_method(module, args[7], "dbscan", dbscan_name, &method)) goto done;
    if (py_options(module, args[8], "clustering", false, &options.common)) goto done;
    if (py_options(module, args[8], "dbscan", false, &options)) goto done;
    if (py_classes_get(module, args[9], points.points.count, &classes, &options.common)) goto done;
    options.method = (clump_dbscan_method)method;
    options.common.mask = mask.data;
    options.core = core.data;

    clump_context *ctx;
    int32_t clusters = -1;
    clump_status status;
    if (py_context_begin_on(module, args[0], points.stream, &ctx)) goto done;
    Py_BEGIN_ALLOW_THREADS
    status = clump_dbscan(ctx, points.points, eps, min_points, &options, labels.data, py_counted(&points, &clusters));
    Py_END_ALLOW_THREADS
    if (!py_context_finish(module, args[0], ctx, status)) result = PyLong_FromLong(clusters);
done:
    py_classes_release(&classes);
    py_array_release(&core);
    py_array_release(&labels);
    py_array_release(&mask);
    py_points_release(&points);
    return result;
}

/* tree(context, points, mask, parents, heights, cores, options) */
static PyObject *tree(PyObject *module, PyObject *const *args, Py_ssize_t count)
{
    if (py_arguments("tree", count, 7)) return NULL;
    PyObject *result = NULL;
    py_points points = {0};
    py_array mask = {0}, parents = {0}, heights = {0}, cores = {0};
    clump_tree_options options = clump_tree_defaults();
    if (py_points_get(module, args[1], &points)) goto done;
    if (py_array_get(module, args[2], "mask", 'B', PY_READ_OPTIONAL, points.points.count, &mask)) goto done;
    if (py_array_get(module, args[3], "parents", 'i', PY_WRITE, points.points.count, &parents)) goto done;
    if (py_array_get(module, args[4], "heights", 'f', PY_WRITE, points.points.count, &heights)) goto done;
    if (py_array_get(module, args[5], "cores", 'f', PY_WRITE, points.points.count, &cores)) goto done;
    if (py_options(module, args[6], "tree", false, &options)) goto done;
    options.mask = mask.data;
    options.cores = cores.data;

    clump_context *ctx;
    clump_status status;
    if (py_context_begin_on(module, args[0], points.stream, &ctx)) goto done;
    Py_BEGIN_ALLOW_THREADS
    status = clump_tree(ctx, points.points, &options, parents.data, heights.data);
    Py_END_ALLOW_THREADS
    if (!py_context_finish(module, args[0], ctx, status)) result = Py_NewRef(Py_None);
done:
    py_array_release(&cores);
    py_array_release(&heights);
    py_array_release(&parents);
    py_array_release(&mask);
    py_points_release(&points);
    return result;
}

/* tree_cut(context, parents, heights, cores, d, min_size, labels) -> number of clusters */
static PyObject *tree_cut(PyObject *module, PyObject *const *args, Py_ssize_t count)
{
    if (py_arguments("tree_cut", count, 7)) return NULL;
    PyObject *result = NULL;
    py_array parents = {0}, heights = {0}, cores = {0}, labels = {0};
    float d;
    size_t min_size;
    if (py_array_get(module, args[1], "parents", 'i', PY_READ, PY_ANY_COUNT, &parents)) goto done;
    if (py_array_get(module, args[2], "heights", 'f', PY_READ, parents.count, &heights)) goto done;
    if (py_array_get(module, args[3], "cores", 'f', PY_READ_OPTIONAL, parents.count, &cores)) goto done;
    if (py_float(args[4], "d", &d)) goto done;
    if (py_number(module, args[5], "min_size", &min_size)) goto done;
    if (py_array_get(module, args[6], "labels", 'i', PY_WRITE, parents.count, &labels)) goto done;

    clump_context *ctx;
    int32_t clusters = -1;
    clump_status status;
    if (py_context_begin_on(module, args[0], parents.stream, &ctx)) goto done;
    Py_BEGIN_ALLOW_THREADS
    status =
        clump_tree_cut(ctx, parents.data, heights.data, cores.data, parents.count, d, min_size, labels.data, &clusters);
    Py_END_ALLOW_THREADS
    if (!py_context_finish(module, args[0], ctx, status)) result = PyLong_FromLong(clusters);
done:
    py_array_release(&labels);
    py_array_release(&cores);
    py_array_release(&heights);
    py_array_release(&parents);
    return result;
}

/* hdbscan(context, points, mask, labels, probabilities, options) -> number of clusters */
static PyObject *hdbscan(PyObject *module, PyObject *const *args, Py_ssize_t count)
{
    if (py_arguments("hdbscan", count, 6)) return NULL;
    PyObject *result = NULL;
    py_points points = {0};
    py_array mask = {0}, labels = {0}, probabilities = {0};
    clump_hdbscan_options options = clump_hdbscan_defaults();
    if (py_points_get(module, args[1], &points)) goto done;
    const size_t n = points.points.count;
    if (py_array_get(module, args[2], "mask", 'B', PY_READ_OPTIONAL, n, &mask)) goto done;
    if (py_array_get(module, args[3], "labels", 'i', PY_WRITE, n, &labels)) goto done;
    if (py_array_get(module, args[4], "probabilities", 'f', PY_WRITE_OPTIONAL, n, &probabilities)) goto done;
    if (py_options(module, args[5], "hdbscan", false, &options)) goto done;
    options.mask = mask.data;
    options.probabilities = probabilities.data;

    clump_context *ctx;
    int32_t clusters = -1;
    clump_status status;
    if (py_context_begin_on(module, args[0], points.stream, &ctx)) goto done;
    Py_BEGIN_ALLOW_THREADS
    status = clump_hdbscan(ctx, points.points, &options, labels.data, &clusters);
    Py_END_ALLOW_THREADS
    if (!py_context_finish(module, args[0], ctx, status)) result = PyLong_FromLong(clusters);
done:
    py_array_release(&probabilities);
    py_array_release(&labels);
    py_array_release(&mask);
    py_points_release(&points);
    return result;
}

/* hdbscan_label(context, parents, heights, labels, probabilities, options) -> number of clusters */
static PyObject *hdbscan_label(PyObject *module, PyObject *const *args, Py_ssize_t count)
{
    if (py_arguments("hdbscan_label", count, 6)) return NULL;
    PyObject *result = NULL;
    py_array parents = {0}, heights = {0}, labels = {0}, probabilities = {0};
    clump_hdbscan_options options = clump_hdbscan_defaults();
    if (py_array_get(module, args[1], "parents", 'i', PY_READ, PY_ANY_COUNT, &parents)) goto done;
    if (py_array_get(module, args[2], "heights", 'f', PY_READ, parents.count, &heights)) goto done;
    if (py_array_get(module, args[3], "labels", 'i', PY_WRITE, parents.count, &labels)) goto done;
    if (py_array_get(module, args[4], "probabilities", 'f', PY_WRITE_OPTIONAL, parents.count, &probabilities))
        goto done;
    if (py_options(module, args[5], "hdbscan", false, &options)) goto done;
    options.probabilities = probabilities.data;

    clump_context *ctx;
    int32_t clusters = -1;
    clump_status status;
    if (py_context_begin_on(module, args[0], parents.stream, &ctx)) goto done;
    Py_BEGIN_ALLOW_THREADS
    status = clump_hdbscan_label(ctx, parents.data, heights.data, parents.count, &options, labels.data, &clusters);
    Py_END_ALLOW_THREADS
    if (!py_context_finish(module, args[0], ctx, status)) result = PyLong_FromLong(clusters);
done:
    py_array_release(&probabilities);
    py_array_release(&labels);
    py_array_release(&heights);
    py_array_release(&parents);
    return result;
}

PyMethodDef py_job_functions[] = {
    {"option_rows", py_option_rows, METH_O, NULL},
    {"ec", (PyCFunction)(uintptr_t)ec, METH_FASTCALL, NULL},
    {"dbscan", (PyCFunction)(uintptr_t)dbscan, METH_FASTCALL, NULL},
    {"tree", (PyCFunction)(uintptr_t)tree, METH_FASTCALL, NULL},
    {"tree_cut", (PyCFunction)(uintptr_t)tree_cut, METH_FASTCALL, NULL},
    {"hdbscan", (PyCFunction)(uintptr_t)hdbscan, METH_FASTCALL, NULL},
    {"hdbscan_label", (PyCFunction)(uintptr_t)hdbscan_label, METH_FASTCALL, NULL},
    {NULL, NULL, 0, NULL},
};
