/* SPDX-License-Identifier: BSD-3-Clause
 *
 * wasm.h: the interface between clump and the C that wasm2c makes of laz-perf.wasm.
 *
 * Included in front of that C (cmake/lazperf.cmake) and by sandbox.c. It
 *   - gives every outside name a prefix of ours, so that nothing clashes where clump_io is static;
 *   - checks every access to the module's memory, without guard pages or a signal handler;
 *   - counts the depth of calls and the loop iterations (turns) per instance, so that threads share no
 *     counter and no file keeps the module busy for ever. lazperf.cmake writes CLUMP_IO_LOOP for each
 *     backward `goto`, which counts the turns.
 *
 * For wasm2c 1.0.32 (Debian 12). Later versions name and pass things differently.
 */
#ifndef CLUMP_IO_LAZ_WASM_H
#define CLUMP_IO_LAZ_WASM_H

#include <setjmp.h>
#include <stdint.h>

/* The runtime the generated code calls, here sandbox.c. */
#define wasm_rt_trap                   clump_io_wasm_trap
#define wasm_rt_register_func_type     clump_io_wasm_register_func_type
#define wasm_rt_allocate_memory        clump_io_wasm_allocate_memory
#define wasm_rt_free_memory            clump_io_wasm_free_memory
#define wasm_rt_allocate_funcref_table clump_io_wasm_allocate_funcref_table
#define wasm_rt_free_funcref_table     clump_io_wasm_free_funcref_table

/* What the module imports, here imports.c. */
#define Z_envZ___cxa_allocate_exception             clump_io_wasm_allocate_exception
#define Z_envZ___cxa_throw                          clump_io_wasm_throw
#define Z_envZ__embind_register_bigint              clump_io_wasm_register_bigint
#define Z_envZ__embind_register_bool                clump_io_wasm_register_bool
#define Z_envZ__embind_register_class               clump_io_wasm_register_class
#define Z_envZ__embind_register_class_constructor   clump_io_wasm_register_constructor
#define Z_envZ__embind_register_class_function      clump_io_wasm_register_function
#define Z_envZ__embind_register_emval               clump_io_wasm_register_emval
#define Z_envZ__embind_register_float               clump_io_wasm_register_float
#define Z_envZ__embind_register_integer             clump_io_wasm_register_integer
#define Z_envZ__embind_register_memory_view         clump_io_wasm_register_memory_view
#define Z_envZ__embind_register_std_string          clump_io_wasm_register_std_string
#define Z_envZ__embind_register_std_wstring         clump_io_wasm_register_std_wstring
#define Z_envZ__embind_register_void                clump_io_wasm_register_void
#define Z_envZ_abort                                clump_io_wasm_abort
#define Z_envZ_emscripten_memcpy_big                clump_io_wasm_copy
#define Z_envZ_emscripten_resize_heap               clump_io_wasm_resize_heap
#define Z_envZ_strftime_l                           clump_io_wasm_strftime
#define Z_wasi_snapshot_preview1Z_environ_get       clump_io_wasm_environ_get
#define Z_wasi_snapshot_preview1Z_environ_sizes_get clump_io_wasm_environ_sizes_get
#define Z_wasi_snapshot_preview1Z_fd_close          clump_io_wasm_fd_close
#define Z_wasi_snapshot_preview1Z_fd_seek           clump_io_wasm_fd_seek
#define Z_wasi_snapshot_preview1Z_fd_write          clump_io_wasm_fd_write
#define Z_env_instance_t                            clump_io_sandbox
#define Z_wasi_snapshot_preview1_instance_t         clump_io_sandbox

#define WASM_RT_MEMCHECK_SIGNAL_HANDLER 0
#define WASM_RT_USE_STACK_DEPTH_COUNT   0 /* else it declares a global counter */
#include <wasm-rt.h>
#undef WASM_RT_USE_STACK_DEPTH_COUNT
#define WASM_RT_USE_STACK_DEPTH_COUNT 1
#define WASM_RT_MAX_CALL_STACK_DEPTH  100

/* The counters; the first thing in a clump_io_sandbox, which is the module's environment. */
typedef struct clump_io_wasm_limits {
    uint64_t turns; /* of loops, left */
    uint32_t depth; /* of calls */
} clump_io_wasm_limits;

/* `instance` is the first parameter of every function of the generated code. */
#define CLUMP_IO_WASM_LIMITS     ((clump_io_wasm_limits *)(void *)instance->Z_env_instance)
#define wasm_rt_call_stack_depth CLUMP_IO_WASM_LIMITS->depth
#define CLUMP_IO_LOOP                                                                                                  \
    for (clump_io_wasm_turn(CLUMP_IO_WASM_LIMITS);;) goto

static inline void clump_io_wasm_turn(clump_io_wasm_limits *limits)
{
    if (UNLIKELY(limits->turns-- == 0)) wasm_rt_trap(WASM_RT_TRAP_EXHAUSTION);
}

#endif
