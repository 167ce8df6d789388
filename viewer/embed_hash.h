/* SPDX-License-Identifier: BSD-3-Clause
 *
 * embed_hash.h: SHA-256 (FIPS 180-4), for the build only: the content security policy names scripts by it.
 */
#ifndef CLUMP_VIEWER_EMBED_HASH_H
#define CLUMP_VIEWER_EMBED_HASH_H

#include <stddef.h>
#include <stdint.h>

void embed_hash(const uint8_t *bytes, size_t size, uint8_t digest[32]);

#endif
