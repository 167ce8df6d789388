/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_io_hostile.c: broken files and broken disks. Nothing may crash, nothing may take time or
 * memory that the bytes there are do not justify, and a file that cannot be written leaves the one
 * before it as it was. Most of these tests mean the most under the address sanitizer.
 */
#include "io/test_io.h"

#include <dirent.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>

/* A kind of file that clump_io writes points to: an ending and an encoding. */
typedef struct sample {
    char name[32];
    clump_encoding encoding;
} sample;

/* The which-th kind, of all formats; false: there are no more. */
static bool find_sample(int which, sample *s)
{
    clump_format_info info;
    for (int f = CLUMP_FORMAT_GUESS + 1; clump_format_describe((clump_format)f, &info); f++) {
        const bool has[] = {false, info.ascii, info.binary, info.compressed, info.big_endian};
        for (int e = CLUMP_ENCODING_ASCII; e <= CLUMP_ENCODING_BIG_ENDIAN; e++)
            for (const char *const *ending = info.extensions; *ending; ending++) {
                if (!info.writes || !info.holds_points || !has[e] || which-- > 0) continue;
                snprintf(s->name, sizeof s->name, "s.%s", *ending);
                s->encoding = (clump_encoding)e;
                return true;
            }
    }
    return false;
}

/* The points may have got an origin on the way, and lost digits that are small beside it. */
static bool same_place(const clump_cloud *a, const clump_cloud *b, size_t i)
{
    const double x = clump_cloud_origin(a)[i % 3] + (double)clump_cloud_points(a).xyz[i];
    const double y = clump_cloud_origin(b)[i % 3] + (double)clump_cloud_points(b).xyz[i];
    return x == y || (isnan(x) && isnan(y)) || fabs(x - y) < 0.01;
}

/* The bytes of a small file of that kind. Null: the format refuses the cloud, as LAS does NaN and PLY large integers. */
static unsigned char *make_sample(const sample *s, size_t *size, clump_cloud **cloud)
{
    *cloud = io_make_cloud(5);
    clump_save_options options = clump_save_defaults();
    options.encoding = s->encoding;
    const char *path = io_path(s->name);
    const clump_status status = clump_cloud_save(path, *cloud, NULL, &options, &io_why);
    if (status == CLUMP_ERR_IO_UNSUPPORTED) return clump_cloud_destroy(*cloud), NULL;
    CHECK_INT(status, CLUMP_OK);
    unsigned char *bytes = io_slurp(path, size);
    unlink(path);
    return bytes;
}

static void every_truncation(void)
{
    int accepted = 0;
    sample s;
    for (int which = 0; find_sample(which, &s); which++) {
        size_t size;
        clump_cloud *cloud, *back;
        unsigned char *bytes = make_sample(&s, &size, &cloud);
        if (!bytes) continue;
        accepted++;
        for (size_t cut = 0; cut < size; cut++) {
            if (io_parse_copy(s.name, bytes, cut, &back) != CLUMP_OK) continue;
            /* What was read is right, the last point of a text aside: its last number may be cut. */
            const clump_points points = clump_cloud_points(back);
            CHECK_MSG(points.count <= 5, "%s cut at %zu", s.name, cut);
            for (size_t i = 0; points.count && i < 3 * (points.count - 1); i++)
                CHECK_MSG(same_place(back, cloud, i), "%s cut at %zu", s.name, cut);
            clump_cloud_destroy(back);
        }
        CHECK_INT(io_parse_copy(s.name, bytes, size, &back), CLUMP_OK);
        for (size_t i = 0; i < 15; i++) CHECK(same_place(back, cloud, i));
        clump_cloud_destroy(back);
        clump_cloud_destroy(cloud);
        free(bytes);
    }
    CHECK(accepted >= 7);
}

static void random_damage(void)
{
    uint64_t state = 99;
    sample s;
    for (int which = 0; find_sample(which, &s); which++) {
        size_t size;
        clump_cloud *cloud, *back;
        unsigned char *bytes = make_sample(&s, &size, &cloud);
        if (!bytes) continue;
        unsigned char *damaged = malloc(size);
        for (int round = 0; round < 1500; round++) {
            memcpy(damaged, bytes, size);
            for (uint64_t n = 1 + check_random(&state) % 4; n; n--) {
                const uint64_t r = check_random(&state);
                /* Headers are where it hurts: half of the hits go into the first 200 bytes. */
                const size_t at = (size_t)(r >> 8) % (r & 1 && size > 200 ? 200 : size);
                if (r & 2)
                    damaged[at] ^= (unsigned char)(1u << (r >> 2 & 7));
                else
                    damaged[at] = (unsigned char)"0123456789 -.,\n#e\xff"[(r >> 3) % 18];
            }
            io_parse_copy(s.name, damaged, size, &back);
            clump_cloud_destroy(back);
        }
        clump_cloud_destroy(cloud);
        free(bytes);
        free(damaged);
    }
}

/* A header may promise anything; the answer comes at once, and from little memory. */
static void huge_promises(void)
{
    static const char *const headers[] = {
        "FIELDS x y z\nPOINTS 9223372036854775807\nDATA ascii\n1 2 3\n",
        "FIELDS x y z\nPOINTS 18446744073709551615\nDATA binary\n0123456789abcdef",
        "FIELDS x y z\nPOINTS 89478486\nDATA binary\n0123456789abcdef",
        "FIELDS x y z\nWIDTH 4294967296\nHEIGHT 4294967296\nPOINTS 0\nDATA binary\n",
        "FIELDS x y z\nWIDTH 4294967296\nHEIGHT 4294967296\nDATA ascii\n",
        "FIELDS x y z a\nCOUNT 1 1 1 4294967295\nPOINTS 1\nDATA ascii\n1 2 3 4\n",
        "FIELDS x y z a\nCOUNT 1 1 1 4294967295\nPOINTS 1\nDATA binary\n0123456789abcdef",
        "FIELDS x y z a\nCOUNT 1 1 1 4294967296\nPOINTS 1\nDATA binary\n0123456789abcdef",
        "FIELDS x y z _ _\nSIZE 4 4 4 999999999999 8\nPOINTS 1\nDATA binary\n0123456789abcdef",
        "99999999999999\n1 2 3\n",
    };
    clump_cloud *cloud;
    for (size_t i = 0; i < sizeof headers / sizeof headers[0]; i++) {
        const char *name = headers[i][0] == 'F' ? "h.pcd" : "h.pts";
        CHECK_MSG(io_parse(name, headers[i], strlen(headers[i]), &cloud) != CLUMP_OK, "%zu", i);
    }
    CHECK_REFUSED("h.pcd", headers[0], CLUMP_ERR_IO_TRUNCATED,
                  "h.pcd: POINTS is 9223372036854775807 of 3 values each, more than the 6 bytes from line 4 on can "
                  "hold; --partial reads the points that are there");
    CHECK_REFUSED("h.pcd", headers[2], CLUMP_ERR_IO_TRUNCATED,
                  "h.pcd: POINTS is 89478486 of 12 bytes each, but from byte 41 on there are 16 bytes for 1 points; "
                  "--partial reads the 1 point there is");

    /* None of the points, so none of the bytes; but a header of text would get as many names. */
    CHECK_REFUSED("h.pcd", "FIELDS x y z a\nCOUNT 1 1 1 4294967295\nPOINTS 0\nDATA binary\n", CLUMP_ERR_IO_UNSUPPORTED,
                  "h.pcd: header line 2: COUNT of field a is over 65536");
    cloud = io_parse_text("h.pcd", "FIELDS x y z a b\nCOUNT 1 1 1 40000 40000\nPOINTS 0\nDATA binary\n");
    static const char *const narrow[] = {"h.csv", "h.ply"};
    for (size_t i = 0; i < 2; i++) {
        const char *path = io_path(narrow[i]);
        CHECK_INT(clump_cloud_save(path, cloud, NULL, NULL, &io_why), CLUMP_ERR_IO_UNSUPPORTED);
        CHECK(strstr(io_why.text, i ? "80003 properties are more than 65536" : "80003 columns are more than 65536"));
        CHECK_INT(access(path, F_OK), -1);
    }
    clump_cloud_destroy(cloud);

    static const char *const shapes[] = {"(9223372036854775807, 3)", "(4611686018427387904, 4)",
                                         "(3, 99999999999999999999)", "(1, 1000000000)"};
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
        char bytes[256] = "\x93NUMPY\1\0\x80\0";
        memset(bytes + 10, ' ', 200);
        const int used = snprintf(bytes + 10, 128, "{'descr':'<f8','fortran_order':False,'shape':%s}", shapes[i]);
        bytes[10 + used] = ' ';
        CHECK_MSG(io_parse("h.npy", bytes, 200, &cloud) != CLUMP_OK, "%s", shapes[i]);
    }
    char empty[138] = "\x93NUMPY\1\0\x80\0{'descr':'<f8','fortran_order':False,'shape':(0, 999999999999)}";
    CHECK_INT(io_parse("h.npy", empty, sizeof empty, &cloud), CLUMP_OK);
    CHECK_INT(clump_cloud_field_count(cloud), 0);
    clump_cloud_destroy(cloud);

    /* Many columns and many lines, but not many values. */
    enum { COLUMNS = 20000, LINES = 200000 };
    char *text = malloc(4 * COLUMNS + LINES + 16), *p = text;
    p += sprintf(p, "x y z");
    for (int i = 3; i < COLUMNS; i++) p += sprintf(p, " a");
    memset(p, '\n', LINES);
    CHECK_INT(io_parse("h.xyz", text, (size_t)(p + LINES - text), &cloud), CLUMP_OK);
    CHECK(clump_cloud_points(cloud).count == 0 && clump_cloud_field_count(cloud) == COLUMNS - 3);
    clump_cloud_destroy(cloud);
    free(text);
}

static void many_fields(void)
{
    enum { FIELDS = 10000 };
    for (int fields = FIELDS; fields <= 7 * FIELDS; fields += 6 * FIELDS) {
        char *text = malloc((size_t)fields * 20 + 200), *p = text;
        p += sprintf(p, "VERSION 0.7\nFIELDS z");
        for (int i = 0; i < fields; i++) p += sprintf(p, " f%d", i);
        p += sprintf(p, " y x\nPOINTS 1\nDATA ascii\n3");
        for (int i = 0; i < fields; i++) p += sprintf(p, " %d", i);
        p += sprintf(p, " 2 1\n");
        clump_cloud *cloud, *back = NULL;
        const clump_status status = io_parse("m.pcd", text, (size_t)(p - text), &cloud);
        free(text);
        if (fields > FIELDS) {
            CHECK_INT(status, CLUMP_ERR_IO_UNSUPPORTED);
            CHECK_TEXT(io_why.text, "m.pcd: more than 65536 fields");
            continue;
        }
        CHECK_INT(status, CLUMP_OK);
        clump_field field;
        CHECK_INT(clump_cloud_field_count(cloud), FIELDS);
        CHECK(clump_cloud_find(cloud, "f9999", &field) && *(const float *)field.data == 9999);
        back = io_again("m.pcd", cloud, CLUMP_ENCODING_DEFAULT);
        CHECK(io_same_xyz(cloud, back) && io_same_fields(cloud, back));
        clump_cloud_destroy(cloud);
        clump_cloud_destroy(back);
    }
}

static void no_points(void)
{
    static const char *const names[] = {"z.pcd", "z.bin", "z.csv", "z.npy", "z.labels"};
    clump_cloud *cloud = io_make_cloud(0), *back = NULL;
    const int32_t none = 0;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const char *path = io_path(names[i]);
        CHECK_INT(clump_cloud_save(path, cloud, i == 4 ? &none : NULL, NULL, &io_why), CLUMP_OK);
        if (i < 4) {
            CHECK_INT(clump_cloud_load(path, NULL, &back, &io_why), CLUMP_OK);
            CHECK_INT(clump_cloud_points(back).count, 0);
            clump_cloud_destroy(back);
        }
        unlink(path);
    }
    clump_cloud_destroy(cloud);
}

static void long_words_and_names(void)
{
    enum { LENGTH = 5000 };
    char *text = malloc(LENGTH + 64);
    clump_cloud *cloud;
    memset(text, '1', LENGTH);
    strcpy(text + LENGTH, " 2 3\n");
    CHECK_INT(io_parse("l.xyz", text, LENGTH + 5, &cloud), CLUMP_ERR_IO_FORMAT);
    memset(text, '0', 900); /* a long number that is one */
    strcpy(text + 900, "1.25 2 3\n");
    CHECK_INT(io_parse("l.xyz", text, 909, &cloud), CLUMP_OK);
    CHECK(clump_cloud_points(cloud).xyz[0] == 1.25f);
    clump_cloud_destroy(cloud);
    /* A path that would fill the whole message leaves room for the sentence. */
    memset(text, 'd', 3000);
    strcpy(text + 3000, "/scan.pcd");
    CHECK_INT(io_parse(text, "VERSION 0.7\n", 12, &cloud), CLUMP_ERR_IO_TRUNCATED);
    CHECK(strstr(io_why.text, "/scan.pcd: the PCD header has no DATA line in 12 bytes"));
    CHECK(strncmp(io_why.text, "...ddd", 6) == 0);
    free(text);
}

/* --- files ---------------------------------------------------------------------------------- */

static size_t files_in_folder(void)
{
    size_t count = 0;
    DIR *folder = opendir(io_folder);
    while (folder && readdir(folder)) count++;
    if (folder) closedir(folder);
    return count - 2; /* . and .. */
}

static void cannot_be_opened(void)
{
    clump_cloud *cloud;
    CHECK_INT(clump_cloud_load("no/such/file.pcd", NULL, &cloud, &io_why), CLUMP_ERR_IO_OPEN);
    CHECK_TEXT(io_why.text, "no/such/file.pcd: cannot open: No such file or directory");
    CHECK_INT(clump_cloud_load("/", NULL, &cloud, &io_why), CLUMP_ERR_IO_READ);
    CHECK_TEXT(io_why.text, "/: cannot read: Is a directory");
    CHECK_INT(clump_cloud_load(NULL, NULL, &cloud, &io_why), CLUMP_ERR_ARGUMENT);
    CHECK_INT(clump_cloud_load("a", NULL, NULL, NULL), CLUMP_ERR_ARGUMENT);
    CHECK_INT(clump_cloud_load("/dev/null", NULL, &cloud, &io_why), CLUMP_ERR_IO_TRUNCATED);
    CHECK_TEXT(io_why.text, "/dev/null: the file is empty");
}

static void cannot_be_written(void)
{
    clump_cloud *cloud = io_make_cloud(1000);
    CHECK_INT(clump_cloud_save("no/such/folder.pcd", cloud, NULL, NULL, &io_why), CLUMP_ERR_IO_WRITE);
    CHECK_TEXT(io_why.text, "no/such/folder.pcd: cannot write: No such file or directory");
    CHECK_INT(clump_cloud_save("out.foo", cloud, NULL, NULL, &io_why), CLUMP_ERR_IO_UNSUPPORTED);
    static const char known[] = "out.foo: the name tells no format that can be written: .pcd .ply .las .laz .bin "
                                ".pcd.bin .xyz .txt .csv .pts .asc .npy .labels .label";
    CHECK_MSG(strncmp(io_why.text, known, strlen(known)) == 0, "%s", io_why.text); /* later formats come last */
    CHECK_INT(clump_cloud_save("out.laz", cloud, NULL, NULL, &io_why), CLUMP_ERR_IO_UNSUPPORTED);
    CHECK_TEXT(io_why.text, "out.laz: 2 points are not finite; LAS cannot hold them");
    clump_save_options raw = clump_save_defaults();
    raw.format = CLUMP_FORMAT_RAW;
    CHECK_INT(clump_cloud_save("out.raw", cloud, NULL, &raw, &io_why), CLUMP_ERR_IO_UNSUPPORTED);
    CHECK_TEXT(io_why.text, "out.raw: raw cannot be written here, only read; write .las");
    clump_save_options options = clump_save_defaults();
    options.encoding = CLUMP_ENCODING_ASCII;
    CHECK_INT(clump_cloud_save("out.npy", cloud, NULL, &options, &io_why), CLUMP_ERR_IO_UNSUPPORTED);
    CHECK_TEXT(io_why.text, "out.npy: npy is never ascii");
    options.encoding = CLUMP_ENCODING_BINARY;
    CHECK_INT(clump_cloud_save("out.xyz", cloud, NULL, &options, &io_why), CLUMP_ERR_IO_UNSUPPORTED);
    CHECK_TEXT(io_why.text, "out.xyz: text is never binary");
    options.format = CLUMP_FORMAT_PCD;
    if (access("/dev/full", W_OK) == 0) {
        CHECK_INT(clump_cloud_save("/dev/full", cloud, NULL, &options, &io_why), CLUMP_ERR_IO_WRITE);
        CHECK_TEXT(io_why.text, "/dev/full: cannot write: No space left on device");
        CHECK_INT(clump_cloud_save("/dev/null", cloud, NULL, &options, &io_why), CLUMP_OK);
    }
    options.cookie = 1;
    CHECK_INT(clump_cloud_save("out.pcd", cloud, NULL, &options, &io_why), CLUMP_ERR_OPTIONS);
    CHECK_INT(clump_cloud_save(NULL, cloud, NULL, NULL, &io_why), CLUMP_ERR_ARGUMENT);
    CHECK_INT(clump_cloud_save("out.pcd", NULL, NULL, NULL, NULL), CLUMP_ERR_ARGUMENT);
    CHECK_INT(clump_cloud_save(
                  io_path(""), cloud, NULL,
                  &(clump_save_options){.cookie = clump_save_defaults().cookie, .format = CLUMP_FORMAT_PCD}, &io_why),
              CLUMP_ERR_IO_WRITE);
    CHECK(strstr(io_why.text, "cannot write: Is a directory"));
    if (geteuid() != 0) { /* root may write anywhere */
        const char *path = io_path("locked.pcd");
        chmod(io_folder, 0500);
        CHECK_INT(clump_cloud_save(path, cloud, NULL, NULL, &io_why), CLUMP_ERR_IO_WRITE);
        CHECK(strstr(io_why.text, "locked.pcd: cannot write: Permission denied"));
        chmod(io_folder, 0700);
        io_spill(path, "old", 3);
        chmod(path, 0400);
        CHECK_INT(clump_cloud_save(path, cloud, NULL, NULL, &io_why), CLUMP_ERR_IO_WRITE);
        unlink(path);
    }
    clump_cloud_destroy(cloud);
}

/* The disk fills up in the middle: the old file stays, nothing else does. A limit on the size of
 * files plays the full disk. */
static void old_file_survives(void)
{
    clump_cloud *cloud = io_make_cloud(100000);
    const char *path = io_path("keep.pcd");
    io_spill(path, "old", 3);
    chmod(path, 0640);
    signal(SIGXFSZ, SIG_IGN);
    struct rlimit limit, before;
    getrlimit(RLIMIT_FSIZE, &before);
    limit = before;
    limit.rlim_cur = 1000000;
    setrlimit(RLIMIT_FSIZE, &limit);
    CHECK_INT(clump_cloud_save(path, cloud, NULL, NULL, &io_why), CLUMP_ERR_IO_WRITE);
    setrlimit(RLIMIT_FSIZE, &before);
    CHECK(strstr(io_why.text, "keep.pcd: cannot write: File too large"));
    size_t size;
    unsigned char *bytes = io_slurp(path, &size);
    CHECK(size == 3 && memcmp(bytes, "old", 3) == 0);
    free(bytes);
    CHECK_INT(files_in_folder(), 1);

    /* A refusal by the format leaves it too. */
    clump_save_options options = clump_save_defaults();
    options.format = CLUMP_FORMAT_KITTI;
    int32_t *labels = calloc(100000, sizeof *labels);
    CHECK_INT(clump_cloud_save(path, cloud, labels, &options, &io_why), CLUMP_ERR_IO_UNSUPPORTED);
    free(labels);
    CHECK_INT(files_in_folder(), 1);

    /* Then it works, through a link, and the permissions stay. */
    const char *link_path = io_path("link.pcd");
    CHECK_INT(symlink(path, link_path), 0);
    CHECK_INT(clump_cloud_save(link_path, cloud, NULL, NULL, &io_why), CLUMP_OK);
    struct stat about;
    CHECK(lstat(link_path, &about) == 0 && S_ISLNK(about.st_mode));
    CHECK(stat(path, &about) == 0 && about.st_size > 1000000 && (about.st_mode & 07777) == 0640);
    CHECK_INT(files_in_folder(), 2);
    unlink(link_path);
    unlink(path);
    clump_cloud_destroy(cloud);
}

/* Through a pipe in both directions: nothing to map, nothing to rename. */
static void pipes(void)
{
    const char *path = io_path("pipe.pcd");
    clump_cloud *cloud = io_make_cloud(3000), *back = NULL;
    if (mkfifo(path, 0600) != 0) SKIP("no pipes here: " DO_ELSEWHERE);
    const pid_t child = fork();
    if (child == 0) _exit(clump_cloud_save(path, cloud, NULL, NULL, NULL) == CLUMP_OK ? 0 : 1);
    CHECK_INT(clump_cloud_load(path, NULL, &back, &io_why), CLUMP_OK);
    int status = -1;
    waitpid(child, &status, 0);
    CHECK_INT(status, 0);
    CHECK(back && io_same_xyz(cloud, back) && io_same_fields(cloud, back));
    clump_cloud_destroy(cloud);
    clump_cloud_destroy(back);
    unlink(path);
}

CHECK_PROGRAM(test_io_hostile)
{
    RUN(every_truncation);
    RUN(random_damage);
    RUN(huge_promises);
    RUN(many_fields);
    RUN(no_points);
    RUN(long_words_and_names);
    RUN(cannot_be_opened);
    RUN(cannot_be_written);
    RUN(old_file_survives);
    RUN(pipes);
    io_cleanup();
}
