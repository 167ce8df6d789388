/* SPDX-License-Identifier: BSD-3-Clause
 *
 * level.c: the levels of this build, and the choice between them. No other file has an #if on CLUMP_WITH_LEVELS.
 */
#include "core/context.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef CLUMP_WITH_LEVELS
#include <cpuid.h>
#endif

static bool runs_everywhere(void)
{
    return true;
}

/* Plain C: only builds of tests link it (src/CMakeLists.txt). It is never chosen where it is not asked for. */
#ifdef __ELF__
__attribute__((weak)) const clump_backend_table *clump_backend_cpu_plain(void);
#endif

#ifdef CLUMP_WITH_LEVELS
const clump_backend_table *clump_backend_cpu_v3(void);
const clump_backend_table *clump_backend_cpu_v4(void);

/* The bits that a level asks for: registers of cpuid, and XCR0, the state that the operating system saves when it
 * switches threads. The names of the bits are those of <cpuid.h>. */
typedef struct level_bits {
    unsigned ecx1, ebx7, ecx80000001, xcr0;
} level_bits;

#define LEVEL_XCR0_AVX    0x06U /* the lower 16 and 32 bytes of the vector registers */
#define LEVEL_XCR0_AVX512 0xe6U /* and all 64, the 16 upper registers, the masks */

static level_bits bits_here(void)
{
    level_bits has = {0};
    unsigned eax, ebx, ecx, edx;
    if (__get_cpuid(1, &eax, &ebx, &ecx, &edx)) has.ecx1 = ecx;
    if (__get_cpuid_count(7, 0, &eax, &ebx, &ecx, &edx)) has.ebx7 = ebx;
    if (__get_cpuid(0x80000001U, &eax, &ebx, &ecx, &edx)) has.ecx80000001 = ecx;
    if (has.ecx1 & bit_OSXSAVE) { /* without it xgetbv is no instruction */
        __asm__ volatile("xgetbv" : "=a"(eax), "=d"(edx) : "c"(0));
        has.xcr0 = eax;
    }
    return has;
}

static bool all_here(level_bits wanted)
{
    const level_bits has = bits_here();
    return (has.ecx1 & wanted.ecx1) == wanted.ecx1 && (has.ebx7 & wanted.ebx7) == wanted.ebx7 &&
           (has.ecx80000001 & wanted.ecx80000001) == wanted.ecx80000001 && (has.xcr0 & wanted.xcr0) == wanted.xcr0;
}

/* The levels as the psABI of x86-64 defines them: v3 with what v2 has already. */
#define LEVEL_V3_ECX1                                                                                                  \
    (bit_SSE3 | bit_SSSE3 | bit_FMA | bit_CMPXCHG16B | bit_SSE4_1 | bit_SSE4_2 | bit_MOVBE | bit_POPCNT |              \
     bit_OSXSAVE | bit_AVX | bit_F16C)
#define LEVEL_V3_EBX7        (bit_BMI | bit_AVX2 | bit_BMI2)
#define LEVEL_V4_EBX7        (LEVEL_V3_EBX7 | bit_AVX512F | bit_AVX512BW | bit_AVX512CD | bit_AVX512DQ | bit_AVX512VL)
#define LEVEL_V3_ECX80000001 (bit_LAHF_LM | bit_LZCNT)

static bool runs_v3(void)
{
    return all_here((level_bits){LEVEL_V3_ECX1, LEVEL_V3_EBX7, LEVEL_V3_ECX80000001, LEVEL_XCR0_AVX});
}

static bool runs_v4(void)
{
    return all_here((level_bits){LEVEL_V3_ECX1, LEVEL_V4_EBX7, LEVEL_V3_ECX80000001, LEVEL_XCR0_AVX512});
}
#endif

/* Best first. The compiler options of the last level but "plain" are those of the build. */
static const clump_level levels[] = {
#ifdef CLUMP_WITH_LEVELS
    {"v4", clump_backend_cpu_v4, runs_v4},
    {"v3", clump_backend_cpu_v3, runs_v3},
#endif
#ifdef CLUMP_LEVEL_NATIVE
    {"native", clump_backend_cpu, runs_everywhere},
#else
    {"baseline", clump_backend_cpu, runs_everywhere},
#endif
#ifdef __ELF__
    {"plain", clump_backend_cpu_plain, runs_everywhere},
#endif
};

/* Without "plain" where it is not linked. */
static int level_count(void)
{
    const int count = (int)(sizeof levels / sizeof *levels);
    return levels[count - 1].table ? count : count - 1;
}

const clump_level *clump_level_at(int i)
{
    return i >= 0 && i < level_count() ? &levels[i] : NULL;
}

/* Writes that no level has the name `wanted`, and which levels there are. */
static void list_levels(const char *wanted, clump_message *why)
{
    const size_t size = sizeof why->text; /* enough: a name is cut off, the levels are few */
    const int last = level_count() - 1;
    int end = snprintf(why->text, size, CLUMP_LEVEL_VARIABLE " is \"%.40s\", this build of clump has", wanted);
    for (int i = last; i >= 0; i--)
        end += snprintf(why->text + end, size - (size_t)end, "%s %s", i == last ? ":" : ",", levels[i].name);
}

clump_status clump_level_choose(const clump_level **out, clump_message *why)
{
    *out = NULL;
    const char *const given = getenv(CLUMP_LEVEL_VARIABLE);
    const char *const wanted = given && *given ? given : NULL;
    for (int i = 0; i < level_count(); i++) {
        if (wanted && strcmp(wanted, levels[i].name) != 0) continue;
        if (levels[i].runs_here()) {
            *out = &levels[i];
            return CLUMP_OK;
        }
        if (!wanted) continue;
        snprintf(why->text, sizeof why->text,
                 CLUMP_LEVEL_VARIABLE " is \"%s\", and this processor cannot run that level", wanted);
        return CLUMP_ERR_UNSUPPORTED;
    }
    list_levels(wanted, why);
    return CLUMP_ERR_ARGUMENT;
}
