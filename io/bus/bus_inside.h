/* SPDX-License-Identifier: BSD-3-Clause
 *
 * bus_inside.h: what bus.c, bus_type.c and bus_library.c share. Only built where CycloneDDS is installed.
 */
#ifndef CLUMP_IO_BUS_BUS_INSIDE_H
#define CLUMP_IO_BUS_BUS_INSIDE_H

#include "bus/bus.h"

/* On x86 the headers of CycloneDDS have the word asm, which C17 does not know. */
#define asm __asm__
#include <dds/dds.h>
#include <dds/ddsi/ddsi_serdata.h>
#include <dds/ddsi/ddsi_sertype.h>
#undef asm

/* --- bus_library.c -------------------------------------------------------------------------------------- */

/* The functions of CycloneDDS in use. */
#define BUS_CALLS(CALL)                                                                                                \
    CALL(dds_create_domain)                                                                                            \
    CALL(dds_create_participant)                                                                                       \
    CALL(dds_create_topic_sertype)                                                                                     \
    CALL(dds_create_reader)                                                                                            \
    CALL(dds_create_writer)                                                                                            \
    CALL(dds_delete)                                                                                                   \
    CALL(dds_create_qos)                                                                                               \
    CALL(dds_delete_qos)                                                                                               \
    CALL(dds_qset_userdata)                                                                                            \
    CALL(dds_qset_reliability)                                                                                         \
    CALL(dds_qset_history)                                                                                             \
    CALL(dds_qset_durability)                                                                                          \
    CALL(dds_qset_ignorelocal)                                                                                         \
    CALL(dds_qset_writer_data_lifecycle)                                                                               \
    CALL(dds_create_listener)                                                                                          \
    CALL(dds_lset_data_available)                                                                                      \
    CALL(dds_delete_listener)                                                                                          \
    CALL(dds_get_guid)                                                                                                 \
    CALL(dds_get_sample_lost_status)                                                                                   \
    CALL(dds_get_subscription_matched_status)                                                                          \
    CALL(dds_takecdr)                                                                                                  \
    CALL(dds_write)                                                                                                    \
    CALL(dds_strretcode)                                                                                               \
    CALL(ddsi_sertype_v0)                                                                                              \
    CALL(ddsi_sertype_init_flags)                                                                                      \
    CALL(ddsi_sertype_fini)                                                                                            \
    CALL(ddsi_sertype_unref)                                                                                           \
    CALL(ddsi_serdata_init)                                                                                            \
    CALL(ddsi_serdata_ref)                                                                                             \
    CALL(ddsi_serdata_unref)

typedef struct bus_calls {
#define BUS_CALL(name) __typeof__(&name) name;
    BUS_CALLS(BUS_CALL)
#undef BUS_CALL
} bus_calls;

/* Returns the functions; null: the library is not there, and the message says so. Called under one lock. */
const bus_calls *clump_io_bus_library(const clump_io_where *where);

/* --- bus_type.c: values of any type, as bytes ------------------------------------------------------------- */

/* What is written. */
typedef struct bus_bytes {
    const void *data;
    size_t size;
} bus_bytes;

/* The functions of the type; they use those of the library. */
typedef struct bus_type_ops {
    struct ddsi_sertype_ops type;
    struct ddsi_serdata_ops data;
} bus_type_ops;
void clump_io_bus_type_begin(bus_type_ops *ops, const bus_calls *calls);

/* Returns a new type of this name in DDS; null: no memory. A topic takes it over. */
struct ddsi_sertype *clump_io_bus_type_new(const bus_type_ops *ops, const bus_calls *calls, const char *name);
/* Returns the bytes of a message of such a type. */
bus_bytes clump_io_bus_type_bytes(const struct ddsi_serdata *message);

#endif
