/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cloud_view.c: a view of the memory of a cloud. It has the buffer protocol, so numpy.asarray() makes an array of it without
 * a copy. The view keeps the cloud alive.
 */
#include "cloud.h"

typedef struct py_cloud_view {
    PyObject_HEAD
    py_cloud *cloud;
    void *data;
    Py_ssize_t shape[2], strides[2];
    int dimensions;
    clump_type type;
    bool is_field;
} py_cloud_view;

/* Characters of the struct module, native size. NumPy's int64 is long where long has 64 bits. */
#define INT64  (sizeof(long) == 8 ? "l" : "q")
#define UINT64 (sizeof(long) == 8 ? "L" : "Q")
static const char *const formats[] = {"b", "B", "h", "H", "i", "I", INT64, UINT64, "f", "d"};

static Py_ssize_t view_bytes(const py_cloud_view *view)
{
    return view->shape[0] * view->strides[0];
}

static int get_buffer(PyObject *self, Py_buffer *buffer, int flags)
{
    py_cloud_view *const view = (py_cloud_view *)self;
    const bool flat = !(flags & PyBUF_ND);
    *buffer = (Py_buffer){.buf = view->data,
                          .obj = self,
                          .len = view_bytes(view),
                          .itemsize = (Py_ssize_t)clump_type_size(view->type),
                          .ndim = flat ? 1 : view->dimensions};
    if (flags & PyBUF_FORMAT) buffer->format = (char *)(uintptr_t)formats[view->type];
    if (!flat) buffer->shape = view->shape;
    if ((flags & PyBUF_STRIDES) == PyBUF_STRIDES) buffer->strides = view->strides;
    if ((flags & PyBUF_F_CONTIGUOUS) == PyBUF_F_CONTIGUOUS && (flags & PyBUF_C_CONTIGUOUS) != PyBUF_C_CONTIGUOUS &&
        view->dimensions == 2) {
        buffer->obj = NULL;
        PyErr_SetString(PyExc_BufferError, "the memory of a cloud is in C order");
        return -1;
    }
    Py_INCREF(self);
    return 0;
}

static void destroy(PyObject *self)
{
    const py_cloud_view *const view = (const py_cloud_view *)self;
    if (view->is_field) view->cloud->field_views--;
    Py_DECREF((PyObject *)view->cloud);
    py_free(self);
}

static PyType_Slot slots[] = {
    {Py_tp_dealloc, (void *)(uintptr_t)destroy},
    {Py_tp_doc, (void *)"Memory of a cloud, for numpy.asarray()."},
    {Py_bf_getbuffer, (void *)(uintptr_t)get_buffer},
    {0, NULL},
};

PyType_Spec py_cloud_view_spec = {
    .name = "clump._clump.CloudView",
    .basicsize = sizeof(py_cloud_view),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
    .slots = slots,
};

PyObject *py_cloud_view_create(PyObject *module, py_cloud *cloud, void *data, clump_type kind, size_t columns,
                               bool is_field)
{
    py_cloud_view *const view = (py_cloud_view *)py_new((PyTypeObject *)py_state_of(module)->cloud_view_type);
    if (!view) return NULL;
    const Py_ssize_t item = (Py_ssize_t)clump_type_size(kind);
    Py_INCREF((PyObject *)cloud);
    view->cloud = cloud;
    if (is_field) cloud->field_views++;
    view->data = data;
    view->type = kind;
    view->is_field = is_field;
    view->dimensions = is_field && columns == 1 ? 1 : 2;
    view->shape[0] = (Py_ssize_t)clump_cloud_points(cloud->cloud).count;
    view->shape[1] = (Py_ssize_t)columns;
    view->strides[0] = item * (Py_ssize_t)columns;
    view->strides[1] = item;
    return (PyObject *)view;
}
