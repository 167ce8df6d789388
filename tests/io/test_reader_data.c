/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_reader_data.c: every real cloud file in the folder CLUMP_DATA, in blocks and as a whole: the same points, and with
 * labels the same bytes.
 */
#include "io/label_writer.h"

#include <dirent.h>

static const char *const folders[] = {"las", "pcd", "ply", "kitti", "nuscenes", "terrain"};
enum { DATA_FOLDERS = sizeof folders / sizeof folders[0], DATA_LARGEST = 64 << 20 /* bytes of a file */ };

/* Returns the ending of the output: a form that both ways of writing have. */
static const char *output_for(clump_format format)
{
    return format == CLUMP_FORMAT_LAS   ? ".las"
           : format == CLUMP_FORMAT_LAZ ? ".laz"
           : format == CLUMP_FORMAT_PLY ? ".ply"
                                        : ".pcd";
}

static void compare_file(const char *path)
{
    clump_cloud *cloud = NULL;
    clump_reader *reader = NULL;
    clump_reader_options options = clump_reader_defaults();
    options.whole = true;
    const clump_status whole = clump_cloud_load(path, NULL, &cloud, &io_why);
    const clump_status blocks = clump_reader_open(&path, 1, &options, &reader, &reader_why);
    if (whole != blocks)
        CHECK_FAIL("%s: %d as a whole (%s), %d in blocks (%s)", path, (int)whole, io_why.text, (int)blocks,
                   reader_why.text);
    if (cloud && reader) {
        reader_compare(reader, cloud);
        clump_reader *steps = NULL; /* not every file has a common step, which the writer of the test asks for */
        if (clump_reader_open(&path, 1, NULL, &steps, NULL) == CLUMP_OK)
            compare_ways(path, output_for(clump_cloud_describe(cloud).format));
        clump_reader_close(steps);
    }
    clump_reader_close(reader);
    clump_cloud_destroy(cloud);
}

static void all_files(void)
{
    const char *data = check_data_folder();
    if (!data) SKIP(DO_DATA);
    size_t files = 0;
    for (size_t i = 0; i < DATA_FOLDERS; i++) {
        char path[1024];
        snprintf(path, sizeof path, "%s/%s", data, folders[i]);
        DIR *folder = opendir(path);
        for (const struct dirent *e; folder && (e = readdir(folder));) {
            snprintf(path, sizeof path, "%s/%s/%s", data, folders[i], e->d_name);
            const clump_format format = clump_format_of_path(path);
            clump_format_info about;
            size_t size;
            FILE *file = clump_format_describe(format, &about) && about.holds_points ? fopen(path, "rb") : NULL;
            if (!file) continue;
            fseek(file, 0, SEEK_END);
            size = (size_t)ftell(file);
            fclose(file);
            if (size > DATA_LARGEST) continue;
            compare_file(path);
            files++;
        }
        if (folder) closedir(folder);
    }
    if (files == 0) SKIP(DO_DATA);
}

CHECK_PROGRAM(test_reader_data)
{
    RUN(all_files);
}
