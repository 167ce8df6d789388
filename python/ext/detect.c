/* SPDX-License-Identifier: BSD-3-Clause
 *
 * detect.c: clump_detect.
 */
#include "values.h"

#include <clump/info.h>
#include <clump/papers.h>

static const char *detect_name(int method)
{
    return clump_detect_method_name((clump_detect_method)method);
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

static int get_tree(PyObject *module, PyObject *tuple, clump_objects_options *options)
{
    PyObject *values[PY_MOST_VALUES];
    if (py_unpack(tuple, "tree", 4, values)) return -1;
    if (py_tree_options(module, values[0], values[1], values[2], options)) return -1;
    PyObject *const growth = PyDict_GetItemString(values[3], "eps_per_metre");
    if (growth && py_float(growth, "eps_per_metre", &options->common.eps_per_metre)) return -1;
    return py_options(module, values[3], "objects", false, options);
}

/* Everything that a name gives. */
static int get_options(PyObject *module, PyObject *given, clump_detect_options *options, clump_papers *papers)
{
    if (py_options(module, given, "clustering", false, &options->common)) return -1;
    if (py_options(module, given, "erccl", false, &options->erccl)) return -1;
    if (py_options(module, given, "papers", false, papers)) return -1;
    if (py_options(module, given, "ground", true, &options->ground)) return -1;
    if (py_options(module, given, "detect", false, options)) return -1;
    if (py_options(module, given, "describe", false, &options->describe)) return -1;
    if (py_option_float(given, "min_range", &options->region.min_range)) return -1;
    return py_option_float(given, "max_range", &options->region.max_range);
}

/* detect(context, points, mask, labels, clusters, values, method, ground method, crop, options, rings, found, tree, classes) ->
 * number of clusters, which may be larger than the capacity of `clusters` and of `found`. The three before the last are None unless the method
 * is objects: tree is (levels, boxes, people, options of the tree). */
static PyObject *detect(PyObject *module, PyObject *const *args, Py_ssize_t count)
{
    if (py_arguments("detect", count, 14)) return NULL;
    PyObject *result = NULL;
    py_points points = {0};
    py_array mask = {0}, labels = {0}, clusters = {0}, values = {0}, rings = {0}, found_list = {0};
    py_classes classes = {0};
    clump_detect_options options = clump_detect_defaults();
    clump_papers papers = clump_papers_defaults();
    int32_t capacity = 0;
    int method;
    if (py_points_get(module, args[1], &points)) goto done;
    if (py_array_get(module, args[2], "mask", 'B', PY_READ_OPTIONAL, points.points.count, &mask)) goto done;
    if (py_array_get(module, args[3], "labels", 'i', PY_WRITE, points.points.count, &labels)) goto done;
    if (py_clusters_get(module, args[4], &clusters, &capacity)) goto done;
    if (py_column_get(module, args[5], "values", points.points.count, &values, &options.describe.values_stride))
        goto done;
    if (py_method(module, args[6], "detect", detect_name, &method)) goto done;
    if (py_ground_method(module, args[7], &options.ground.method)) goto done;
    if (get_crop(module, args[8], &options.region)) goto done;
    if (get_options(module, args[9], &options, &papers)) goto done;
    if (args[12] != Py_None && get_tree(module, args[12], &options.objects)) goto done;
    if (py_rings_get(module, args[10], points.points.count, &rings, &options.objects)) goto done;
    if (py_found_get(module, args[11], &found_list, &options.objects)) goto done;
    if (py_classes_get(module, args[13], points.points.count, &classes, &options.common)) goto done;
    if (method == CLUMP_DETECT_ERCCL) options.common.papers = &papers;
    options.method = (clump_detect_method)method;
    options.common.mask = mask.data;
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
    py_classes_release(&classes);
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
