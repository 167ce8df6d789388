/* SPDX-License-Identifier: BSD-3-Clause
 *
 * obstacles.c: clump_ground and clump_erccl.
 */
#include "values.h"

#include <clump/info.h>
#include <clump/papers.h>

#include <string.h>

#include "arrays.h"

static const char *ground_name(int method)
{
    return clump_ground_method_name((clump_ground_method)method);
}

static const char *erccl_name(int method)
{
    return clump_erccl_method_name((clump_erccl_method)method);
}

int py_ground_method(PyObject *module, PyObject *object, clump_ground_method *out)
{
    int method;
    if (!PyUnicode_Check(object)) {
        py_type_error("ground", "a string", object);
        return -1;
    }
    if (py_method(module, object, "ground", ground_name, &method)) return -1;
    *out = (clump_ground_method)method;
    return 0;
}

/* ground(context, points, mask, labels, heights, method, options) -> number of ground points */
static PyObject *ground(PyObject *module, PyObject *const *args, Py_ssize_t count)
{
    if (py_arguments("ground", count, 7)) return NULL;
    PyObject *result = NULL;
    py_points points = {0};
    py_array mask = {0}, labels = {0}, heights = {0};
    clump_ground_options options = clump_ground_defaults();
    int method;
    if (py_points_get(module, args[1], &points)) goto done;
    if (py_array_get(module, args[2], "mask", 'B', PY_READ_OPTIONAL, points.points.count, &mask)) goto done;
    if (py_array_get(module, args[3], "labels", 'i', PY_WRITE, points.points.count, &labels)) goto done;
    if (py_array_get(module, args[4], "heights", 'f', PY_WRITE_OPTIONAL, points.points.count, &heights)) goto done;
    if (py_method(module, args[5], "ground", ground_name, &method)) goto done;
    if (py_options(module, args[6], "ground", false, &options)) goto done;
    options.method = (clump_ground_method)method;
    options.mask = mask.data;
    options.heights = heights.data;

    clump_context *ctx;
    size_t found = 0;
    clump_status status;
    if (py_context_begin_on(module, args[0], points.stream, &ctx)) goto done;
    Py_BEGIN_ALLOW_THREADS
    status = clump_ground(ctx, points.points, &options, labels.data,
                          points.points.place == CLUMP_PLACE_DEVICE ? NULL : &found);
    Py_END_ALLOW_THREADS
    if (!py_context_finish(module, args[0], ctx, status)) result = PyLong_FromSize_t(found);
done:
    py_array_release(&heights);
    py_array_release(&labels);
    py_array_release(&mask);
    py_points_release(&points);
    return result;
}

/* erccl_shape(options) -> (rows, columns); ArgumentError where there is no such map */
static PyObject *erccl_shape(PyObject *module, PyObject *given)
{
    clump_erccl_options options = clump_erccl_defaults();
    if (py_options(module, given, "erccl", false, &options)) return NULL;
    return Py_BuildValue("nn", (Py_ssize_t)clump_erccl_rows(&options), (Py_ssize_t)clump_erccl_columns(&options));
}

/* erccl(context, points, mask, labels, maps, method, ground method, options) -> number of obstacles. maps is None, or five arrays: obstacle, lowest, highest, ground, labels */
static PyObject *erccl(PyObject *module, PyObject *const *args, Py_ssize_t count)
{
    if (py_arguments("erccl", count, 8)) return NULL;
    PyObject *result = NULL;
    py_points points = {0};
    py_array mask = {0}, labels = {0}, maps[5] = {{0}};
    clump_erccl_options options = clump_erccl_defaults();
    clump_papers papers = clump_papers_defaults();
    int method;
    if (py_points_get(module, args[1], &points)) goto done;
    if (py_array_get(module, args[2], "mask", 'B', PY_READ_OPTIONAL, points.points.count, &mask)) goto done;
    if (py_array_get(module, args[3], "labels", 'i', PY_WRITE, points.points.count, &labels)) goto done;
    if (py_method(module, args[5], "erccl", erccl_name, &method)) goto done;
    if (py_ground_method(module, args[6], &options.ground.method)) goto done;
    if (py_options(module, args[7], "clustering", false, &options.common)) goto done;
    if (py_options(module, args[7], "erccl", false, &options)) goto done;
    if (py_options(module, args[7], "papers", false, &papers)) goto done;
    if (py_options(module, args[7], "ground", true, &options.ground)) goto done;
    memset(options.common.sensor, 0, sizeof options.common.sensor); /* it is that of the ground */
    if (args[4] != Py_None) {
        PyObject *values[PY_MOST_VALUES];
        const size_t cells = clump_erccl_rows(&options) * clump_erccl_columns(&options);
        if (py_unpack(args[4], "maps", 5, values)) goto done;
        for (int i = 0; i < 5; i++)
            if (py_array_get(module, values[i], "map", "Bfffi"[i], PY_WRITE, cells, &maps[i])) goto done;
    }
    options.method = (clump_erccl_method)method;
    options.common.mask = mask.data;
    options.common.papers = &papers;
    options.maps = (clump_erccl_maps){.obstacle = maps[0].data,
                                      .lowest = maps[1].data,
                                      .highest = maps[2].data,
                                      .ground = maps[3].data,
                                      .labels = maps[4].data};

    clump_context *ctx;
    int32_t clusters = -1;
    clump_status status;
    if (py_context_begin_on(module, args[0], points.stream, &ctx)) goto done;
    Py_BEGIN_ALLOW_THREADS
    status = clump_erccl(ctx, points.points, &options, labels.data, py_counted(&points, &clusters));
    Py_END_ALLOW_THREADS
    if (!py_context_finish(module, args[0], ctx, status)) result = PyLong_FromLong(clusters);
done:
    for (int i = 0; i < 5; i++) py_array_release(&maps[i]);
    py_array_release(&labels);
    py_array_release(&mask);
    py_points_release(&points);
    return result;
}

PyMethodDef py_obstacle_functions[] = {
    {"ground", (PyCFunction)(uintptr_t)ground, METH_FASTCALL, NULL},
    {"erccl", (PyCFunction)(uintptr_t)erccl, METH_FASTCALL, NULL},
    {"erccl_shape", erccl_shape, METH_O, NULL},
    {NULL, NULL, 0, NULL},
};
