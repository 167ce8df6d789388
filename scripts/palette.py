#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""scripts/palette.py: writes viewer/scene/palette_tables.c, the tables of the palette and of the ramp.

The palette was found by simulated annealing: 16 colours whose smallest distance is large in OKLab, for normal vision and
for the three kinds of dichromacy, also from the greys of noise and ground. Lightness was bounded so that every colour is
seen on the dark and on the light background. tests/view/test_view_palette.c checks the result by other formulas.

Facts: OKLab is by Bjoern Ottosson (2020). The matrices of dichromacy are those of Machado, Oliveira and Fernandes (2009),
severity 1.0; they apply to linear RGB.
"""
import math
import pathlib

PALETTE = """3366f0 bb0211 ffbd94 4eb3ff 911b96 e18f74 06dffe f65115 b5da00 ba7fc5 8f5ca6 7f85ff 5537cc 006400 caad02
009b21""".split()

# The ramp in OKLab: position, lightness, a, b. Lightness grows evenly; hue goes from violet over blue and green to yellow.
RAMP = [
    (0.00, 0.340, 0.070, -0.130),
    (0.25, 0.485, -0.020, -0.115),
    (0.50, 0.630, -0.090, -0.015),
    (0.75, 0.775, -0.100, 0.105),
    (1.00, 0.915, -0.030, 0.165),
]

SIGHT = [
    (1, 0, 0, 0, 1, 0, 0, 0, 1),
    (0.152286, 1.052583, -0.204868, 0.114503, 0.786281, 0.099216, -0.003882, -0.048116, 1.051998),  # protanopia
    (0.367322, 0.860646, -0.227968, 0.280085, 0.672501, 0.047413, -0.011820, 0.042940, 0.968881),  # deuteranopia
    (1.255528, -0.076749, -0.178779, -0.078411, 0.930809, 0.147602, 0.004733, 0.691367, 0.303900),  # tritanopia
]


def linear(byte):
    c = byte / 255
    return c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4


def byte(c):
    c = min(1, max(0, c))
    return round(255 * (12.92 * c if c <= 0.0031308 else 1.055 * c ** (1 / 2.4) - 0.055))


def to_oklab(r, g, b):
    l = (0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b) ** (1 / 3)
    m = (0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b) ** (1 / 3)
    s = (0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b) ** (1 / 3)
    return (
        0.2104542553 * l + 0.7936177850 * m - 0.0040720468 * s,
        1.9779984951 * l - 2.4285922050 * m + 0.4505937099 * s,
        0.0259040371 * l + 0.7827717662 * m - 0.8086757660 * s,
    )


def from_oklab(lightness, a, b):
    l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
    m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
    s = (lightness - 0.0894841775 * a - 1.2914855480 * b) ** 3
    return (
        4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
        -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
        -0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s,
    )


def seen(rgb):
    """The colour in OKLab, once per kind of sight."""
    light = [linear(c) for c in rgb]
    return [
        to_oklab(*(min(1, max(0, sum(m[3 * i + j] * light[j] for j in range(3)))) for i in range(3))) for m in SIGHT
    ]


def ramp(t):
    """A cubic curve through the control points (Catmull-Rom), which has no kinks."""
    k = min(int(t * (len(RAMP) - 1)), len(RAMP) - 2)
    p = [RAMP[min(max(k + i, 0), len(RAMP) - 1)] for i in (-1, 0, 1, 2)]
    u = (t - p[1][0]) / (p[2][0] - p[1][0])
    curve = [
        q[1] + u * (q[2] - q[0] + u * (2 * q[0] - 5 * q[1] + 4 * q[2] - q[3] + u * (3 * (q[1] - q[2]) + q[3] - q[0]))) / 2
        for q in zip(*p)
    ]
    lightness = RAMP[0][1] + t * (RAMP[-1][1] - RAMP[0][1])
    return tuple(byte(c) for c in from_oklab(lightness, *curve[2:]))


def rows(texts, per_row):
    groups = [texts[i : i + per_row] for i in range(0, len(texts), per_row)]
    return ",\n".join("    " + ", ".join(group) for group in groups)


def main():
    palette = [tuple(int(h[i : i + 2], 16) for i in (0, 2, 4)) for h in PALETTE]
    views = [seen(c) for c in palette]
    apart = [[round(1000 * min(map(math.dist, a, b))) for b in views] for a in views]
    as_c = lambda rgb: "{%d, %d, %d}" % rgb
    table = ",\n".join("    {" + ", ".join(map(str, row)) + "}" for row in apart)
    out = pathlib.Path(__file__).resolve().parent.parent / "viewer" / "palette_tables.c"
    out.write_text(
        f"""/* SPDX-License-Identifier: BSD-3-Clause
 *
 * palette_tables.c: the tables of palette.h, written by scripts/palette.py.
 */
#include "palette.h"

/* clang-format off */
const view_rgb view_palette[VIEW_PALETTE] = {{
{rows([as_c(c) for c in palette], 6)}}};

const view_rgb view_ramp[VIEW_RAMP] = {{
{rows([as_c(ramp(i / 255)) for i in range(256)], 6)}}};

const uint16_t view_apart[VIEW_PALETTE][VIEW_PALETTE] = {{
{table}}};
"""
    )


main()
