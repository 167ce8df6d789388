/* SPDX-License-Identifier: BSD-3-Clause
 *
 * device_view.c: the type DeviceView, see device_view.h.
 *
 * Python sees of it: pointer, shape, strides, dtype, device, read_only, len(), __dlpack__, __dlpack_device__ and
 * __cuda_array_interface__ (version 3). A view of host memory has the buffer protocol instead of the last.
 */
#include "device_view.h"

#include <clump/cuda.h>

/* --- ending ---------------------------------------------------------------------------------- */

/* Releases memory that was allocated with the view's context. A failure cannot be reported. */
static void release_memory(PyObject *module, py_view *view)
{
    clump_context *ctx;
    if (!module || py_context_begin(module, view->context, &ctx)) {
        PyErr_Clear();
        return;
    }
    void *const memory = view->data;
    Py_BEGIN_ALLOW_THREADS
    clump_cuda_release(ctx, CLUMP_CUDA_DEVICE, memory);
    Py_END_ALLOW_THREADS
    py_context_end(view->context);
}

static void view_dealloc(PyObject *self)
{
    py_view *view = (py_view *)self;
    PyTypeObject *type = Py_TYPE(self);
    PyObject *kind, *value, *traceback; /* a view may end while an exception is on its way */
    PyErr_Fetch(&kind, &value, &traceback);
    if (view->managed && view->managed->deleter) view->managed->deleter(view->managed);
    if (view->versioned && view->versioned->deleter) view->versioned->deleter(view->versioned);
    if (view->context && view->data) release_memory(PyType_GetModule(type), view);
    Py_XDECREF(view->context);
    Py_XDECREF(view->owner);
    PyErr_Restore(kind, value, traceback);
    py_free(self);
}

/* --- attributes ------------------------------------------------------------------------------ */

static PyObject *sizes(const Py_ssize_t *values, int count)
{
    PyObject *tuple = PyTuple_New(count);
    for (int k = 0; tuple && k < count; k++) {
        PyObject *value = PyLong_FromSsize_t(values[k]);
        if (!value || PyTuple_SetItem(tuple, k, value)) Py_CLEAR(tuple);
    }
    return tuple;
}

static PyObject *get_pointer(PyObject *self, void *Py_UNUSED(closure))
{
    return PyLong_FromVoidPtr(((py_view *)self)->data);
}

static PyObject *get_shape(PyObject *self, void *Py_UNUSED(closure))
{
    return sizes(((py_view *)self)->shape, ((py_view *)self)->ndim);
}

static PyObject *get_strides(PyObject *self, void *Py_UNUSED(closure))
{
    return sizes(((py_view *)self)->strides, ((py_view *)self)->ndim);
}

static PyObject *get_dtype(PyObject *self, void *Py_UNUSED(closure))
{
    return PyUnicode_FromString(py_view_type_of(((py_view *)self)->type)->name);
}

static PyObject *get_device(PyObject *self, void *Py_UNUSED(closure))
{
    py_view *view = (py_view *)self;
    return py_view_on_gpu(view) ? PyUnicode_FromFormat("cuda:%d", (int)view->device.id) : PyUnicode_FromString("cpu");
}

static PyObject *get_read_only(PyObject *self, void *Py_UNUSED(closure))
{
    return PyBool_FromLong(((py_view *)self)->read_only);
}

static PyObject *get_owner(PyObject *self, void *Py_UNUSED(closure))
{
    PyObject *owner = ((py_view *)self)->owner ? ((py_view *)self)->owner : Py_None;
    Py_INCREF(owner);
    return owner;
}

/* Results are complete when a call returns them: a consumer has no stream to wait for. */
static PyObject *get_cuda_array_interface(PyObject *self, void *Py_UNUSED(closure))
{
    py_view *view = (py_view *)self;
    if (!py_view_on_gpu(view)) {
        PyErr_SetString(PyExc_AttributeError, "__cuda_array_interface__: this view is of host memory");
        return NULL;
    }
    PyObject *shape = get_shape(self, NULL), *strides = py_view_in_c_order(view) ? Py_None : get_strides(self, NULL);
    if (strides == Py_None) Py_INCREF(strides);
    PyObject *data = Py_BuildValue("(NO)", PyLong_FromVoidPtr(view->data), view->read_only ? Py_True : Py_False);
    if (!shape || !strides || !data) {
        Py_XDECREF(shape);
        Py_XDECREF(strides);
        Py_XDECREF(data);
        return NULL;
    }
    return Py_BuildValue("{sNsssNsNsisO}", "shape", shape, "typestr", py_view_type_of(view->type)->typestr, "data",
                         data, "strides", strides, "version", 3, "stream", Py_None);
}

static PyObject *view_repr(PyObject *self)
{
    PyObject *shape = get_shape(self, NULL), *device = shape ? get_device(self, NULL) : NULL, *text = NULL;
    if (device)
        text = PyUnicode_FromFormat("<clump.DeviceView %s %R on %U>", py_view_type_of(((py_view *)self)->type)->name,
                                    shape, device);
    Py_XDECREF(device);
    Py_XDECREF(shape);
    return text;
}

static Py_ssize_t view_length(PyObject *self)
{
    py_view *view = (py_view *)self;
    if (view->ndim) return view->shape[0];
    PyErr_SetString(PyExc_TypeError, "a view without dimensions has no length");
    return -1;
}

/* --- protocols ------------------------------------------------------------------------------- */

/* Reads a tuple of two integers; None leaves them. */
static int read_pair(PyObject *object, const char *name, int *first, int *second)
{
    if (object == Py_None) return 0;
    if (!PyTuple_Check(object)) {
        PyErr_Format(PyExc_TypeError, "%s must be a tuple of two integers", name);
        return -1;
    }
    return PyArg_ParseTuple(object, "ii", first, second) ? 0 : -1;
}

/* Results are complete when a call returns them, so every stream may use them at once. */
static int check_stream(const py_view *view, PyObject *stream)
{
    if (stream == Py_None) return 0;
    const long long handle = PyLong_AsLongLong(stream);
    if (handle == -1 && PyErr_Occurred()) return -1;
    const bool gpu = py_view_on_gpu(view);
    if (handle == -1 || (gpu && handle > 0)) return 0;
    PyErr_Format(PyExc_ValueError, "__dlpack__: there is no stream %lld here: %s", handle,
                 gpu ? "1 is the default stream of CUDA" : "the memory is of the host");
    return -1;
}

/* __dlpack__(*, stream=None, max_version=None, dl_device=None, copy=None) */
static PyObject *view_dlpack(PyObject *self, PyObject *args, PyObject *keywords)
{
    static char *names[] = {"stream", "max_version", "dl_device", "copy", NULL};
    PyObject *stream = Py_None, *version = Py_None, *device = Py_None, *copy = Py_None;
    if (!PyArg_ParseTupleAndKeywords(args, keywords, "|$OOOO:__dlpack__", names, &stream, &version, &device, &copy))
        return NULL;
    py_view *view = (py_view *)self;
    int type = view->device.type, id = view->device.id, major = 0, minor = 0;
    if (check_stream(view, stream) || read_pair(device, "dl_device", &type, &id) ||
        read_pair(version, "max_version", &major, &minor))
        return NULL;
    const int copies = copy == Py_None ? 0 : PyObject_IsTrue(copy);
    if (copies < 0) return NULL;
    const char *refused = NULL;
    if (copies)
        refused = "__dlpack__: a DeviceView makes no copies";
    else if (type != view->device.type || id != view->device.id)
        refused = "__dlpack__: the memory is on another device";
    else if (major < 1 && view->read_only)
        refused = "__dlpack__: the memory is read-only, which needs max_version=(1, 0)";
    if (refused) {
        PyErr_SetString(PyExc_BufferError, refused);
        return NULL;
    }
    return py_view_to_capsule(PyType_GetModule(Py_TYPE(self)), view, major >= 1);
}

static PyObject *view_dlpack_device(PyObject *self, PyObject *Py_UNUSED(none))
{
    const py_view *view = (const py_view *)self;
    return Py_BuildValue("(ii)", (int)view->device.type, (int)view->device.id);
}

static int view_buffer(PyObject *self, Py_buffer *buffer, int flags)
{
    py_view *view = (py_view *)self;
    const char *refused = NULL;
    if (py_view_on_gpu(view))
        refused = "the memory of this view is on a GPU";
    else if ((flags & PyBUF_WRITABLE) == PyBUF_WRITABLE && view->read_only)
        refused = "this view is read-only";
    else if (((flags & PyBUF_STRIDES) != PyBUF_STRIDES || (flags & PyBUF_C_CONTIGUOUS) == PyBUF_C_CONTIGUOUS) &&
             !py_view_in_c_order(view))
        refused = "this view is not contiguous";
    else if ((flags & PyBUF_ANY_CONTIGUOUS) == PyBUF_ANY_CONTIGUOUS && !py_view_in_c_order(view))
        refused = "this view is not contiguous";
    else if ((flags & PyBUF_F_CONTIGUOUS) == PyBUF_F_CONTIGUOUS && view->ndim > 1)
        refused = "this view is not in Fortran order";
    if (refused) {
        PyErr_SetString(PyExc_BufferError, refused);
        buffer->obj = NULL;
        return -1;
    }
    static char nothing; /* where elements are that do not exist */
    Py_INCREF(self);
    buffer->obj = self;
    buffer->buf = view->data ? view->data : &nothing;
    buffer->len = py_view_elements(view) * view->item;
    buffer->itemsize = view->item;
    buffer->readonly = view->read_only;
    buffer->ndim = view->ndim;
    buffer->format = flags & PyBUF_FORMAT ? view->format : NULL;
    buffer->shape = flags & PyBUF_ND ? view->shape : NULL;
    buffer->strides = (flags & PyBUF_STRIDES) == PyBUF_STRIDES ? view->strides : NULL;
    buffer->suboffsets = NULL;
    buffer->internal = NULL;
    return 0;
}

static PyMethodDef view_methods[] = {
    {"__dlpack__", (PyCFunction)(uintptr_t)view_dlpack, METH_VARARGS | METH_KEYWORDS,
     "Returns a DLPack capsule of the memory, which keeps this view alive."},
    {"__dlpack_device__", view_dlpack_device, METH_NOARGS, "Returns the type and the number of the device."},
    {NULL, NULL, 0, NULL},
};

static PyGetSetDef view_attributes[] = {
    {"pointer", get_pointer, NULL, "Address of element 0; 0 where there are no elements.", NULL},
    {"shape", get_shape, NULL, "Lengths of the dimensions.", NULL},
    {"strides", get_strides, NULL, "Bytes between elements, per dimension.", NULL},
    {"dtype", get_dtype, NULL, "Name of the type, 'int32'.", NULL},
    {"device", get_device, NULL, "'cuda:0', or 'cpu'.", NULL},
    {"read_only", get_read_only, NULL, "Whether the memory must not be written to.", NULL},
    {"owner", get_owner, NULL, "The object that the memory belongs to, or None.", NULL},
    {"__cuda_array_interface__", get_cuda_array_interface, NULL, "The CUDA array interface, version 3.", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyType_Slot view_slots[] = {
    {Py_tp_doc, "An array in the memory of a GPU. Array libraries take it without a copy: cupy.asarray(view), "
                "torch.from_dlpack(view), jax.dlpack.from_dlpack(view)."},
    {Py_tp_dealloc, (void *)(uintptr_t)view_dealloc},
    {Py_tp_repr, (void *)(uintptr_t)view_repr},
    {Py_sq_length, (void *)(uintptr_t)view_length},
    {Py_tp_methods, view_methods},
    {Py_tp_getset, view_attributes},
    {Py_bf_getbuffer, (void *)(uintptr_t)view_buffer},
    {0, NULL},
};

static PyType_Spec view_spec = {
    .name = "clump.DeviceView",
    .basicsize = sizeof(py_view),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION | Py_TPFLAGS_IMMUTABLETYPE,
    .slots = view_slots,
};

int py_view_init(PyObject *module)
{
    py_state *state = py_state_of(module);
    state->view_type = py_add_type(module, &view_spec);
    return state->view_type ? 0 : -1;
}
