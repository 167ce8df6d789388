#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""scripts/palette-png.py IN.png OUT.png: writes a screenshot with a palette of 256 colours, which makes the file less than half
as large.

The palette holds the most common colours, each the mean of the colours that share its highest 5 bits per channel. Every other
colour becomes the nearest of them. Takes what headless Chromium writes: 8 bits per channel, RGB or RGBA, not interlaced.
"""
import collections
import struct
import sys
import zlib


def paeth(left, above, corner):
    guess = left + above - corner
    return min((abs(guess - left), 0, left), (abs(guess - above), 1, above), (abs(guess - corner), 2, corner))[2]


def unfilter(kind, line, before, step):
    """Undoes the filter of a line, in place; step is the bytes of a pixel."""
    for i in range(len(line)):
        left, corner = (line[i - step], before[i - step]) if i >= step else (0, 0)
        if kind == 1:
            line[i] = line[i] + left & 255
        elif kind == 2:
            line[i] = line[i] + before[i] & 255
        elif kind == 3:
            line[i] = line[i] + (left + before[i]) // 2 & 255
        elif kind == 4:
            line[i] = line[i] + paeth(left, before[i], corner) & 255


def read(name):
    """Returns the width, and the rows: lists of (red, green, blue)."""
    with open(name, "rb") as file:
        data = file.read()
    place, packed, head = 8, b"", None
    while place < len(data):
        length, kind = struct.unpack_from(">I4s", data, place)
        body = data[place + 8:place + 8 + length]
        if kind == b"IHDR":
            head = struct.unpack(">IIBBBBB", body)
        elif kind == b"IDAT":
            packed += body
        place += 12 + length
    width, height, depth, colour, _, _, interlaced = head
    if depth != 8 or colour not in (2, 6) or interlaced:
        sys.exit(f"palette-png.py: {name}: not 8 bits per channel of RGB or RGBA, or interlaced")
    step = 3 if colour == 2 else 4
    raw, rows, before = zlib.decompress(packed), [], bytearray(width * step)
    for y in range(height):
        start = y * (1 + width * step)
        line = bytearray(raw[start + 1:start + 1 + width * step])
        unfilter(raw[start], line, before, step)
        rows.append(list(zip(line[0::step], line[1::step], line[2::step])))
        before = line
    return width, rows


def palette_of(counts):
    """Returns 256 colours for these counts per colour."""
    groups = collections.defaultdict(list)
    for colour, count in counts.items():
        groups[tuple(channel >> 3 for channel in colour)].append((colour, count))
    common = sorted(groups.values(), key=lambda group: -sum(count for _, count in group))[:256]
    return [tuple(round(sum(colour[i] * count for colour, count in group) / sum(count for _, count in group)) for i in range(3))
            for group in common]


def main(source, target):
    width, rows = read(source)
    counts = collections.Counter(colour for row in rows for colour in row)
    palette = palette_of(counts)
    nearest = {colour: min(range(len(palette)), key=lambda k: sum((a - b) ** 2 for a, b in zip(colour, palette[k])))
               for colour in counts}
    lines = b"".join(b"\0" + bytes(nearest[colour] for colour in row) for row in rows)
    with open(target, "wb") as file:
        file.write(b"\x89PNG\r\n\x1a\n")
        for kind, body in ((b"IHDR", struct.pack(">IIBBBBB", width, len(rows), 8, 3, 0, 0, 0)),
                           (b"PLTE", bytes(channel for colour in palette for channel in colour)),
                           (b"IDAT", zlib.compress(lines, 9)), (b"IEND", b"")):
            file.write(struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body)))


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit("usage: scripts/palette-png.py IN.png OUT.png")
    main(sys.argv[1], sys.argv[2])
