/* SPDX-License-Identifier: BSD-3-Clause
 *
 * ouster_capture.h: captures of Ouster sensors in the data folder.
 */
#ifndef CLUMP_TESTS_OUSTER_CAPTURE_H
#define CLUMP_TESTS_OUSTER_CAPTURE_H

#include "sensors/test_ouster.h"

/* A file. */
typedef struct capture_bytes {
    unsigned char *data;
    size_t size;
} capture_bytes;

/* Loads a file of the data folder. */
static inline capture_bytes load(const char *name)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/%s", check_data_folder(), name);
    capture_bytes file;
    file.data = check_load(path, &file.size);
    return file;
}

/* Walks through the UDP payloads of a pcap file with Ethernet or IP inside. Fragments follow each other in these files. */
typedef struct walker {
    capture_bytes file;
    size_t at;
    unsigned char datagram[65536];
    size_t size; /* of the payload */
    int64_t received;
} walker;

static inline void walk_begin(walker *w, const char *name)
{
    *w = (walker){.file = load(name), .at = 24};
}

static inline bool walk_next(walker *w)
{
    w->size = 0;
    while (w->at + 16 <= w->file.size) {
        const unsigned char *record = w->file.data + w->at;
        const uint32_t kept = clump_io_u32(record + 8), link = clump_io_u32(w->file.data + 20);
        w->received = clump_io_u32(record) * INT64_C(1000000000) + clump_io_u32(record + 4) * INT64_C(1000);
        w->at += 16 + kept;
        const unsigned char *const ip = record + 16 + (link == 1 ? 14 : 0);
        if (ip[9] != 17) continue;
        const size_t head = 4u * (ip[0] & 15), size = clump_io_big_u16(ip + 2) - head,
                     from = 8 * (size_t)(clump_io_big_u16(ip + 6) & 0x1fff);
        memcpy(w->datagram + from, ip + head, size);
        w->size = from + size;
        if (ip[6] & 0x20) continue;
        w->size -= 8;
        memmove(w->datagram, w->datagram + 8, w->size);
        return true;
    }
    return false;
}

#endif
