/* SPDX-License-Identifier: BSD-3-Clause
 *
 * sandbox.c: runs the C that wasm2c made of laz-perf.wasm.
 *
 *     laz.c            this file                   generated C                       imports.c
 *     read()  ->  enter(): setjmp  ->  LASZip.getPoint(): checked accesses  ->  resize_heap(), throw() ...
 *                      ^                       | trap                               | stop()
 *                      +-----------------------+------------- longjmp --------------+
 *
 * The module was compiled for JavaScript. It calls "register" functions (embind) with the entries of its
 * function table that make an object of the class LASZip and call its methods. These entries are stored on
 * the host side when the module starts, before it has read a byte of a file.
 *
 * Sandboxes share only the numbers of the function types, which are assigned once. Each thread has one
 * variable: the sandbox that runs in it.
 */
#include "inside.h"

#include <assert.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#define SANDBOX_PAGE         65536u
#define SANDBOX_START_TURNS  1000000u
#define SANDBOX_SCRATCH_SIZE 32768u /* bytes; points are decoded here and then copied out */

static _Thread_local clump_io_sandbox *running;

/* --- the runtime of the generated code ------------------------------------------------------- */

void clump_io_sandbox_stop(clump_io_sandbox *sandbox, clump_io_sandbox_end end)
{
    sandbox->end = end;
    longjmp(sandbox->back, 1);
}

void wasm_rt_trap(wasm_rt_trap_t trap)
{
    (void)trap; /* the kind of trap is not reported */
    clump_io_sandbox_stop(running, CLUMP_IO_SANDBOX_DAMAGED);
}

/* Returns the number of a signature; equal signatures have equal numbers. Only start_once() calls it. */
uint32_t wasm_rt_register_func_type(uint32_t params, uint32_t results, ...)
{
    static uint64_t known[64];
    static uint32_t known_count;
    uint64_t signature = 1;
    va_list types;
    va_start(types, results);
    for (uint32_t i = 0; i < params + results; i++) signature = signature << 3 | va_arg(types, wasm_rt_type_t);
    va_end(types);
    signature = signature << 1 | results; /* one at most */
    for (uint32_t i = 0; i < known_count; i++)
        if (known[i] == signature) return i + 1;
    if (known_count == sizeof known / sizeof *known) return UINT32_MAX; /* more than the module has */
    known[known_count++] = signature;
    return known_count;
}

/* Allocates all memory up to the limit, zeroed. The system provides pages when they are touched. */
void wasm_rt_allocate_memory(wasm_rt_memory_t *memory, uint32_t initial, uint32_t max)
{
    const size_t wanted = running->capacity / SANDBOX_PAGE + 1;
    *memory = (wasm_rt_memory_t){.max_pages = wanted < max ? (uint32_t)wanted : max};
    if (memory->max_pages >= initial) memory->data = calloc(memory->max_pages, SANDBOX_PAGE);
    if (!memory->data) clump_io_sandbox_stop(running, CLUMP_IO_SANDBOX_NO_MEMORY);
    clump_io_sandbox_grow(memory, initial * SANDBOX_PAGE);
}

bool clump_io_sandbox_grow(wasm_rt_memory_t *memory, uint32_t size)
{
    const uint32_t pages = size / SANDBOX_PAGE + (size % SANDBOX_PAGE != 0);
    if (pages > memory->max_pages) return false;
    if (pages > memory->pages) memory->pages = pages, memory->size = pages * SANDBOX_PAGE;
    return true;
}

void wasm_rt_free_memory(wasm_rt_memory_t *memory)
{
    free(memory->data);
}

void wasm_rt_allocate_funcref_table(wasm_rt_funcref_table_t *table, uint32_t elements, uint32_t max)
{
    *table =
        (wasm_rt_funcref_table_t){.data = calloc(elements, sizeof *table->data), .size = elements, .max_size = max};
    if (!table->data) clump_io_sandbox_stop(running, CLUMP_IO_SANDBOX_NO_MEMORY);
}

void wasm_rt_free_funcref_table(wasm_rt_funcref_table_t *table)
{
    free(table->data);
}

/* --- calls ------------------------------------------------------------------------------------ */

typedef uint32_t function_ii(clump_io_lazperf *, uint32_t);
typedef void function_viii(clump_io_lazperf *, uint32_t, uint32_t, uint32_t);
typedef void function_viiii(clump_io_lazperf *, uint32_t, uint32_t, uint32_t, uint32_t);
static uint32_t type_ii, type_viii, type_viiii;

static void start_once(void)
{
    Z_clump_io_lazperf_init_module();
    type_ii = wasm_rt_register_func_type(1, 1, WASM_RT_I32, WASM_RT_I32);
    type_viii = wasm_rt_register_func_type(3, 0, WASM_RT_I32, WASM_RT_I32, WASM_RT_I32);
    type_viiii = wasm_rt_register_func_type(4, 0, WASM_RT_I32, WASM_RT_I32, WASM_RT_I32, WASM_RT_I32);
}

/* Returns an entry of the module's function table, whose type must be `type`. */
static wasm_rt_function_ptr_t function(clump_io_sandbox *sandbox, uint32_t index, uint32_t type)
{
    const wasm_rt_funcref_table_t *table = Z_clump_io_lazperfZ___indirect_function_table(&sandbox->module);
    if (index >= table->size || !table->data[index].func || table->data[index].func_type != type)
        clump_io_sandbox_stop(sandbox, CLUMP_IO_SANDBOX_DAMAGED);
    return table->data[index].func;
}

/* Runs call() inside the sandbox and returns how it ended. */
static clump_io_sandbox_end enter(clump_io_sandbox *sandbox, void (*call)(clump_io_sandbox *), uint64_t turns)
{
    if (sandbox->end != CLUMP_IO_SANDBOX_DONE) return sandbox->end;
    running = sandbox;
    sandbox->limits = (clump_io_wasm_limits){.turns = turns};
    if (setjmp(sandbox->back) == 0) call(sandbox);
    running = NULL;
    return sandbox->end;
}

static void start(clump_io_sandbox *sandbox)
{
    clump_io_lazperf *module = &sandbox->module;
    Z_clump_io_lazperf_instantiate(module, sandbox, sandbox);
    Z_clump_io_lazperfZ_emscripten_stack_init(module);
    Z_clump_io_lazperfZ___wasm_call_ctors(module);
    function_ii *make = (function_ii *)function(sandbox, sandbox->make.function, type_ii);
    sandbox->object = make(module, sandbox->make.context);
    sandbox->scratch = Z_clump_io_lazperfZ_malloc(module, SANDBOX_SCRATCH_SIZE);
}

static void make_room(clump_io_sandbox *sandbox)
{
    sandbox->file = Z_clump_io_lazperfZ_malloc(&sandbox->module, sandbox->file_size);
}

static void open_file(clump_io_sandbox *sandbox)
{
    function_viiii *call = (function_viiii *)function(sandbox, sandbox->open.function, type_viiii);
    call(&sandbox->module, sandbox->open.context, sandbox->object, sandbox->file, sandbox->file_size);
}

static void read_points(clump_io_sandbox *sandbox)
{
    function_viii *call = (function_viii *)function(sandbox, sandbox->get_point.function, type_viii);
    for (sandbox->done = 0; sandbox->done < sandbox->wanted; sandbox->done++)
        call(&sandbox->module, sandbox->get_point.context, sandbox->object,
             sandbox->scratch + sandbox->done * sandbox->record);
}

/* --- what laz.c sees -------------------------------------------------------------------------- */

clump_io_sandbox_end clump_io_sandbox_create(size_t memory, clump_io_sandbox **out)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, start_once);
    clump_io_sandbox *sandbox = *out = calloc(1, sizeof *sandbox);
    if (!sandbox) return CLUMP_IO_SANDBOX_NO_MEMORY;
    sandbox->capacity = memory;
    return enter(sandbox, start, SANDBOX_START_TURNS);
}

void clump_io_sandbox_destroy(clump_io_sandbox *sandbox)
{
    if (sandbox) Z_clump_io_lazperf_free(&sandbox->module);
    free(sandbox);
}

unsigned char *clump_io_sandbox_file(clump_io_sandbox *sandbox, size_t size)
{
    sandbox->file_size = (uint32_t)size;
    if (size > sandbox->capacity || enter(sandbox, make_room, SANDBOX_START_TURNS) != CLUMP_IO_SANDBOX_DONE ||
        !sandbox->file)
        return NULL;
    return sandbox->module.w2c_memory.data + sandbox->file;
}

void clump_io_sandbox_limit(clump_io_sandbox *sandbox, uint64_t turns, uint64_t turns_point)
{
    sandbox->turns = turns;
    sandbox->turns_point = turns_point;
}

clump_io_sandbox_end clump_io_sandbox_open(clump_io_sandbox *sandbox, size_t record)
{
    sandbox->record = (uint32_t)record;
    return enter(sandbox, open_file, sandbox->turns);
}

clump_io_sandbox_end clump_io_sandbox_read(clump_io_sandbox *sandbox, unsigned char *records, size_t count,
                                           size_t *done)
{
    assert(sandbox->record >= 1 && sandbox->record <= SANDBOX_SCRATCH_SIZE);
    const size_t batch = SANDBOX_SCRATCH_SIZE / sandbox->record;
    clump_io_sandbox_end end = sandbox->end;
    for (*done = 0; *done < count && end == CLUMP_IO_SANDBOX_DONE; *done += sandbox->done) {
        sandbox->wanted = (uint32_t)(count - *done < batch ? count - *done : batch);
        end = enter(sandbox, read_points, sandbox->turns + sandbox->wanted * sandbox->turns_point);
        memcpy(records + *done * sandbox->record, sandbox->module.w2c_memory.data + sandbox->scratch,
               (size_t)sandbox->done * sandbox->record);
    }
    return end;
}
