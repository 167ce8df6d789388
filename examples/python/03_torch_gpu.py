# SPDX-License-Identifier: BSD-3-Clause
"""Clusters of a torch tensor on the GPU: python3 03_torch_gpu.py [SCAN] [--device cpu] [-o LABELLED.pcd]

Points and labels stay on the GPU. Exit status 77 where torch or its CUDA is missing.
"""

import argparse
import pathlib
import sys
import tempfile

import clump
import simulated

try:
    import torch
except ImportError:
    print("skipped: run scripts/setup.sh --python-rivals")
    sys.exit(77)


def main(scan, device, output):
    cloud = clump.read(scan)
    points = torch.from_numpy(cloud.xyz).to(device)

    ground = clump.ground(points)
    labels = clump.ec(points, 0.5, mask=~ground, min_size=10)
    count = int(labels.max()) + 1
    print(f"labels are a tensor of {labels.dtype} on {labels.device.type}: {count} clusters")

    inside = labels >= 0
    sizes = torch.bincount(labels[inside])
    centres = torch.zeros(count, 3, device=device).index_add_(0, labels[inside].long(), points[inside]) / sizes[:, None]
    largest = sizes.argmax()
    print(f"the largest has {int(sizes[largest])} points, {float(centres[largest].norm()):.1f} m away")
    if output:
        clump.write(output, cloud, labels=labels.cpu().numpy())


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("scan", nargs="?", help="any cloud file; default: a simulated street")
    parser.add_argument("--device", default="cuda", help="a device of torch; default: cuda")
    parser.add_argument("-o", dest="output", help="write the scan with its labels")
    arguments = parser.parse_args()
    if arguments.device != "cpu" and not torch.cuda.is_available():
        print("skipped: torch has no CUDA here (--device cpu runs it anyway): run it on a machine with an NVIDIA GPU")
        sys.exit(77)
    with tempfile.TemporaryDirectory() as folder:
        main(arguments.scan or simulated.street(pathlib.Path(folder, "street.pcd")), arguments.device, arguments.output)
