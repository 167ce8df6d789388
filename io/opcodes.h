/* SPDX-License-Identifier: BSD-3-Clause
 *
 * opcodes.h: the kinds of records in MCAP files and ROS 1 bags, for those who read them and those who write them.
 */
#ifndef CLUMP_IO_OPCODES_H
#define CLUMP_IO_OPCODES_H

enum {
    MCAP_HEADER = 1,
    MCAP_FOOTER = 2,
    MCAP_SCHEMA = 3,
    MCAP_CHANNEL = 4,
    MCAP_MESSAGE = 5,
    MCAP_CHUNK = 6,
    MCAP_MESSAGE_INDEX = 7,
    MCAP_CHUNK_INDEX = 8,
    MCAP_STATISTICS = 11,
    MCAP_SUMMARY_OFFSET = 14,
    MCAP_DATA_END = 15,

    MCAP_HEAD = 9 /* bytes of opcode and length before a record */
};

typedef enum clump_io_bag_op {
    BAG_OP_MESSAGE = 2,
    BAG_OP_BAG_HEADER = 3,
    BAG_OP_INDEX_DATA = 4,
    BAG_OP_CHUNK = 5,
    BAG_OP_CHUNK_INFO = 6,
    BAG_OP_CONNECTION = 7
} clump_io_bag_op;

#endif
