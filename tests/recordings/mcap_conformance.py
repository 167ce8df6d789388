#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
#
# mcap_conformance.py CASES.JSON: makes the files of the MCAP conformance suite from their descriptions, for
# test_mcap_conformance.c. A file counts only if its size and its SHA-256 are those of the original.
#
# Standard output, numbers little-endian: per case the size of the name u32 and the name, whether the file is the original
# u8, the size of the file u32 and the file, and the messages in the order of time: their number u32, and for each topic,
# type and data (u32 size and bytes) and the time u64.
import hashlib
import json
import struct
import sys
import zlib

MAGIC = b"\x89MCAP0\r\n"
HEADER, FOOTER, SCHEMA, CHANNEL, MESSAGE, CHUNK, MESSAGE_INDEX, CHUNK_INDEX = range(1, 9)
ATTACHMENT, ATTACHMENT_INDEX, STATISTICS, METADATA, METADATA_INDEX, SUMMARY_OFFSET, DATA_END = range(9, 16)


def u16(value):
    return struct.pack("<H", int(value))


def u32(value):
    return struct.pack("<I", int(value))


def u64(value):
    return struct.pack("<Q", int(value))


def blob(data):
    return u32(len(data)) + data


def text(value):
    return blob(value.encode())


def text_map(pairs):
    return blob(b"".join(text(key) + text(value) for key, value in pairs.items()))


def data_of(fields):
    return bytes(int(value) for value in fields["data"])


class Case:
    """One file. `features` are those of the suite: ch chunks, mx message indexes, pad bytes behind records ..."""

    def __init__(self, description):
        self.records = [(record["type"], dict(record["fields"])) for record in description["records"]]
        self.features = set(description["meta"]["variant"]["features"])

    def record(self, opcode, body, padded=True):
        if padded and opcode != MESSAGE and "pad" in self.features:
            body += b"\x01\xff\xff"
        return bytes([opcode]) + u64(len(body)) + body

    def body(self, kind, f):
        """Returns opcode and body of a record whose description says all."""
        if kind == "Header":
            return HEADER, text(f["profile"]) + text(f["library"])
        if kind == "Schema":
            return SCHEMA, u16(f["id"]) + text(f["name"]) + text(f["encoding"]) + blob(data_of(f))
        if kind == "Channel":
            ids = u16(f["id"]) + u16(f["schema_id"])
            return CHANNEL, ids + text(f["topic"]) + text(f["message_encoding"]) + text_map(f["metadata"])
        if kind == "Message":
            times = u64(f["log_time"]) + u64(f["publish_time"])
            return MESSAGE, u16(f["channel_id"]) + u32(f["sequence"]) + times + data_of(f)
        if kind == "Attachment":
            data = data_of(f)
            body = u64(f["log_time"]) + u64(f["create_time"]) + text(f["name"]) + text(f["media_type"])
            body += u64(len(data)) + data
            return ATTACHMENT, body + u32(zlib.crc32(body))
        if kind == "Metadata":
            return METADATA, text(f["name"]) + text_map(f["metadata"])
        if kind == "Statistics":
            body = u64(f["message_count"]) + u16(f["schema_count"])
            for name in ("channel_count", "attachment_count", "metadata_count", "chunk_count"):
                body += u32(f[name])
            body += u64(f["message_start_time"]) + u64(f["message_end_time"])
            counts = f["channel_message_counts"]
            return STATISTICS, body + blob(b"".join(u16(key) + u64(value) for key, value in counts.items()))
        if kind == "ChunkIndex":
            body = u64(f["message_start_time"]) + u64(f["message_end_time"])
            body += u64(f["chunk_start_offset"]) + u64(f["chunk_length"])
            offsets = f["message_index_offsets"]
            body += blob(b"".join(u16(key) + u64(value) for key, value in offsets.items()))
            body += u64(f["message_index_length"]) + text(f["compression"])
            return CHUNK_INDEX, body + u64(f["compressed_size"]) + u64(f["uncompressed_size"])
        if kind == "AttachmentIndex":
            body = u64(f["offset"]) + u64(f["length"]) + u64(f["log_time"]) + u64(f["create_time"])
            return ATTACHMENT_INDEX, body + u64(f["data_size"]) + text(f["name"]) + text(f["media_type"])
        if kind == "MetadataIndex":
            return METADATA_INDEX, u64(f["offset"]) + u64(f["length"]) + text(f["name"])
        if kind == "SummaryOffset":
            return SUMMARY_OFFSET, bytes([int(f["group_opcode"])]) + u64(f["group_start"]) + u64(f["group_length"])
        raise ValueError(kind)

    def chunk(self, records):
        """Returns a chunk of these records, and its message indexes."""
        inside, entries, times = b"", {}, []
        for kind, fields in records:
            if kind == "Message":
                times.append(int(fields["log_time"]))
                entries.setdefault(int(fields["channel_id"]), []).append((times[-1], len(inside)))
            inside += self.record(*self.body(kind, fields), padded=False)
        body = u64(min(times, default=0)) + u64(max(times, default=0)) + u64(len(inside)) + u32(zlib.crc32(inside))
        result = self.record(CHUNK, body + text("") + u64(len(inside)) + inside, padded=False)
        if "mx" in self.features:
            for channel, messages in entries.items():
                index = b"".join(u64(time) + u64(offset) for time, offset in messages)
                result += self.record(MESSAGE_INDEX, u16(channel) + blob(index))
        return result

    def data_section(self, end):
        records = self.records[1:end]
        result = MAGIC + self.record(*self.body(*self.records[0]))
        inside = [r for r in records if r[0] in ("Schema", "Channel", "Message")]
        if "ch" in self.features and inside:
            result += self.chunk(inside)
            records = [r for r in records if r not in inside]
        for kind, fields in records:
            result += self.record(*self.body(kind, fields))
        return result + self.record(DATA_END, u32(zlib.crc32(result)), padded=False)

    def file(self):
        end = [kind for kind, _ in self.records].index("DataEnd")
        result = self.data_section(end)
        start = len(result)
        for kind, fields in self.records[end + 1 : -1]:
            result += self.record(*self.body(kind, fields))
        footer = self.records[-1][1]
        head = u64(footer["summary_start"]) + u64(footer["summary_offset_start"])
        head = bytes([FOOTER]) + u64(20) + head
        return result + head + u32(zlib.crc32(result[start:] + head)) + MAGIC

    def messages(self):
        schemas = {f["id"]: f["name"] for kind, f in self.records if kind == "Schema"}
        channels = {f["id"]: f for kind, f in self.records if kind == "Channel"}
        found = [f for kind, f in self.records if kind == "Message"]
        result = u32(len(found))
        for f in sorted(found, key=lambda f: int(f["log_time"])):
            channel = channels[f["channel_id"]]
            result += text(channel["topic"]) + text(schemas.get(channel["schema_id"], "")) + blob(data_of(f))
            result += u64(f["log_time"])
        return result


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        cases = json.load(file)
    for name, case in cases.items():
        made = Case(case["description"])
        data = made.file()
        same = len(data) == case["size"] and hashlib.sha256(data).hexdigest() == case["sha256"]
        sys.stdout.buffer.write(text(name) + bytes([same]) + blob(data) + made.messages())


main()
