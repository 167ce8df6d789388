/* SPDX-License-Identifier: BSD-3-Clause
 *
 * module.c: the module clump._clump: its tables and its life.
 */
#include "module.h"

static PyMethodDef *const function_tables[] = {
    py_cloud_functions,     py_context_functions,  py_describe_functions, py_detect_functions,
    py_device_functions,    py_icp_functions,      py_index_functions,    py_job_functions,
    py_object_functions,    py_obstacle_functions, py_offset_functions,   py_page_functions,
    py_recording_functions, py_tracker_functions,  py_view_functions,     py_odometry_functions,
};

static int (*const parts[])(PyObject *module) = {
    py_context_init,  py_cloud_init,   py_recording_init, py_view_init,  py_index_init,
    py_describe_init, py_objects_init, py_tracker_init,   py_owner_init,
};

/* Takes the exceptions and their words from the Python part of the package. */
static int take_errors(py_state *state)
{
    PyObject *errors = PyImport_ImportModule("clump._errors");
    if (!errors) return -1;
    const struct {
        PyObject **place;
        const char *name;
    } wanted[] = {
        {&state->error, "Error"},
        {&state->argument_error, "ArgumentError"},
        {&state->out_of_memory_error, "OutOfMemoryError"},
        {&state->device_error, "DeviceError"},
        {&state->file_error, "FileError"},
        {&state->format_error, "FormatError"},
        {&state->in_python, "in_python"},
    };
    int status = 0;
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted && !status; i++) {
        *wanted[i].place = PyObject_GetAttrString(errors, wanted[i].name);
        if (!*wanted[i].place) status = -1;
    }
    Py_DECREF(errors);
    return status;
}

static int module_exec(PyObject *module)
{
    if (take_errors(py_state_of(module))) return -1;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (parts[i](module)) return -1;
    for (size_t i = 0; i < sizeof function_tables / sizeof *function_tables; i++)
        if (PyModule_AddFunctions(module, function_tables[i])) return -1;
    if (PyModule_AddStringConstant(module, "libraries", PY_LIBRARIES)) return -1;
    return PyModule_AddStringConstant(module, "version", clump_version());
}

static int module_traverse(PyObject *module, visitproc visit, void *arg)
{
    py_state *state = py_state_of(module);
    if (!state) return 0;
    Py_VISIT(state->error);
    Py_VISIT(state->argument_error);
    Py_VISIT(state->out_of_memory_error);
    Py_VISIT(state->device_error);
    Py_VISIT(state->file_error);
    Py_VISIT(state->format_error);
    Py_VISIT(state->in_python);
    Py_VISIT(state->context_type);
    Py_VISIT(state->index_type);
    Py_VISIT(state->cloud_type);
    Py_VISIT(state->cloud_view_type);
    Py_VISIT(state->recording_type);
    Py_VISIT(state->view_type);
    Py_VISIT(state->owner_type);
    Py_VISIT(state->getsignal);
    Py_VISIT(state->interrupt_handler);
    return 0;
}

static int module_clear(PyObject *module)
{
    py_state *state = py_state_of(module);
    if (!state) return 0;
    Py_CLEAR(state->error);
    Py_CLEAR(state->argument_error);
    Py_CLEAR(state->out_of_memory_error);
    Py_CLEAR(state->device_error);
    Py_CLEAR(state->file_error);
    Py_CLEAR(state->format_error);
    Py_CLEAR(state->in_python);
    Py_CLEAR(state->context_type);
    Py_CLEAR(state->index_type);
    Py_CLEAR(state->cloud_type);
    Py_CLEAR(state->cloud_view_type);
    Py_CLEAR(state->recording_type);
    Py_CLEAR(state->view_type);
    Py_CLEAR(state->owner_type);
    Py_CLEAR(state->getsignal);
    Py_CLEAR(state->interrupt_handler);
    return 0;
}

static void module_free(void *module)
{
    module_clear(module);
}

static PyModuleDef_Slot module_slots[] = {
    {Py_mod_exec, (void *)(uintptr_t)module_exec},
    {0, NULL},
};

static PyModuleDef module_definition = {
    PyModuleDef_HEAD_INIT,
    .m_name = "clump._clump",
    .m_doc = "The functions of libclump. Use the package clump instead.",
    .m_size = sizeof(py_state),
    .m_slots = module_slots,
    .m_traverse = module_traverse,
    .m_clear = module_clear,
    .m_free = module_free,
};

PyMODINIT_FUNC PyInit__clump(void); /* -Wmissing-prototypes */

PyMODINIT_FUNC PyInit__clump(void)
{
    return PyModuleDef_Init(&module_definition);
}
