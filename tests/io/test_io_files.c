/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_io_files.c: what the file system does to files that are read and written: they become shorter, their
 * names are links, the program is killed.
 */
#define _GNU_SOURCE /* O_TMPFILE */
#include "io/test_io.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>

/* --- reading -------------------------------------------------------------------------------- */

enum { POINTS = 1500000 }; /* of 16 bytes, so that the file is read in several pieces */

typedef struct cutter {
    const char *path;
    double when; /* share of the work after which the file is cut */
    bool cut;
} cutter;

static void cut_file(void *user, double done)
{
    cutter *c = user;
    if (c->cut || done < c->when) return;
    c->cut = truncate(c->path, 4096) == 0;
}

/* x y z intensity, with the header of an array of that shape or without a header. */
static void write_scan(const char *path, bool npy)
{
    const size_t head = npy ? 128 : 0, size = head + (size_t)POINTS * 16;
    unsigned char *bytes = malloc(size);
    memset(bytes, ' ', head);
    char text[128];
    const int length = snprintf(text, sizeof text,
                                "%cNUMPY%c%c%c%c{'descr': '<f4', 'fortran_order': False, "
                                "'shape': (%d, 4), }",
                                0x93, 1, 0, 118, 0, POINTS);
    if (npy) memcpy(bytes, text, (size_t)length), bytes[127] = '\n';
    for (size_t i = 0; i < 4 * (size_t)POINTS; i++) {
        const float value = 0.5f + (float)(i % 1000);
        memcpy(bytes + head + 4 * i, &value, 4);
    }
    io_spill(path, bytes, size);
    free(bytes);
}

static clump_status load_while_cut(cutter *c, bool npy, clump_cloud **cloud)
{
    write_scan(c->path, npy);
    clump_load_options options = clump_load_defaults();
    options.format = npy ? CLUMP_FORMAT_NPY : CLUMP_FORMAT_KITTI;
    options.progress = cut_file;
    options.progress_user = c;
    const clump_status status = clump_cloud_load(c->path, &options, cloud, &io_why);
    CHECK(c->cut);
    unlink(c->path);
    return status;
}

/* Formats that are read while they are parsed, and formats that are read before. */
static void a_file_that_becomes_shorter(void)
{
    clump_cloud *cloud;
    for (int npy = 0; npy <= 1; npy++) {
        cutter early = {.path = io_path("cut.bin")};
        CHECK_INT(load_while_cut(&early, npy, &cloud), CLUMP_ERR_IO_TRUNCATED);
        CHECK(cloud == NULL);
        CHECK_MSG(strstr(io_why.text, "cut.bin: the file became shorter while it was read: "), "%s", io_why.text);
    }
}

/* A scan with points in order, so that each can be checked. */
static void large_files_are_read(void)
{
    const char *path = io_path("large.bin");
    for (int npy = 0; npy <= 1; npy++) {
        write_scan(path, npy);
        clump_load_options options = clump_load_defaults();
        options.format = npy ? CLUMP_FORMAT_NPY : CLUMP_FORMAT_KITTI;
        clump_cloud *cloud;
        CHECK_INT(clump_cloud_load(path, &options, &cloud, &io_why), CLUMP_OK);
        const clump_points points = clump_cloud_points(cloud);
        clump_field f = {0};
        CHECK_INT(points.count, POINTS);
        CHECK(clump_cloud_find(cloud, "intensity", &f));
        size_t wrong = 0;
        for (size_t i = 0; i < 4 * points.count; i++) {
            const float value = i % 4 == 3 ? (float)clump_field_value(&f, i / 4, 0) : points.xyz[i / 4 * 3 + i % 4];
            wrong += value != 0.5f + (float)(i % 1000);
        }
        CHECK_INT(wrong, 0);
        clump_cloud_destroy(cloud);
        unlink(path);
    }
}

/* The file as clump_cloud_load() reads it, piece by piece, is what clump_cloud_parse() finds in all of its bytes. */
static void check_same_as_parsed(const char *path)
{
    size_t size;
    unsigned char *bytes = io_slurp(path, &size);
    clump_cloud *loaded = NULL, *parsed = NULL;
    CHECK_MSG(clump_cloud_load(path, NULL, &loaded, &io_why) == CLUMP_OK, "%s", io_why.text);
    CHECK_TEXT(io_why.text, "");
    CHECK_MSG(clump_cloud_parse(bytes, size, path, NULL, &parsed, &io_why) == CLUMP_OK, "%s", io_why.text);
    CHECK_MSG(size > 300000, "%s: %zu bytes", path, size);
    CHECK_MSG(loaded && parsed && io_same_xyz(loaded, parsed) && io_same_fields(loaded, parsed), "%s", path);
    CHECK_TEXT(clump_cloud_describe(loaded).note, clump_cloud_describe(parsed).note);
    clump_cloud_destroy(loaded);
    clump_cloud_destroy(parsed);
    free(bytes);
}

/* Puts a comment of 100 kB behind the first line, so that the header is longer than what is read at first. */
static void lengthen_header(const char *path, const char *comment)
{
    size_t size;
    unsigned char *bytes = io_slurp(path, &size), *line = memchr(bytes, '\n', size);
    const size_t first = (size_t)(line - bytes) + 1, more = 100000, begin = strlen(comment);
    unsigned char *longer = malloc(size + more);
    memcpy(longer, bytes, first);
    memset(longer + first, '.', more);
    memcpy(longer + first, comment, begin);
    longer[first + more - 1] = '\n';
    memcpy(longer + first + more, bytes + first, size - first);
    io_spill(path, longer, size + more);
    free(longer), free(bytes);
}

static void files_are_read_in_pieces(void)
{
    static const struct {
        const char *name, *comment;
        clump_encoding encoding;
    } ways[] = {{"p.pcd", "# ", CLUMP_ENCODING_BINARY},       {"p.pcd", "# ", CLUMP_ENCODING_ASCII},
                {"p.ply", "comment ", CLUMP_ENCODING_BINARY}, {"p.ply", "comment ", CLUMP_ENCODING_BIG_ENDIAN},
                {"p.ply", "comment ", CLUMP_ENCODING_ASCII},  {"p.las", NULL, CLUMP_ENCODING_DEFAULT},
                {"p.csv", NULL, CLUMP_ENCODING_DEFAULT},      {"p.bin", NULL, CLUMP_ENCODING_DEFAULT},
                {"p.pcd.bin", NULL, CLUMP_ENCODING_DEFAULT}};
    clump_cloud *cloud = io_make_cloud(40000);
    for (size_t i = 0; i < 12; i++) clump_cloud_xyz(cloud)[i] = 1; /* LAS has no place for points that are not finite */
    const int64_t small[40000] = {0, 1, -2};                       /* nor PLY for large integers */
    clump_cloud_set_field(cloud, &(clump_field){"i64", CLUMP_TYPE_I64, 1, small}, NULL);
    clump_cloud_set_field(cloud, &(clump_field){"u64", CLUMP_TYPE_I64, 1, small}, NULL);
    for (size_t w = 0; w < sizeof ways / sizeof ways[0]; w++) {
        clump_save_options options = clump_save_defaults();
        options.encoding = ways[w].encoding;
        const char *path = io_path(ways[w].name);
        CHECK_MSG(clump_cloud_save(path, cloud, NULL, &options, &io_why) == CLUMP_OK, "%s", io_why.text);
        check_same_as_parsed(path);
        if (ways[w].comment) {
            lengthen_header(path, ways[w].comment);
            check_same_as_parsed(path);
        }
        unlink(path);
    }
    clump_cloud_destroy(cloud);
}

/* Files of the system say a length that they do not have; what there is is read. */
static void files_of_the_system(void)
{
    clump_cloud *cloud;
    CHECK_INT(clump_cloud_load("/proc/self/stat", NULL, &cloud, &io_why), CLUMP_ERR_IO_FORMAT);
    struct stat about;
    const char *path = "/sys/kernel/mm/transparent_hugepage/enabled";
    if (stat(path, &about) != 0 || about.st_size < 1000) SKIP("%s is not there: " DO_DATA, path);
    CHECK_INT(clump_cloud_load(path, NULL, &cloud, &io_why), CLUMP_ERR_IO_FORMAT);
}

/* --- writing -------------------------------------------------------------------------------- */

static size_t files_in(const char *folder)
{
    size_t count = 0;
    DIR *d = opendir(folder);
    for (const struct dirent *e = d ? readdir(d) : NULL; e; e = readdir(d))
        count += strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0;
    if (d) closedir(d);
    return count;
}

static void links(void)
{
    clump_cloud *cloud;
    CHECK_INT(clump_cloud_create(3, &cloud, &io_why), CLUMP_OK);
    const char *link = io_path("link.xyz"), *file = io_path("file.xyz");
    struct stat about;
    CHECK_INT(symlink("file.xyz", link), 0);
    CHECK_INT(clump_cloud_save(link, cloud, NULL, NULL, &io_why), CLUMP_ERR_IO_WRITE);
    CHECK_MSG(strstr(io_why.text, "link.xyz: cannot write: it is a link to file.xyz, which does not exist"), "%s",
              io_why.text);
    CHECK(lstat(link, &about) == 0 && S_ISLNK(about.st_mode) && lstat(file, &about) != 0);
    CHECK_INT(files_in(io_folder), 1);
    io_spill(file, "old", 3);
    CHECK_INT(clump_cloud_save(link, cloud, NULL, NULL, &io_why), CLUMP_OK);
    CHECK(lstat(link, &about) == 0 && S_ISLNK(about.st_mode)); /* the file it leads to was replaced */
    CHECK(lstat(file, &about) == 0 && S_ISREG(about.st_mode) && about.st_size > 3);
    unlink(link), unlink(file);
    clump_cloud_destroy(cloud);
}

typedef struct names {
    char seen[512];
    int given, gone;
    bool there; /* the file had the name when it was told */
} names;

static void note_name(void *user, const char *name)
{
    names *n = user;
    if (!name) {
        n->gone++;
        return;
    }
    n->given++;
    snprintf(n->seen, sizeof n->seen, "%s", name);
    n->there = access(name, F_OK) == 0;
}

static void temporary_names_are_told(void)
{
    clump_cloud *cloud;
    CHECK_INT(clump_cloud_create(3, &cloud, &io_why), CLUMP_OK);
    names n = {0};
    clump_save_options options = clump_save_defaults();
    options.temporary = note_name;
    options.temporary_user = &n;
    const char *path = io_path("told.pcd");
    CHECK_INT(clump_cloud_save(path, cloud, NULL, &options, &io_why), CLUMP_OK);
    CHECK(n.given == 1 && n.gone == 1 && !n.there && strstr(n.seen, "/.clump-") && access(n.seen, F_OK) != 0);
    CHECK_INT(files_in(io_folder), 1);
    unlink(path);
    clump_cloud_destroy(cloud);
}

/* A file of the program's own. */
static void outputs(void)
{
    clump_output *out;
    const char *path = io_path("own.csv");
    for (int keep = 0; keep <= 1; keep++) {
        io_spill(path, "old", 3);
        CHECK_INT(clump_output_open(path, NULL, NULL, &out, &io_why), CLUMP_OK);
        CHECK(write(clump_output_file(out), "anew", 4) == 4);
        size_t size;
        unsigned char *bytes = io_slurp(path, &size);
        CHECK(size == 3 && memcmp(bytes, "old", 3) == 0); /* until the end */
        free(bytes);
        CHECK_INT(clump_output_close(out, keep, &io_why), CLUMP_OK);
        bytes = io_slurp(path, &size);
        CHECK(size == (keep ? 4 : 3) && memcmp(bytes, keep ? "anew" : "old", size) == 0);
        free(bytes);
        CHECK_INT(files_in(io_folder), 1);
    }
    unlink(path);
    CHECK_INT(clump_output_open(io_path("no/such/folder.csv"), NULL, NULL, &out, &io_why), CLUMP_ERR_IO_WRITE);
    CHECK(out == NULL && strstr(io_why.text, "folder.csv: cannot write: "));
    CHECK_INT(clump_output_open(NULL, NULL, NULL, &out, &io_why), CLUMP_ERR_ARGUMENT);
    CHECK_INT(clump_output_file(NULL), -1);
    CHECK_INT(clump_output_close(NULL, true, &io_why), CLUMP_OK);
}

static void die(void *user, double done)
{
    (void)user, (void)done;
    raise(SIGKILL);
}

/* Where the file system has files without a name, nothing is left of a save that is killed. */
static void a_killed_save_leaves_nothing(void)
{
    const char *path = io_path("killed.pcd");
#ifdef O_TMPFILE
    const int probe = open(io_folder, O_TMPFILE | O_WRONLY, 0600);
    if (probe >= 0) close(probe);
    if (probe < 0) SKIP("%s has no files without a name: " DO_FILES, io_folder);
#else
    SKIP("the system has no files without a name: " DO_FILES);
#endif
    const pid_t child = fork();
    if (child == 0) {
        clump_cloud *cloud;
        clump_save_options options = clump_save_defaults();
        options.progress = die;
        if (clump_cloud_create(200000, &cloud, NULL) == CLUMP_OK) clump_cloud_save(path, cloud, NULL, &options, NULL);
        _exit(0);
    }
    int status = 0;
    CHECK(child > 0 && waitpid(child, &status, 0) == child);
    CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
    CHECK_INT(files_in(io_folder), 0);
}

/* --- looking -------------------------------------------------------------------------------- */

static void what_is_not_there_is_nan(void)
{
    clump_cloud *cloud;
    CHECK_INT(clump_cloud_create(2, &cloud, &io_why), CLUMP_OK);
    clump_cloud_xyz(cloud)[5] = 7;
    CHECK(clump_cloud_coordinate(cloud, 1, 2) == 7);
    CHECK(isnan(clump_cloud_coordinate(cloud, 0, 3)) && isnan(clump_cloud_coordinate(cloud, 0, -1)));
    CHECK(isnan(clump_cloud_coordinate(cloud, 2, 0)) && isnan(clump_cloud_coordinate(NULL, 0, 0)));
    const clump_field field = {"a", CLUMP_TYPE_I32, 1, (const int32_t[2]){3, 4}};
    CHECK(clump_field_value(&field, 1, 0) == 4 && isnan(clump_field_value(&field, 0, 1)));
    CHECK(isnan(clump_field_value(NULL, 0, 0)));
    clump_cloud_destroy(cloud);
}

CHECK_PROGRAM(test_io_files)
{
    RUN(a_file_that_becomes_shorter);
    RUN(large_files_are_read);
    RUN(files_are_read_in_pieces);
    RUN(files_of_the_system);
    RUN(links);
    RUN(temporary_names_are_told);
    RUN(outputs);
    RUN(a_killed_save_leaves_nothing);
    RUN(what_is_not_there_is_nan);
    io_cleanup();
}
