/* SPDX-License-Identifier: BSD-3-Clause
 *
 * target.h: the function that libFuzzer looks for.
 */
#ifndef CLUMP_TESTS_FUZZ_TARGET_H
#define CLUMP_TESTS_FUZZ_TARGET_H

#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#endif
