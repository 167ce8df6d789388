/* SPDX-License-Identifier: BSD-3-Clause
 *
 * containers.c: the list of containers. A new container is one line here.
 */
#include "containers/container.h"

#include <string.h>

static const clump_io_container *const containers[] = {
    &clump_io_container_bag,  &clump_io_container_sqlite, &clump_io_container_mcap,
    &clump_io_container_pcap, &clump_io_container_files,  &clump_io_container_nclt,
    &clump_io_container_udp,  &clump_io_container_ouster, &clump_io_container_ros2};
enum { CONTAINERS = sizeof containers / sizeof *containers };

const clump_io_container *clump_io_container_of(const unsigned char *bytes, size_t size)
{
    for (size_t i = 0; i < CONTAINERS; i++)
        if (containers[i]->sniff && containers[i]->sniff(bytes, size)) return containers[i];
    return NULL;
}

const clump_io_container *clump_io_container_of_url(const char *name)
{
    for (size_t i = 0; i < CONTAINERS; i++)
        if (containers[i]->scheme && strncmp(name, containers[i]->scheme, strlen(containers[i]->scheme)) == 0)
            return containers[i];
    return NULL;
}

const char *clump_recording_format_name(clump_recording_format format)
{
    for (size_t i = 0; i < CONTAINERS; i++)
        if (containers[i]->format == format) return containers[i]->name;
    return NULL;
}
