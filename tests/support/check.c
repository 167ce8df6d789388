/* SPDX-License-Identifier: BSD-3-Clause
 *
 * check.c: main() of the test programs: finds a list by its name, and counts.
 */
#include "support/check.h"

enum { LISTS = 64, LOOPS = 256 };

const char *check_filter, *check_test = "before the first test";
long check_failures;
bool check_skipped;
static int passed, failed, skipped, lists;
static struct {
    const char *name;
    check_list *run;
} list_of[LISTS];

/* The loops of random cases of this run, and how many cases they have at most. */
static struct {
    const char *file;
    int line, rounds;
} loop_of[LOOPS];
static int loops;

int check_tier(void)
{
    static int tier;
    if (tier > 0) return tier;
    const char *const value = getenv("CLUMP_TEST_TIER");
    if (!value || !*value) return tier = 1;
    if (strlen(value) != 1 || *value < '1' || *value > '3') {
        fprintf(stderr, "CLUMP_TEST_TIER=%s: it is 1, 2 or 3\n", value);
        exit(2);
    }
    return tier = *value - '0';
}

int check_rounds_at(int usual, bool always, const char *file, int line)
{
    const int tier = check_tier(), rounds = tier == 3 ? 20 * usual : tier == 1 && !always ? (usual + 3) / 4 : usual;
    int l = 0;
    while (l < loops && (loop_of[l].line != line || strcmp(loop_of[l].file, file) != 0)) l++;
    if (l == LOOPS) abort();
    if (l == loops) loop_of[loops].file = file, loop_of[loops++].line = line;
    if (loop_of[l].rounds < rounds) loop_of[l].rounds = rounds;
    return rounds;
}

static void print_rounds(void)
{
    long sum = 0;
    for (int l = 0; l < loops; l++) sum += loop_of[l].rounds;
    if (sum > 0) printf("%ld random cases at least, in %d loops\n", sum, loops);
}

void check_add(const char *name, check_list *list)
{
    if (lists == LISTS) abort();
    list_of[lists].name = name;
    list_of[lists++].run = list;
}

bool check_begins(const char *test)
{
    if (check_filter && !strstr(test, check_filter)) return false;
    check_test = test, check_skipped = false;
    return true;
}

/* What failed before a test, or after the last, counts, too. */
void check_ends(void)
{
    failed += check_failures > 0;
    skipped += !check_failures && check_skipped;
    passed += !check_failures && !check_skipped;
    check_failures = 0;
}

int main(int argc, char **argv)
{
    check_list *run = NULL;
    for (int l = 0; argc > 1 && l < lists; l++)
        if (strcmp(list_of[l].name, argv[1]) == 0) run = list_of[l].run;
    if (!run) {
        fprintf(stderr, "usage: %s NAME [PART OF THE NAME OF A FUNCTION], NAME one of", argv[0]);
        for (int l = 0; l < lists; l++) fprintf(stderr, " %s", list_of[l].name);
        return fputs("\n", stderr), 2;
    }
    check_filter = argc > 2 ? argv[2] : NULL;
    run(argc - 1, argv + 1);
    failed += check_failures > 0;
    print_rounds();
    printf("%d passed, %d failed, %d skipped\n", passed, failed, skipped);
    if (failed) return 1;
    return passed ? 0 : 77;
}
