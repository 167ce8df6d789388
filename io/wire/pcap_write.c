/* SPDX-License-Identifier: BSD-3-Clause
 *
 * pcap_write.c: packets from the wire to a pcap file, with nanoseconds, as packets of IPv4. The file appears at the first
 * packet: a file of that name stays as it is while the sensor is silent. From then on the file is complete at any time but for
 * what is in memory, a second at most: what was recorded before a crash is there.
 */
#include "wire/wire.h"

#include <arpa/inet.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { WRITER_LINK_IPV4 = 228, WRITER_HEADS = 28 };

struct clump_io_wire_writer {
    char *path;
    FILE *file;      /* null: no packet has come yet */
    int error;       /* errno of the first failure, or 0 */
    int64_t flushed; /* time of the last flush */
};

static void put(clump_io_wire_writer *writer, const void *bytes, size_t size)
{
    if (!writer->error && fwrite(bytes, 1, size, writer->file) != size) writer->error = errno ? errno : EIO;
}

/* Opens the file, which becomes empty, and writes its head. */
static void open_file(clump_io_wire_writer *writer)
{
    /* magic, version 2.4, two unused numbers, longest packet, kind of the packets */
    const uint32_t head[6] = {0xa1b23c4d, 2 | 4 << 16, 0, 0, 65535, WRITER_LINK_IPV4};
    writer->file = fopen(writer->path, "wb");
    if (!writer->file) writer->error = errno;
    put(writer, head, sizeof head);
}

/* Returns the errno of why a file cannot be written at the path, or 0. Changes no file. */
static int why_not(const char *path)
{
    struct stat there;
    if (stat(path, &there) == 0) return S_ISDIR(there.st_mode) ? EISDIR : access(path, W_OK) != 0 ? errno : 0;
    if (errno != ENOENT) return errno;
    const char *const slash = strrchr(path, '/');
    char *const folder = slash ? strndup(path, (size_t)(slash - path) + 1) : strdup(".");
    const int why = !folder ? ENOMEM : access(folder, W_OK | X_OK) != 0 ? errno : 0;
    free(folder);
    return why;
}

clump_status clump_io_wire_writer_open(const clump_io_where *where, const char *path, clump_io_wire_writer **out)
{
    const clump_io_where there = {path, where->message};
    *out = NULL;
    const int error = why_not(path);
    if (error) return clump_io_fail_errno(&there, CLUMP_ERR_IO_OPEN, "cannot be written", error);
    clump_io_wire_writer *const writer = calloc(1, sizeof *writer);
    if (!writer) return clump_io_no_memory(where, sizeof *writer);
    writer->path = strdup(path);
    if (!writer->path) {
        free(writer);
        return clump_io_no_memory(where, strlen(path));
    }
    *out = writer;
    return CLUMP_OK;
}

static uint16_t sum_of(const unsigned char *head, size_t size)
{
    uint32_t sum = 0;
    for (size_t i = 0; i < size; i += 2) sum += clump_io_big_u16(head + i);
    while (sum >> 16) sum = (sum & 0xffff) + (sum >> 16);
    return (uint16_t)~sum;
}

static void put_big(unsigned char *at, size_t value)
{
    at[0] = (unsigned char)(value >> 8);
    at[1] = (unsigned char)value;
}

void clump_io_wire_writer_add(clump_io_wire_writer *writer, const clump_io_wire_head *head, uint32_t to, int64_t time,
                              const void *bytes, size_t size)
{
    unsigned char ip[WRITER_HEADS] = {0x45, [6] = 0x40, [8] = 64, [9] = 17};
    const size_t total = sizeof ip + size;
    put_big(ip + 2, total);
    memcpy(ip + 12, &head->from, 4);
    memcpy(ip + 16, &to, 4);
    put_big(ip + 10, sum_of(ip, 20));
    put_big(ip + 20, head->from_port);
    put_big(ip + 22, head->port);
    put_big(ip + 24, 8 + size);
    const uint32_t record[4] = {(uint32_t)(time / 1000000000), (uint32_t)(time % 1000000000), (uint32_t)total,
                                (uint32_t)total};
    if (!writer->file && !writer->error) open_file(writer);
    put(writer, record, sizeof record);
    put(writer, ip, sizeof ip);
    put(writer, bytes, size);
    if (time - writer->flushed < 1000000000 && time >= writer->flushed) return;
    writer->flushed = time;
    if (!writer->error && fflush(writer->file) != 0) writer->error = errno;
}

clump_status clump_io_wire_writer_check(const clump_io_wire_writer *writer, const clump_io_where *where)
{
    if (!writer->error) return CLUMP_OK;
    return clump_io_fail_errno(where, CLUMP_ERR_IO_WRITE, "the packets cannot be recorded", writer->error);
}

clump_status clump_io_wire_writer_flush(clump_io_wire_writer *writer, const clump_io_where *where)
{
    if (!writer->error && writer->file && fflush(writer->file) != 0) writer->error = errno;
    return clump_io_wire_writer_check(writer, where);
}

clump_status clump_io_wire_writer_close(clump_io_wire_writer *writer, const clump_io_where *where)
{
    if (!writer) return CLUMP_OK;
    if (writer->file && fclose(writer->file) != 0 && !writer->error) writer->error = errno;
    const clump_status status = clump_io_wire_writer_check(writer, where);
    free(writer->path);
    free(writer);
    return status;
}
