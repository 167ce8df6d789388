# SPDX-License-Identifier: BSD-3-Clause
"""A folder of scans, or any recording, into one table: python3 04_folder_of_scans.py [FOLDER] [-o TABLE.csv] [--keep FOLDER]

One row per object of every frame. Ctrl-C ends it after the frame at hand, and the rows so far are kept.
"""

import argparse
import csv
import pathlib
import sys
import tempfile

import clump
import simulated

COLUMNS = ["label", "count", "distance", "box_center_x", "box_center_y", "box_length", "box_width", "yaw"]


def main(recording, output, keep):
    table = csv.writer(output)
    table.writerow(["frame", "stamp", *COLUMNS])
    with clump.frames(recording) as drive, clump.Context() as context:
        try:
            for index, stamp, cloud in drive:
                labels, objects = clump.detect(cloud, min_size=20, context=context)
                table.writerows([index, stamp, *row] for row in objects[COLUMNS].tolist())
                print(f"frame {index}: {len(cloud)} points, {len(objects)} objects", file=sys.stderr)
                if keep:
                    clump.write(keep / f"{index:06}.pcd", cloud, labels=labels)
        except KeyboardInterrupt:
            print("stopped", file=sys.stderr)
    if drive.lost.first:
        print(f"not everything could be read: {drive.lost.first}", file=sys.stderr)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("recording", nargs="?", help="a folder of scans, a bag, a pcap ...; default: a simulated drive")
    parser.add_argument("-o", dest="output", type=argparse.FileType("w"), default=sys.stdout, help="the table; default: print")
    parser.add_argument("--keep", type=pathlib.Path, help="a folder for the scans with their labels")
    arguments = parser.parse_args()
    if arguments.keep:
        arguments.keep.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        drive = arguments.recording or simulated.street(pathlib.Path(folder, "scans"), "--frames", "5")
        main(drive, arguments.output, arguments.keep)
