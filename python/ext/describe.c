/* SPDX-License-Identifier: BSD-3-Clause
 *
 * describe.c: clump_describe, clump_group and clump_labels_hash.
 */
#include "values.h"

#include <stdio.h>

/* The scalars of clump_cluster under the names that columns of `clump --clusters FILE.csv` have, in that order. Those
 * after `intensity` are there with axes alone. */
#define SCALAR(name, member)                                                                                           \
    {                                                                                                                  \
        name, offsetof(clump_cluster, member)                                                                          \
    }
static const struct {
    const char *name;
    size_t offset;
} scalars[] = {
    SCALAR("label", label),
    SCALAR("count", count),
    SCALAR("centroid_x", centroid[0]),
    SCALAR("centroid_y", centroid[1]),
    SCALAR("centroid_z", centroid[2]),
    SCALAR("lower_x", lower[0]),
    SCALAR("lower_y", lower[1]),
    SCALAR("lower_z", lower[2]),
    SCALAR("upper_x", upper[0]),
    SCALAR("upper_y", upper[1]),
    SCALAR("upper_z", upper[2]),
    SCALAR("box_center_x", box_center[0]),
    SCALAR("box_center_y", box_center[1]),
    SCALAR("box_length", box_size[0]),
    SCALAR("box_width", box_size[1]),
    SCALAR("yaw", yaw),
    SCALAR("height_above_ground", height),
    SCALAR("distance", distance),
    SCALAR("area", area),
    SCALAR("density", density),
    SCALAR("intensity", intensity),
    SCALAR("covariance_xx", covariance[0]),
    SCALAR("covariance_xy", covariance[1]),
    SCALAR("covariance_xz", covariance[2]),
    SCALAR("covariance_yy", covariance[3]),
    SCALAR("covariance_yz", covariance[4]),
    SCALAR("covariance_zz", covariance[5]),
    SCALAR("variance_1", variance[0]),
    SCALAR("variance_2", variance[1]),
    SCALAR("variance_3", variance[2]),
    SCALAR("axis_1_x", axes[0][0]),
    SCALAR("axis_1_y", axes[0][1]),
    SCALAR("axis_1_z", axes[0][2]),
    SCALAR("axis_2_x", axes[1][0]),
    SCALAR("axis_2_y", axes[1][1]),
    SCALAR("axis_2_z", axes[1][2]),
    SCALAR("axis_3_x", axes[2][0]),
    SCALAR("axis_3_y", axes[2][1]),
    SCALAR("axis_3_z", axes[2][2]),
};

/* The module gets cluster_fields, a tuple of (name, offset), and cluster_size. */
int py_describe_init(PyObject *module)
{
    if (PyModule_AddIntConstant(module, "cluster_size", (long)sizeof(clump_cluster))) return -1;
    PyObject *fields = PyTuple_New((Py_ssize_t)PY_COUNT(scalars));
    if (!fields) return -1;
    for (size_t i = 0; i < PY_COUNT(scalars); i++) {
        PyObject *field = Py_BuildValue("sn", scalars[i].name, (Py_ssize_t)scalars[i].offset);
        if (!field || PyTuple_SetItem(fields, (Py_ssize_t)i, field)) { /* which takes the reference */
            Py_DECREF(fields);
            return -1;
        }
    }
    const int status = PyModule_AddObjectRef(module, "cluster_fields", fields);
    Py_DECREF(fields);
    return status;
}

int py_clusters_get(PyObject *module, PyObject *object, py_array *out, int32_t *capacity)
{
    if (py_array_get(module, object, "clusters", 'B', PY_WRITE, PY_ANY_COUNT, out)) return -1;
    const size_t count = out->count / sizeof(clump_cluster);
    if (count > INT32_MAX) return py_refuse(module, "clusters has %zu entries, which is too much", count);
    *capacity = (int32_t)count;
    return 0;
}

void py_clusters_turn(clump_cluster *clusters, int32_t count)
{
    for (int32_t i = 0; i < count; i++) {
        clump_cluster *const c = &clusters[i];
        if (!(c->box_size[1] > c->box_size[0])) continue;
        const float length = c->box_size[1];
        c->box_size[1] = c->box_size[0];
        c->box_size[0] = length;
        c->yaw += 90;
        if (c->yaw >= 180) c->yaw = 0; /* 89.99999 + 90, rounded */
    }
}

/* describe(context, points, labels, heights, values, clusters, hull, hull_offsets, options). clusters has one
 * entry per cluster. hull and hull_offsets are None, or float32 (corners, 2) and int32 (clusters + 1,). */
static PyObject *describe(PyObject *module, PyObject *const *args, Py_ssize_t count)
{
    if (py_arguments("describe", count, 9)) return NULL;
    PyObject *result = NULL;
    py_points points = {0};
    py_array labels = {0}, heights = {0}, values = {0}, clusters = {0}, hull = {0}, hull_offsets = {0};
    clump_describe_options options = clump_describe_defaults();
    int32_t capacity = 0;
    if (py_points_get(module, args[1], &points)) goto done;
    if (py_array_get(module, args[2], "labels", 'i', PY_READ, points.points.count, &labels)) goto done;
    if (py_array_get(module, args[3], "heights", 'f', PY_READ_OPTIONAL, points.points.count, &heights)) goto done;
    if (py_column_get(module, args[4], "values", points.points.count, &values, &options.values_stride)) goto done;
    if (py_clusters_get(module, args[5], &clusters, &capacity)) goto done;
    if (py_array_get(module, args[6], "hull", 'f', PY_WRITE_OPTIONAL, PY_ANY_COUNT, &hull)) goto done;
    if (py_array_get(module, args[7], "hull_offsets", 'i', PY_WRITE_OPTIONAL, (size_t)capacity + 1, &hull_offsets))
        goto done;
    if (py_options(module, args[8], "describe", false, &options)) goto done;
    options.heights = heights.data;
    options.values = values.data;
    options.clusters_place = clusters.place;
    options.hull = hull.data;
    options.hull_capacity = hull.count / 2;
    options.hull_offsets = hull_offsets.data;

    clump_context *ctx;
    clump_status status;
    if (py_context_begin_on(module, args[0], points.stream, &ctx)) goto done;
    Py_BEGIN_ALLOW_THREADS
    status = clump_describe(ctx, points.points, labels.data, capacity, &options, clusters.data);
    if (status == CLUMP_OK && clusters.place == CLUMP_PLACE_HOST) py_clusters_turn(clusters.data, capacity);
    Py_END_ALLOW_THREADS
    if (!py_context_finish(module, args[0], ctx, status)) result = Py_NewRef(Py_None);
done:
    py_array_release(&hull_offsets);
    py_array_release(&hull);
    py_array_release(&clusters);
    py_array_release(&values);
    py_array_release(&heights);
    py_array_release(&labels);
    py_points_release(&points);
    return result;
}

/* group(context, labels, clusters, offsets, members): offsets has clusters + 1 entries, members as many as labels */
static PyObject *group(PyObject *module, PyObject *const *args, Py_ssize_t count)
{
    if (py_arguments("group", count, 5)) return NULL;
    PyObject *result = NULL;
    py_array labels = {0}, offsets = {0}, members = {0};
    int clusters;
    if (py_array_get(module, args[1], "labels", 'i', PY_READ, PY_ANY_COUNT, &labels)) goto done;
    if (py_int(module, args[2], "count", &clusters)) goto done;
    if (clusters < 0) {
        py_refuse(module, "count is %d, but cannot be negative", clusters);
        goto done;
    }
    if (py_array_get(module, args[3], "offsets", 'i', PY_WRITE, (size_t)clusters + 1, &offsets)) goto done;
    if (py_array_get(module, args[4], "members", 'i', PY_WRITE, labels.count, &members)) goto done;

    clump_context *ctx;
    clump_status status;
    if (py_context_begin_on(module, args[0], labels.stream, &ctx)) goto done;
    Py_BEGIN_ALLOW_THREADS
    status = clump_group(ctx, labels.data, labels.count, labels.place, clusters, offsets.data, members.data);
    Py_END_ALLOW_THREADS
    if (!py_context_finish(module, args[0], ctx, status)) result = Py_NewRef(Py_None);
done:
    py_array_release(&members);
    py_array_release(&offsets);
    py_array_release(&labels);
    return result;
}

/* labels_hash(labels) -> 16 hexadecimal digits */
static PyObject *labels_hash(PyObject *module, PyObject *object)
{
    py_array labels = {0};
    PyObject *result = NULL;
    if (!py_array_get(module, object, "labels", 'i', PY_READ, PY_ANY_COUNT, &labels)) {
        uint64_t hash;
        char text[17];
        Py_BEGIN_ALLOW_THREADS
        hash = clump_labels_hash(labels.data, labels.count);
        Py_END_ALLOW_THREADS
        snprintf(text, sizeof text, "%016llx", (unsigned long long)hash);
        result = PyUnicode_FromString(text);
    }
    py_array_release(&labels);
    return result;
}

PyMethodDef py_describe_functions[] = {
    {"describe", (PyCFunction)(uintptr_t)describe, METH_FASTCALL, NULL},
    {"group", (PyCFunction)(uintptr_t)group, METH_FASTCALL, NULL},
    {"labels_hash", labels_hash, METH_O, NULL},
    {NULL, NULL, 0, NULL},
};
