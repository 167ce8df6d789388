/* SPDX-License-Identifier: BSD-3-Clause
 *
 * files.c: how fast clouds are read: clump, PCL's readers, and read() of the same bytes.
 *
 *     clump_bench_files [--points N] [--rounds R] [--csv FILE] [--machine] [KIND...]
 *
 * A cloud like a few joined scans is written once in each kind of file, then read again and again by
 * the contestants in turn, always from the page cache; medians count, and freeing does not. read() is
 * the floor: open, malloc, read, close. All get their memory from the system afresh, as a program does
 * that reads one file. Peak memory is looked at in a process of its own, where the mapped file counts.
 */
#include "load.h"
#include "machine.h"

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

typedef struct kind {
    const char *name, *file;
    clump_encoding encoding;
    double pcl_target, read_target; /* ratios asked for: PCL's time by ours; ours by read()'s. 0: none */
} kind;

static const kind kinds[] = {
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

enum { CLUMP, READ, PCL, PCL_UNTYPED, CONTESTANTS, MOST_ROUNDS = 101 };
static const char *const contestant_names[] = {"clump", "read()", "pcl", "pcl-untyped"};

/* --- the cloud ------------------------------------------------------------------------------ */

static float next_float(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (float)(*state >> 40) * 0x1p-24f;
}

/* Rings of a spinning sensor over rough ground, in millimetres, as sensors give them: so text has
 * few digits and compression finds something to do. */
static clump_cloud *make_cloud(size_t points)
{
    clump_cloud *cloud;
    if (clump_cloud_create(points, &cloud, NULL) != CLUMP_OK) return NULL;
    float *xyz = clump_cloud_xyz(cloud), *intensity = malloc((points + 1) * sizeof *intensity);
    uint64_t state = 7;
    for (size_t i = 0; intensity && i < points; i++) {
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
    const size_t points = clump_cloud_points(cloud).count;
    size_t bytes = points * 3 * sizeof(float);
    clump_field field;
    for (size_t i = 0; clump_cloud_field(cloud, i, &field); i++)
        bytes += points * field.count * clump_type_size(field.type);
    return bytes;
}

/* --- contestants ---------------------------------------------------------------------------- */

static double run_clump(const char *path, size_t points)
{
    clump_cloud *cloud;
    clump_message why;
    const double begin = machine_seconds();
    const clump_status status = clump_cloud_load(path, NULL, &cloud, &why);
    const double seconds = machine_seconds() - begin;
    if (status != CLUMP_OK) return fprintf(stderr, "clump_bench_files: %s\n", why.text), -1;
    const bool right = clump_cloud_points(cloud).count == points;
    clump_cloud_destroy(cloud);
    return right ? seconds : -1;
}

static double run_read(const char *path, size_t size)
{
    const double begin = machine_seconds();
    const int file = open(path, O_RDONLY);
    unsigned char *bytes = malloc(size);
    size_t done = 0;
    for (ssize_t got = 1; bytes && got > 0 && done<size; done += got> 0 ? (size_t)got : 0)
        got = read(file, bytes + done, size - done);
    close(file);
    const double seconds = machine_seconds() - begin;
    free(bytes);
    return done == size ? seconds : -1;
}

static double run_pcl(const clump_reader *reader, bool typed, const char *path, size_t points)
{
    double seconds = -1;
    if (typed) return reader->load_points(path, &seconds) == points ? seconds : -1;
    const double begin = machine_seconds();
    void *cloud = reader->load(path);
    seconds = machine_seconds() - begin;
    if (!cloud || reader->points(cloud) != points) seconds = -1;
    if (cloud) reader->release(cloud);
    return seconds;
}

static double run(int contestant, const clump_reader *reader, const char *path, size_t size, size_t points)
{
    if (contestant == CLUMP) return run_clump(path, points);
    if (contestant == READ) return run_read(path, size);
    const bool known = strstr(path, ".pcd") || strstr(path, ".ply");
    return reader && known ? run_pcl(reader, contestant == PCL, path, points) : -1;
}

/* Highest memory of a process that does nothing but read the file, less what it had before: this
 * program again, with --peak FILE. */
static int print_peak(const char *path)
{
    struct rusage before, after;
    clump_cloud *cloud;
    getrusage(RUSAGE_SELF, &before);
    if (clump_cloud_load(path, NULL, &cloud, NULL) != CLUMP_OK) return 1;
    getrusage(RUSAGE_SELF, &after);
    printf("%.0f %zu\n", 1024.0 * (double)(after.ru_maxrss - before.ru_maxrss), bytes_of(cloud));
    clump_cloud_destroy(cloud);
    return 0;
}

static double peak_bytes(const char *program, const char *path, double *cloud_bytes)
{
    char command[1200];
    double peak = -1;
    snprintf(command, sizeof command, "'%s' --peak '%s'", program, path);
    FILE *from = popen(command, "r");
    if (!from) return -1;
    if (fscanf(from, "%lf %lf", &peak, cloud_bytes) != 2) peak = -1;
    return pclose(from) == 0 ? peak : -1;
}

/* --- one kind of file ----------------------------------------------------------------------- */

typedef struct outcome {
    const kind *kind;
    size_t size;
    double median[CONTESTANTS]; /* seconds; negative: did not take part */
    double peak, cloud_bytes;
} outcome;

static int by_size(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void measure(const char *program, const clump_reader *reader, const char *path, size_t points, size_t rounds,
                    outcome *out)
{
    double samples[CONTESTANTS][MOST_ROUNDS];
    out->peak = peak_bytes(program, path, &out->cloud_bytes);
    for (int c = 0; c < CONTESTANTS; c++) out->median[c] = run(c, reader, path, out->size, points);
    for (size_t round = 0; round < rounds; round++)
        for (int c = 0; c < CONTESTANTS; c++)
            if (out->median[c] >= 0) samples[c][round] = run(c, reader, path, out->size, points);
    for (int c = 0; c < CONTESTANTS; c++) {
        if (out->median[c] < 0) continue;
        qsort(samples[c], rounds, sizeof(double), by_size);
        out->median[c] = samples[c][rounds / 2];
    }
}

static void print(const outcome *o)
{
    const double ours = o->median[CLUMP];
    printf("%-15s %6.1f MB  %8.2f ms %6.0f MB/s", o->kind->name, 1e-6 * (double)o->size, 1e3 * ours,
           1e-6 * (double)o->size / ours);
    for (int c = PCL; c <= PCL_UNTYPED; c++) {
        if (o->median[c] < 0)
            printf("  %-20s", "-");
        else
            printf("  %8.2f ms %6.2fx ", 1e3 * o->median[c], o->median[c] / ours);
    }
    printf("  %7.2f ms %5.2fx", 1e3 * o->median[READ], ours / o->median[READ]);
    printf("  %5.2f", (o->peak - (double)o->size) / o->cloud_bytes);
    if (o->kind->pcl_target > 0)
        printf("  PCL %gx: %s", o->kind->pcl_target,
               o->median[PCL] < 0                             ? "not there"
               : o->median[PCL] / ours >= o->kind->pcl_target ? "reached"
                                                              : "MISSED");
    if (o->kind->read_target > 0)
        printf("  read() %gx: %s", o->kind->read_target,
               ours / o->median[READ] <= o->kind->read_target ? "reached" : "MISSED");
    putchar('\n');
    fflush(stdout);
}

static bool write_csv(const char *path, const machine *m, const char *pcl, size_t points, size_t rounds,
                      const outcome *outcomes, size_t count)
{
    FILE *f = fopen(path, "w");
    if (!f) return false;
    fprintf(f, "kind,points,file_bytes,contestant,version,rounds,median_ms,ratio_to_clump,peak_less_file_by_cloud,"
               "machine,cores,compiler,clump,date\n");
    for (size_t i = 0; i < count; i++) {
        const outcome *o = &outcomes[i];
        for (int c = 0; c < CONTESTANTS; c++) {
            if (o->median[c] < 0) continue;
            fprintf(f, "%s,%zu,%zu,%s,%s,%zu,%.4f,%.3f,", o->kind->name, points, o->size, contestant_names[c],
                    c >= PCL     ? pcl
                    : c == CLUMP ? clump_version()
                                 : "",
                    rounds, 1e3 * o->median[c], o->median[c] / o->median[CLUMP]);
            if (c == CLUMP) fprintf(f, "%.3f", (o->peak - (double)o->size) / o->cloud_bytes);
            fprintf(f, ",%s,%d,%s,%s,%s\n", m->cpu, m->cores, m->compiler, clump_version(), m->date);
        }
    }
    return fclose(f) == 0;
}

static bool is_wanted(const char *name, char **words, int count)
{
    bool wanted = count == 0;
    for (int i = 0; i < count; i++) wanted = wanted || strcmp(words[i], name) == 0;
    return wanted;
}

int main(int argc, char **argv)
{
    size_t points = 2000000, rounds = 11;
    const char *csv = NULL;
    const machine m = machine_describe();
    int first = 1;
    for (; first < argc && argv[first][0] == '-'; first++) {
        const char *value = first + 1 < argc ? argv[first + 1] : "";
        if (strcmp(argv[first], "--machine") == 0) return puts(m.name), 0;
        if (strcmp(argv[first], "--peak") == 0) return print_peak(value);
        if (strcmp(argv[first], "--points") == 0)
            points = strtoul(value, NULL, 10);
        else if (strcmp(argv[first], "--rounds") == 0)
            rounds = strtoul(value, NULL, 10);
        else if (strcmp(argv[first], "--csv") == 0)
            csv = value;
        else
            return fprintf(stderr, "clump_bench_files: unknown option %s\n", argv[first]), 2;
        first++;
    }
    if (points == 0 || rounds == 0 || rounds > MOST_ROUNDS)
        return fprintf(stderr, "clump_bench_files: --points at least 1, --rounds 1 to %d\n", MOST_ROUNDS), 2;

    mallopt(M_MMAP_THRESHOLD, 1 << 20); /* else memory freed by one contestant is handed warm to the next */
    char folder[] = "/tmp/clump-bench-XXXXXX";
    clump_cloud *cloud = make_cloud(points);
    if (!cloud || !mkdtemp(folder)) return fprintf(stderr, "clump_bench_files: no memory or no folder\n"), 1;
    enum { KINDS = sizeof kinds / sizeof kinds[0] };
    char paths[KINDS][64];
    bool there[KINDS];
    for (size_t i = 0; i < KINDS; i++) {
        clump_save_options options = clump_save_defaults();
        options.encoding = kinds[i].encoding;
        clump_message why;
        snprintf(paths[i], sizeof paths[i], "%s/%s", folder, kinds[i].file);
        there[i] = is_wanted(kinds[i].name, argv + first, argc - first);
        if (there[i] && clump_cloud_save(paths[i], cloud, NULL, &options, &why) != CLUMP_OK) {
            printf("%s: %s\n", kinds[i].name, why.text);
            there[i] = false;
        }
    }
    clump_cloud_destroy(cloud);

    const clump_reader *reader = reader_load(CLUMP_BENCH_RIVALS "/pcl-reader.so");
    printf("%s, %d cores, %s; %zu points with x y z intensity, median of %zu; %s\n", m.cpu, m.cores, m.compiler, points,
           rounds, reader ? reader->version : "PCL's reader is not there");
    printf("%-15s %9s  %11s %11s  %20s  %20s  %17s  %5s\n", "kind", "size", "clump", "", "pcl, its time / ours",
           "pcl, untyped", "read(), ours / its", "peak");
    static outcome outcomes[KINDS];
    size_t done = 0;
    bool failed = false;
    for (size_t i = 0; i < KINDS; i++) {
        struct stat about;
        if (!there[i] || stat(paths[i], &about) != 0) continue;
        outcome *o = &outcomes[done];
        *o = (outcome){.kind = &kinds[i], .size = (size_t)about.st_size};
        measure(argv[0], reader, paths[i], points, rounds, o);
        if (o->median[CLUMP] < 0) {
            printf("%s: FAILED\n", kinds[i].name);
            failed = true;
        } else {
            print(o);
            done++;
        }
    }
    puts("peak: highest memory less the file's size, as a multiple of the cloud's (1.2 is asked for)");
    for (size_t i = 0; i < KINDS; i++) unlink(paths[i]);
    rmdir(folder);
    if (csv && !write_csv(csv, &m, reader ? reader->version : "", points, rounds, outcomes, done)) {
        fprintf(stderr, "clump_bench_files: %s cannot be written\n", csv);
        failed = true;
    }
    return failed;
}
