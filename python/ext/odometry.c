/* SPDX-License-Identifier: BSD-3-Clause
 *
 * odometry.c: clump_odometry, clump_map and clump_deskew.
 */
#include <clump/map.h>
#include <clump/odometry.h>
#include <string.h>

#include "arrays.h"
#include "values.h"

static void destroy_odometry(void *odometry)
{
    clump_odometry_destroy(odometry);
}

static const py_kind odometry_kind = {"odometry", "an odometry", destroy_odometry};

/* odometry_create(context, method, options) -> Owner */
static PyObject *odometry_create(PyObject *module, PyObject *const *args, Py_ssize_t count)
{
    static const char *const methods[] = {"point", "plane", NULL};
    if (py_arguments("odometry_create", count, 3)) return NULL;
    clump_odometry_options options = clump_odometry_defaults();
    clump_odometry *odometry = NULL;
    clump_context *ctx;
    int method;
    if (py_word(module, args[1], "Odometry", "method", methods, &method)) return NULL;
    if (py_options(module, args[2], "odometry", false, &options)) return NULL;
    options.method = (clump_icp_method)method;
    if (py_context_begin(module, args[0], &ctx)) return NULL;
    const clump_status status = clump_odometry_create(ctx, &options, &odometry);
    if (py_context_finish(module, args[0], ctx, status)) return NULL;
    return py_owner_new(module, &odometry_kind, odometry);
}

static PyObject *facts_of(const clump_odometry_pose *p)
{
    return Py_BuildValue("szOOdddinn", clump_odometry_state_name(p->state), p->why, p->weak ? Py_True : Py_False,
                         p->deskewed ? Py_True : Py_False, p->fitness, p->rmse, p->deviation, p->iterations,
                         (Py_ssize_t)p->used, (Py_ssize_t)p->map_points);
}

/* odometry_push(context, odometry, time, points, times, numbers) -> (state, why, weak, deskewed, fitness, rmse, deviation,
 * iterations, used, map_points). times: float32 or None; numbers: float64, output: transform, information, certainty,
 * weakest */
static PyObject *odometry_push(PyObject *module, PyObject *const *args, Py_ssize_t count)
{
    enum { NUMBERS = 16 + 36 + 3 + 3 };
    if (py_arguments("odometry_push", count, 6)) return NULL;
    PyObject *result = NULL;
    py_points points = {0};
    py_array times = {0}, numbers = {0};
    clump_odometry_pose pose;
    int64_t time;
    if (py_time(module, args[2], &time)) goto done;
    if (py_points_get(module, args[3], &points)) goto done;
    if (py_array_get(module, args[4], "times", 'f', PY_READ_OPTIONAL, points.points.count, &times)) goto done;
    if (py_array_get(module, args[5], "numbers", 'd', PY_WRITE, NUMBERS, &numbers)) goto done;

    clump_context *ctx;
    clump_status status;
    void *odometry;
    if (py_owner_begin(module, args[0], args[1], &odometry_kind, &ctx, &odometry)) goto done;
    Py_BEGIN_ALLOW_THREADS
    status = clump_odometry_push(ctx, odometry, time, points.points, times.data, &pose);
    Py_END_ALLOW_THREADS
    if (py_owner_finish(module, args[0], args[1], ctx, status)) goto done;
    double *const out = numbers.data;
    memcpy(out, pose.transform, sizeof pose.transform);
    memcpy(out + 16, pose.information, sizeof pose.information);
    memcpy(out + 52, pose.certainty, sizeof pose.certainty);
    memcpy(out + 55, pose.weakest, sizeof pose.weakest);
    result = facts_of(&pose);
done:
    py_array_release(&numbers);
    py_array_release(&times);
    py_points_release(&points);
    return result;
}

/* odometry_map(odometry) -> (bytes of float32 x y z ..., (x, y, z) of their origin) */
static PyObject *odometry_map(PyObject *module, PyObject *object)
{
    clump_odometry *const odometry = py_owner_thing(module, object, &odometry_kind);
    if (!odometry) return NULL;
    clump_points points;
    double origin[3];
    clump_odometry_map(odometry, &points, origin);
    return Py_BuildValue("y#(ddd)", points.count ? (const char *)points.xyz : "",
                         (Py_ssize_t)(points.count * 3 * sizeof(float)), origin[0], origin[1], origin[2]);
}

/* odometry_reset(odometry) */
static PyObject *odometry_reset(PyObject *module, PyObject *object)
{
    clump_odometry *const odometry = py_owner_thing(module, object, &odometry_kind);
    if (!odometry) return NULL;
    clump_odometry_reset(odometry);
    Py_RETURN_NONE;
}

/* ----- maps --------------------------------------------------------------------------------------------- */

static void destroy_map(void *map)
{
    clump_map_destroy(map);
}

static const py_kind map_kind = {"map", "a map", destroy_map};

/* map_create(context, options) -> Owner */
static PyObject *map_create(PyObject *module, PyObject *const *args, Py_ssize_t count)
{
    if (py_arguments("map_create", count, 2)) return NULL;
    clump_map_options options = clump_map_defaults();
    clump_map *map = NULL;
    clump_context *ctx;
    if (py_options(module, args[1], "map", false, &options)) return NULL;
    if (py_context_begin(module, args[0], &ctx)) return NULL;
    const clump_status status = clump_map_create(ctx, &options, &map);
    if (py_context_finish(module, args[0], ctx, status)) return NULL;
    return py_owner_new(module, &map_kind, map);
}

/* map_add(context, map, frame, points, pose, mask, looks): pose: 12 numbers of float64; mask: bytes or None; looks: whether
 * the frame is looked at instead */
static PyObject *map_add(PyObject *module, PyObject *const *args, Py_ssize_t count)
{
    if (py_arguments("map_add", count, 7)) return NULL;
    PyObject *result = NULL;
    py_points points = {0};
    py_array pose = {0}, mask = {0};
    int frame;
    bool looks;
    if (py_int(module, args[2], "frame", &frame)) goto done;
    if (py_points_get(module, args[3], &points)) goto done;
    if (py_array_get(module, args[4], "pose", 'd', PY_READ, 12, &pose)) goto done;
    if (py_array_get(module, args[5], "mask", 'B', PY_READ_OPTIONAL, points.points.count, &mask)) goto done;
    if (py_bool(args[6], "looks", &looks)) goto done;

    clump_context *ctx;
    clump_status status;
    void *map;
    if (py_owner_begin(module, args[0], args[1], &map_kind, &ctx, &map)) goto done;
    Py_BEGIN_ALLOW_THREADS
    status = looks ? clump_map_look(ctx, map, frame, points.points, pose.data)
                   : clump_map_add(ctx, map, frame, points.points, pose.data, mask.data);
    Py_END_ALLOW_THREADS
    if (!py_owner_finish(module, args[0], args[1], ctx, status)) result = Py_NewRef(Py_None);
done:
    py_array_release(&mask);
    py_array_release(&pose);
    py_points_release(&points);
    return result;
}

/* map_points(context, map) -> (bytes of float32 x y z ..., (x, y, z) of their origin, bytes of uint32 observations, of passes,
 * voxels, dropped) */
static PyObject *map_points(PyObject *module, PyObject *const *args, Py_ssize_t count)
{
    if (py_arguments("map_points", count, 2)) return NULL;
    clump_map_cloud cloud;
    clump_context *ctx;
    clump_status status;
    void *map;
    if (py_owner_begin(module, args[0], args[1], &map_kind, &ctx, &map)) return NULL;
    Py_BEGIN_ALLOW_THREADS
    status = clump_map_points(ctx, map, &cloud);
    Py_END_ALLOW_THREADS
    if (py_owner_finish(module, args[0], args[1], ctx, status)) return NULL;
    const Py_ssize_t n = (Py_ssize_t)cloud.points.count, size = (Py_ssize_t)sizeof(uint32_t);
    const bool any = n > 0;
    return Py_BuildValue("y#(ddd)y#y#nn", any ? (const char *)cloud.points.xyz : "", 3 * n * (Py_ssize_t)sizeof(float),
                         cloud.origin[0], cloud.origin[1], cloud.origin[2], any ? (const char *)cloud.observations : "",
                         n * size, any ? (const char *)cloud.passes : "", n * size, (Py_ssize_t)cloud.voxels,
                         (Py_ssize_t)cloud.dropped);
}

/* deskew(context, points, times, before, after, seconds, xyz) -> whether the times were usable. xyz: float32, output */
static PyObject *deskew(PyObject *module, PyObject *const *args, Py_ssize_t count)
{
    if (py_arguments("deskew", count, 7)) return NULL;
    PyObject *result = NULL;
    py_points points = {0};
    py_array times = {0}, before = {0}, after = {0}, xyz = {0};
    double seconds;
    bool deskewed;
    if (py_points_get(module, args[1], &points)) goto done;
    if (py_array_get(module, args[2], "times", 'f', PY_READ, points.points.count, &times)) goto done;
    if (py_array_get(module, args[3], "before", 'd', PY_READ, 12, &before)) goto done;
    if (py_array_get(module, args[4], "after", 'd', PY_READ, 12, &after)) goto done;
    if (py_double(args[5], "seconds", &seconds)) goto done;
    if (py_array_get(module, args[6], "xyz", 'f', PY_WRITE, 3 * points.points.count, &xyz)) goto done;

    clump_context *ctx;
    clump_status status;
    if (py_context_begin(module, args[0], &ctx)) goto done;
    Py_BEGIN_ALLOW_THREADS
    status = clump_deskew(ctx, points.points, times.data, before.data, after.data, seconds, xyz.data, &deskewed);
    Py_END_ALLOW_THREADS
    if (!py_context_finish(module, args[0], ctx, status)) result = PyBool_FromLong(deskewed);
done:
    py_array_release(&xyz);
    py_array_release(&after);
    py_array_release(&before);
    py_array_release(&times);
    py_points_release(&points);
    return result;
}

PyMethodDef py_odometry_functions[] = {
    {"odometry_create", (PyCFunction)(uintptr_t)odometry_create, METH_FASTCALL, NULL},
    {"odometry_push", (PyCFunction)(uintptr_t)odometry_push, METH_FASTCALL, NULL},
    {"odometry_map", odometry_map, METH_O, NULL},
    {"odometry_reset", odometry_reset, METH_O, NULL},
    {"map_create", (PyCFunction)(uintptr_t)map_create, METH_FASTCALL, NULL},
    {"map_add", (PyCFunction)(uintptr_t)map_add, METH_FASTCALL, NULL},
    {"map_points", (PyCFunction)(uintptr_t)map_points, METH_FASTCALL, NULL},
    {"deskew", (PyCFunction)(uintptr_t)deskew, METH_FASTCALL, NULL},
    {NULL, NULL, 0, NULL},
};
