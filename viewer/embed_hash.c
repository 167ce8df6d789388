/* SPDX-License-Identifier: BSD-3-Clause
 *
 * embed_hash.c: see embed_hash.h. The constants are the first 32 bits of the fractional parts of the square roots (state)
 * and cube roots (rounds) of the first primes; they are computed in integers, not listed.
 */
#include "embed_hash.h"

#include <string.h>

enum { HASH_BLOCK = 64, HASH_ROUNDS = 64 };

/* Returns the first 32 bits of the fractional part of the square or cube root: the largest r with r^power <= prime *
 * 2^(32 power), without its whole part. The products have up to 105 bits, so they are compared in pieces. */
static uint32_t root_fraction(uint32_t prime, int power)
{
    uint64_t root = 0;
    for (int bit = 35; bit >= 0; bit--) {
        const uint64_t r = root | (uint64_t)1 << bit;
        const uint64_t high = r >> 20, low = r & 0xFFFFF; /* r = high * 2^20 + low */
        /* r^power = digits[3] * 2^60 + digits[2] * 2^40 + digits[1] * 2^20 + digits[0] */
        uint64_t digits[4] = {low * low, 2 * high * low, high * high, 0};
        if (power == 3) {
            digits[3] = digits[2] * high;
            digits[2] = digits[2] * low + digits[1] * high;
            digits[1] = digits[1] * low + digits[0] * high;
            digits[0] = digits[0] * low;
        }
        for (int k = 0; k < 3; k++) digits[k + 1] += digits[k] >> 20, digits[k] &= 0xFFFFF;
        /* prime * 2^64 = prime * 2^4 * 2^60; prime * 2^96 = prime * 2^36 * 2^60 */
        if (digits[3] < (uint64_t)prime << (power == 2 ? 4 : 36)) root = r;
    }
    return (uint32_t)root;
}

static uint32_t next_prime(uint32_t after)
{
    for (uint32_t n = after + 1;; n++) {
        uint32_t d = 2;
        while (d * d <= n && n % d) d++;
        if (d * d > n) return n;
    }
}

static uint32_t turned(uint32_t x, int bits)
{
    return x >> bits | x << (32 - bits);
}

static void add_block(uint32_t state[8], const uint32_t rounds[HASH_ROUNDS], const uint8_t *block)
{
    uint32_t w[HASH_ROUNDS], s[8];
    for (int i = 0; i < 16; i++, block += 4)
        w[i] = (uint32_t)block[0] << 24 | (uint32_t)block[1] << 16 | (uint32_t)block[2] << 8 | block[3];
    for (int i = 16; i < HASH_ROUNDS; i++) {
        const uint32_t a = w[i - 15], b = w[i - 2];
        w[i] =
            w[i - 16] + w[i - 7] + (turned(a, 7) ^ turned(a, 18) ^ a >> 3) + (turned(b, 17) ^ turned(b, 19) ^ b >> 10);
    }
    memcpy(s, state, sizeof s);
    for (int i = 0; i < HASH_ROUNDS; i++) {
        const uint32_t choice = (s[4] & s[5]) ^ (~s[4] & s[6]);
        const uint32_t majority = (s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]);
        const uint32_t first =
            s[7] + (turned(s[4], 6) ^ turned(s[4], 11) ^ turned(s[4], 25)) + choice + rounds[i] + w[i];
        const uint32_t second = (turned(s[0], 2) ^ turned(s[0], 13) ^ turned(s[0], 22)) + majority;
        memmove(s + 1, s, 7 * sizeof *s);
        s[4] += first;
        s[0] = first + second;
    }
    for (int k = 0; k < 8; k++) state[k] += s[k];
}

void embed_hash(const uint8_t *bytes, size_t size, uint8_t digest[32])
{
    uint32_t state[8], rounds[HASH_ROUNDS], prime = 1;
    for (int k = 0; k < HASH_ROUNDS; k++) {
        prime = next_prime(prime);
        rounds[k] = root_fraction(prime, 3);
        if (k < 8) state[k] = root_fraction(prime, 2);
    }
    const uint64_t bits = (uint64_t)size * 8;
    for (; size >= HASH_BLOCK; size -= HASH_BLOCK, bytes += HASH_BLOCK) add_block(state, rounds, bytes);
    uint8_t tail[2 * HASH_BLOCK] = {0};
    if (size > 0) memcpy(tail, bytes, size);
    tail[size] = 0x80;
    const size_t length = size + 9 <= HASH_BLOCK ? HASH_BLOCK : 2 * HASH_BLOCK;
    for (size_t k = 0; k < 8; k++) tail[length - 1 - k] = (uint8_t)(bits >> 8 * k);
    for (size_t at = 0; at < length; at += HASH_BLOCK) add_block(state, rounds, tail + at);
    for (int k = 0; k < 32; k++) digest[k] = (uint8_t)(state[k / 4] >> (24 - 8 * (k % 4)));
}
