/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_label_files.c: labels of several files: as one file, as a folder of files; and what is left when writing fails.
 */
#include "io/label_writer.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

/* Writes a LAS file and returns its path. */
static const char *make_las(const char *name, const las_recipe *recipe, uint64_t seed)
{
    las_file f = las_make(recipe, seed);
    const char *path = reader_path(name);
    reader_write(path, f.bytes, f.size);
    free(f.bytes);
    return path;
}

/* Counts the entries of a folder. */
static size_t count_files(const char *path)
{
    size_t count = 0;
    DIR *folder = opendir(path);
    for (const struct dirent *e; folder && (e = readdir(folder));) count += e->d_name[0] != '.' || e->d_name[1] == 'c';
    if (folder) closedir(folder);
    return count;
}

static void remove_all(const char *path)
{
    DIR *folder = opendir(path);
    char name[512];
    for (const struct dirent *e; folder && (e = readdir(folder));) {
        snprintf(name, sizeof name, "%s/%s", path, e->d_name);
        if (e->d_name[0] != '.') unlink(name);
    }
    if (folder) closedir(folder);
    rmdir(path);
}

/* Checks that the files, one after the other, are the points of `out`, with their labels. */
static void compare_points(const char *const *paths, size_t count, const char *out)
{
    clump_cloud *all = NULL;
    if (clump_cloud_load(out, NULL, &all, &reader_why) != CLUMP_OK) CHECK_FAIL("%s", reader_why.text);
    clump_field label = {0}, intensity[2] = {{0}};
    CHECK(clump_cloud_find(all, "label", &label) && label.type == CLUMP_TYPE_I32);
    clump_cloud_find(all, "intensity", &intensity[0]);
    size_t at = 0, wrong = 0;
    for (size_t f = 0; f < count && all; f++) {
        clump_cloud *one = NULL;
        CHECK_INT(clump_cloud_load(paths[f], NULL, &one, NULL), CLUMP_OK);
        clump_cloud_find(one, "intensity", &intensity[1]);
        for (size_t i = 0; i < clump_cloud_points(one).count; i++, at++) {
            for (int a = 0; a < 3; a++)
                wrong += clump_cloud_coordinate(one, i, a) != clump_cloud_coordinate(all, at, a);
            wrong += clump_field_value(&intensity[0], at, 0) != clump_field_value(&intensity[1], i, 0);
            wrong += clump_field_value(&label, at, 0) != (double)label_of(at);
        }
        clump_cloud_destroy(one);
    }
    CHECK_INT(at, clump_cloud_points(all).count);
    CHECK_INT(wrong, 0);
    const clump_cloud_info info = clump_cloud_describe(all);
    if (info.note[0]) CHECK_FAIL("%s", info.note); /* such as bounds or counts that are wrong */
    clump_cloud_destroy(all);
}

/* --- several files as one ------------------------------------------------------------------------ */

static void as_one(void)
{
    const las_recipe recipe = {.minor = 2, .format = 3, .points = 700, .vlrs = 1, .offset = {100, 200, 0}};
    las_recipe large = recipe;
    large.points = 70000;
    const char *paths[3] = {make_las("a.las", &recipe, 1), make_las("b.las", &large, 2), make_las("c.las", &recipe, 3)};
    static const char *const names[] = {"one.las", "one.laz"};
    for (size_t i = 0; i < 2; i++) {
        const char *out = reader_path(names[i]);
        CHECK_INT(write_labels(paths, 3, out, NULL, 0), CLUMP_OK);
        compare_points(paths, 3, out);
        unlink(out);
    }
    for (size_t i = 0; i < 3; i++) unlink(paths[i]);
}

static void tables_as_one(void)
{
    const char *paths[2] = {reader_path("a.pcd"), reader_path("b.ply")}, *out = reader_path("one.pcd");
    for (size_t i = 0; i < 2; i++) {
        clump_cloud *cloud = reader_cloud(40000 + i, false);
        CHECK_INT(clump_cloud_save(paths[i], cloud, NULL, NULL, NULL), CLUMP_OK);
        clump_cloud_destroy(cloud);
    }
    CHECK_INT(write_labels(paths, 2, out, NULL, 0), CLUMP_OK);
    compare_points(paths, 2, out);
    unlink(out);
    for (size_t i = 0; i < 2; i++) unlink(paths[i]);
}

/* Reads the head of the file without a name that this process writes in the folder of `path`. */
static bool read_unnamed(const char *path, unsigned char *bytes, size_t size)
{
    char entry[300], target[300];
    const size_t folder = (size_t)(strrchr(path, '/') - path);
    bool found = false;
    for (int fd = 3; fd < 64 && !found; fd++) {
        snprintf(entry, sizeof entry, "/proc/self/fd/%d", fd);
        const ssize_t length = readlink(entry, target, sizeof target - 1);
        if (length < 0) continue;
        target[length] = 0;
        if (strncmp(target, path, folder) != 0 || strstr(target, ".las")) continue;
        const int file = open(entry, O_RDONLY);
        found = file >= 0 && read(file, bytes, size) == (ssize_t)size;
        if (file >= 0) close(file);
    }
    return found;
}

/* Two files of LAS 1.2 with more points together than 32 bits count: the header becomes one of LAS 1.4. */
static void many_points(void)
{
    const uint32_t each = (UINT32_C(1) << 31) + 7;
    const char *paths[2] = {make_las("a.las", &(las_recipe){.minor = 2, .points = 1, .vlrs = 1}, 1),
                            make_las("b.las", &(las_recipe){.minor = 2, .points = 1, .vlrs = 1}, 1)};
    bool made = true;
    for (size_t i = 0; i < 2; i++) { /* sparse files */
        struct stat about;
        const int file = open(paths[i], O_RDWR);
        made = made && fstat(file, &about) == 0 && pwrite(file, &each, 4, 107) == 4 &&
               ftruncate(file, about.st_size - 20 + (off_t)each * 20) == 0;
        close(file);
    }
    clump_reader *reader = NULL;
    clump_label_writer *writer = NULL;
    if (made) CHECK_INT(clump_reader_open(paths, 2, NULL, &reader, &reader_why), CLUMP_OK);
    if (made) CHECK_INT(clump_label_writer_open(reader, reader_path("x.las"), NULL, &writer, &reader_why), CLUMP_OK);
    if (made) CHECK_INT(add_all(writer, 30000, 0), CLUMP_OK);
    unsigned char head[375] = {0};
    const bool seen = made && read_unnamed(paths[0], head, sizeof head);
    if (made) CHECK(clump_label_writer_bytes(writer) > UINT64_C(24) * 2 * each);
    clump_label_writer_close(writer, false, NULL);
    clump_reader_close(reader);
    for (size_t i = 0; i < 2; i++) unlink(paths[i]);
    if (!seen) SKIP("the file system has no sparse files of 40 GB, or no unnamed files: " DO_FILES);
    uint64_t count;
    uint32_t old, points;
    memcpy(&count, head + 247, 8);
    memcpy(&old, head + 107, 4);
    memcpy(&points, head + 96, 4);
    CHECK(count == 2 * (uint64_t)each && old == 0);
    CHECK(head[25] == 4 && head[94] + 256 * head[95] == 375 && head[105] == 24 && points > 375);
}

/* Checks that nothing is written, for this reason. */
static void refused(const char *const *paths, size_t count, const char *out, const char *sentence)
{
    CHECK(write_labels(paths, count, out, NULL, 0) != CLUMP_OK);
    if (!strstr(reader_why.text, sentence)) CHECK_FAIL("'%s', not '%s'", reader_why.text, sentence);
    CHECK(access(out, F_OK) != 0);
}

static void refusals(void)
{
    const las_recipe recipe = {.minor = 2, .points = 10, .offset = {100, 200, 0}};
    las_recipe other = recipe, moved = recipe, extra = recipe;
    other.format = 1;
    moved.offset[1] = 201;
    extra.extra = 2;
    const char *a = make_las("a.las", &recipe, 1), *b = make_las("b.las", &other, 2), *c = make_las("c.las", &moved, 3);
    const char *d = make_las("d.las", &extra, 4), *out = reader_path("x.las"), *pcd = reader_path("e.pcd");
    refused((const char *[]){a, b}, 2, out, "b.las: points of format 1, but ");
    refused((const char *[]){a, c}, 2, out, "c.las: the offset of y is 201, but 200 in ");
    refused((const char *[]){a, d}, 2, out, "d.las: the extra bytes of a point are not those of ");
    clump_cloud *cloud = reader_cloud(10, false);
    CHECK_INT(clump_cloud_save(pcd, cloud, NULL, NULL, NULL), CLUMP_OK);
    clump_cloud_destroy(cloud);
    refused(&pcd, 1, out, "e.pcd is not LAS or LAZ; write .pcd, .ply, .npy or .labels");
    refused(&pcd, 1, reader_path("x.bin"), "labels are written block by block to .las");
    refused(&pcd, 1, reader_path("x.foo"), "x.foo: labels are written block by block to .las");
    refused(&pcd, 1, reader_path("none/x.npy"), "none/x.npy: cannot");
    CHECK(write_labels(&a, 1, a, NULL, 0) == CLUMP_ERR_IO_WRITE);
    CHECK(strstr(reader_why.text, "a.las: the output is also an input"));
    const char *all[] = {a, b, c, d, pcd};
    for (size_t i = 0; i < 5; i++) unlink(all[i]);
}

/* --- a folder -------------------------------------------------------------------------------------- */

static void folder(void)
{
    const las_recipe recipe = {.minor = 2, .points = 3000}, none = {.minor = 4, .format = 6};
    const char *a = make_las("a.las", &recipe, 1), *b = make_las("b.las", &none, 2), *c = reader_path("c.laz");
    const char *d = make_las("d.las", &none, 3);
    clump_cloud *cloud = NULL;
    CHECK_INT(clump_cloud_load(a, NULL, &cloud, NULL), CLUMP_OK);
    CHECK_INT(clump_cloud_save(c, cloud, NULL, NULL, NULL), CLUMP_OK);
    clump_cloud_destroy(cloud);
    const char *paths[4] = {a, b, c, d}, *out = reader_path("out/");
    CHECK_INT(write_labels(paths, 4, out, NULL, 0), CLUMP_OK);
    CHECK_INT(count_files(out), 4);
    char name[300];
    snprintf(name, sizeof name, "%s/c.laz", out);
    CHECK_INT(clump_cloud_load(name, NULL, &cloud, NULL), CLUMP_OK);
    clump_field label = {0};
    CHECK(clump_cloud_find(cloud, "label", &label));
    size_t wrong = 0;
    for (size_t i = 0; i < 3000 && label.data; i++)
        wrong += clump_field_value(&label, i, 0) != (double)label_of(3000 + i);
    CHECK_INT(wrong, 0);
    CHECK_INT(clump_cloud_describe(cloud).format, CLUMP_FORMAT_LAZ);
    clump_cloud_destroy(cloud);
    remove_all(out);
    CHECK(write_labels((const char *[]){a, a}, 2, out, NULL, 0) == CLUMP_ERR_IO_UNSUPPORTED);
    CHECK(strstr(reader_why.text, "two input files are called a.las"));
    CHECK(access(out, F_OK) != 0); /* the folder that was made is gone */
    for (size_t i = 0; i < 4; i++) unlink(paths[i]);
}

/* --- failures -------------------------------------------------------------------------------------- */

static void missing_labels(void)
{
    const char *path = make_las("a.las", &(las_recipe){.minor = 2, .points = 100}, 1), *out = reader_path("x.las");
    clump_reader *reader = reader_open(path, NULL);
    clump_label_writer *writer = NULL;
    const int64_t labels[101] = {0};
    reader_write(out, "old", 3);
    CHECK_INT(clump_label_writer_open(reader, out, NULL, &writer, &reader_why), CLUMP_OK);
    CHECK(clump_label_writer_bytes(writer) >= 100 * 24 + 227);
    CHECK_INT(clump_label_writer_add(writer, labels, 99, &reader_why), CLUMP_OK);
    CHECK_INT(clump_label_writer_close(writer, true, &reader_why), CLUMP_ERR_ARGUMENT);
    CHECK(strstr(reader_why.text, "x.las: there are labels for 99 of 100 points"));
    CHECK_INT(clump_label_writer_open(reader, out, NULL, &writer, &reader_why), CLUMP_OK);
    CHECK_INT(clump_label_writer_add(writer, labels, 101, &reader_why), CLUMP_ERR_ARGUMENT);
    CHECK(strstr(reader_why.text, "x.las: there are more labels than points, 100"));
    CHECK_INT(clump_label_writer_add(writer, labels, 1, &reader_why), CLUMP_ERR_IO_WRITE);
    CHECK(clump_label_writer_close(writer, true, &reader_why) != CLUMP_OK);
    CHECK_INT(clump_label_writer_open(reader, out, NULL, &writer, &reader_why), CLUMP_OK);
    CHECK_INT(clump_label_writer_add(writer, labels, 100, &reader_why), CLUMP_OK);
    CHECK_INT(clump_label_writer_close(writer, false, &reader_why), CLUMP_OK);
    size_t size;
    unsigned char *bytes = reader_slurp(out, &size);
    CHECK(size == 3 && memcmp(bytes, "old", 3) == 0); /* as it was */
    free(bytes);
    clump_reader_close(reader);
    unlink(path);
    unlink(out);
}

/* A full disk, by a limit of the size of files. */
static void full_disk(void)
{
    const char *path = make_las("a.las", &(las_recipe){.minor = 2, .points = 60000}, 1);
    static const char *const names[] = {"x.las", "x.laz", "x.pcd", "x.npy"};
    struct rlimit was, low;
    getrlimit(RLIMIT_FSIZE, &was);
    low = was;
    low.rlim_cur = 100000;
    signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &low);
    for (size_t i = 0; i < 4; i++) {
        const char *out = reader_path(names[i]);
        CHECK_INT(write_labels(&path, 1, out, NULL, 0), CLUMP_ERR_IO_WRITE);
        if (!strstr(reader_why.text, ": cannot")) CHECK_FAIL("%s", reader_why.text);
        CHECK(access(out, F_OK) != 0);
    }
    setrlimit(RLIMIT_FSIZE, &was);
    unlink(path);
}

/* A process that is killed while it writes leaves nothing. */
static void killed(void)
{
    const char *path = make_las("in.las", &(las_recipe){.minor = 2, .points = 5000}, 1), *out = reader_path("gone/");
    mkdir(out, 0777);
    char name[300];
    snprintf(name, sizeof name, "%sx.las", out);
    const pid_t child = fork();
    if (child == 0) {
        clump_reader *reader = reader_open(path, NULL);
        clump_label_writer *writer = NULL;
        const int64_t labels[1000] = {0};
        if (clump_label_writer_open(reader, name, NULL, &writer, NULL) == CLUMP_OK)
            clump_label_writer_add(writer, labels, 1000, NULL);
        raise(SIGKILL);
        _exit(0);
    }
    int status;
    waitpid(child, &status, 0);
    CHECK(WIFSIGNALED(status));
    const size_t left = count_files(out);
    remove_all(out);
    unlink(path);
    if (left) SKIP("the file system has no unnamed files: " DO_FILES);
}

static void changed_input(void)
{
    const char *path = make_las("a.las", &(las_recipe){.minor = 2, .points = 60000}, 1), *out = reader_path("x.las");
    clump_reader *reader = reader_open(path, NULL);
    clump_label_writer *writer = NULL;
    CHECK_INT(clump_label_writer_open(reader, out, NULL, &writer, &reader_why), CLUMP_OK);
    CHECK_INT(truncate(path, 10000), 0);
    CHECK_INT(add_all(writer, 60000, 0), CLUMP_ERR_IO_TRUNCATED);
    CHECK(strstr(reader_why.text, "a.las: the file became shorter while it was read"));
    CHECK(clump_label_writer_close(writer, true, NULL) != CLUMP_OK);
    CHECK(access(out, F_OK) != 0);
    clump_reader_close(reader);
    unlink(path);
}

CHECK_PROGRAM(test_label_files)
{
    RUN(as_one);
    RUN(tables_as_one);
    RUN(many_points);
    RUN(refusals);
    RUN(folder);
    RUN(missing_labels);
    RUN(full_disk);
    RUN(killed);
    RUN(changed_input);
}
