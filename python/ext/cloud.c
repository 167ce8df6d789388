/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cloud.c: files into clouds, clouds into files, and what is in a cloud. See cloud.h.
 */
#include "cloud.h"

#include "arrays.h"
#include "values.h"

#include <string.h>

PyObject *py_text(const char *text)
{
    return PyUnicode_DecodeUTF8(text, (Py_ssize_t)strlen(text), "surrogateescape");
}

/* --- the type -------------------------------------------------------------------------------- */

static void destroy(PyObject *self)
{
    clump_cloud_destroy(((py_cloud *)self)->cloud);
    py_free(self);
}

static PyType_Slot slots[] = {
    {Py_tp_dealloc, (void *)(uintptr_t)destroy},
    {Py_tp_doc, (void *)"A clump_cloud."},
    {0, NULL},
};

static PyType_Spec spec = {
    .name = "clump._clump.CloudHandle",
    .basicsize = sizeof(py_cloud),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
    .slots = slots,
};

int py_cloud_init(PyObject *module)
{
    py_state *const state = py_state_of(module);
    state->cloud_type = py_add_type(module, &spec);
    if (!state->cloud_type) return -1;
    state->cloud_view_type = py_add_type(module, &py_cloud_view_spec);
    return state->cloud_view_type ? 0 : -1;
}

PyObject *py_cloud_wrap(PyObject *module, clump_cloud *cloud)
{
    py_cloud *const self = (py_cloud *)py_new((PyTypeObject *)py_state_of(module)->cloud_type);
    if (!self) {
        clump_cloud_destroy(cloud);
        return NULL;
    }
    self->cloud = cloud;
    self->field_views = self->workers = 0;
    return (PyObject *)self;
}

/* Returns the argument as a cloud, or null with an exception. */
py_cloud *py_cloud_of(PyObject *module, PyObject *object)
{
    if (PyObject_TypeCheck(object, (PyTypeObject *)py_state_of(module)->cloud_type)) return (py_cloud *)object;
    PyErr_SetString(PyExc_TypeError, "a CloudHandle is needed");
    return NULL;
}

/* --- files ----------------------------------------------------------------------------------- */

/* load(path, format, columns, partial, threads) */
static PyObject *load(PyObject *module, PyObject *args)
{
    const char *path;
    int format, partial;
    clump_load_options options = clump_load_defaults();
    if (!PyArg_ParseTuple(args, "yizpi", &path, &format, &options.columns, &partial, &options.threads)) return NULL;
    options.format = (clump_format)format;
    options.partial = partial;
    clump_cloud *cloud;
    clump_message why = {0};
    clump_status status;
    Py_BEGIN_ALLOW_THREADS
    status = clump_cloud_load(path, &options, &cloud, &why);
    Py_END_ALLOW_THREADS
    if (status == CLUMP_OK) return py_cloud_wrap(module, cloud);
    py_raise(module, status, why.text);
    return NULL;
}

/* parse(bytes, name, format, columns, partial, threads) */
static PyObject *parse(PyObject *module, PyObject *args)
{
    const char *name;
    Py_ssize_t name_size;
    int format, partial;
    Py_buffer bytes;
    clump_load_options options = clump_load_defaults();
    if (!PyArg_ParseTuple(args, "y*z#izpi", &bytes, &name, &name_size, &format, &options.columns, &partial,
                          &options.threads))
        return NULL;
    options.format = (clump_format)format;
    options.partial = partial;
    clump_cloud *cloud;
    clump_message why = {0};
    clump_status status;
    Py_BEGIN_ALLOW_THREADS
    status = clump_cloud_parse(bytes.buf, (size_t)bytes.len, name, &options, &cloud, &why);
    Py_END_ALLOW_THREADS
    PyBuffer_Release(&bytes);
    if (status == CLUMP_OK) return py_cloud_wrap(module, cloud);
    py_raise(module, status, why.text);
    return NULL;
}

/* Writes without the GIL. labels: null, or one per point. */
static clump_status save_unlocked(py_cloud *self, const char *path, const int32_t *labels,
                                  const clump_save_options *options, clump_message *why)
{
    clump_status status;
    self->workers++;
    Py_BEGIN_ALLOW_THREADS
    status = clump_cloud_save(path, self->cloud, labels, options, why);
    Py_END_ALLOW_THREADS
    self->workers--;
    return status;
}

/* save(cloud, path, labels, format, encoding, threads): returns the remark of the library, "" for none */
static PyObject *save(PyObject *module, PyObject *args)
{
    PyObject *object, *labels;
    const char *path;
    int format, encoding;
    clump_save_options options = clump_save_defaults();
    if (!PyArg_ParseTuple(args, "OyOiii", &object, &path, &labels, &format, &encoding, &options.threads)) return NULL;
    options.format = (clump_format)format;
    options.encoding = (clump_encoding)encoding;
    py_cloud *const self = py_cloud_of(module, object);
    if (!self) return NULL;
    py_array array = {0};
    const size_t count = clump_cloud_points(self->cloud).count;
    PyObject *result = NULL;
    if (!py_array_get(module, labels, "labels", 'i', PY_READ_OPTIONAL, count, &array)) {
        clump_message why = {0};
        const clump_status status = save_unlocked(self, path, array.data, &options, &why);
        if (status == CLUMP_OK)
            result = py_text(why.text);
        else
            py_raise(module, status, why.text);
    }
    py_array_release(&array);
    return result;
}

/* --- making ---------------------------------------------------------------------------------- */

/* create(points, origin): a cloud of float32 rows */
static PyObject *create(PyObject *module, PyObject *args)
{
    PyObject *object;
    double origin[3];
    if (!PyArg_ParseTuple(args, "O(ddd)", &object, &origin[0], &origin[1], &origin[2])) return NULL;
    py_points in = {0};
    if (py_points_get(module, object, &in)) {
        py_points_release(&in);
        return NULL;
    }
    clump_cloud *cloud;
    clump_message why = {0};
    const clump_status status = clump_cloud_create(in.points.count, &cloud, &why);
    if (status == CLUMP_OK) {
        float *const xyz = clump_cloud_xyz(cloud);
        const size_t stride = in.points.stride ? in.points.stride : 3 * sizeof *xyz;
        Py_BEGIN_ALLOW_THREADS
        for (size_t i = 0; i < in.points.count; i++)
            memcpy(xyz + 3 * i, (const char *)in.points.xyz + i * stride, 3 * sizeof *xyz);
        Py_END_ALLOW_THREADS
        clump_cloud_set_origin(cloud, origin);
    }
    py_points_release(&in);
    if (status == CLUMP_OK) return py_cloud_wrap(module, cloud);
    py_raise(module, status, why.text);
    return NULL;
}

/* Whether setting the field can free memory that is in use. */
static bool is_in_use(const py_cloud *self, const clump_field *field)
{
    clump_field old;
    if (self->workers > 0) return true;
    return self->field_views > 0 && clump_cloud_find(self->cloud, field->name, &old) &&
           (old.type != field->type || old.count != field->count);
}

/* set_field(cloud, name, type, count, contiguous buffer) */
static PyObject *set_field(PyObject *module, PyObject *args)
{
    PyObject *object;
    clump_field field = {0};
    int type;
    unsigned int count;
    Py_buffer bytes;
    if (!PyArg_ParseTuple(args, "OsiIy*", &object, &field.name, &type, &count, &bytes)) return NULL;
    PyObject *result = NULL;
    clump_message why = {0};
    py_cloud *const self = py_cloud_of(module, object);
    if (!self) goto done;
    field.type = (clump_type)type;
    field.count = count;
    field.data = bytes.buf;
    const size_t points = clump_cloud_points(self->cloud).count;
    if ((size_t)bytes.len != points * count * clump_type_size(field.type)) {
        PyErr_SetString(PyExc_ValueError, "the field has another size than the cloud");
    } else if (is_in_use(self, &field)) {
        PyErr_Format(PyExc_BufferError,
                     "the memory of the cloud is in use: another thread works on it, or an array is a view of a field, "
                     "and %s would change its type",
                     field.name);
    } else {
        const clump_status status = clump_cloud_set_field(self->cloud, &field, &why);
        if (status != CLUMP_OK)
            py_raise(module, status, why.text);
        else
            result = Py_NewRef(Py_None);
    }
done:
    PyBuffer_Release(&bytes);
    return result;
}

/* --- looking --------------------------------------------------------------------------------- */

/* xyz(cloud): a view of (n, 3) float32 */
static PyObject *xyz(PyObject *module, PyObject *object)
{
    py_cloud *const self = py_cloud_of(module, object);
    if (!self) return NULL;
    return py_cloud_view_create(module, self, clump_cloud_xyz(self->cloud), CLUMP_TYPE_F32, 3, false);
}

/* field(cloud, name): a view, or None where there is no such field */
static PyObject *field_view(PyObject *module, PyObject *args)
{
    PyObject *object, *name;
    if (!PyArg_ParseTuple(args, "OO&", &object, PyUnicode_FSConverter, &name)) return NULL;
    py_cloud *const self = py_cloud_of(module, object);
    clump_field field;
    PyObject *result = NULL;
    if (self && clump_cloud_find(self->cloud, PyBytes_AsString(name), &field))
        result = py_cloud_view_create(module, self, (void *)(uintptr_t)field.data, field.type, field.count, true);
    else if (self)
        result = Py_NewRef(Py_None);
    Py_DECREF(name);
    return result;
}

/* fields(cloud): a list of (name, type, elements) */
static PyObject *fields(PyObject *module, PyObject *object)
{
    py_cloud *const self = py_cloud_of(module, object);
    PyObject *const list = self ? PyList_New(0) : NULL;
    clump_field field;
    for (size_t i = 0; list && clump_cloud_field(self->cloud, i, &field); i++) {
        PyObject *const row = Py_BuildValue("(NiI)", py_text(field.name), (int)field.type, (unsigned)field.count);
        if (!row || PyList_Append(list, row) < 0) {
            Py_XDECREF(row);
            Py_DECREF(list);
            return NULL;
        }
        Py_DECREF(row);
    }
    return list;
}

/* info(cloud): (format name, encoding, width, height, viewpoint, type of x y z, note, origin, points) */
static PyObject *info(PyObject *module, PyObject *object)
{
    py_cloud *const self = py_cloud_of(module, object);
    if (!self) return NULL;
    const clump_cloud_info i = clump_cloud_describe(self->cloud);
    const double *const o = clump_cloud_origin(self->cloud), *const v = i.viewpoint;
    return Py_BuildValue("(zinn(ddddddd)sN(ddd)n)", clump_format_name(i.format), (int)i.encoding, (Py_ssize_t)i.width,
                         (Py_ssize_t)i.height, v[0], v[1], v[2], v[3], v[4], v[5], v[6], clump_type_name(i.xyz_type),
                         py_text(i.note), o[0], o[1], o[2], (Py_ssize_t)clump_cloud_points(self->cloud).count);
}

/* coordinates(cloud, out): fills 3 n doubles with the coordinates of the file */
static PyObject *coordinates(PyObject *module, PyObject *args)
{
    PyObject *object, *target;
    if (!PyArg_ParseTuple(args, "OO", &object, &target)) return NULL;
    py_cloud *const self = py_cloud_of(module, object);
    if (!self) return NULL;
    const size_t count = clump_cloud_points(self->cloud).count;
    py_array out = {0};
    if (py_array_get(module, target, "out", 'd', PY_WRITE, 3 * count, &out)) {
        py_array_release(&out);
        return NULL;
    }
    double *const to = out.data;
    self->workers++;
    Py_BEGIN_ALLOW_THREADS
    for (size_t i = 0; i < count; i++)
        for (int a = 0; a < 3; a++) to[3 * i + (size_t)a] = clump_cloud_coordinate(self->cloud, i, a);
    Py_END_ALLOW_THREADS
    self->workers--;
    py_array_release(&out);
    Py_RETURN_NONE;
}

/* rings(cloud, out): fills n uint16 with the rings of the points; False: the cloud has none, and nothing is written */
static PyObject *rings(PyObject *module, PyObject *args)
{
    PyObject *object, *target;
    if (!PyArg_ParseTuple(args, "OO", &object, &target)) return NULL;
    py_cloud *const self = py_cloud_of(module, object);
    if (!self) return NULL;
    py_array out = {0};
    PyObject *result = NULL;
    if (!py_array_get(module, target, "out", 'H', PY_WRITE, clump_cloud_points(self->cloud).count, &out)) {
        bool found = false;
        clump_message why = {0};
        clump_status status;
        self->workers++;
        Py_BEGIN_ALLOW_THREADS
        status = clump_cloud_rings(self->cloud, out.data, &found, &why);
        Py_END_ALLOW_THREADS
        self->workers--;
        if (status == CLUMP_OK)
            result = PyBool_FromLong(found);
        else
            py_raise(module, status, why.text);
    }
    py_array_release(&out);
    return result;
}

/* columns(cloud): the points per ring of an organised cloud; 0: it is not organised */
static PyObject *columns(PyObject *module, PyObject *object)
{
    py_cloud *const self = py_cloud_of(module, object);
    return self ? PyLong_FromSize_t(clump_cloud_columns(self->cloud)) : NULL;
}

/* --- whole steps ----------------------------------------------------------------------------- */

/* step(cloud): the step of a LAS or LAZ cloud; 0: none */
static PyObject *step(PyObject *module, PyObject *object)
{
    py_cloud *const self = py_cloud_of(module, object);
    return self ? PyFloat_FromDouble(clump_cloud_step(self->cloud)) : NULL;
}

/* steps(cloud, two_d, mask, out): fills 3 n floats with whole steps; returns (step, origin) */
static PyObject *steps(PyObject *module, PyObject *args)
{
    PyObject *object, *mask, *target;
    int two_d;
    if (!PyArg_ParseTuple(args, "OpOO", &object, &two_d, &mask, &target)) return NULL;
    py_cloud *const self = py_cloud_of(module, object);
    if (!self) return NULL;
    const size_t count = clump_cloud_points(self->cloud).count;
    py_array out = {0}, keep = {0};
    if (py_array_get(module, target, "out", 'f', PY_WRITE, 3 * count, &out) ||
        py_array_get(module, mask, "mask", 'B', PY_READ_OPTIONAL, count, &keep)) {
        py_array_release(&out);
        py_array_release(&keep);
        return NULL;
    }
    clump_steps grid;
    clump_message why = {0};
    clump_status status;
    self->workers++;
    Py_BEGIN_ALLOW_THREADS
    status = clump_cloud_steps(self->cloud, 0, two_d, keep.data, out.data, &grid, &why);
    Py_END_ALLOW_THREADS
    self->workers--;
    py_array_release(&out);
    py_array_release(&keep);
    if (status == CLUMP_OK) return Py_BuildValue("(d(ddd))", grid.step, grid.origin[0], grid.origin[1], grid.origin[2]);
    py_raise(module, status, why.text);
    return NULL;
}

/* steps_distance(d, step) */
static PyObject *steps_distance(PyObject *module, PyObject *args)
{
    (void)module;
    float distance;
    double length;
    PyObject *given;
    if (!PyArg_ParseTuple(args, "Od", &given, &length) || py_float(given, "d", &distance)) return NULL;
    return PyFloat_FromDouble((double)clump_steps_distance(distance, length));
}

/* format_of(name): the number of a format; 0: there is none of that name */
static PyObject *format_of(PyObject *module, PyObject *args)
{
    (void)module;
    const char *name;
    if (!PyArg_ParseTuple(args, "s", &name)) return NULL;
    clump_format format;
    return PyLong_FromLong(clump_format_from_name(name, &format) ? (long)format : 0);
}

/* formats(): names, and whether each is read and written */
static PyObject *formats(PyObject *module, PyObject *unused)
{
    (void)module, (void)unused;
    PyObject *const list = PyList_New(0);
    clump_format_info known;
    for (int f = 1; list && clump_format_describe((clump_format)f, &known); f++) {
        PyObject *const row =
            Py_BuildValue("(sOO)", known.name, known.reads ? Py_True : Py_False, known.writes ? Py_True : Py_False);
        if (!row || PyList_Append(list, row) < 0) {
            Py_XDECREF(row);
            Py_DECREF(list);
            return NULL;
        }
        Py_DECREF(row);
    }
    return list;
}

PyMethodDef py_cloud_functions[] = {
    {"cloud_load", load, METH_VARARGS, NULL},
    {"cloud_parse", parse, METH_VARARGS, NULL},
    {"cloud_save", save, METH_VARARGS, NULL},
    {"cloud_create", create, METH_VARARGS, NULL},
    {"cloud_set_field", set_field, METH_VARARGS, NULL},
    {"cloud_xyz", xyz, METH_O, NULL},
    {"cloud_field", field_view, METH_VARARGS, NULL},
    {"cloud_fields", fields, METH_O, NULL},
    {"cloud_info", info, METH_O, NULL},
    {"cloud_coordinates", coordinates, METH_VARARGS, NULL},
    {"cloud_rings", rings, METH_VARARGS, NULL},
    {"cloud_columns", columns, METH_O, NULL},
    {"cloud_step", step, METH_O, NULL},
    {"cloud_steps", steps, METH_VARARGS, NULL},
    {"steps_distance", steps_distance, METH_VARARGS, NULL},
    {"format_of", format_of, METH_VARARGS, NULL},
    {"formats", formats, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL},
};
