/* SPDX-License-Identifier: BSD-3-Clause
 *
 * view_make.c: views of addresses and of new memory, views as arguments of the library, copies.
 */
#include "device_view.h"

#include <string.h>

#include <clump/cuda.h>

#include "values.h"

/* --- as points and as arrays ----------------------------------------------------------------- */

static clump_place place_of(const py_view *view)
{
    return py_view_on_gpu(view) ? CLUMP_PLACE_DEVICE : CLUMP_PLACE_HOST;
}

int py_view_points(PyObject *module, PyObject *object, py_points *out)
{
    const py_view *view = (const py_view *)object;
    if (view->ndim != 2) return py_refuse(module, "points have %d dimensions; (N, 3) is needed", view->ndim);
    if (view->type != 'f')
        return py_refuse(module, "points on a GPU must be float32, not %s", py_view_type_of(view->type)->name);
    if (view->shape[1] < 3)
        return py_refuse(module, "points have %zd column%s; x, y and z are needed", view->shape[1],
                         view->shape[1] == 1 ? "" : "s");
    out->points = (clump_points){.xyz = (const float *)view->data, .count = (size_t)view->shape[0], .stride = 12};
    out->points.place = place_of(view);
    out->stream = view->stream;
    if (view->shape[0] == 0) return 0;
    if (view->strides[1] != 4)
        return py_refuse(module, "the columns of points on a GPU must follow each other: make the array contiguous");
    if (view->shape[0] > 1) {
        if (view->strides[0] < 12 || view->strides[0] % 4)
            return py_refuse(module, "the rows of points on a GPU are %zd bytes apart: make the array contiguous",
                             view->strides[0]);
        out->points.stride = (size_t)view->strides[0];
    }
    if ((uintptr_t)view->data % 4) return py_refuse(module, "the points are not aligned to 4 bytes");
    return 0;
}

int py_view_array(PyObject *module, PyObject *object, const char *name, char type, bool writable, py_array *out)
{
    const py_view *view = (const py_view *)object;
    if (view->type != type && !(type == 'B' && view->type == '?') && !(type == 'H' && view->type == 'h')) {
        PyErr_Format(PyExc_TypeError, "%s must be an array of %s, not %s", name,
                     type == 'B'   ? "bool or uint8"
                     : type == 'H' ? "uint16 or int16"
                                   : py_view_type_of(type)->name,
                     py_view_type_of(view->type)->name);
        return -1;
    }
    if (writable && view->read_only) return py_refuse(module, "%s cannot be written to", name);
    if (!py_view_in_c_order(view)) return py_refuse(module, "%s must be a contiguous array", name);
    if ((uintptr_t)view->data % (uintptr_t)view->item) return py_refuse(module, "%s is not aligned", name);
    out->data = view->data;
    out->count = (size_t)py_view_elements(view);
    out->place = place_of(view);
    out->stream = view->stream;
    return 0;
}

/* --- functions of the module ----------------------------------------------------------------- */

/* Reads a tuple of up to PY_VIEW_DIMENSIONS integers. Returns their number, -1 with an exception set. */
static int read_sizes(PyObject *module, PyObject *tuple, int64_t *out)
{
    const Py_ssize_t count = PySequence_Size(tuple);
    if (count < 0) return -1;
    if (count > PY_VIEW_DIMENSIONS)
        return py_refuse(module, "an array with %zd dimensions cannot be used: 1 or 2 are needed", count);
    for (Py_ssize_t k = 0; k < count; k++) {
        PyObject *item = PySequence_GetItem(tuple, k);
        if (!item) return -1;
        out[k] = PyLong_AsLongLong(item);
        Py_DECREF(item);
        if (out[k] == -1 && PyErr_Occurred()) return -1;
    }
    return (int)count;
}

/* Returns a view without memory. strides are in bytes, or None; device -1 is the host. */
static py_view *make(PyObject *module, PyObject *shape, PyObject *strides, PyObject *typestr, int device)
{
    int64_t lengths[PY_VIEW_DIMENSIONS], bytes[PY_VIEW_DIMENSIONS];
    const int ndim = read_sizes(module, shape, lengths);
    if (ndim < 0) return NULL;
    if (strides != Py_None && read_sizes(module, strides, bytes) != ndim) {
        if (!PyErr_Occurred()) py_refuse(module, "an array has %d dimensions but another number of strides", ndim);
        return NULL;
    }
    Py_ssize_t length;
    const char *text = PyUnicode_AsUTF8AndSize(typestr, &length);
    const py_view_type *type = text ? py_view_type_of_typestr(text) : NULL;
    if (!type) {
        if (text) py_refuse(module, "clump cannot use arrays of type '%s'", text);
        return NULL;
    }
    py_view *view = py_view_new(module, type);
    if (!view) return NULL;
    if (py_view_shape(module, view, ndim, lengths, NULL)) {
        Py_DECREF((PyObject *)view);
        return NULL;
    }
    for (int k = 0; strides != Py_None && k < ndim; k++) view->strides[k] = (Py_ssize_t)bytes[k];
    view->device = device < 0 ? (dl_device){DL_CPU, 0} : (dl_device){DL_CUDA, device};
    return view;
}

/* Reads a stream: its handle, 0 for host memory, and whether calls wait for it. */
static int read_stream(PyObject *handle, PyObject *waits, py_stream *out)
{
    out->handle = PyLong_AsVoidPtr(handle);
    if (!out->handle && PyErr_Occurred()) return -1;
    return py_bool(waits, "waits", &out->waits);
}

/* view_capsule(capsule, stream, waits) -> view: consumes a DLPack capsule. */
static PyObject *view_capsule(PyObject *module, PyObject *const *args, Py_ssize_t count)
{
    py_stream stream;
    if (py_arguments("view_capsule", count, 3)) return NULL;
    if (read_stream(args[1], args[2], &stream)) return NULL;
    PyObject *view = py_view_from_capsule(module, args[0]);
    if (view && py_view_on_gpu((py_view *)view)) ((py_view *)view)->stream = stream;
    return view;
}

/* view_pointer(pointer, shape, strides, typestr, device, read_only, stream, waits, owner) -> view of memory that `owner`
 * keeps alive */
static PyObject *view_pointer(PyObject *module, PyObject *const *args, Py_ssize_t count)
{
    int device;
    bool read_only;
    py_stream stream;
    if (py_arguments("view_pointer", count, 9)) return NULL;
    void *const pointer = PyLong_AsVoidPtr(args[0]);
    if (!pointer && PyErr_Occurred()) return NULL;
    if (py_int(module, args[4], "device", &device)) return NULL;
    if (py_bool(args[5], "read_only", &read_only)) return NULL;
    if (read_stream(args[6], args[7], &stream)) return NULL;
    py_view *view = make(module, args[1], args[2], args[3], device);
    if (!view) return NULL;
    if (py_view_elements(view) > 0) {
        if (!pointer) {
            py_refuse(module, "an array has elements but no memory");
            Py_DECREF((PyObject *)view);
            return NULL;
        }
        view->data = pointer;
    }
    view->read_only = read_only;
    view->stream = stream;
    view->owner = args[8];
    Py_INCREF(view->owner);
    return (PyObject *)view;
}

/* view_empty(context, device, shape, typestr, stream) -> view of new memory of the context's GPU, which is number `device`.
 * Calls that write to it wait. */
static PyObject *view_empty(PyObject *module, PyObject *const *args, Py_ssize_t count)
{
    int device;
    if (py_arguments("view_empty", count, 5)) return NULL;
    if (py_int(module, args[1], "device", &device)) return NULL;
    py_view *view = make(module, args[2], Py_None, args[3], device);
    if (!view) return NULL;
    const size_t bytes = (size_t)(py_view_elements(view) * view->item);
    if (read_stream(args[4], Py_True, &view->stream)) goto failed;
    clump_context *ctx;
    clump_status status;
    void *memory = NULL;
    if (bytes == 0) return (PyObject *)view;
    if (py_context_begin(module, args[0], &ctx)) goto failed;
    Py_BEGIN_ALLOW_THREADS
    status = clump_cuda_allocate(ctx, CLUMP_CUDA_DEVICE, bytes, &memory);
    Py_END_ALLOW_THREADS
    if (py_context_finish(module, args[0], ctx, status)) goto failed;
    view->data = memory;
    view->context = args[0];
    Py_INCREF(view->context);
    return (PyObject *)view;
failed:
    Py_DECREF((PyObject *)view);
    return NULL;
}

/* One side of a copy: a view or a buffer. */
typedef struct side {
    void *data;
    size_t bytes;
    py_stream stream;
    Py_buffer buffer;
    bool held;
} side;

static int side_get(PyObject *module, PyObject *object, bool writable, side *out)
{
    if (py_view_check(module, object)) {
        const py_view *view = (const py_view *)object;
        if (!py_view_in_c_order(view)) return py_refuse(module, "only contiguous arrays can be copied here");
        if (writable && view->read_only) return py_refuse(module, "this array cannot be written to");
        out->data = view->data;
        out->bytes = (size_t)(py_view_elements(view) * view->item);
        out->stream = view->stream;
        return 0;
    }
    if (PyObject_GetBuffer(object, &out->buffer, PyBUF_C_CONTIGUOUS | (writable ? PyBUF_WRITABLE : 0))) return -1;
    out->held = true;
    out->data = out->buffer.buf;
    out->bytes = (size_t)out->buffer.len;
    return 0;
}

/* view_copy(context, to, from): copies between views and buffers, and waits. */
static PyObject *view_copy(PyObject *module, PyObject *const *args, Py_ssize_t count)
{
    if (py_arguments("view_copy", count, 3)) return NULL;
    PyObject *result = NULL;
    side to = {0}, from = {0};
    clump_context *ctx;
    clump_status status;
    if (side_get(module, args[1], true, &to) || side_get(module, args[2], false, &from)) goto done;
    if (to.bytes != from.bytes) {
        py_refuse(module, "%zu bytes cannot be copied to %zu bytes", from.bytes, to.bytes);
        goto done;
    }
    if (py_context_begin_on(module, args[0], from.stream.handle ? from.stream : to.stream, &ctx)) goto done;
    Py_BEGIN_ALLOW_THREADS
    status = clump_cuda_copy(ctx, to.data, from.data, from.bytes);
    Py_END_ALLOW_THREADS
    if (py_context_finish(module, args[0], ctx, status)) goto done;
    result = Py_None;
    Py_INCREF(result);
done:
    if (to.held) PyBuffer_Release(&to.buffer);
    if (from.held) PyBuffer_Release(&from.buffer);
    return result;
}

/* view_wait(context, view): waits for the stream of a view. */
static PyObject *view_wait(PyObject *module, PyObject *const *args, Py_ssize_t count)
{
    if (py_arguments("view_wait", count, 2)) return NULL;
    if (!py_view_check(module, args[1])) return py_type_error("view", "a DeviceView", args[1]);
    clump_context *ctx;
    clump_status status;
    if (py_context_begin_on(module, args[0], ((py_view *)args[1])->stream, &ctx)) return NULL;
    Py_BEGIN_ALLOW_THREADS
    status = clump_cuda_wait(ctx);
    Py_END_ALLOW_THREADS
    if (py_context_finish(module, args[0], ctx, status)) return NULL;
    Py_RETURN_NONE;
}

PyMethodDef py_view_functions[] = {
    {"view_capsule", (PyCFunction)(uintptr_t)view_capsule, METH_FASTCALL, NULL},
    {"view_pointer", (PyCFunction)(uintptr_t)view_pointer, METH_FASTCALL, NULL},
    {"view_empty", (PyCFunction)(uintptr_t)view_empty, METH_FASTCALL, NULL},
    {"view_copy", (PyCFunction)(uintptr_t)view_copy, METH_FASTCALL, NULL},
    {"view_wait", (PyCFunction)(uintptr_t)view_wait, METH_FASTCALL, NULL},
    {NULL, NULL, 0, NULL},
};
