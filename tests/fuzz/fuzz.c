/* SPDX-License-Identifier: BSD-3-Clause
 *
 * fuzz.c: runs a target by its name. libFuzzer drives the one in the variable FUZZ_TARGET (scripts/fuzz.sh). Without a fuzzer
 * every file of a folder is fed: whole, cut short, and damaged in ways that are the same in every run.
 *
 *     fuzz_replay TARGET FOLDER [ROUNDS]
 */
#include "target.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TARGETS = 64 };

static struct {
    const char *name;
    fuzz_run *run;
} targets[TARGETS];
static int count;
static clump_format format;
static fuzz_run *target;

void fuzz_add(const char *name, fuzz_run *run)
{
    if (count == TARGETS) abort();
    targets[count].name = name;
    targets[count++].run = run;
}

static int run_format(const uint8_t *data, size_t size)
{
    return fuzz_format(format, data, size);
}

/* Ends the program where there is no such target. */
static void choose(const char *name)
{
    for (int t = 0; t < count; t++)
        if (strcmp(targets[t].name, name) == 0) target = targets[t].run;
    if (!target && clump_format_from_name(name, &format)) target = run_format;
    if (!target) fprintf(stderr, "fuzz: no target %s\n", name), exit(1);
}

#ifdef CLUMP_FUZZ

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc, (void)argv;
    const char *const name = getenv("FUZZ_TARGET");
    choose(name ? name : "");
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return target(data, size);
}

#else

static uint64_t state = 1;

static uint64_t next(void)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return state >> 33;
}

static void damage(uint8_t *bytes, size_t size)
{
    static const uint8_t telling[] = {0x00, 0xff, 0x7f, 0x80, '0', '9', '-', '.', ' ', '\n', 'e'};
    for (uint64_t n = 1 + next() % 4; n && size; n--) {
        uint8_t *at = bytes + next() % size;
        if (next() % 2)
            *at = telling[next() % sizeof telling];
        else
            *at = (uint8_t)(*at ^ (1u << next() % 8));
    }
}

/* In a block of exactly its size, so that a sanitizer sees a byte read too far. */
static void feed(const uint8_t *bytes, size_t size)
{
    uint8_t *copy = malloc(size ? size : 1);
    if (!copy) abort();
    memcpy(copy, bytes, size);
    target(copy, size);
    free(copy);
}

static void replay(const uint8_t *bytes, size_t size, size_t rounds)
{
    feed(bytes, size);
    for (size_t cut = 0; cut < size; cut += size / 256 + 1) feed(bytes, cut);
    uint8_t *damaged = malloc(size ? size : 1);
    if (!damaged) abort();
    for (size_t i = 0; i < rounds; i++) {
        memcpy(damaged, bytes, size);
        damage(damaged, size);
        feed(damaged, size);
    }
    free(damaged);
}

int main(int argc, char **argv)
{
    if (argc < 3) return fprintf(stderr, "usage: %s TARGET FOLDER [ROUNDS]\n", argv[0]), 2;
    choose(argv[1]);
    const size_t rounds = argc > 3 ? strtoul(argv[3], NULL, 10) : 300;
    DIR *folder = opendir(argv[2]);
    if (!folder) return fprintf(stderr, "fuzz: no folder %s\n", argv[2]), 1;
    size_t files = 0;
    for (const struct dirent *e = readdir(folder); e; e = readdir(folder)) {
        char path[1024];
        snprintf(path, sizeof path, "%s/%s", argv[2], e->d_name);
        FILE *f = e->d_name[0] == '.' ? NULL : fopen(path, "rb");
        if (!f) continue;
        static uint8_t bytes[1 << 20];
        const size_t size = fread(bytes, 1, sizeof bytes, f);
        fclose(f);
        state = size; /* the order of the folder does not matter */
        replay(bytes, size, rounds);
        files++;
    }
    closedir(folder);
    printf("%zu files\n", files);
    return files == 0;
}

#endif
