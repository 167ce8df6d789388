/* SPDX-License-Identifier: BSD-3-Clause
 *
 * interrupt.c: Ctrl-C ends a call that runs without the GIL.
 *
 * Python notes a signal, and raises KeyboardInterrupt when the call has returned: too late for a call of a minute. So while the
 * main thread is in such a call, SIGINT first sets the context's `cancel`, and then goes to Python's handler as before.
 *
 *     armed      only in the main thread, where Python raises KeyboardInterrupt, and only with Python's own handler: another
 *                one may not raise, and then the call has to go on
 *     disarmed   at the end of the call; the handler before is set again
 *
 * The state is that of the process, as handlers are. Only the main thread writes it.
 */
#include "module.h"

#include <pthread.h>
#include <signal.h>
#include <unistd.h>

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

int py_interrupt_init(PyObject *module)
{
    py_state *const state = py_state_of(module);
    PyObject *const signals = PyImport_ImportModule("signal");
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

bool py_interrupt_arm(PyObject *module, volatile int *cancel)
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

void py_interrupt_disarm(void)
{
    sigaction(SIGINT, &interrupt_before, NULL);
    interrupt_cancel = NULL;
}
