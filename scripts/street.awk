# SPDX-License-Identifier: BSD-3-Clause
#
# street.awk: a simulated scan of a street, as CSV. The sensor has 32 beams and 720 directions and is 1.8 m above the
# road, at 0, 0, 0. It sees cars, a wall, a pole and two people; each hides what is behind it. For scripts/demo.sh.
#
#     awk -f scripts/street.awk >street.csv

# add(x, y, yaw, length, width, height): a box on the road; yaw in degrees.
function add(x, y, yaw, length_, width, height)
{
    n++
    cx[n] = x; cy[n] = y; c[n] = cos(yaw * degree); s[n] = sin(yaw * degree)
    half[n, 1] = length_ / 2; half[n, 2] = width / 2; top[n] = height - road
}

# slab(from, direction, low, high): cuts the stretch near ... far of the ray to where it is between low and high.
function slab(from, direction, low, high,    a, b, t)
{
    if (direction > -1e-9 && direction < 1e-9) { if (from < low || from > high) far = -1; return }
    a = (low - from) / direction; b = (high - from) / direction
    if (a > b) { t = a; a = b; b = t }
    if (a > near) near = a
    if (b < far) far = b
}

# range(dx, dy, dz): the distance along the ray to what it meets first; 0 for nothing within 60 m.
function range(dx, dy, dz,    best, k)
{
    best = dz < 0 ? -road / dz : 60
    for (k = 1; k <= n; k++) {
        near = 0; far = best
        slab(-cx[k] * c[k] - cy[k] * s[k], dx * c[k] + dy * s[k], -half[k, 1], half[k, 1])
        slab(cx[k] * s[k] - cy[k] * c[k], -dx * s[k] + dy * c[k], -half[k, 2], half[k, 2])
        slab(0, dz, -road, top[k])
        if (near < far && near > 0) { best = near; hit = k }
    }
    return best < 60 ? best : 0
}

BEGIN {
    degree = atan2(0, -1) / 180; road = 1.8
    add(8, -3, 0, 4.3, 1.8, 1.5); add(15, 3.2, 3, 4.5, 1.8, 1.4); add(-10, -3.4, 178, 5, 2, 2.1)
    add(22, -7, 35, 4.2, 1.8, 1.5); add(5, 9, 0, 30, 0.4, 4); add(12, 7, 0, 0.2, 0.2, 5)
    add(6, 5.5, 0, 0.5, 0.4, 1.75); add(-4, 6, 0, 0.5, 0.4, 1.6)
    print "x,y,z,intensity"
    for (a = 0; a < 720; a++) for (b = 0; b < 32; b++) {
        e = (-24 + b * 27 / 31) * degree; u = a / 2 * degree
        dx = cos(e) * cos(u); dy = cos(e) * sin(u); dz = sin(e); hit = 0
        if ((r = range(dx, dy, dz)) > 0) printf "%.3f,%.3f,%.3f,%d\n", r * dx, r * dy, r * dz, hit ? 40 + 10 * hit : 15
    }
}
