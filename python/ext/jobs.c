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

/* ec(context, points, d, method, order, two_d, min_size, max_size, mask, eps_per_metre, sensor, labels)
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
    if (py_float(args[2], "d", &d)) goto done;
    if (py_method(module, args[3], "ec", ec_name, &method)) goto done;
    if (py_order(module, args[4], &options.order)) goto done;
    if (py_bool(args[5], "two_d", &options.two_d)) goto done;
    if (py_size(module, args[6], "min_size", &options.min_size)) goto done;
    if (py_size(module, args[7], "max_size", &options.max_size)) goto done;
    if (py_array_get(module, args[8], "mask", 'B', PY_READ_OPTIONAL, points.points.count, &mask)) goto done;
    if (py_float(args[9], "eps_per_metre", &options.eps_per_metre)) goto done;
    if (py_floats(module, args[10], "sensor", options.sensor, 3)) goto done;
    if (py_array_get(module, args[11], "labels", 'i', PY_WRITE, points.points.count, &labels)) goto done;
    options.method = (clump_ec_method)method;
    options.mask = mask.data;

    clump_context *ctx;
    const bool on_gpu = points.points.place == CLUMP_PLACE_DEVICE; /* a call without a count does not wait */
    int32_t clusters = -1;
    clump_status status;
    if (py_context_begin_on(module, args[0], points.stream, &ctx)) goto done;
    Py_BEGIN_ALLOW_THREADS
    status = clump_ec(ctx, points.points, d, &options, labels.data, on_gpu ? NULL : &clusters);
    Py_END_ALLOW_THREADS
    if (!py_context_finish(module, args[0], ctx, status)) result = PyLong_FromLong(clusters);
done:
    py_array_release(&labels);
    py_array_release(&mask);
    py_points_release(&points);
    return result;
}

PyMethodDef py_job_functions[] = {
    {"ec", (PyCFunction)(uintptr_t)ec, METH_FASTCALL, NULL},
    {NULL, NULL, 0, NULL},
};
