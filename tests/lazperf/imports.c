/* SPDX-License-Identifier: BSD-3-Clause
 *
 * imports.c: the functions that laz-perf.wasm imports. They do as little as possible.
 *
 *     embind               the module registers its classes and methods; those of LASZip are stored
 *     heap                 may grow up to the limit of the sandbox
 *     exceptions           nothing inside catches them: a throw is the end of the call
 *     files, environment   there are none
 *
 * An address or a size that comes from inside is checked before it is used.
 */
#include "inside.h"

#include <string.h>

/* The module defines the parameters. */
#pragma GCC diagnostic ignored "-Wunused-parameter"

/* Returns the host address of n bytes of the sandbox; ends the call if they are outside. */
static unsigned char *at(clump_io_sandbox *sandbox, uint32_t address, uint32_t n)
{
    const wasm_rt_memory_t *memory = &sandbox->module.w2c_memory;
    if (address > memory->size || n > memory->size - address) clump_io_sandbox_stop(sandbox, CLUMP_IO_SANDBOX_DAMAGED);
    return memory->data + address;
}

static uint32_t word(clump_io_sandbox *sandbox, uint32_t address)
{
    uint32_t value;
    memcpy(&value, at(sandbox, address, 4), 4);
    return value;
}

/* Whether the text at an address begins with `text`; `size` includes its null character to compare whole texts. */
static bool begins(clump_io_sandbox *sandbox, uint32_t address, const char *text, size_t size)
{
    return memcmp(at(sandbox, address, (uint32_t)size), text, size) == 0;
}

/* --- embind ------------------------------------------------------------------------------------ */

void Z_envZ__embind_register_class(clump_io_sandbox *sandbox, uint32_t class_id, uint32_t pointer,
                                   uint32_t const_pointer, uint32_t base, uint32_t actual_signature, uint32_t actual,
                                   uint32_t up_signature, uint32_t up, uint32_t down_signature, uint32_t down,
                                   uint32_t name, uint32_t destructor_signature, uint32_t destructor)
{
    if (begins(sandbox, name, "LASZip", 7)) sandbox->class_id = class_id;
}

void Z_envZ__embind_register_class_constructor(clump_io_sandbox *sandbox, uint32_t class_id, uint32_t count,
                                               uint32_t types, uint32_t signature, uint32_t invoker, uint32_t context)
{
    if (class_id == sandbox->class_id) sandbox->make = (clump_io_wasm_export){invoker, context};
}

void Z_envZ__embind_register_class_function(clump_io_sandbox *sandbox, uint32_t class_id, uint32_t name, uint32_t count,
                                            uint32_t types, uint32_t signature, uint32_t invoker, uint32_t context,
                                            uint32_t is_virtual)
{
    if (class_id != sandbox->class_id) return;
    if (begins(sandbox, name, "open", 5)) sandbox->open = (clump_io_wasm_export){invoker, context};
    if (begins(sandbox, name, "getPoint", 9)) sandbox->get_point = (clump_io_wasm_export){invoker, context};
}

/* Types of arguments are not needed. */
void Z_envZ__embind_register_bigint(clump_io_sandbox *sandbox, uint32_t type, uint32_t name, uint32_t size, uint32_t a,
                                    uint32_t b, uint32_t c, uint32_t d)
{
}
void Z_envZ__embind_register_bool(clump_io_sandbox *sandbox, uint32_t type, uint32_t name, uint32_t size, uint32_t yes,
                                  uint32_t no)
{
}
void Z_envZ__embind_register_emval(clump_io_sandbox *sandbox, uint32_t type, uint32_t name) {}
void Z_envZ__embind_register_float(clump_io_sandbox *sandbox, uint32_t type, uint32_t name, uint32_t size) {}
void Z_envZ__embind_register_integer(clump_io_sandbox *sandbox, uint32_t type, uint32_t name, uint32_t size,
                                     uint32_t least, uint32_t most)
{
}
void Z_envZ__embind_register_memory_view(clump_io_sandbox *sandbox, uint32_t type, uint32_t index, uint32_t name) {}
void Z_envZ__embind_register_std_string(clump_io_sandbox *sandbox, uint32_t type, uint32_t name) {}
void Z_envZ__embind_register_std_wstring(clump_io_sandbox *sandbox, uint32_t type, uint32_t size, uint32_t name) {}
void Z_envZ__embind_register_void(clump_io_sandbox *sandbox, uint32_t type, uint32_t name) {}

/* --- heap and exceptions ------------------------------------------------------------------------ */

uint32_t Z_envZ_emscripten_resize_heap(clump_io_sandbox *sandbox, uint32_t size)
{
    return clump_io_sandbox_grow(&sandbox->module.w2c_memory, size);
}

void Z_envZ_emscripten_memcpy_big(clump_io_sandbox *sandbox, uint32_t to, uint32_t from, uint32_t n)
{
    memmove(at(sandbox, to, n), at(sandbox, from, n), n);
}

/* The C++ runtime keeps 24 bytes in front of an exception. */
uint32_t Z_envZ___cxa_allocate_exception(clump_io_sandbox *sandbox, uint32_t size)
{
    const uint32_t address = Z_clump_io_lazperfZ_malloc(&sandbox->module, size + 24);
    if (!address) clump_io_sandbox_stop(sandbox, CLUMP_IO_SANDBOX_DAMAGED);
    return address + 24;
}

/* type: virtual table, name. A lazperf::error, a std::runtime_error: virtual table, text. */
void Z_envZ___cxa_throw(clump_io_sandbox *sandbox, uint32_t exception, uint32_t type, uint32_t destructor)
{
    static const char error_type[] = "N7lazperf5errorE", end_text[] = "Unexpected end of file";
    const bool is_end = begins(sandbox, word(sandbox, type + 4), error_type, sizeof error_type) &&
                        begins(sandbox, word(sandbox, exception + 4), end_text, sizeof end_text - 1);
    clump_io_sandbox_stop(sandbox, is_end ? CLUMP_IO_SANDBOX_SHORT : CLUMP_IO_SANDBOX_DAMAGED);
}

void Z_envZ_abort(clump_io_sandbox *sandbox)
{
    clump_io_sandbox_stop(sandbox, CLUMP_IO_SANDBOX_DAMAGED);
}

/* --- files, environment and time ---------------------------------------------------------------- */

enum { WASI_BAD_FILE = 8 };

uint32_t Z_wasi_snapshot_preview1Z_fd_close(clump_io_sandbox *sandbox, uint32_t file)
{
    return WASI_BAD_FILE;
}
uint32_t Z_wasi_snapshot_preview1Z_fd_seek(clump_io_sandbox *sandbox, uint32_t file, uint32_t low, uint32_t high,
                                           uint32_t whence, uint32_t place)
{
    return WASI_BAD_FILE;
}
uint32_t Z_wasi_snapshot_preview1Z_fd_write(clump_io_sandbox *sandbox, uint32_t file, uint32_t parts, uint32_t count,
                                            uint32_t written)
{
    return WASI_BAD_FILE;
}

uint32_t Z_wasi_snapshot_preview1Z_environ_sizes_get(clump_io_sandbox *sandbox, uint32_t count, uint32_t size)
{
    memset(at(sandbox, count, 4), 0, 4);
    memset(at(sandbox, size, 4), 0, 4);
    return 0;
}
uint32_t Z_wasi_snapshot_preview1Z_environ_get(clump_io_sandbox *sandbox, uint32_t variables, uint32_t text)
{
    return 0;
}

uint32_t Z_envZ_strftime_l(clump_io_sandbox *sandbox, uint32_t out, uint32_t room, uint32_t format, uint32_t time,
                           uint32_t locale)
{
    return 0;
}
