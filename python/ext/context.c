/* SPDX-License-Identifier: BSD-3-Clause
 *
 * context.c: the type Context, which owns a clump_context and the lock of its calls.
 *
 * Fork. A child process inherits contexts. It must not use one that a thread of the parent was using at the time of the
 * fork: its lock would never be released. So a context remembers its process. In another process it gets a new lock and,
 * where it was in use, a new clump_context; the old one is left alone.
 *
 * Ctrl-C. Python notes a signal, and raises KeyboardInterrupt when the call has returned: too late for a call of a minute. So while the
 * main thread is in such a call, SIGINT first sets the context's `cancel`, and then goes to Python's handler as before.
 *
 *     armed      only in the main thread, where Python raises KeyboardInterrupt, and only with Python's own handler: another
 *                one may not raise, and then the call has to go on
 *     disarmed   at the end of the call; the handler before is set again
 *
 * The state is that of the process, as handlers are. Only the main thread writes it.
 */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

#include <clump/info.h>
#include <clump/cuda.h>

#include "module.h"
#include "values.h"

typedef struct py_context {
    PyObject_HEAD
    clump_context *ctx; /* null: closed */
    PyThread_type_lock lock;
    clump_context_options options;
    pid_t process;
    volatile int cancel; /* options.cancel: set by SIGINT while `armed` */
    bool armed;
    int in_use;       /* a thread is between begin and end; written under the lock */
    int abandoned;    /* ctx was in use when this process was forked: no thread will ever end that call */
    py_stream stream; /* of the running call, where its arrays are on a GPU */
} py_context;

/* --- Ctrl-C ---------------------------------------------------------------------------------- */

static volatile int *volatile interrupt_cancel; /* null: not armed */
static struct sigaction interrupt_before;

static void on_interrupt(int number, siginfo_t *info, void *context)
{
    volatile int *const cancel = interrupt_cancel;
    if (cancel) *cancel = 1;
    if (interrupt_before.sa_flags & SA_SIGINFO)
        interrupt_before.sa_sigaction(number, info, context);
    else
        interrupt_before.sa_handler(number);
}

static int find_handlers(PyObject *module)
{
    py_state *const state = py_state_of(module);
    PyObject *const signals = PyImport_ImportModule("_signal"); /* signal.getsignal is Python code, and may raise */
    if (!signals) return -1;
    state->getsignal = PyObject_GetAttrString(signals, "getsignal");
    state->interrupt_handler = PyObject_GetAttrString(signals, "default_int_handler");
    Py_DECREF(signals);
    return state->getsignal && state->interrupt_handler ? 0 : -1;
}

/* Whether this is the thread that Python handles signals in: the first of the process. */
static bool is_main_thread(void)
{
#ifdef __APPLE__
    return pthread_main_np() != 0;
#else
    return PyThread_get_thread_native_id() == (unsigned long)getpid();
#endif
}

/* Whether this is the main thread, and SIGINT raises KeyboardInterrupt. */
static bool raises(py_state *state)
{
    if (!is_main_thread()) return false;
    PyObject *const handler = PyObject_CallFunction(state->getsignal, "i", SIGINT);
    const bool own = handler == state->interrupt_handler;
    if (!handler) PyErr_Clear();
    Py_XDECREF(handler);
    return own;
}

static bool arm(PyObject *module, volatile int *cancel)
{
    if (interrupt_cancel || !raises(py_state_of(module))) return false;
    if (sigaction(SIGINT, NULL, &interrupt_before) != 0) return false;
    if (!(interrupt_before.sa_flags & SA_SIGINFO) &&
        (interrupt_before.sa_handler == SIG_DFL || interrupt_before.sa_handler == SIG_IGN))
        return false;
    struct sigaction now = interrupt_before;
    now.sa_flags |= SA_SIGINFO;
    now.sa_sigaction = on_interrupt;
    interrupt_cancel = cancel;
    if (sigaction(SIGINT, &now, NULL) == 0) return true;
    interrupt_cancel = NULL;
    return false;
}

static void disarm(void)
{
    sigaction(SIGINT, &interrupt_before, NULL);
    interrupt_cancel = NULL;
}

/* --- using a context ------------------------------------------------------------------------- */

/* Makes a clump_context with the options of the object. Null with an exception set on failure. */
static clump_context *create(PyObject *module, py_context *self)
{
    clump_message message = {""};
    clump_context *ctx = NULL;
    clump_context_options options = self->options;
    options.message = &message;
    clump_status status;
    Py_BEGIN_ALLOW_THREADS
    status = clump_context_create(&options, &ctx);
    Py_END_ALLOW_THREADS
    if (status != CLUMP_OK) py_raise(module, status, message.text);
    return ctx;
}

/* Gives a context that was inherited by fork() a lock of this process. The old one may be held: it cannot be freed. */
static int adopt(py_context *self)
{
    PyThread_type_lock lock = PyThread_allocate_lock();
    if (!lock) {
        PyErr_NoMemory();
        return -1;
    }
    self->lock = lock;
    self->abandoned = self->in_use;
    self->in_use = 0;
    self->stream = (py_stream){NULL, false};
    self->process = getpid();
    return 0;
}

/* Takes the lock of the context. Waits without the GIL; Ctrl-C ends the waiting. */
static int take_lock(py_context *self)
{
    if (PyThread_acquire_lock_timed(self->lock, 0, 0) == PY_LOCK_ACQUIRED) return 0;
    for (;;) {
        PyLockStatus got;
        PyThread_type_lock lock = self->lock;
        Py_BEGIN_ALLOW_THREADS
        got = PyThread_acquire_lock_timed(lock, -1, 1);
        Py_END_ALLOW_THREADS
        if (got == PY_LOCK_ACQUIRED) return 0;
        if (PyErr_CheckSignals()) return -1;
    }
}

static int is_context(PyObject *module, PyObject *object)
{
    return PyObject_TypeCheck(object, (PyTypeObject *)py_state_of(module)->context_type);
}

/* As py_context_begin, for an object that is known to be a context. */
static int begin(PyObject *module, py_context *self)
{
    if (self->process != getpid() && adopt(self)) return -1;
    if (take_lock(self)) return -1;
    if (self->ctx && self->abandoned) {
        clump_context *fresh = create(module, self);
        if (!fresh) {
            PyThread_release_lock(self->lock);
            return -1;
        }
        self->ctx = fresh;
        self->abandoned = 0;
    }
    if (self->ctx) {
        self->in_use = 1;
        self->armed = arm(module, &self->cancel);
        return 0;
    }
    PyThread_release_lock(self->lock);
    return py_refuse(module, "the context is closed");
}

int py_context_begin(PyObject *module, PyObject *object, clump_context **out)
{
    if (!is_context(module, object)) {
        py_type_error("context", "a clump.Context", object);
        return -1;
    }
    py_context *self = (py_context *)object;
    if (begin(module, self)) return -1;
    *out = self->ctx;
    return 0;
}

int py_context_begin_on(PyObject *module, PyObject *object, py_stream stream, clump_context **out)
{
    if (py_context_begin(module, object, out)) return -1;
    if (!stream.handle) return 0;
    clump_status status;
    Py_BEGIN_ALLOW_THREADS /* the first time it starts CUDA */
    status = clump_cuda_set_stream(*out, stream.handle);
    Py_END_ALLOW_THREADS
    if (status != CLUMP_OK) return py_context_finish(module, object, *out, status);
    ((py_context *)object)->stream = stream;
    return 0;
}

void py_context_end(PyObject *object)
{
    py_context *self = (py_context *)object;
    if (self->stream.handle) { /* the stream may end before the context's next call */
        (void)clump_cuda_set_stream(self->ctx, NULL);
        self->stream = (py_stream){NULL, false};
    }
    if (self->armed) disarm();
    self->armed = false;
    self->cancel = 0;
    self->in_use = 0;
    PyThread_release_lock(self->lock);
}

int py_context_finish(PyObject *module, PyObject *object, clump_context *ctx, clump_status status)
{
    if (status == CLUMP_OK && ((py_context *)object)->stream.waits) {
        Py_BEGIN_ALLOW_THREADS
        status = clump_cuda_wait(ctx);
        Py_END_ALLOW_THREADS
    }
    if (status == CLUMP_OK) {
        py_context_end(object);
        return 0;
    }
    /* An exception is an object in Python: making it can run code of the caller, which may use the context. */
    clump_message sentence;
    snprintf(sentence.text, sizeof sentence.text, "%s", clump_context_error(ctx));
    py_context_end(object);
    if (status == CLUMP_ERR_CANCELLED && PyErr_CheckSignals()) return -1; /* KeyboardInterrupt */
    return py_raise(module, status, sentence.text);
}

/* --- the type -------------------------------------------------------------------------------- */

/* Context(backend, ordinal, threads, gpu_ram): python/clump/_context.py translates names. */
static PyObject *context_new(PyTypeObject *type, PyObject *args, PyObject *Py_UNUSED(keywords))
{
    int backend, ordinal, threads;
    Py_ssize_t limit;
    if (!PyArg_ParseTuple(args, "iiin:Context", &backend, &ordinal, &threads, &limit)) return NULL;
    PyTypeObject *base = type; /* the type of this file; `type` may be a subclass made in Python */
    PyObject *module = NULL;
    while (base && !(module = PyType_GetModule(base))) {
        PyErr_Clear();
        base = PyType_GetSlot(base, Py_tp_base);
    }
    if (!module) return NULL;
    py_context *self = (py_context *)py_new(type);
    if (!self) return NULL;
    self->options = clump_context_defaults();
    self->options.backend = (clump_backend)backend;
    self->options.device = ordinal;
    self->options.threads = threads;
    self->options.device_limit = (size_t)limit;
    self->options.cancel = &self->cancel;
    self->process = getpid();
    self->lock = PyThread_allocate_lock();
    if (!self->lock)
        PyErr_NoMemory();
    else
        self->ctx = create(module, self);
    if (!self->ctx) Py_CLEAR(self);
    return (PyObject *)self;
}

/* Frees what the object holds, except what a fork has left in use. */
static void destroy(py_context *self)
{
    const bool left_in_use = self->abandoned || (self->process != getpid() && self->in_use);
    clump_context *ctx = self->ctx;
    self->ctx = NULL;
    if (ctx && !left_in_use) {
        Py_BEGIN_ALLOW_THREADS
        clump_context_destroy(ctx);
        Py_END_ALLOW_THREADS
    }
}

static void context_dealloc(PyObject *object)
{
    py_context *self = (py_context *)object;
    destroy(self);
    if (self->lock && self->process == getpid()) PyThread_free_lock(self->lock);
    py_free(object);
}

static PyObject *context_closed(PyObject *object, void *Py_UNUSED(closure))
{
    return PyBool_FromLong(!((py_context *)object)->ctx);
}

static PyGetSetDef context_properties[] = {
    {"closed", context_closed, NULL, "Whether the context has been closed.", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyType_Slot context_slots[] = {
    {Py_tp_new, (void *)(uintptr_t)context_new},
    {Py_tp_dealloc, (void *)(uintptr_t)context_dealloc},
    {Py_tp_getset, context_properties},
    {Py_tp_doc, "A clump_context."},
    {0, NULL},
};

static PyType_Spec context_spec = {
    .name = "clump._clump.Context",
    .basicsize = sizeof(py_context),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE,
    .slots = context_slots,
};

int py_context_init(PyObject *module)
{
    PyObject *type = py_add_type(module, &context_spec);
    py_state_of(module)->context_type = type;
    return type ? find_handlers(module) : -1;
}

/* --- functions ------------------------------------------------------------------------------- */

/* context_close(context): waits for a running call. A second time does nothing. */
static PyObject *context_close(PyObject *module, PyObject *object)
{
    if (!is_context(module, object)) return py_type_error("context", "a clump.Context", object);
    py_context *self = (py_context *)object;
    if (!self->ctx) Py_RETURN_NONE;
    if (begin(module, self)) return NULL;
    destroy(self);
    py_context_end(object);
    Py_RETURN_NONE;
}

/* context_reserve(context, points) */
static PyObject *context_reserve(PyObject *module, PyObject *const *args, Py_ssize_t count)
{
    size_t points;
    clump_context *ctx;
    if (py_arguments("context_reserve", count, 2)) return NULL;
    if (py_size(module, args[1], "points", &points)) return NULL;
    if (py_context_begin(module, args[0], &ctx)) return NULL;
    clump_status status;
    Py_BEGIN_ALLOW_THREADS
    status = clump_context_reserve(ctx, points);
    Py_END_ALLOW_THREADS
    if (py_context_finish(module, args[0], ctx, status)) return NULL;
    Py_RETURN_NONE;
}

/* context_trim(context) */
static PyObject *context_trim(PyObject *module, PyObject *object)
{
    clump_context *ctx;
    if (py_context_begin(module, object, &ctx)) return NULL;
    Py_BEGIN_ALLOW_THREADS
    clump_context_trim(ctx);
    Py_END_ALLOW_THREADS
    py_context_end(object);
    Py_RETURN_NONE;
}

/* context_stats(context) -> dict with the members of clump_stats; None: the call had no neighbours, no rings */
static PyObject *context_stats(PyObject *module, PyObject *object)
{
    clump_context *ctx;
    if (py_context_begin(module, object, &ctx)) return NULL;
    const clump_stats s = clump_context_stats(ctx);
    py_context_end(object);
    static const char *const backends[] = {"auto", "cpu", "cuda"};
    const size_t backend = (size_t)s.backend < 3 ? (size_t)s.backend : 0;
    return Py_BuildValue(
        "{s:s,s:s,s:s,s:i,s:L,s:d,s:d,s:d,s:d,s:d,s:n,s:n,s:n,s:n,s:n,s:f,s:i,s:n,s:n,s:n,s:d,s:i,s:d,s:d,s:n,s:d,s:d,"
        "s:n,s:z,s:z,s:i,s:z}",
        "backend", backends[backend], "method", s.method ? s.method : "", "reason", s.reason, "threads", s.threads,
        "passes", (long long)s.passes, "upload_ms", s.upload_ms, "build_ms", s.build_ms, "cluster_ms", s.cluster_ms,
        "label_ms", s.label_ms, "download_ms", s.download_ms, "points", (Py_ssize_t)s.points, "finite",
        (Py_ssize_t)s.finite, "masked", (Py_ssize_t)s.masked, "noise", (Py_ssize_t)s.noise, "ground",
        (Py_ssize_t)s.ground, "ground_level", (double)s.ground_level, "clusters", (int)s.clusters, "host_bytes",
        (Py_ssize_t)s.host_bytes, "device_bytes", (Py_ssize_t)s.device_bytes, "queries", (Py_ssize_t)s.queries,
        "query_ms", s.query_ms, "threads_refused", s.threads_refused, "ground_ms", s.ground_ms, "describe_ms",
        s.describe_ms, "thinned", (Py_ssize_t)s.thinned, "initial_ms", s.initial_ms, "merge_ms", s.merge_ms, "pieces",
        (Py_ssize_t)s.pieces, "neighbours", s.neighbours ? clump_neighbour_kind_name(s.neighbours) : NULL,
        "ring_source", s.ring_source ? clump_ring_source_name(s.ring_source) : NULL, "rings", s.rings, "ring_doubt",
        s.ring_doubt ? clump_ring_doubt_name(s.ring_doubt) : NULL);
}

PyMethodDef py_context_functions[] = {
    {"context_close", context_close, METH_O, NULL},
    {"context_reserve", (PyCFunction)(uintptr_t)context_reserve, METH_FASTCALL, NULL},
    {"context_trim", context_trim, METH_O, NULL},
    {"context_stats", context_stats, METH_O, NULL},
    {NULL, NULL, 0, NULL},
};
