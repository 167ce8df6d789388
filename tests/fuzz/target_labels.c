/* SPDX-License-Identifier: BSD-3-Clause
 *
 * target_labels.c: the fuzz target for files of labels. They are only read from files, so the bytes go
 * into one, where files are memory.
 */
#include "target.h"

#include <clump/io.h>

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

FUZZ_TARGET(labels)
{
    static const char *const extensions[] = {"labels", "label", "npy"};
    char path[128];
    snprintf(path, sizeof path, "%s/clump-fuzz-%ld.%s", access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp",
             (long)getpid(), extensions[size % 3]);
    FILE *file = fopen(path, "wb");
    if (!file || fwrite(data, 1, size, file) != size || fclose(file) != 0) abort();
    int32_t *labels;
    size_t count;
    clump_message why;
    const clump_status status = clump_labels_load(path, &labels, &count, &why);
    if ((status == CLUMP_OK) != (labels != NULL) || (status != CLUMP_OK && !why.text[0])) abort();
    volatile int32_t kept = 0;
    for (size_t i = 0; i < count; i++) kept ^= labels[i];
    (void)kept;
    clump_labels_free(labels);
    clump_cloud *cloud;
    if (count < 100000 && clump_cloud_create(count, &cloud, &why) == CLUMP_OK) {
        if ((clump_cloud_attach(cloud, path, &why) == CLUMP_OK) != (status == CLUMP_OK)) abort();
        clump_cloud_destroy(cloud);
    }
    unlink(path);
    return 0;
}
