/* SPDX-License-Identifier: BSD-3-Clause
 *
 * dlpack.c: DLPack capsules to views, and views to capsules.
 *
 * A capsule owns its tensor until it is consumed: its destructor calls the deleter. A consumer renames the capsule and
 * calls the deleter itself, once, when it does not need the memory any more. A capsule that cannot be used is not
 * consumed.
 */
#include "device_view.h"

#include <stdlib.h>

/* --- import ---------------------------------------------------------------------------------- */

/* Fills a view from a tensor. Returns -1 with an exception set where it cannot. */
static int fill(PyObject *module, py_view *view, const dl_tensor *t)
{
    view->device = t->device;
    if (t->ndim < 0 || t->ndim > PY_VIEW_DIMENSIONS)
        return py_refuse(module, "a DLPack tensor with %d dimensions cannot be used: 1 or 2 are needed", (int)t->ndim);
    if (t->ndim > 0 && !t->shape) return py_refuse(module, "a DLPack tensor has no shape");
    if (py_view_shape(module, view, t->ndim, t->shape, t->strides)) return -1;
    bool empty = false;
    for (int k = 0; k < view->ndim; k++) empty |= view->shape[k] == 0;
    if (empty) return 0;
    if (!t->data) return py_refuse(module, "a DLPack tensor has elements but no memory");
    view->data = (char *)t->data + t->byte_offset;
    return 0;
}

/* Returns a view of a tensor, which does not own it yet. */
static py_view *view_of(PyObject *module, const dl_tensor *t)
{
    if (t->device.type != DL_CPU && t->device.type != DL_CUDA && t->device.type != DL_CUDA_HOST &&
        t->device.type != DL_CUDA_MANAGED) {
        py_refuse(module, "a DLPack tensor is on a device of type %d; clump takes those of the CPU and of CUDA",
                  (int)t->device.type);
        return NULL;
    }
    const py_view_type *type = t->type.lanes == 1 ? py_view_type_of_dlpack(t->type) : NULL;
    if (!type) {
        py_refuse(module,
                  "a DLPack tensor has elements of type code %d with %d bits and %d lanes, which clump cannot use",
                  (int)t->type.code, (int)t->type.bits, (int)t->type.lanes);
        return NULL;
    }
    py_view *view = py_view_new(module, type);
    if (view && fill(module, view, t)) {
        Py_DECREF((PyObject *)view);
        return NULL;
    }
    return view;
}

static PyObject *from_unversioned(PyObject *module, PyObject *capsule)
{
    dl_managed *managed = PyCapsule_GetPointer(capsule, DL_CAPSULE);
    if (!managed) return NULL;
    py_view *view = view_of(module, &managed->tensor);
    if (!view) return NULL;
    if (PyCapsule_SetName(capsule, DL_CAPSULE_USED)) {
        Py_DECREF((PyObject *)view);
        return NULL;
    }
    view->managed = managed;
    return (PyObject *)view;
}

static PyObject *from_versioned(PyObject *module, PyObject *capsule)
{
    dl_versioned *versioned = PyCapsule_GetPointer(capsule, DL_CAPSULE_VERSIONED);
    if (!versioned) return NULL;
    if (versioned->major != DL_MAJOR) {
        py_refuse(module, "a DLPack capsule has version %u.%u; clump reads versions 1.x", (unsigned)versioned->major,
                  (unsigned)versioned->minor);
        return NULL;
    }
    py_view *view = view_of(module, &versioned->tensor);
    if (!view) return NULL;
    view->read_only = versioned->flags & DL_READ_ONLY;
    if (PyCapsule_SetName(capsule, DL_CAPSULE_VERSIONED_USED)) {
        Py_DECREF((PyObject *)view);
        return NULL;
    }
    view->versioned = versioned;
    return (PyObject *)view;
}

PyObject *py_view_from_capsule(PyObject *module, PyObject *capsule)
{
    if (PyCapsule_IsValid(capsule, DL_CAPSULE_VERSIONED)) return from_versioned(module, capsule);
    if (PyCapsule_IsValid(capsule, DL_CAPSULE)) return from_unversioned(module, capsule);
    if (PyCapsule_IsValid(capsule, DL_CAPSULE_USED) || PyCapsule_IsValid(capsule, DL_CAPSULE_VERSIONED_USED))
        py_refuse(module, "this DLPack capsule has been used already");
    else
        PyErr_SetString(PyExc_TypeError, "__dlpack__ did not return a DLPack capsule");
    return NULL;
}

/* --- export ---------------------------------------------------------------------------------- */

/* What a capsule points to, with the arrays that the tensor refers to. */
typedef struct exported {
    union {
        dl_managed managed;
        dl_versioned versioned;
    } as;
    int64_t shape[PY_VIEW_DIMENSIONS], strides[PY_VIEW_DIMENSIONS];
    PyObject *view;
} exported;

/* Releases an export. A consumer calls it from any thread, with the GIL or without, perhaps when Python has ended. */
static void release(exported *e)
{
    if (!e) return;
    if (Py_IsInitialized()) {
        const PyGILState_STATE gil = PyGILState_Ensure();
        PyObject *type, *value, *traceback; /* the caller may be handling an exception */
        PyErr_Fetch(&type, &value, &traceback);
        Py_DECREF(e->view);
        PyErr_Restore(type, value, traceback);
        PyGILState_Release(gil);
    }
    free(e);
}

static void delete_managed(dl_managed *self)
{
    release(self->manager);
}

static void delete_versioned(dl_versioned *self)
{
    release(self->manager);
}

/* Destructors of capsules: only a capsule that no consumer has taken owns its tensor. */
static void end_managed(PyObject *capsule)
{
    if (!PyCapsule_IsValid(capsule, DL_CAPSULE)) return;
    dl_managed *managed = PyCapsule_GetPointer(capsule, DL_CAPSULE);
    if (managed) managed->deleter(managed);
}

static void end_versioned(PyObject *capsule)
{
    if (!PyCapsule_IsValid(capsule, DL_CAPSULE_VERSIONED)) return;
    dl_versioned *versioned = PyCapsule_GetPointer(capsule, DL_CAPSULE_VERSIONED);
    if (versioned) versioned->deleter(versioned);
}

static dl_tensor tensor_of(const py_view *view, exported *e)
{
    const py_view_type *type = py_view_type_of(view->type);
    for (int k = 0; k < view->ndim; k++) {
        e->shape[k] = view->shape[k];
        e->strides[k] = view->strides[k] / view->item;
    }
    return (dl_tensor){
        .data = view->data,
        .device = view->device,
        .ndim = view->ndim,
        .type = {type->code, type->bits, 1},
        .shape = e->shape,
        .strides = e->strides,
    };
}

PyObject *py_view_to_capsule(PyObject *module, py_view *view, bool versioned)
{
    for (int k = 0; k < view->ndim; k++)
        if (view->strides[k] % view->item) {
            py_refuse(module, "the strides of this view are not multiples of its element, as DLPack demands");
            return NULL;
        }
    exported *e = calloc(1, sizeof *e);
    if (!e) return PyErr_NoMemory();
    e->view = (PyObject *)view;
    Py_INCREF(e->view);
    PyObject *capsule;
    if (versioned) {
        e->as.versioned = (dl_versioned){
            .major = DL_MAJOR,
            .minor = DL_MINOR,
            .manager = e,
            .deleter = delete_versioned,
            .flags = view->read_only ? DL_READ_ONLY : 0,
            .tensor = tensor_of(view, e),
        };
        capsule = PyCapsule_New(&e->as.versioned, DL_CAPSULE_VERSIONED, end_versioned);
    } else {
        e->as.managed = (dl_managed){.tensor = tensor_of(view, e), .manager = e, .deleter = delete_managed};
        capsule = PyCapsule_New(&e->as.managed, DL_CAPSULE, end_managed);
    }
    if (!capsule) release(e);
    return capsule;
}
