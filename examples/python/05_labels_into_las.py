# SPDX-License-Identifier: BSD-3-Clause
"""Trees and houses of an airborne survey, as labels in its file: python3 05_labels_into_las.py [IN.las] [-o OUT.las]

The new file has the header, the integer coordinates and all fields of the old one, and a field "label". LAZ works as well.
"""

import argparse
import pathlib
import tempfile

import numpy as np

import clump
import simulated

GROUND = 2  # of the classes of LAS


def main(survey, output):
    cloud = clump.read(survey)
    above = cloud["classification"] != GROUND
    labels = clump.ec(cloud, 1.0, mask=above, min_size=20, order="size")
    print(f"{len(cloud)} points, {above.sum()} above the ground, {labels.max() + 1} clusters")
    clump.write(output, cloud, labels=labels)

    again = clump.read(output)
    print("coordinates are unchanged:", np.array_equal(again.coordinates(), cloud.coordinates()))
    print("fields:", *again.fields)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("survey", nargs="?", help="a LAS or LAZ file with classes; default: a simulated survey")
    parser.add_argument("-o", dest="output", help="the file to write; default: none is kept")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        survey = arguments.survey or simulated.survey(pathlib.Path(folder, "survey.las"))
        main(survey, arguments.output or pathlib.Path(folder, "labelled.las"))
