/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_poses.c: files of poses: what is read, what is refused with which sentence, and that written files read back. Tables of
 * classes, which are small files of text, too.
 */
#include "support/check.h"

#include <clump/io.h>

#include <math.h>
#include <unistd.h>

#define CLOSE(a, b) (fabs((a) - (b)) < 1e-12)

static clump_status parse(const char *text, clump_poses *out, clump_message *why)
{
    return clump_poses_parse(text, strlen(text), "p.txt", out, why);
}

/* Checks that the text is refused with this sentence. */
static void check_refused(const char *text, const char *sentence)
{
    clump_poses poses;
    clump_message why;
    CHECK(parse(text, &poses, &why) == CLUMP_ERR_IO_FORMAT);
    CHECK_MSG(strcmp(why.text, sentence) == 0, "%s: %s", text, why.text);
    CHECK(poses.count == 0 && !poses.matrices && !poses.times);
}

#define I12 "1 0 0 0 0 1 0 0 0 0 1 0"

static void reads_kitti(void)
{
    clump_poses poses;
    clump_message why;
    CHECK(parse("\xef\xbb\xbf# a comment\n\n  1 0 0 1.5 0 0 -1 -2e0 0 1 0 .25 \r\n" I12, &poses, &why) == CLUMP_OK);
    CHECK(poses.format == CLUMP_POSES_KITTI && poses.count == 2 && !poses.times);
    const double expected[12] = {1, 0, 0, 1.5, 0, 0, -1, -2, 0, 1, 0, 0.25};
    CHECK(memcmp(poses.matrices[0], expected, sizeof expected) == 0);
    clump_poses_free(&poses);
}

/* A quarter turn around each axis, and a quaternion of few digits, which is made one of length 1. */
static void reads_tum(void)
{
    clump_poses poses;
    clump_message why;
    CHECK(parse("-0.5 1 2 3 0 0 0 1\n1305031102.1753040019 0 0 0 0.70711 0 0 0.70711\n"
                "1305031102.175304002 0 0 0 0 0.70711 0 0.70711\n1.4e9 0 0 0 0 0 -0.70711 -0.70711\n",
                &poses, &why) == CLUMP_OK);
    CHECK(poses.format == CLUMP_POSES_TUM && poses.count == 4);
    CHECK_INT(poses.times[0], -500000000);
    CHECK_INT(poses.times[1], 1305031102175304001);
    CHECK_INT(poses.times[2], 1305031102175304002);
    CHECK_INT(poses.times[3], 1400000000000000000);
    const double expected[4][12] = {{1, 0, 0, 1, 0, 1, 0, 2, 0, 0, 1, 3},
                                    {1, 0, 0, 0, 0, 0, -1, 0, 0, 1, 0, 0},
                                    {0, 0, 1, 0, 0, 1, 0, 0, -1, 0, 0, 0},
                                    {0, -1, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0}};
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 12; k++)
            CHECK_MSG(CLOSE(poses.matrices[i][k], expected[i][k]), "pose %d, number %d: %g", i, k,
                      poses.matrices[i][k]);
    clump_poses_free(&poses);
}

static void refuses(void)
{
    check_refused("", "p.txt: there are no poses in it");
    check_refused("# nothing\n\n", "p.txt: there are no poses in it");
    check_refused("1 2 3\n", "p.txt: line 1: 3 numbers; a pose has 12 (KITTI), or 8 with its time (TUM)");
    check_refused("\n7\n", "p.txt: line 2: 1 number; a pose has 12 (KITTI), or 8 with its time (TUM)");
    check_refused(I12 "\n1 0 0 0\n", "p.txt: line 2: 4 numbers, the lines before have 12");
    check_refused(I12 "\n0 0 0 0 0 0 0 1\n", "p.txt: line 2: 8 numbers, the lines before have 12");
    check_refused("0 0 0 0 0 0 0 1\n" I12, "p.txt: line 2: 12 numbers, the lines before have 8");
    check_refused("1 0 0 0 0 x1 0 0 0 0 1 0", "p.txt: line 1: 'x1' is not a number");
    check_refused("1 0 0 nan 0 1 0 0 0 0 1 0", "p.txt: line 1: 'nan' is not a number");
    check_refused("1 0 0 inf 0 1 0 0 0 0 1 0", "p.txt: line 1: 'inf' is not a number");
    check_refused("1 0 0 1e999 0 1 0 0 0 0 1 0", "p.txt: line 1: '1e999' is not a number");
    check_refused("1,0,0,0,0,1,0,0,0,0,1,0", "p.txt: line 1: '1,0,0,0,0,1,0,0,0,0,1,0' is not a number");
    check_refused("1 0 0 0 0 1 0 0 0 0 -1 0", "p.txt: line 1: the matrix does not just turn and move");
    check_refused("1 0 0 0 0 1 0 0 0 0 1.01 0", "p.txt: line 1: the matrix does not just turn and move");
    check_refused("1 .002 0 0 0 1 0 0 0 0 1 0", "p.txt: line 1: the matrix does not just turn and move");
    check_refused("0 0 0 0 0 0 0 1.01", "p.txt: line 1: the quaternion has length 1.01, a rotation has 1");
    check_refused("0 0 0 0 0 0 0 0", "p.txt: line 1: the quaternion has length 0, a rotation has 1");
    check_refused("2 0 0 0 0 0 0 1\n2 0 0 0 0 0 0 1", "p.txt: line 2: the time 2 s is not after the one before");
    check_refused("2 0 0 0 0 0 0 1\n1.5 0 0 0 0 0 0 1", "p.txt: line 2: the time 1.5 s is not after the one before");
    check_refused("1e30 0 0 0 0 0 0 1", "p.txt: line 1: the time 1e+30 s is out of range");
}

static void refuses_files(void)
{
    clump_poses poses;
    clump_message why;
    CHECK(clump_poses_load("/no/such/file", &poses, &why) != CLUMP_OK);
    CHECK(strstr(why.text, "/no/such/file") && !poses.matrices);
    CHECK(clump_poses_load(NULL, &poses, &why) == CLUMP_ERR_ARGUMENT && why.text[0]);
    CHECK(clump_poses_parse(NULL, 4, NULL, &poses, &why) == CLUMP_ERR_ARGUMENT && why.text[0]);
    clump_poses_free(NULL);
}

/* Makes a random pose. Every fourth is a half turn, where w of the quaternion is 0. */
static void make_pose(uint64_t *random, int i, double m[12])
{
    double q[4], square = 0;
    for (int k = 0; k < 4; k++) q[k] = 2 * (double)check_random_float(random) - 1;
    if (i % 4 == 0) q[3] = 0;
    for (int k = 0; k < 4; k++) square += q[k] * q[k];
    const double s = 2 / square, x = q[0], y = q[1], z = q[2], w = q[3];
    const double r[12] = {1 - s * (y * y + z * z), s * (x * y - w * z),     s * (x * z + w * y),     0,
                          s * (x * y + w * z),     1 - s * (x * x + z * z), s * (y * z - w * x),     0,
                          s * (x * z - w * y),     s * (y * z + w * x),     1 - s * (x * x + y * y), 0};
    memcpy(m, r, sizeof r);
    for (int k = 0; k < 3; k++) m[4 * k + 3] = 2e4 * (double)check_random_float(random) - 1e4;
}

static void writes_and_reads(void)
{
    enum { POSES = 100 };
    static double matrices[POSES][12];
    static int64_t times[POSES];
    uint64_t random = 7;
    for (int i = 0; i < POSES; i++) {
        make_pose(&random, i, matrices[i]);
        times[i] = INT64_C(-3000000001) + 100000007 * (int64_t)i;
    }
    const clump_poses poses = {0, POSES, matrices, times};
    char path[64];
    clump_message why;
    clump_poses back;
    snprintf(path, sizeof path, "/tmp/clump-poses-%ld.txt", (long)getpid());
    CHECK(clump_poses_save(path, &poses, CLUMP_POSES_GUESS, NULL, NULL, &why) == CLUMP_OK);
    CHECK(clump_poses_load(path, &back, &why) == CLUMP_OK);
    CHECK(back.format == CLUMP_POSES_KITTI && back.count == POSES);
    CHECK(back.count == POSES && memcmp(back.matrices, matrices, sizeof matrices) == 0);
    clump_poses_free(&back);
    unlink(path);
    snprintf(path, sizeof path, "/tmp/clump-poses-%ld.tum", (long)getpid());
    CHECK(clump_poses_save(path, &poses, CLUMP_POSES_GUESS, NULL, NULL, &why) == CLUMP_OK);
    CHECK(clump_poses_load(path, &back, &why) == CLUMP_OK);
    CHECK(back.format == CLUMP_POSES_TUM && back.count == POSES && memcmp(back.times, times, sizeof times) == 0);
    int wrong = 0;
    for (int i = 0; i < POSES && back.count == POSES; i++)
        for (int k = 0; k < 12; k++) wrong += !(fabs(back.matrices[i][k] - matrices[i][k]) < 1e-11);
    CHECK_INT(wrong, 0);
    clump_poses_free(&back);
    unlink(path);
}

static void refuses_to_write(void)
{
    double matrix[2][12] = {{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0}, {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0}};
    int64_t times[2] = {5, 5};
    clump_poses poses = {0, 2, matrix, NULL};
    clump_message why;
    CHECK(clump_poses_save("/tmp/x.tum", &poses, CLUMP_POSES_GUESS, NULL, NULL, &why) == CLUMP_ERR_ARGUMENT);
    CHECK(strcmp(why.text, "/tmp/x.tum: a TUM file has the time of each pose, and there are no times") == 0);
    poses.times = times;
    CHECK(clump_poses_save("/tmp/x.tum", &poses, CLUMP_POSES_GUESS, NULL, NULL, &why) == CLUMP_ERR_ARGUMENT);
    CHECK(strcmp(why.text, "/tmp/x.tum: the time of pose 1 is not after the one before") == 0);
    matrix[1][7] = NAN;
    CHECK(clump_poses_save("/tmp/x.txt", &poses, CLUMP_POSES_GUESS, NULL, NULL, &why) == CLUMP_ERR_ARGUMENT);
    CHECK(strcmp(why.text, "/tmp/x.txt: pose 1 does not just turn and move") == 0);
    matrix[1][7] = 0;
    CHECK(clump_poses_save("/no/folder/x", &poses, CLUMP_POSES_KITTI, NULL, NULL, &why) != CLUMP_OK && why.text[0]);
}

/* --- tables of classes: clump_class_table_* ------------------------------------------------------------------------ */

static void check_table_refused(const char *text, const char *sentence)
{
    clump_class_table table;
    clump_message why;
    CHECK(clump_class_table_parse(text, strlen(text), "t.txt", &table, &why) == CLUMP_ERR_IO_FORMAT);
    CHECK_MSG(strcmp(why.text, sentence) == 0, "%s: %s", text, why.text);
    CHECK(table.count == 0 && !table.rows);
}

static void reads_tables(void)
{
    clump_class_table t;
    const char text[] = "\xef\xbb\xbf# ids name\n\n 10,252\tcar radius=0.75 min=2 max=9 oversize=split 2d # all\r\n30 "
                        "p.e-r_1\n40,44 road stuff 3d";
    CHECK(clump_class_table_parse(text, sizeof text - 1, NULL, &t, NULL) == CLUMP_OK);
    CHECK_INT(t.count, 5);
    for (size_t k = 0; k < 2; k++)
        CHECK(t.rows[k].id == (k ? 252 : 10) && t.rows[k].group == 1 && t.rows[k].radius == 0.75f &&
              t.rows[k].min_size == 2 && t.rows[k].max_size == 9 && t.rows[k].oversize == CLUMP_OVERSIZE_SPLIT &&
              t.rows[k].two_d && !t.rows[k].stuff && strcmp(t.rows[k].name, "car") == 0);
    CHECK(t.rows[2].id == 30 && t.rows[2].group == 0 && t.rows[2].radius == 0 && !t.rows[2].two_d &&
          t.rows[2].max_size == 0 && t.rows[2].oversize == CLUMP_OVERSIZE_DROP &&
          strcmp(t.rows[2].name, "p.e-r_1") == 0);
    CHECK(t.rows[4].id == 44 && t.rows[4].group == t.rows[3].group && t.rows[4].group > 1 && t.rows[4].stuff);
    clump_class_table_free(&t);
    CHECK(clump_class_table_load("semantickitti", &t, NULL) == CLUMP_OK && t.count > 20 &&
          strcmp(t.rows[0].name, "car") == 0);
    clump_class_table_free(&t);
    clump_class_table_free(NULL);
    CHECK(clump_class_table_load("no/such/table", &t, NULL) == CLUMP_ERR_IO_OPEN && t.count == 0);
    CHECK(clump_class_table_parse(NULL, 3, NULL, &t, NULL) == CLUMP_ERR_ARGUMENT);
    CHECK(clump_class_table_load(NULL, &t, NULL) == CLUMP_ERR_ARGUMENT);
}

static void refuses_tables(void)
{
    check_table_refused("", "t.txt: there are no classes in it");
    check_table_refused("# none\n", "t.txt: there are no classes in it");
    check_table_refused("10\n", "t.txt: line 1: the name of the class is missing");
    check_table_refused("1,x car\n", "t.txt: line 1: 'x' is no class, a number from 0 to 65535");
    check_table_refused("1, car\n", "t.txt: line 1: '' is no class, a number from 0 to 65535");
    check_table_refused("65536 car\n", "t.txt: line 1: '65536' is no class, a number from 0 to 65535");
    check_table_refused("-1 car\n", "t.txt: line 1: '-1' is no class, a number from 0 to 65535");
    check_table_refused("1 car\n2,1 bus\n", "t.txt: line 2: class 1 is there twice");
    check_table_refused("1 c\"r\n", "t.txt: line 1: the name 'c\"r' has more than letters, digits and . _ -");
    check_table_refused("1 abcdefghijklmnopqrstuvwxyzabcdef\n",
                        "t.txt: line 1: the name has 32 characters, at most 31 are allowed");
    check_table_refused("1 car radius=0\n", "t.txt: line 1: 'radius=0' needs a number above 0");
    check_table_refused("1 car radius=\n", "t.txt: line 1: 'radius=' needs a number above 0");
    check_table_refused("1 car radius=1m\n", "t.txt: line 1: 'radius=1m' needs a number above 0");
    check_table_refused("1 car radius=inf\n", "t.txt: line 1: 'radius=inf' needs a number above 0 and below 1e19");
    check_table_refused("1 car min=0\n", "t.txt: line 1: 'min=0' needs a whole number from 1 on");
    check_table_refused("1 car max=1.5\n", "t.txt: line 1: 'max=1.5' needs a whole number from 1 on");
    check_table_refused("1 car min=5 max=4\n", "t.txt: line 1: min=5 is larger than max=4");
    check_table_refused("1 car oversize=cut\n", "t.txt: line 1: 'oversize=cut': there are drop, keep and split");
    check_table_refused("1 car wide\n",
                        "t.txt: line 1: 'wide' is no value; there are radius= min= max= oversize= 2d 3d and stuff");
}

/* Any bytes are a table or refused; cut at every byte. */
static void hostile_tables(void)
{
    static char text[] = "1,2,3,4,5 a radius=1e0 min=1 max=22222 oversize=keep 2d\n6,7 b stuff # end\n8 c\n";
    clump_class_table t;
    for (size_t size = 0; size < sizeof text; size++)
        for (int bit = 0; bit < 8; bit++) {
            char *const bytes = malloc(size ? size : 1); /* a sanitizer finds reads behind it */
            memcpy(bytes, text, size);
            if (size > 0) bytes[size / 2] = (char)(bytes[size / 2] ^ 1 << bit);
            if (clump_class_table_parse(bytes, size, NULL, &t, NULL) == CLUMP_OK) CHECK(t.count > 0);
            clump_class_table_free(&t);
            free(bytes);
        }
}

CHECK_PROGRAM(test_poses)
{
    RUN(reads_kitti);
    RUN(reads_tum);
    RUN(refuses);
    RUN(refuses_files);
    RUN(writes_and_reads);
    RUN(refuses_to_write);
    RUN(reads_tables);
    RUN(refuses_tables);
    RUN(hostile_tables);
}
