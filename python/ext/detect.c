/* SPDX-License-Identifier: BSD-3-Clause
 *
 * detect.c: clump_detect.
 */
#include "values.h"

static const char *detect_name(int method)
{
    return clump_detect_method_name((clump_detect_method)method);
}

static const py_field detect_fields[] = {
    PY_FIELD(clump_detect_options, 'f', d),
    PY_FIELD(clump_detect_options, 'n', min_points),
    PY_FIELD(clump_detect_options, '3', sensor),
    PY_FIELD(clump_detect_options, 'f', thin),
    {"min_range", 'f', offsetof(clump_detect_options, region.min_range)},
    {"max_range", 'f', offsetof(clump_detect_options, region.max_range)},
    {"axes", 'b', offsetof(clump_detect_options, describe.axes)},
};

/* What clustering by any method has. */
static const py_field common_fields[] = {
    PY_FIELD(clump_ec_options, 'o', order),         PY_FIELD(clump_ec_options, 'b', two_d),
    PY_FIELD(clump_ec_options, 'z', min_size),      PY_FIELD(clump_ec_options, 'z', max_size),
    PY_FIELD(clump_ec_options, 'f', eps_per_metre),
};

static int get_common(PyObject *module, PyObject *const *args, clump_detect_options *options)
{
    clump_ec_options *const ec = &options->ec;
    if (py_fields(module, args, common_fields, PY_COUNT(common_fields), ec)) return -1;
    options->dbscan.order = options->erccl.order = options->objects.order = ec->order;
    options->dbscan.two_d = ec->two_d;
    options->dbscan.min_size = options->erccl.min_size = options->objects.min_size = ec->min_size;
    options->dbscan.max_size = options->erccl.max_size = options->objects.max_size = ec->max_size;
    options->dbscan.eps_per_metre = ec->eps_per_metre;
    return 0;
}

/* x0, x1, y0, y1, z0, z1, as --crop of the program; None: everything. */
static int get_crop(PyObject *module, PyObject *object, clump_region *region)
{
    float bounds[6];
    if (object == Py_None) return 0;
    if (py_floats(module, object, "crop", bounds, 6)) return -1;
    for (int i = 0; i < 3; i++) {
        region->lower[i] = bounds[2 * i];
        region->upper[i] = bounds[2 * i + 1];
    }
    return 0;
}

/* detect(context, points, mask, labels, clusters, values, method, map options, ground options, crop, order, two_d,
 * min_size, max_size, eps_per_metre, d, min_points, sensor, thin, min_range, max_range, axes, rings, found, object options)
 * -> number of clusters, which may be larger than the capacity of `clusters` and of `found`. The last three are None
 * unless the method is objects, which has a d and eps_per_metre of its own. */
static PyObject *detect(PyObject *module, PyObject *const *args, Py_ssize_t count)
{
    if (py_arguments("detect", count, 25)) return NULL;
    PyObject *result = NULL;
    py_points points = {0};
    py_array mask = {0}, labels = {0}, clusters = {0}, values = {0}, rings = {0}, found_list = {0};
    clump_detect_options options = clump_detect_defaults();
    int32_t capacity = 0;
    int method;
    if (py_points_get(module, args[1], &points)) goto done;
    if (py_array_get(module, args[2], "mask", 'B', PY_READ_OPTIONAL, points.points.count, &mask)) goto done;
    if (py_array_get(module, args[3], "labels", 'i', PY_WRITE, points.points.count, &labels)) goto done;
    if (py_clusters_get(module, args[4], &clusters, &capacity)) goto done;
    if (py_column_get(module, args[5], "values", points.points.count, &values, &options.describe.values_stride))
        goto done;
    if (py_method(module, args[6], "detect", detect_name, &method)) goto done;
    if (py_map_options(module, args[7], &options.erccl)) goto done;
    if (py_ground_options(module, args[8], true, &options.ground)) goto done;
    if (get_crop(module, args[9], &options.region)) goto done;
    if (get_common(module, args + 10, &options)) goto done;
    if (py_fields(module, args + 15, detect_fields, PY_COUNT(detect_fields), &options)) goto done;
    if (args[24] != Py_None && py_object_options(module, args[24], &options.objects)) goto done;
    if (py_rings_get(module, args[22], points.points.count, &rings, &options.objects)) goto done;
    if (py_found_get(module, args[23], &found_list, &options.objects)) goto done;
    options.method = (clump_detect_method)method;
    options.mask = mask.data;
    options.describe.values = values.data;
    options.describe.clusters_place = clusters.place;

    clump_context *ctx;
    int32_t found = 0;
    clump_status status;
    if (py_context_begin_on(module, args[0], points.stream, &ctx)) goto done;
    Py_BEGIN_ALLOW_THREADS
    status = clump_detect(ctx, points.points, &options, labels.data, clusters.data, capacity, &found);
    if (status == CLUMP_OK && clusters.place == CLUMP_PLACE_HOST)
        py_clusters_turn(clusters.data, found < capacity ? found : capacity);
    Py_END_ALLOW_THREADS
    if (!py_context_finish(module, args[0], ctx, status)) result = PyLong_FromLong(found);
done:
    py_array_release(&found_list);
    py_array_release(&rings);
    py_array_release(&values);
    py_array_release(&clusters);
    py_array_release(&labels);
    py_array_release(&mask);
    py_points_release(&points);
    return result;
}

PyMethodDef py_detect_functions[] = {
    {"detect", (PyCFunction)(uintptr_t)detect, METH_FASTCALL, NULL},
    {NULL, NULL, 0, NULL},
};
