/* SPDX-License-Identifier: BSD-3-Clause
 *
 * obstacles.c: clump_ground and clump_erccl.
 */
#include "values.h"

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

enum { GROUND_EXTENT = 6, GROUND_TILE = 7 }; /* places in ground_fields */

static const py_field ground_fields[] = {
    PY_FIELD(clump_ground_options, 'f', sigma),         PY_FIELD(clump_ground_options, 'u', up),
    PY_FIELD(clump_ground_options, 'b', flip),          PY_FIELD(clump_ground_options, '3', sensor),
    PY_FIELD(clump_ground_options, 'f', sensor_height), PY_FIELD(clump_ground_options, 'f', window),
    PY_FIELD(clump_ground_options, 'f', extent),        PY_FIELD(clump_ground_options, 'f', tile),
    PY_FIELD(clump_ground_options, 'f', slope),         PY_FIELD(clump_ground_options, 'f', bin),
    PY_FIELD(clump_ground_options, 'b', step),
};

int py_ground_options(PyObject *module, PyObject *tuple, bool inside, clump_ground_options *options)
{
    PyObject *values[PY_MOST_VALUES];
    py_field fields[PY_COUNT(ground_fields)];
    int method;
    memcpy(fields, ground_fields, sizeof fields);
    if (inside) fields[GROUND_EXTENT].name = "ground_extent", fields[GROUND_TILE].name = "ground_tile";
    if (py_unpack(tuple, "ground", PY_COUNT(fields) + 1, values)) return -1;
    if (inside && !PyUnicode_Check(values[0])) {
        py_type_error("ground", "a string", values[0]);
        return -1;
    }
    if (py_method(module, values[0], "ground", ground_name, &method)) return -1;
    options->method = (clump_ground_method)method;
    return py_fields(module, values + 1, fields, PY_COUNT(fields), options);
}

static const py_field map_fields[] = {
    PY_FIELD(clump_erccl_options, 'f', cell),           PY_FIELD(clump_erccl_options, 'f', extent),
    PY_FIELD(clump_erccl_options, 'f', extent_columns), PY_FIELD(clump_erccl_options, 'i', reach),
    PY_FIELD(clump_erccl_options, 'f', alpha),          PY_FIELD(clump_erccl_options, 'f', tau),
    PY_FIELD(clump_erccl_options, 'f', beta),
};

int py_map_options(PyObject *module, PyObject *tuple, clump_erccl_options *options)
{
    PyObject *values[PY_MOST_VALUES];
    if (py_unpack(tuple, "map", PY_COUNT(map_fields), values)) return -1;
    return py_fields(module, values, map_fields, PY_COUNT(map_fields), options);
}

/* ground(context, points, mask, labels, heights, ground options) -> number of ground points */
static PyObject *ground(PyObject *module, PyObject *const *args, Py_ssize_t count)
{
    if (py_arguments("ground", count, 6)) return NULL;
    PyObject *result = NULL;
    py_points points = {0};
    py_array mask = {0}, labels = {0}, heights = {0};
    clump_ground_options options = clump_ground_defaults();
    if (py_points_get(module, args[1], &points)) goto done;
    if (py_array_get(module, args[2], "mask", 'B', PY_READ_OPTIONAL, points.points.count, &mask)) goto done;
    if (py_array_get(module, args[3], "labels", 'i', PY_WRITE, points.points.count, &labels)) goto done;
    if (py_array_get(module, args[4], "heights", 'f', PY_WRITE_OPTIONAL, points.points.count, &heights)) goto done;
    if (py_ground_options(module, args[5], false, &options)) goto done;
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

/* erccl_shape(map options) -> (rows, columns); ArgumentError where there is no such map */
static PyObject *erccl_shape(PyObject *module, PyObject *tuple)
{
    clump_erccl_options options = clump_erccl_defaults();
    if (py_map_options(module, tuple, &options)) return NULL;
    return Py_BuildValue("nn", (Py_ssize_t)clump_erccl_rows(&options), (Py_ssize_t)clump_erccl_columns(&options));
}

static const py_field erccl_fields[] = {
    PY_FIELD(clump_erccl_options, 'o', order),
    PY_FIELD(clump_erccl_options, 'z', min_size),
    PY_FIELD(clump_erccl_options, 'z', max_size),
    PY_FIELD(clump_erccl_options, 'b', all_heights),
};

/* erccl(context, points, mask, labels, maps, method, map options, ground options, order, min_size, max_size, all_heights)
 * -> number of obstacles. maps is None, or five arrays: obstacle, lowest, highest, ground, labels */
static PyObject *erccl(PyObject *module, PyObject *const *args, Py_ssize_t count)
{
    if (py_arguments("erccl", count, 12)) return NULL;
    PyObject *result = NULL;
    py_points points = {0};
    py_array mask = {0}, labels = {0}, maps[5] = {{0}};
    clump_erccl_options options = clump_erccl_defaults();
    int method;
    if (py_points_get(module, args[1], &points)) goto done;
    if (py_array_get(module, args[2], "mask", 'B', PY_READ_OPTIONAL, points.points.count, &mask)) goto done;
    if (py_array_get(module, args[3], "labels", 'i', PY_WRITE, points.points.count, &labels)) goto done;
    if (py_method(module, args[5], "erccl", erccl_name, &method)) goto done;
    if (py_map_options(module, args[6], &options)) goto done;
    if (py_ground_options(module, args[7], true, &options.ground)) goto done;
    if (py_fields(module, args + 8, erccl_fields, PY_COUNT(erccl_fields), &options)) goto done;
    if (args[4] != Py_None) {
        PyObject *values[PY_MOST_VALUES];
        const size_t cells = clump_erccl_rows(&options) * clump_erccl_columns(&options);
        if (py_unpack(args[4], "maps", 5, values)) goto done;
        for (int i = 0; i < 5; i++)
            if (py_array_get(module, values[i], "map", "Bfffi"[i], PY_WRITE, cells, &maps[i])) goto done;
    }
    options.method = (clump_erccl_method)method;
    options.mask = mask.data;
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
