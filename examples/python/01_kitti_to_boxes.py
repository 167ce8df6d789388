# SPDX-License-Identifier: BSD-3-Clause
"""From a scan to boxes: python3 01_kitti_to_boxes.py [SCAN.bin] [-o LABELLED.pcd]

Without a scan, a simulated one is used.
"""

import argparse
import pathlib
import tempfile

import clump
import simulated


def main(scan, output):
    cloud = clump.read(scan)
    labels, objects = clump.detect(cloud)
    print(f"{len(cloud)} points, {(labels == -2).sum()} of them ground, {len(objects)} objects")

    print("distance  points  length  width  height    yaw")
    nearest = objects.argsort(order="distance")
    for found, box in zip(objects[nearest][:5], clump.boxes(objects[nearest])):
        length, width, height = box[3:6]
        print(f"{found['distance']:8.2f} {found['count']:7} {length:7.2f} {width:6.2f} {height:7.2f} {found['yaw']:6.1f}")
    if output:
        clump.write(output, cloud, labels=labels)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("scan", nargs="?", help="any cloud file; default: a simulated street")
    parser.add_argument("-o", dest="output", help="write the scan with its labels")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        main(arguments.scan or simulated.street(pathlib.Path(folder, "street.bin")), arguments.output)
