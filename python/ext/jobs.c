/* SPDX-License-Identifier: BSD-3-Clause
 *
 * jobs.c: clump_ec and clump_dbscan.
 */
#include "arrays.h"
#include "values.h"

#include <clump/info.h>

static const char *ec_name(int method)
{
    return clump_ec_method_name((clump_ec_method)method);
}

static const char *dbscan_name(int method)
{
    return clump_dbscan_method_name((clump_dbscan_method)method);
}

/* ec(context, points, mask, labels, d, method, options) -> number of clusters */
static PyObject *ec(PyObject *module, PyObject *const *args, Py_ssize_t count)
{
    if (py_arguments("ec", count, 7)) return NULL;
    PyObject *result = NULL;
    py_points points = {0};
    py_array mask = {0}, labels = {0};
    clump_ec_options options = clump_ec_defaults();
    float d;
    int method;
    if (py_points_get(module, args[1], &points)) goto done;
    if (py_array_get(module, args[2], "mask", 'B', PY_READ_OPTIONAL, points.points.count, &mask)) goto done;
    if (py_array_get(module, args[3], "labels", 'i', PY_WRITE, points.points.count, &labels)) goto done;
    if (py_float(args[4], "d", &d)) goto done;
    if (py_method(module, args[5], "ec", ec_name, &method)) goto done;
    if (py_options(module, args[6], "clustering", false, &options.common)) goto done;
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
    py_array_release(&labels);
    py_array_release(&mask);
    py_points_release(&points);
    return result;
}

/* dbscan(context, points, mask, labels, core, eps, min_points, method, options) -> number of clusters */
static PyObject *dbscan(PyObject *module, PyObject *const *args, Py_ssize_t count)
{
    if (py_arguments("dbscan", count, 9)) return NULL;
    PyObject *result = NULL;
    py_points points = {0};
    py_array mask = {0}, labels = {0}, core = {0};
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
    py_array_release(&core);
    py_array_release(&labels);
    py_array_release(&mask);
    py_points_release(&points);
    return result;
}

PyMethodDef py_job_functions[] = {
    {"option_rows", py_option_rows, METH_O, NULL},
    {"ec", (PyCFunction)(uintptr_t)ec, METH_FASTCALL, NULL},
    {"dbscan", (PyCFunction)(uintptr_t)dbscan, METH_FASTCALL, NULL},
    {NULL, NULL, 0, NULL},
};
