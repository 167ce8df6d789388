/* SPDX-License-Identifier: BSD-3-Clause
 *
 * jobs.c: clump_ec and clump_dbscan.
 */
#include "arrays.h"
#include "values.h"

static const char *ec_name(int method)
{
    return clump_ec_method_name((clump_ec_method)method);
}

static const char *dbscan_name(int method)
{
    return clump_dbscan_method_name((clump_dbscan_method)method);
}

static const py_field ec_fields[] = {
    PY_FIELD(clump_ec_options, 'o', order),         PY_FIELD(clump_ec_options, 'b', two_d),
    PY_FIELD(clump_ec_options, 'z', min_size),      PY_FIELD(clump_ec_options, 'z', max_size),
    PY_FIELD(clump_ec_options, 'f', eps_per_metre), PY_FIELD(clump_ec_options, '3', sensor),
};

/* ec(context, points, mask, labels, d, method, order, two_d, min_size, max_size, eps_per_metre, sensor)
 * -> number of clusters */
static PyObject *ec(PyObject *module, PyObject *const *args, Py_ssize_t count)
{
    if (py_arguments("ec", count, 12)) return NULL;
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
    if (py_fields(module, args + 6, ec_fields, PY_COUNT(ec_fields), &options)) goto done;
    options.method = (clump_ec_method)method;
    options.mask = mask.data;

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

static const py_field dbscan_fields[] = {
    PY_FIELD(clump_dbscan_options, 'o', order),
    PY_FIELD(clump_dbscan_options, 'b', two_d),
    PY_FIELD(clump_dbscan_options, 'b', no_border_points),
    PY_FIELD(clump_dbscan_options, 'z', min_size),
    PY_FIELD(clump_dbscan_options, 'z', max_size),
    PY_FIELD(clump_dbscan_options, 'f', eps_per_metre),
    PY_FIELD(clump_dbscan_options, '3', sensor),
};

/* dbscan(context, points, mask, labels, core, eps, min_points, method, order, two_d, no_border_points, min_size, max_size,
 * eps_per_metre, sensor) -> number of clusters */
static PyObject *dbscan(PyObject *module, PyObject *const *args, Py_ssize_t count)
{
    if (py_arguments("dbscan", count, 15)) return NULL;
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
    if (py_fields(module, args + 8, dbscan_fields, PY_COUNT(dbscan_fields), &options)) goto done;
    options.method = (clump_dbscan_method)method;
    options.mask = mask.data;
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
    {"ec", (PyCFunction)(uintptr_t)ec, METH_FASTCALL, NULL},
    {"dbscan", (PyCFunction)(uintptr_t)dbscan, METH_FASTCALL, NULL},
    {NULL, NULL, 0, NULL},
};
