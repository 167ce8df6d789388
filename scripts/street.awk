# SPDX-License-Identifier: BSD-3-Clause
#
# street.awk: a simulated scan of a street, as CSV, for scripts/demo.sh and scripts/picture.sh. The sensor has 128 beams and
# 2048 directions and is 1.8 m above the road, at 0, 0, 0. It sees houses, cars, trees, poles and people; each hides what
# is behind it. All things are upright, so a ray meets them at horizontal distances that depend on the direction alone.
#
#     awk -f scripts/street.awk >street.csv

# box(x, y, yaw, length, width, low, high, light): a box; yaw in degrees, heights above the road.
function box(x, y, yaw, length_, width, low_, high_, light)
{
    n++
    kind[n] = "box"; cx[n] = x; cy[n] = y; c[n] = cos(yaw * degree); s[n] = sin(yaw * degree)
    fx[n] = -x * c[n] - y * s[n]; fy[n] = x * s[n] - y * c[n]; hx[n] = length_ / 2; hy[n] = width / 2
    low[n] = low_ - road; high[n] = high_ - road; shine[n] = light
}

# round(kind, x, y, radius, low, high, light): a pole, or the crown of a tree.
function round(kind_, x, y, radius, low_, high_, light)
{
    n++
    kind[n] = kind_; cx[n] = x; cy[n] = y; hx[n] = radius
    low[n] = low_ - road; high[n] = high_ - road; shine[n] = light
}

function car(x, y, yaw, light)
{
    box(x, y, yaw, 4.4, 1.8, 0.22, 0.85, light)
    box(x, y, yaw, 3.7, 1.7, 0.85, 1.1, 20); box(x, y, yaw, 2.9, 1.6, 1.1, 1.45, 20)
}

function person(x, y) { round("pole", x, y, 0.24, kerb, 1.5, 45); round("pole", x, y, 0.11, 1.5, 1.8, 60) }

function tree(x, y, size)
{
    round("pole", x, y, 0.16, 0, 2.4, 30)
    round("crown", x, y, 1.3 * size, 1.9, 1.9 + 3.1 * size, 35)
}

function house(x, y, length_) { box(x, y + (y > 0 ? 0.7 : -0.7), 0, length_, 1.4, 0, 9, 70); kind[n] = "house" }

# random(): a number in 0 ... 1, the same series in every awk.
function random() { seed = (seed * 16807) % 2147483647; return seed / 2147483647 }

# slab(from, direction, half): cuts the stretch near ... far of the ray to |from + t direction| <= half.
function slab(from, direction, half,    a, b)
{
    if (direction > -1e-9 && direction < 1e-9) { if (from < -half || from > half) far = -1; return }
    a = (-half - from) / direction; b = (half - from) / direction
    if (a < b) { if (a > near) near = a; if (b < far) far = b }
    else { if (b > near) near = b; if (a < far) far = a }
}

# look(ux, uy): lists what lies in a direction: ahead[i], and where it begins and ends there.
function look(ux, uy,    k, along, off)
{
    m = 0
    for (k = 1; k <= n; k++) {
        near = 0.5; far = reach
        if (kind[k] == "box" || kind[k] == "house") {
            slab(fx[k], ux * c[k] + uy * s[k], hx[k])
            slab(fy[k], uy * c[k] - ux * s[k], hy[k])
        } else {
            along = cx[k] * ux + cy[k] * uy; off = hx[k] * hx[k] - cx[k] * cx[k] - cy[k] * cy[k] + along * along
            if (off < 0) continue
            if (along - sqrt(off) > near) near = along - sqrt(off)
            if (along + sqrt(off) < far) far = along + sqrt(off)
        }
        if (near < far) { m++; ahead[m] = k; begins[m] = near; ends[m] = far }
    }
}

# ground(ux, uy, g): where the ray meets the pavements, which begin at 6 m, or the road; sets light.
function ground(ux, uy, g,    t, side)
{
    light = 12
    if (g >= 0) return reach
    side = uy < 0 ? -uy : uy
    t = (kerb - road) / g
    if (side * t > 6) { light = 22; return t }
    t = -road / g
    if (side * t > 6) { light = 30; return 6 / side }
    if (side * t < 0.08 && (ux * t + 200) % 6 < 3) light = 90
    return t
}

# crown(k, ux, uy, g): how far the ray gets in a crown, an ellipsoid of leaves; reach: it goes through.
function crown(k, ux, uy, g,    along, a, b, d, h, z)
{
    h = (high[k] - low[k]) / 2; z = low[k] + h; along = cx[k] * ux + cy[k] * uy
    a = 1 / (hx[k] * hx[k]) + g * g / (h * h); b = along / (hx[k] * hx[k]) + g * z / (h * h)
    d = b * b - a * ((cx[k] * cx[k] + cy[k] * cy[k]) / (hx[k] * hx[k]) + z * z / (h * h) - 1)
    if (d <= 0 || random() < 0.15) return reach
    return (b - sqrt(d) + 2 * sqrt(d) * random() * random()) / a
}

# range(ux, uy, g): the horizontal distance to what the ray meets first, g its slope; reach: nothing. Sets light.
function range(ux, uy, g,    best, i, k, t, z, found)
{
    best = ground(ux, uy, g); found = 0
    for (i = 1; i <= m; i++) {
        k = ahead[i]; t = begins[i]; z = g * t
        if (t >= best) continue
        if (kind[k] == "crown") t = crown(k, ux, uy, g)
        else if (g >= 0 && z < low[k]) t = low[k] / (g + 1e-9)
        else if (g < 0 && z > high[k]) t = high[k] / g
        else if (z < low[k] || z > high[k]) continue
        if (t < best && t < ends[i]) { best = t; found = k }
    }
    if (!found) return best
    light = shine[found]
    if (kind[found] == "house" && window(best * ux + 200, best * g + road)) { light = 6; best += 0.25 }
    return best
}

# window(x, z): whether there is a window at this place of a facade.
function window(x, z) { return x % 2.6 > 1.2 && z % 3 > 1 && z % 3 < 2.4 }

function street(    i)
{
    house(-40, 11.2, 13); house(-26, 11.0, 13); house(-11.5, 11.4, 14)
    house(3.5, 11.0, 14); house(18, 11.3, 13); house(33, 11.1, 15)
    house(-36, -11.2, 15); house(-21, -11.0, 13); house(-7, -11.3, 13)
    house(7.5, -11.0, 14); house(23, -11.4, 15); house(38, -11.1, 13)
    for (i = 0; i < 5; i++) tree(-22 + 12.5 * i, 8.2, 0.9 + 0.1 * (i % 3))
    for (i = 0; i < 5; i++) if (i != 1) tree(-15 + 13 * i, -8.4, 0.85 + 0.12 * (i % 2))
    for (i = 0; i < 4; i++) round("pole", -26 + 17 * i, 6.6, 0.08, 0, 6, 50)
    for (i = 0; i < 4; i++) round("pole", -18 + 17 * i, -6.6, 0.08, 0, 6, 50)
    car(7.5, 4.7, 1, 55); car(14.2, 4.6, -1, 80); car(-6.2, 4.8, 0, 40); car(-19, 4.7, 2, 65); car(27, 4.7, 0, 75)
    car(10.5, -4.7, 180, 60); car(-9, -4.7, 181, 85); car(22.5, -4.6, 179, 45); car(-27, -4.7, 180, 50)
    car(17, -1.7, 180, 70); car(-13, 1.8, 1, 35); car(36, 1.7, 0, 60)
    box(-21, -1.8, 180, 9.5, 2.5, 0.9, 3.6, 85); box(-26.6, -1.8, 180, 1.6, 2.4, 0.5, 2.8, 60)
    person(4.9, 7.2); person(5.7, 7.8); person(-2.6, -7.6); person(13.6, -7.3); person(19.5, 7.5); person(8.6, -0.3)
    box(-1.2, 9.2, 0, 3.6, 0.1, kerb, 2.3, 25); box(1.6, -6.9, 8, 1.7, 0.35, kerb, 1.05, 40)
    round("pole", 5.2, -6.4, 0.05, 0, 2.7, 50)
    box(5.2, -6.4, 90, 0.7, 0.06, 2.1, 2.7, 99); box(27, -9.6, 0, 9, 0.5, kerb, 1.3, 33)
}

# slope(beam): from 25 degrees below the horizon to 20 above.
function slope(b,    e) { e = (-25 + b * 45 / 127) * degree; return sin(e) / cos(e) }

BEGIN {
    degree = atan2(0, -1) / 180; road = 1.8; kerb = 0.12; reach = 70; seed = 19
    street()
    for (b = 0; b < 128; b++) g[b] = slope(b)
    print "x,y,z,intensity"
    for (a = 0; a < 2048; a++) {
        ux = cos(a * 360 / 2048 * degree); uy = sin(a * 360 / 2048 * degree)
        look(ux, uy)
        for (b = 0; b < 128; b++) {
            t = range(ux, uy, g[b])
            if (t >= reach) continue
            t += 0.02 * (random() - 0.5)
            printf "%.3f,%.3f,%.3f,%d\n", t * ux, t * uy, t * g[b], light
        }
    }
}
