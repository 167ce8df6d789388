/* SPDX-License-Identifier: BSD-3-Clause
 *
 * clump_bench files: how fast clouds are read: by clump, by PCL's readers, and by read() of the same bytes.
 *
 *     clump_bench files [--points N] [--rounds R] [--csv FILE] [--machine] [KIND...]
 *
 * A cloud like a few joined scans is written in each kind of file, and read by the contestants in turns, always from
 * the page cache. Freeing is not timed. read() is the floor: open, malloc, read, close. All contestants get fresh
 * memory from the system, as in a program that reads one file. Peak memory is measured in a process of its own, where
 * the mapped file counts.
 */
#include "jobs/jobs.h"

#include "harness/contest.h"
#include "rivals/load.h"

#include <clump/io.h>

#include <fcntl.h>
#include <malloc.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

static const struct kind {
    const char *name, *file;
    clump_encoding encoding;
    double pcl_target, read_target; /* ratios asked for: PCL's time over ours; ours over that of read(). 0: none */
} kinds[] = {
    {"pcd-ascii", "cloud.ascii.pcd", CLUMP_ENCODING_ASCII, 10, 0},
    {"pcd-binary", "cloud.pcd", CLUMP_ENCODING_BINARY, 2, 0},
    {"pcd-compressed", "cloud.packed.pcd", CLUMP_ENCODING_COMPRESSED, 1.5, 0},
    {"ply-ascii", "cloud.ascii.ply", CLUMP_ENCODING_ASCII, 0, 0},
    {"ply-binary", "cloud.ply", CLUMP_ENCODING_BINARY, 0, 2},
    {"las", "cloud.las", CLUMP_ENCODING_DEFAULT, 0, 2},
    {"kitti", "cloud.bin", CLUMP_ENCODING_DEFAULT, 0, 0},
    {"csv", "cloud.csv", CLUMP_ENCODING_DEFAULT, 0, 0},
    {"npy", "cloud.npy", CLUMP_ENCODING_DEFAULT, 0, 0},
};

static long points = 2000000;
static char folder[] = "/tmp/clump-bench-XXXXXX", path[64];
static clump_cloud *written; /* the cloud of the files */
static const clump_reader *reader;
static struct {
    size_t size;              /* of the file */
    double peak, cloud_bytes; /* of reading it; of the cloud in memory */
} file;

/* --- the cloud ------------------------------------------------------------------------------ */

static float next_float(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (float)(*state >> 40) * 0x1p-24f;
}

/* Makes the rings of a spinning sensor over rough ground. Coordinates are whole millimetres, as those of sensors are:
 * text has few digits, and compression has an effect. */
static clump_cloud *make_cloud(void)
{
    const size_t count = (size_t)points;
    clump_cloud *cloud;
    if (clump_cloud_create(count, &cloud, NULL) != CLUMP_OK) return NULL;
    float *xyz = clump_cloud_xyz(cloud), *intensity = malloc((count + 1) * sizeof *intensity);
    uint64_t state = 7;
    for (size_t i = 0; intensity && i < count; i++) {
        const double turn = 6.283185307179586 * (double)(i % 2000) / 2000, ring = 4 + (double)(i / 2000 % 64);
        const double range = ring + 0.3 * (double)next_float(&state);
        xyz[3 * i] = (float)(rint(1000 * range * cos(turn)) / 1000);
        xyz[3 * i + 1] = (float)(rint(1000 * range * sin(turn)) / 1000);
        xyz[3 * i + 2] = (float)(rint(1000 * (-1.7 + 0.1 * (double)next_float(&state))) / 1000);
        intensity[i] = (float)(rint(100 * (double)next_float(&state)) / 100);
    }
    const clump_field field = {"intensity", CLUMP_TYPE_F32, 1, intensity};
    if (!intensity || clump_cloud_set_field(cloud, &field, NULL) != CLUMP_OK) {
        clump_cloud_destroy(cloud);
        cloud = NULL;
    }
    free(intensity);
    return cloud;
}

static size_t bytes_of(const clump_cloud *cloud)
{
    const size_t count = clump_cloud_points(cloud).count;
    size_t bytes = count * 3 * sizeof(float);
    clump_field field;
    for (size_t i = 0; clump_cloud_field(cloud, i, &field); i++)
        bytes += count * field.count * clump_type_size(field.type);
    return bytes;
}

/* --- contestants ---------------------------------------------------------------------------- */

static double run_clump(void)
{
    clump_cloud *cloud;
    clump_message why;
    const double begin = machine_seconds();
    const clump_status status = clump_cloud_load(path, NULL, &cloud, &why);
    const double seconds = machine_seconds() - begin;
    if (status != CLUMP_OK) return fprintf(stderr, "clump_bench files: %s\n", why.text), -1;
    const bool right = clump_cloud_points(cloud).count == (size_t)points;
    clump_cloud_destroy(cloud);
    return right ? seconds : -1;
}

static double run_read(void)
{
    const double begin = machine_seconds();
    const int opened = open(path, O_RDONLY);
    unsigned char *bytes = malloc(file.size);
    size_t done = 0;
    for (ssize_t got = 1; bytes && got > 0 && done<file.size; done += got> 0 ? (size_t)got : 0)
        got = read(opened, bytes + done, file.size - done);
    close(opened);
    const double seconds = machine_seconds() - begin;
    free(bytes);
    return done == file.size ? seconds : -1;
}

static double run_pcl(bool typed)
{
    double seconds = -1;
    if (typed) return reader->load_points(path, &seconds) == (size_t)points ? seconds : -1;
    const double begin = machine_seconds();
    void *cloud = reader->load(path);
    seconds = machine_seconds() - begin;
    if (!cloud || reader->points(cloud) != (size_t)points) seconds = -1;
    if (cloud) reader->release(cloud);
    return seconds;
}

/* Prints the highest memory of a process that only reads the file, less its memory before: this program again, with
 * --peak FILE. */
static int print_peak(const char *name)
{
    struct rusage before, after;
    clump_cloud *cloud;
    getrusage(RUSAGE_SELF, &before);
    if (clump_cloud_load(name, NULL, &cloud, NULL) != CLUMP_OK) return 1;
    getrusage(RUSAGE_SELF, &after);
    printf("%.0f %zu\n", 1024.0 * (double)(after.ru_maxrss - before.ru_maxrss), bytes_of(cloud));
    clump_cloud_destroy(cloud);
    return 0;
}

static double peak_bytes(void)
{
    char command[1200];
    double peak = -1;
    snprintf(command, sizeof command, "/proc/%ld/exe files --peak '%s'", (long)getpid(), path);
    FILE *from = popen(command, "r");
    if (!from) return -1;
    if (fscanf(from, "%lf %lf", &peak, &file.cloud_bytes) != 2) peak = -1;
    return pclose(from) == 0 ? peak : -1;
}

/* --- the contest ----------------------------------------------------------------------------- */

enum { FILES_CLUMP, FILES_READ, FILES_PCL, FILES_PCL_UNTYPED };
static const char *const names[] = {"clump", "read()", "pcl", "pcl-untyped"};

static bool describe(size_t index, char *name, char *text)
{
    snprintf(name, CONTEST_NAME, "%s", kinds[index].name);
    snprintf(text, CONTEST_TEXT, "x y z intensity");
    return true;
}

/* Writes the file, measures the peak of reading it, and enters who can read it. */
static bool enter(contest *c, clump_message *why)
{
    const struct kind *const kind = &kinds[c->index];
    clump_save_options options = clump_save_defaults();
    options.encoding = kind->encoding;
    snprintf(path, sizeof path, "%s/%s", folder, kind->file);
    struct stat about;
    if (!written) written = make_cloud();
    if (!written) return snprintf(why->text, sizeof why->text, "no memory for %ld points", points), false;
    if (clump_cloud_save(path, written, NULL, &options, why) != CLUMP_OK) return false;
    if (stat(path, &about) != 0) return snprintf(why->text, sizeof why->text, "%s is not there", path), false;
    file.size = (size_t)about.st_size;
    file.peak = peak_bytes();
    c->clouds[0].count = (size_t)points; /* there is no copy of the points here */
    const bool known = strstr(path, ".pcd") || strstr(path, ".ply");
    for (int k = FILES_CLUMP; k <= (reader && known ? FILES_PCL_UNTYPED : FILES_READ); k++) {
        contestant *const who = contest_rival(c, c->clouds, names[k],
                                              k == FILES_CLUMP  ? clump_version()
                                              : k == FILES_READ ? ""
                                                                : reader->version,
                                              NULL, c);
        who->method = k, who->rival = k >= FILES_PCL;
    }
    return true;
}

static bool run(contest *c, contestant *who, double *seconds)
{
    (void)c;
    *seconds = who->method == FILES_CLUMP  ? run_clump()
               : who->method == FILES_READ ? run_read()
                                           : run_pcl(who->method == FILES_PCL);
    return *seconds >= 0;
}

/* Highest memory less the file's size, as a multiple of the cloud's. */
static double peak_of_cloud(void)
{
    return (file.peak - (double)file.size) / file.cloud_bytes;
}

static void note(const contest *c, contestant *who)
{
    (void)c;
    if (who->method == FILES_CLUMP)
        snprintf(who->note, sizeof who->note, "%.1f MB, %.0f MB/s, peak %.2f", 1e-6 * (double)file.size,
                 1e-3 * (double)file.size / who->time[0].median_ms, peak_of_cloud());
}

static void figures(contest *c, contest_totals *totals)
{
    const struct kind *const kind = &kinds[c->index];
    const contestant *const pcl = contest_find(c, "pcl", 1), *const floor = contest_find(c, "read()", 1);
    unlink(path);
    if (pcl && kind->pcl_target > 0)
        contest_figure(totals, contest_ratio(c, pcl) >= kind->pcl_target, "%.2f times as fast as PCL [%g]",
                       contest_ratio(c, pcl), kind->pcl_target);
    if (floor && kind->read_target > 0)
        contest_figure(totals, 1 / contest_ratio(c, floor) <= kind->read_target, "%.2f times as long as read() [%g]",
                       1 / contest_ratio(c, floor), kind->read_target);
}

static void row(const contest *c, const contestant *who, csv *rows)
{
    csv_add(rows, "%s,%ld,%zu,%s,%s,%zu,%.4f,%.3f,", c->name, points, file.size, who->name, who->version,
            who->time[0].runs, who->time[0].median_ms, contest_ratio(c, who));
    if (who->method == FILES_CLUMP) csv_add(rows, "%.3f", peak_of_cloud());
    csv_add(rows, ",");
}

static void begin(void)
{
    mallopt(M_MMAP_THRESHOLD, 1 << 20); /* else memory freed by one contestant is given warm to the next */
    reader = reader_load(CLUMP_BENCH_RIVALS "/pcl-reader.so");
    puts("peak: highest memory less the file's size, as a multiple of the cloud's (1.2 is asked for)\n");
    if (!reader) puts("PCL's reader is not there\n");
    if (!mkdtemp(folder)) fprintf(stderr, "clump_bench files: %s cannot be made\n", folder);
}

static void end(contest_totals *totals)
{
    (void)totals;
    clump_cloud_destroy(written);
    rmdir(folder);
}

static const char help[] =
    "clump_bench files [--points N] [--rounds R] [--csv FILE] [--resume] [--list] [--machine] [KIND...]";

int bench_files(int argc, char **argv)
{
    static const contest_option options[] = {
        CONTEST_LIST, {"--points", .number = &points}, {"--rounds", .number = &settings.repeat}};
    const contest_job job = {
        CONTEST_MEMBERS,
        .program = "clump_bench files",
        .csv_header = "kind,points,file_bytes,contestant,version,rounds,median_ms,ratio_to_clump,"
                      "peak_less_file_by_cloud," CSV_MACHINE,
        .case_count = sizeof kinds / sizeof *kinds,
        .end = end,
    };
    settings.repeat = 11;
    return argc == 3 && strcmp(argv[1], "--peak") == 0 ? print_peak(argv[2]) : contest_main(&job, argc, argv);
}
