/* SPDX-License-Identifier: BSD-3-Clause
 *
 * index.c: the type Index, which owns a clump_index, and its queries.
 *
 * Any number of threads may query an index at the same time, each with a context of its own. While it is rebuilt nothing
 * else may use it: both counters below are read and written with the GIL held.
 */
#include <clump/index.h>

#include <unistd.h>

#include "arrays.h"
#include "values.h"

typedef struct py_index {
    PyObject_HEAD
    clump_index *index;
    int queries; /* running now */
    bool rebuilding;
    pid_t process; /* that the counters are of: a child process has no other threads */
} py_index;

static const char *nn_name(int method)
{
    return clump_nn_method_name((clump_nn_method)method);
}

static void index_dealloc(PyObject *object)
{
    py_index *self = (py_index *)object;
    Py_BEGIN_ALLOW_THREADS
    clump_index_destroy(self->index);
    Py_END_ALLOW_THREADS
    py_free(object);
}

static PyType_Slot index_slots[] = {
    {Py_tp_dealloc, (void *)(uintptr_t)index_dealloc},
    {Py_tp_doc, "A clump_index."},
    {0, NULL},
};

static PyType_Spec index_spec = {
    .name = "clump._clump.Index",
    .basicsize = sizeof(py_index),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
    .slots = index_slots,
};

int py_index_init(PyObject *module)
{
    PyObject *type = py_add_type(module, &index_spec);
    py_state_of(module)->index_type = type;
    return type ? 0 : -1;
}

/* The object as index; null with an exception set where it is none. */
static py_index *index_of(PyObject *module, PyObject *object)
{
    if (!PyObject_TypeCheck(object, (PyTypeObject *)py_state_of(module)->index_type)) {
        py_type_error("index", "an index", object);
        return NULL;
    }
    py_index *self = (py_index *)object;
    if (self->process != getpid()) {
        self->process = getpid();
        self->queries = 0;
        self->rebuilding = false;
    }
    return self;
}

/* --- building -------------------------------------------------------------------------------- */

/* index_create(context, points, method, options) -> Index */
static PyObject *index_create(PyObject *module, PyObject *const *args, Py_ssize_t count)
{
    if (py_arguments("index_create", count, 4)) return NULL;
    py_index *self = NULL;
    py_points points = {0};
    clump_index_options options = clump_index_defaults();
    clump_index *index = NULL;
    int method;
    if (py_points_get(module, args[1], &points)) goto done;
    if (py_method(module, args[2], "Index", nn_name, &method)) goto done;
    if (py_options(module, args[3], "index", false, &options)) goto done;
    options.method = (clump_nn_method)method;

    clump_context *ctx;
    clump_status status;
    if (py_context_begin_on(module, args[0], points.stream, &ctx)) goto done;
    Py_BEGIN_ALLOW_THREADS
    status = clump_index_create(ctx, points.points, &options, &index);
    Py_END_ALLOW_THREADS
    if (py_context_finish(module, args[0], ctx, status)) goto done;
    self = (py_index *)py_new((PyTypeObject *)py_state_of(module)->index_type);
    if (self) {
        self->index = index;
        self->process = getpid();
    } else {
        clump_index_destroy(index);
    }
done:
    py_points_release(&points);
    return (PyObject *)self;
}

/* index_rebuild(context, index, points) */
static PyObject *index_rebuild(PyObject *module, PyObject *const *args, Py_ssize_t count)
{
    if (py_arguments("index_rebuild", count, 3)) return NULL;
    PyObject *result = NULL;
    py_points points = {0};
    clump_context *ctx;
    clump_status status;
    py_index *self = index_of(module, args[1]);
    if (!self) return NULL;
    if (py_points_get(module, args[2], &points)) goto done;
    if (py_context_begin_on(module, args[0], points.stream, &ctx)) goto done;
    if (self->queries || self->rebuilding) {
        py_context_end(args[0]);
        py_raise(module, CLUMP_ERR_ARGUMENT, "the index is in use by another thread, so it cannot be rebuilt now");
        goto done;
    }
    self->rebuilding = true;
    Py_BEGIN_ALLOW_THREADS
    status = clump_index_rebuild(ctx, self->index, points.points);
    Py_END_ALLOW_THREADS
    self->rebuilding = false;
    if (!py_context_finish(module, args[0], ctx, status)) result = Py_NewRef(Py_None);
done:
    py_points_release(&points);
    return result;
}

/* index_bytes(index) -> bytes that it holds */
static PyObject *index_bytes(PyObject *module, PyObject *object)
{
    py_index *self = index_of(module, object);
    return self ? PyLong_FromSize_t(clump_index_bytes(self->index)) : NULL;
}

/* --- queries --------------------------------------------------------------------------------- */

/* What all queries have: args are context, index, queries. */
typedef struct query {
    PyObject *module, *context;
    clump_context *ctx;
    py_index *index;
    py_points points;
} query;

static int query_begin(query *q, PyObject *module, PyObject *const *args)
{
    q->module = module;
    q->context = args[0];
    if (py_context_begin_on(module, args[0], q->points.stream, &q->ctx)) return -1;
    if (q->index->rebuilding) {
        py_context_end(args[0]);
        return py_raise(module, CLUMP_ERR_ARGUMENT, "the index is being rebuilt by another thread");
    }
    q->index->queries++;
    return 0;
}

/* The result of the function: None, or null with an exception set. */
static PyObject *query_end(query *q, clump_status status)
{
    q->index->queries--;
    if (py_context_finish(q->module, q->context, q->ctx, status)) return NULL;
    return Py_NewRef(Py_None);
}

/* index_nearest(context, index, queries, max_distance, indices, distances_squared) */
static PyObject *index_nearest(PyObject *module, PyObject *const *args, Py_ssize_t count)
{
    if (py_arguments("index_nearest", count, 6)) return NULL;
    PyObject *result = NULL;
    query q = {.index = index_of(module, args[1])};
    py_array indices = {0}, distances = {0};
    float most;
    clump_status status;
    if (!q.index) return NULL;
    if (py_points_get(module, args[2], &q.points)) goto done;
    if (py_float(args[3], "max_distance", &most)) goto done;
    if (py_array_get(module, args[4], "indices", 'i', PY_WRITE, q.points.points.count, &indices)) goto done;
    if (py_array_get(module, args[5], "distances", 'f', PY_WRITE, q.points.points.count, &distances)) goto done;
    if (query_begin(&q, module, args)) goto done;
    Py_BEGIN_ALLOW_THREADS
    status = clump_index_nearest(q.ctx, q.index->index, q.points.points, most, indices.data, distances.data);
    Py_END_ALLOW_THREADS
    result = query_end(&q, status);
done:
    py_array_release(&distances);
    py_array_release(&indices);
    py_points_release(&q.points);
    return result;
}

/* index_knn(context, index, queries, max_distance, k, indices, distances_squared) */
static PyObject *index_knn(PyObject *module, PyObject *const *args, Py_ssize_t count)
{
    if (py_arguments("index_knn", count, 7)) return NULL;
    PyObject *result = NULL;
    query q = {.index = index_of(module, args[1])};
    py_array indices = {0}, distances = {0};
    float most;
    int k;
    clump_status status;
    if (!q.index) return NULL;
    if (py_points_get(module, args[2], &q.points)) goto done;
    if (py_float(args[3], "max_distance", &most)) goto done;
    if (py_int(module, args[4], "k", &k)) goto done;
    const size_t cells = k > 0 ? q.points.points.count * (size_t)k : 0; /* k < 1: the library says so */
    if (py_array_get(module, args[5], "indices", 'i', PY_WRITE, cells, &indices)) goto done;
    if (py_array_get(module, args[6], "distances", 'f', PY_WRITE, cells, &distances)) goto done;
    if (query_begin(&q, module, args)) goto done;
    Py_BEGIN_ALLOW_THREADS
    status = clump_index_knn(q.ctx, q.index->index, q.points.points, k, most, indices.data, distances.data);
    Py_END_ALLOW_THREADS
    result = query_end(&q, status);
done:
    py_array_release(&distances);
    py_array_release(&indices);
    py_points_release(&q.points);
    return result;
}

/* index_radius_count(context, index, queries, radius, offsets) */
static PyObject *index_radius_count(PyObject *module, PyObject *const *args, Py_ssize_t count)
{
    if (py_arguments("index_radius_count", count, 5)) return NULL;
    PyObject *result = NULL;
    query q = {.index = index_of(module, args[1])};
    py_array offsets = {0};
    float radius;
    clump_status status;
    if (!q.index) return NULL;
    if (py_points_get(module, args[2], &q.points)) goto done;
    if (py_float(args[3], "r", &radius)) goto done;
    if (py_array_get(module, args[4], "offsets", 'q', PY_WRITE, q.points.points.count + 1, &offsets)) goto done;
    if (query_begin(&q, module, args)) goto done;
    Py_BEGIN_ALLOW_THREADS
    status = clump_index_radius_count(q.ctx, q.index->index, q.points.points, radius, offsets.data);
    Py_END_ALLOW_THREADS
    result = query_end(&q, status);
done:
    py_array_release(&offsets);
    py_points_release(&q.points);
    return result;
}

/* index_radius_fill(context, index, queries, radius, offsets, indices, distances_squared); indices and distances have
 * offsets[-1] elements */
static PyObject *index_radius_fill(PyObject *module, PyObject *const *args, Py_ssize_t count)
{
    if (py_arguments("index_radius_fill", count, 7)) return NULL;
    PyObject *result = NULL;
    query q = {.index = index_of(module, args[1])};
    py_array offsets = {0}, indices = {0}, distances = {0};
    float radius;
    clump_status status;
    if (!q.index) return NULL;
    if (py_points_get(module, args[2], &q.points)) goto done;
    if (py_float(args[3], "r", &radius)) goto done;
    const size_t last = q.points.points.count;
    if (py_array_get(module, args[4], "offsets", 'q', PY_READ, last + 1, &offsets)) goto done;
    const size_t total =
        offsets.place == CLUMP_PLACE_HOST ? (size_t)((const int64_t *)offsets.data)[last] : PY_ANY_COUNT;
    if (py_array_get(module, args[5], "indices", 'i', PY_WRITE, total, &indices)) goto done;
    if (py_array_get(module, args[6], "distances", 'f', PY_WRITE, total, &distances)) goto done;
    if (query_begin(&q, module, args)) goto done;
    Py_BEGIN_ALLOW_THREADS
    status = clump_index_radius_fill(q.ctx, q.index->index, q.points.points, radius, offsets.data, indices.data,
                                     distances.data);
    Py_END_ALLOW_THREADS
    result = query_end(&q, status);
done:
    py_array_release(&distances);
    py_array_release(&indices);
    py_array_release(&offsets);
    py_points_release(&q.points);
    return result;
}

PyMethodDef py_index_functions[] = {
    {"index_create", (PyCFunction)(uintptr_t)index_create, METH_FASTCALL, NULL},
    {"index_rebuild", (PyCFunction)(uintptr_t)index_rebuild, METH_FASTCALL, NULL},
    {"index_bytes", index_bytes, METH_O, NULL},
    {"index_nearest", (PyCFunction)(uintptr_t)index_nearest, METH_FASTCALL, NULL},
    {"index_knn", (PyCFunction)(uintptr_t)index_knn, METH_FASTCALL, NULL},
    {"index_radius_count", (PyCFunction)(uintptr_t)index_radius_count, METH_FASTCALL, NULL},
    {"index_radius_fill", (PyCFunction)(uintptr_t)index_radius_fill, METH_FASTCALL, NULL},
    {NULL, NULL, 0, NULL},
};
