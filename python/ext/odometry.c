/* SPDX-License-Identifier: BSD-3-Clause
 *
 * odometry.c: the type Odometry, which owns a clump_odometry. One thread at a time may use it, as with a tracker.
 */
#include <clump/odometry.h>
#include <string.h>
#include <unistd.h>

#include "arrays.h"
#include "values.h"

typedef struct py_odometry {
    PyObject_HEAD
    clump_odometry *odometry;
    bool busy;
    pid_t process; /* that `busy` is of: a child process has no other threads */
} py_odometry;

static void odometry_dealloc(PyObject *object)
{
    clump_odometry_destroy(((py_odometry *)object)->odometry);
    py_free(object);
}

static PyType_Slot odometry_slots[] = {
    {Py_tp_dealloc, (void *)(uintptr_t)odometry_dealloc},
    {Py_tp_doc, "A clump_odometry."},
    {0, NULL},
};

static PyType_Spec odometry_spec = {
    .name = "clump._clump.Odometry",
    .basicsize = sizeof(py_odometry),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
    .slots = odometry_slots,
};

int py_odometry_init(PyObject *module)
{
    PyObject *const type = py_add_type(module, &odometry_spec);
    py_state_of(module)->odometry_type = type;
    return type ? 0 : -1;
}

/* The object as odometry that no other thread uses; null with an exception set. */
static py_odometry *odometry_of(PyObject *module, PyObject *object)
{
    if (!PyObject_TypeCheck(object, (PyTypeObject *)py_state_of(module)->odometry_type)) {
        py_type_error("odometry", "an odometry", object);
        return NULL;
    }
    py_odometry *const self = (py_odometry *)object;
    if (self->busy && self->process == getpid()) {
        py_refuse(module, "the odometry is in use by another thread");
        return NULL;
    }
    self->busy = false;
    return self;
}

/* odometry_create(context, method, options) -> Odometry */
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
    py_odometry *const self = (py_odometry *)py_new((PyTypeObject *)py_state_of(module)->odometry_type);
    if (self)
        self->odometry = odometry;
    else
        clump_odometry_destroy(odometry);
    return (PyObject *)self;
}

static int get_time(PyObject *module, PyObject *object, int64_t *time)
{
    int overflow;
    PyObject *const number = PyNumber_Index(object);
    if (!number) return -1;
    *time = (int64_t)PyLong_AsLongLongAndOverflow(number, &overflow);
    Py_DECREF(number);
    return overflow ? py_refuse(module, "time is %R, which is too large for nanoseconds in 64 bits", object) : 0;
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
    if (get_time(module, args[2], &time)) goto done;
    if (py_points_get(module, args[3], &points)) goto done;
    if (py_array_get(module, args[4], "times", 'f', PY_READ_OPTIONAL, points.points.count, &times)) goto done;
    if (py_array_get(module, args[5], "numbers", 'd', PY_WRITE, NUMBERS, &numbers)) goto done;

    clump_context *ctx;
    clump_status status;
    if (py_context_begin(module, args[0], &ctx)) goto done;
    py_odometry *const self = odometry_of(module, args[1]); /* another thread may have used it while this one waited */
    if (!self) {
        py_context_end(args[0]);
        goto done;
    }
    self->busy = true;
    self->process = getpid();
    Py_BEGIN_ALLOW_THREADS
    status = clump_odometry_push(ctx, self->odometry, time, points.points, times.data, &pose);
    Py_END_ALLOW_THREADS
    self->busy = false;
    if (py_context_finish(module, args[0], ctx, status)) goto done;
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
    py_odometry *const self = odometry_of(module, object);
    if (!self) return NULL;
    clump_points points;
    double origin[3];
    clump_odometry_map(self->odometry, &points, origin);
    return Py_BuildValue("y#(ddd)", points.count ? (const char *)points.xyz : "",
                         (Py_ssize_t)(points.count * 3 * sizeof(float)), origin[0], origin[1], origin[2]);
}

/* odometry_reset(odometry) */
static PyObject *odometry_reset(PyObject *module, PyObject *object)
{
    py_odometry *const self = odometry_of(module, object);
    if (!self) return NULL;
    clump_odometry_reset(self->odometry);
    Py_RETURN_NONE;
}

PyMethodDef py_odometry_functions[] = {
    {"odometry_create", (PyCFunction)(uintptr_t)odometry_create, METH_FASTCALL, NULL},
    {"odometry_push", (PyCFunction)(uintptr_t)odometry_push, METH_FASTCALL, NULL},
    {"odometry_map", odometry_map, METH_O, NULL},
    {"odometry_reset", odometry_reset, METH_O, NULL},
    {NULL, NULL, 0, NULL},
};
