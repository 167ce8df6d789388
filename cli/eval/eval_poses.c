/* SPDX-License-Identifier: BSD-3-Clause
 *
 * eval_poses.c: see eval_poses.h.
 *
 *     files -> pairs of a pose P and a true pose Q
 *     relative error of frames i and j: E = (P_i^-1 P_j)^-1 (Q_i^-1 Q_j), its translation and its angle
 *     KITTI: j is where the true path from i is longer than 100, 200 ... 800 m; i is every tenth frame
 *     per frame, and TUM's relative error: j = i + 1
 *     TUM's absolute error: the distances of the places, after the rigid motion of least squares that takes P to Q
 */
#include "eval/eval_poses.h"

#include "common/assert.h"
#include "files/output.h"

#include <clump/index.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { POSES_EVERY = 10 };               /* KITTI: frames from one first frame to the next */
enum { POSES_HEAD = 4096 };              /* bytes that tell whether a file has poses */
#define POSES_LENGTH   100.0             /* KITTI: the first length, and the steps to the next */
#define POSES_TIME_GAP INT64_C(20000000) /* TUM: poses of one time are at most 20 ms apart */

/* ----- one error ------------------------------------------------------------------------------------- */

/* Computes a^-1 b. */
static void between(const double a[12], const double b[12], double out[12])
{
    double m[12]; /* out may be b */
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 4; j++) {
            m[4 * i + j] = 0;
            for (int k = 0; k < 3; k++) m[4 * i + j] += a[4 * k + i] * (b[4 * k + j] - (j == 3 ? a[4 * k + 3] : 0));
        }
    memcpy(out, m, sizeof m);
}

typedef struct pose_error {
    double translation, rotation;
} pose_error;

static pose_error error_between(const double (*poses)[12], const double (*truth)[12], size_t i, size_t j)
{
    double moved[12], really[12], e[12];
    between(poses[i], poses[j], moved);
    between(truth[i], truth[j], really);
    between(moved, really, e);
    const double x = e[9] - e[6], y = e[2] - e[8], z = e[4] - e[1];
    return (pose_error){sqrt(e[3] * e[3] + e[7] * e[7] + e[11] * e[11]),
                        atan2(sqrt(x * x + y * y + z * z), e[0] + e[5] + e[10] - 1)};
}

static int compare_doubles(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Sorts the values. The median of an even number is the mean of the two in the middle. */
static cli_eval_spread spread_of(double *values, size_t count)
{
    if (count == 0) return (cli_eval_spread){NAN, NAN, NAN, NAN};
    double sum = 0, squares = 0;
    for (size_t i = 0; i < count; i++) sum += values[i], squares += values[i] * values[i];
    qsort(values, count, sizeof *values, compare_doubles);
    return (cli_eval_spread){sqrt(squares / (double)count), sum / (double)count,
                             (values[(count - 1) / 2] + values[count / 2]) / 2, values[count - 1]};
}

/* ----- the measures ---------------------------------------------------------------------------------- */

/* KITTI's: parts of equal length, of the true path `along`. */
static void measure_lengths(const double (*poses)[12], const double (*truth)[12], size_t count, const double *along,
                            cli_eval_poses *out)
{
    for (int k = 0; k < CLI_EVAL_LENGTHS; k++) {
        cli_eval_length *const of = &out->lengths[k];
        *of = (cli_eval_length){.length = POSES_LENGTH * (k + 1)};
        for (size_t i = 0, j = 0; i < count; i += POSES_EVERY) {
            while (j < count && !(along[j] > along[i] + of->length)) j++;
            if (j == count) break; /* later parts would end later */
            const pose_error e = error_between(poses, truth, i, j);
            of->translation += e.translation / of->length;
            of->rotation += e.rotation / of->length;
            of->parts++;
        }
        out->all.parts += of->parts;
        out->all.translation += of->translation;
        out->all.rotation += of->rotation;
        of->translation /= (double)of->parts; /* NaN without parts */
        of->rotation /= (double)of->parts;
    }
    out->all.translation /= (double)out->all.parts;
    out->all.rotation /= (double)out->all.parts;
}

static void measure_steps(const double (*poses)[12], const double (*truth)[12], size_t count, double *scratch,
                          cli_eval_poses *out)
{
    double *const turns = scratch + count;
    out->steps = count - 1;
    for (size_t i = 0; i < out->steps; i++) {
        const pose_error e = error_between(poses, truth, i, i + 1);
        scratch[i] = e.translation;
        turns[i] = e.rotation;
    }
    out->step_translation = spread_of(scratch, out->steps);
    out->step_rotation = spread_of(turns, out->steps);
}

static void measure_places(const double (*poses)[12], const double (*truth)[12], size_t count, double *scratch,
                           cli_eval_poses *out)
{
    double(*const from)[3] = (double(*)[3])(void *)scratch, (*const to)[3] = from + count, m[16];
    for (size_t i = 0; i < count; i++)
        for (int k = 0; k < 3; k++) from[i][k] = poses[i][4 * k + 3], to[i][k] = truth[i][4 * k + 3];
    out->absolute = (cli_eval_spread){NAN, NAN, NAN, NAN};
    if (!clump_align_pairs((const double(*)[3])from, (const double(*)[3])to, count, m)) return;
    double *const distances = scratch + 6 * count;
    for (size_t i = 0; i < count; i++) {
        double square = 0;
        for (int k = 0; k < 3; k++) {
            const double *const row = m + 4 * k;
            const double d = row[0] * from[i][0] + row[1] * from[i][1] + row[2] * from[i][2] + row[3] - to[i][k];
            square += d * d;
        }
        distances[i] = sqrt(square);
    }
    out->absolute = spread_of(distances, count);
}

bool cli_eval_measure_poses(const double (*poses)[12], const double (*truth)[12], size_t count, cli_eval_poses *out)
{
    CLUMP_ASSERT(count > 0);
    double *const scratch = cli_allocate(count, 7 * sizeof *scratch);
    if (!scratch) return false;
    scratch[0] = 0; /* the path so far */
    for (size_t i = 1; i < count; i++) {
        double square = 0;
        for (int k = 3; k < 12; k += 4) square += (truth[i][k] - truth[i - 1][k]) * (truth[i][k] - truth[i - 1][k]);
        scratch[i] = scratch[i - 1] + sqrt(square);
    }
    out->path = scratch[count - 1];
    out->all = (cli_eval_length){0};
    measure_lengths(poses, truth, count, scratch, out);
    measure_steps(poses, truth, count, scratch, out);
    measure_places(poses, truth, count, scratch, out);
    free(scratch);
    return true;
}

/* ----- files ----------------------------------------------------------------------------------------- */

/* Returns the numbers of a line; 0: it has other words. */
static size_t numbers_of(char *line)
{
    size_t count = 0;
    for (char *word = strtok(line, " \t\r\v\f"); word; word = strtok(NULL, " \t\r\v\f"), count++) {
        char *end;
        strtod(word, &end);
        if (*end) return 0;
    }
    return count;
}

bool cli_eval_is_poses(const char *path)
{
    FILE *const file = strcmp(path, "-") == 0 || cli_is_folder(path) ? NULL : fopen(path, "r");
    if (!file) return false;
    char head[POSES_HEAD + 1];
    const size_t size = fread(head, 1, POSES_HEAD, file);
    fclose(file);
    head[size] = '\0';
    if (strlen(head) < size) return false;                                      /* not text */
    char *const text = strncmp(head, "\xef\xbb\xbf", 3) == 0 ? head + 3 : head; /* behind a byte order mark */
    for (char *line = text; line;) {
        char *const next = strchr(line, '\n');
        if (next) *next = '\0';
        const char *const word = line + strspn(line, " \t\r\v\f");
        if (*word && *word != '#') {
            const size_t count = numbers_of(line);
            return count == 12 || count == 8;
        }
        if (*word == '#' && strstr(word, "label")) return false; /* the names of a cloud's columns */
        line = next ? next + 1 : NULL;
    }
    return false;
}

static int64_t gap_between(int64_t a, int64_t b)
{
    const uint64_t gap = a > b ? (uint64_t)a - (uint64_t)b : (uint64_t)b - (uint64_t)a;
    return gap > INT64_MAX ? INT64_MAX : (int64_t)gap;
}

/* Pairs poses with the true poses of nearest time, the earlier of two, and keeps pairs within the gap. Of poses that have
 * the same true pose the nearest keeps it, the first of equals. Both lists become lists of pairs. */
static size_t pair_by_time(clump_poses *poses, clump_poses *truth)
{
    size_t count = 0, at = 0;
    size_t last = SIZE_MAX; /* true pose of the pair before */
    int64_t last_gap = 0;
    for (size_t i = 0; i < poses->count; i++) {
        const int64_t time = poses->times[i];
        while (at + 1 < truth->count && gap_between(truth->times[at + 1], time) < gap_between(truth->times[at], time))
            at++;
        const int64_t gap = gap_between(truth->times[at], time);
        if (gap > POSES_TIME_GAP || (at == last && gap >= last_gap)) continue;
        if (at == last) count--;
        memmove(poses->matrices[count], poses->matrices[i], sizeof poses->matrices[0]);
        memmove(truth->matrices[count++], truth->matrices[at], sizeof truth->matrices[0]); /* count <= at */
        last = at, last_gap = gap;
    }
    return count;
}

static int pair_poses(const char *path, clump_poses *poses, const char *truth_path, clump_poses *truth, size_t *count)
{
    *count = poses->count;
    if (poses->times && truth->times) {
        *count = pair_by_time(poses, truth);
        if (*count > 0) return CLI_DONE;
        return cli_fail("%s and %s have no poses of one time, to 0.02 s: they are not of one drive", path, truth_path);
    }
    if (poses->count == truth->count) return CLI_DONE;
    return cli_fail("%s has %zu pose%s and %s %zu: they are not of one drive", path, poses->count,
                    poses->count == 1 ? "" : "s", truth_path, truth->count);
}

static int judge(const char *path, clump_poses *poses, const char *truth_path, clump_poses *truth, cli_eval_poses *out)
{
    out->poses = poses->count;
    out->truth = truth->count;
    CLI_TRY(pair_poses(path, poses, truth_path, truth, &out->pairs));
    if (!cli_eval_measure_poses((const double(*)[12])poses->matrices, (const double(*)[12])truth->matrices, out->pairs,
                                out))
        return cli_fail("not enough memory to judge %zu poses", out->pairs);
    return CLI_DONE;
}

int cli_eval_judge_poses(const char *path, const char *truth_path, cli_eval_poses *out)
{
    clump_poses poses = {0}, truth = {0};
    clump_message why;
    clump_status status = clump_poses_load(path, &poses, &why);
    const char *failed = path;
    if (status == CLUMP_OK) status = clump_poses_load(failed = truth_path, &truth, &why);
    const int result =
        status == CLUMP_OK ? judge(path, &poses, truth_path, &truth, out) : cli_fail_message(failed, status, &why);
    clump_poses_free(&poses);
    clump_poses_free(&truth);
    return result;
}
