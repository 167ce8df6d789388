# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash disable=SC2154,SC2016,SC1091
# `clump erccl`. A floor of 12 x 12 m, 1.5 below the sensor; a low box and a tall one side by side, and a post.
{
    echo x,y,z
    for x in -6 -5 -4 -3 -2 -1 0 1 2 3 4 5 6; do for y in -6 -5 -4 -3 -2 -1 0 1 2 3 4 5 6; do echo "$x,$y,-1.5"; done; done
    for x in 2.05 2.15 2.25; do for y in 1.05 1.15; do echo "$x,$y,-1"; echo "$x,$y,-1.25"; done; done
    for x in 2.35 2.45; do for y in 1.05 1.15; do echo "$x,$y,0.5"; echo "$x,$y,-1.25"; done; done
    for z in -1.25 -1 -0.75; do echo "-3.05,0.05,$z"; done
    echo 30,0,-1
    echo nan,0,-1.5
} >scan.csv
try erccl scan.csv --cell 0.1
try erccl scan.csv --cell 0.1 --method ccl
try erccl scan.csv --cell 0.1 --method hash --reach 1
for method in serial racing independent; do
    clump erccl scan.csv --cell 0.1 --method $method --json | sed -E 's/"parameters":.*"keep":null\},//; s/"device".*"passes"/"passes"/; s/,"time.*//'
done
try erccl scan.csv --cell 0.1 -q -o found.csv --clusters found.json
cut -d, -f4 found.csv | sort | uniq -c
cat found.json
try erccl scan.csv --cell 0.1 --ground peak -q --clusters found.csv
cat found.csv
try erccl scan.csv --cell 0.1 --ground none --crop -9,9,-9,9,-1.4,9 -q --clusters found.csv
cut -d, -f1,2,17,18 found.csv
try erccl scan.csv --cell 0.1 --min-size 4 --order size --top 1
try erccl scan.csv --cell 0.1 --tau 0.3
try erccl scan.csv --cell 0.1 --alpha 1 --beta 100
try erccl scan.csv --cell 0.5 --extent 4
try erccl scan.csv --cell 0.1 --extent 2,8
try erccl scan.csv --cell 0.1 --extent 8,2
check "--extent L,L is --extent L" cmp <(clump erccl scan.csv -q -o - --to labels --cell 0.1 --extent 8) <(clump erccl scan.csv -q -o - --to labels --cell 0.1 --extent 8,8)
try erccl scan.csv --cell 0.1 --sigma 0.6 --sensor-height 1.5 --slope 0.1
try erccl scan.csv --cell 0.1 --step
try erccl scan.csv --cell 0.1 --sensor 30,0,0

# a post that stands on a ground point: with --all-heights its cell begins at the ground, and differs from the next cell
{ cat scan.csv; for z in -1 -0.75; do echo "4.02,4.02,$z"; echo "4.12,4.02,$z"; done; } >post.csv
for heights in '' --all-heights; do
    clump erccl post.csv --cell 0.1 --ground peak --tau 0.85 $heights -q -o found.csv
    tail -4 found.csv
done
try erccl scan.csv --cell 0.1 --ground peak --bin 0.05 --sensor-height 1.5 --window 0.1

# seen upside down, and with y up
labels() { clump erccl "$@" --cell 0.1 -q -o - --to labels; }
awk -F, 'NR > 1 { $3 = -$3 } { print $1 "," $2 "," $3 }' scan.csv >hanging.csv
awk -F, '{ print $1 "," $3 "," $2 }' scan.csv | sed 1s/.*/x,y,z/ >lying.csv
check "upside down" cmp <(labels scan.csv) <(labels hanging.csv --flip)
check "y up" cmp <(labels scan.csv) <(labels lying.csv --up y)
check "any number of threads" cmp <(labels scan.csv --threads 1) <(labels scan.csv --threads 3)
clump erccl lying.csv --up y --cell 0.1 -q --clusters found.csv
sed -n 2p found.csv

printf 'x,y,z\n' >empty.csv
try erccl empty.csv
try erccl empty.csv --clusters none.json -q
cat none.json
try erccl scan.csv --cell 0.00004
try erccl scan.csv --cell 0
try erccl scan.csv --reach 0
try erccl scan.csv --reach 65
try erccl scan.csv --alpha 2
for extent in 0 -40 40, 40,50,60 40,0 40,-1 nan 40,nan inf; do try erccl scan.csv --extent $extent; done
try erccl scan.csv --extent 40,2000
try erccl scan.csv --bin 0.2
try erccl scan.csv --ground peak --bin 0
try erccl scan.csv --window 1
try erccl scan.csv --ground none --sensor-height 2 --window 1
try erccl scan.csv --tau 0.5 --beta 3
try erccl scan.csv --ground plane
try erccl scan.csv --2d
try erccl scan.csv --remove-ground
try erccl scan.csv --min-size 5 --max-size 4
refused_by_cuda() { refused '(CUDA cannot be used|the method serial does not run on cuda).*--device cpu' "$@"; }
check "CUDA is refused, the CPU named" refused_by_cuda erccl scan.csv --method serial --device cuda

# --maps, in a folder of its own.
mkdir of-maps && cd of-maps || exit 1
# `clump erccl --maps`. A floor of 13 x 13 points, 1.5 below the sensor, a low box beside a tall one, and a post.
{
    echo x,y,z
    for x in -6 -5 -4 -3 -2 -1 0 1 2 3 4 5 6; do for y in -6 -5 -4 -3 -2 -1 0 1 2 3 4 5 6; do echo "$x,$y,-1.5"; done; done
    for x in 2.1 2.3; do for y in 1.1 1.3; do echo "$x,$y,-1"; echo "$x,$y,-1.25"; done; done
    for y in 3.1 3.3; do echo "2.1,$y,0.5"; echo "2.1,$y,-0.25"; done
    for z in -1.25 -1 -0.75; do echo "-3.05,0.05,$z"; done
} >scan.csv
try erccl scan.csv --cell 0.5 --extent 14 --maps maps
ls maps
cat maps/maps.json

# arrays.py FOLDER: reads the arrays without NumPy, by their definition, and prints what is where.
cat >arrays.py <<'END'
import ast, math, struct, sys
kinds = {"<f4": "f", "|u1": "B", "<i4": "i"}
for name in ("highest", "lowest", "ground", "flag", "label"):
    with open(f"{sys.argv[1]}/{name}.npy", "rb") as file:
        data = file.read()
    size = struct.unpack("<H", data[8:10])[0]
    head = ast.literal_eval(data[10:10 + size].decode("ascii"))
    rows, columns = head["shape"]
    items = kinds[head["descr"]]
    assert data[:8] == b"\x93NUMPY\x01\x00" and (10 + size) % 64 == 0 and data[9 + size] == 10 and not head["fortran_order"]
    values = struct.unpack(f"<{rows * columns}{items}", data[10 + size:])
    print(name, head["descr"], head["shape"])
    if name in ("highest", "lowest", "flag"):
        there = [i for i, v in enumerate(values) if v and not math.isnan(v)]
        print("   ", " ".join(f"{i // columns},{i % columns}={values[i]:g}" for i in there))
    elif name == "label":
        print("   ", " ".join(f"{v}:{values.count(v)}" for v in sorted(set(values))))
    else:
        print("   ", sorted({round(v, 3) for v in values if not math.isnan(v)}))
END
python3 arrays.py maps
if python3 -c 'import numpy' 2>/dev/null; then
    check "NumPy reads them" python3 -c '
import numpy
for name, kind in (("highest", "float32"), ("lowest", "float32"), ("ground", "float32"), ("flag", "uint8"), ("label", "int32")):
    array = numpy.load(f"maps/{name}.npy", allow_pickle=False)
    assert array.shape == (28, 28) and array.dtype == kind, name
assert numpy.load("maps/highest.npy")[18, 20] == 0.5'
else
    skip "NumPy reads them" "$do_python"
fi

# pictures.py FOLDER NAME: prints which pixels of a picture are opaque and not black, rows from the top.
cat >pictures.py <<'END'
import struct, sys, zlib
with open(f"{sys.argv[1]}/{sys.argv[2]}.png", "rb") as file:
    data = file.read()
assert data[:8] == b"\x89PNG\r\n\x1a\n"
at, packed, palette, clear = 8, b"", None, b""
while at < len(data):
    size, kind = struct.unpack(">I4s", data[at:at + 8])
    body = data[at + 8:at + 8 + size]
    assert zlib.crc32(kind + body) == struct.unpack(">I", data[at + 8 + size:at + 12 + size])[0]
    if kind == b"IHDR": width, height, depth, colour = struct.unpack(">IIBB", body[:10])
    if kind == b"IDAT": packed += body
    if kind == b"PLTE": palette = body
    if kind == b"tRNS": clear = body
    at += 12 + size
channels = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}[colour]
raw, stride, step = zlib.decompress(packed), (width * depth * channels + 7) // 8, max(1, depth * channels // 8)
line, lines = bytearray(stride), []
for y in range(height):
    filter, row = raw[y * (stride + 1)], bytearray(raw[y * (stride + 1) + 1:(y + 1) * (stride + 1)])
    for i in range(stride):
        a, b, c = row[i - step] if i >= step else 0, line[i], line[i - step] if i >= step else 0
        p = a + b - c
        nearest = min((abs(p - a), 0, a), (abs(p - b), 1, b), (abs(p - c), 2, c))[2]
        row[i] = (row[i] + (0, a, b, (a + b) // 2, nearest)[filter]) & 255
    line = row
    lines.append(row)
def pixel(y, x):
    if depth < 8:
        v = lines[y][x * depth // 8] >> (8 - depth - x * depth % 8) & (1 << depth) - 1
    else:
        v = lines[y][x * channels]
    if colour == 3: return palette[3 * v:3 * v + 3], clear[v] if v < len(clear) else 255
    if channels in (2, 4): return bytes(lines[y][x * channels:x * channels + channels - 1]), lines[y][x * channels + channels - 1]
    return bytes(lines[y][x * channels:x * channels + channels]) if depth == 8 else bytes([v]), 255
shown = [(y, x) for y in range(height) for x in range(width) if pixel(y, x)[1] and any(pixel(y, x)[0])]
print(sys.argv[2], f"{width} x {height}:", " ".join(f"{y},{x}" for y, x in shown))
END
pictures() { for name in highest lowest ground flag label; do python3 pictures.py "$1" $name || return 1; done; }
check "every picture is a PNG" pictures maps
# x is up and y to the left: row 27 - i, column 27 - j
python3 pictures.py maps flag
python3 pictures.py maps highest

# a map that is not square: 28 rows along x, 8 columns along y
awk -F, '{ print $1 "," $3 "," $2 }' scan.csv | sed 1s/.*/x,y,z/ >lying.csv
try erccl scan.csv --cell 0.5 --extent 14,4 --maps narrow
grep -o '"shape".*"corner":[^]]*]' narrow/maps.json
python3 arrays.py narrow | grep -A1 flag
python3 pictures.py narrow flag
clump erccl lying.csv --up y --cell 0.5 --extent 14,4 --maps narrow_lying -q
for name in highest lowest ground flag label; do check "$name, narrow, with y up" cmp narrow/$name.npy narrow_lying/$name.npy; done

# heights of all points: the floor below the tall box counts
{ cat scan.csv; echo 2.1,3.1,-1.5; } >floor.csv
clump erccl floor.csv --cell 0.5 --extent 14 --ground peak --maps above -q
clump erccl floor.csv --cell 0.5 --extent 14 --ground peak --all-heights --maps all -q
python3 arrays.py above | grep -A1 lowest
python3 arrays.py all | grep -A1 lowest

# the labels are those of the points; a large --min-size leaves some obstacles out
clump erccl scan.csv --cell 0.5 --extent 14 --min-size 4 --maps large/ -q
python3 arrays.py large | tail -1
clump erccl scan.csv --cell 0.5 --extent 14 --crop 0,9,0,9,-9,9 --maps crop -q
python3 arrays.py crop | grep -A1 flag

# upside down, and with y up: the picture is what is seen from above, so it is mirrored
awk -F, 'NR > 1 { $3 = -$3 } { print $1 "," $2 "," $3 }' scan.csv >hanging.csv
clump erccl hanging.csv --flip --cell 0.5 --extent 14 --maps hanging -q
clump erccl lying.csv --up y --cell 0.5 --extent 14 --maps lying -q
for name in highest lowest ground flag label; do
    check "$name upside down" cmp maps/$name.npy hanging/$name.npy
    check "$name with y up" cmp maps/$name.npy lying/$name.npy
done
cat hanging/maps.json lying/maps.json | grep -o '"rows":"x".*"picture":{[^}]*}'
python3 pictures.py hanging flag
python3 pictures.py lying flag

# far from 0: the corner is in coordinates of the file, heights need their offset
awk -F, 'NR > 1 { $1 += 4500000; $2 += 300000; $3 += 1200 } { print $1 "," $2 "," $3 }' OFMT=%.3f CONVFMT=%.3f scan.csv |
    sed 1s/.*/x,y,z/ >far.csv
clump erccl far.csv --sensor 4500000,300000,1200 --cell 0.5 --extent 14 --maps far -q
grep -o '"corner":[^]]*]\|"height_offset":[^,]*' far/maps.json
python3 arrays.py far | grep -A1 flag

# the folder: created, or used again; nothing is written where something is wrong
check "written again" clump erccl scan.csv --cell 0.5 --extent 14 --maps maps -q
try erccl scan.csv --maps scan.csv
try erccl scan.csv --maps -
try erccl scan.csv --maps ''
try erccl scan.csv --maps no/maps
mkdir -p taken/label.png
try erccl scan.csv --maps taken
ls taken
try erccl scan.csv --maps maps -o maps/label.npy
try erccl scan.csv --maps maps --clusters maps/../maps/maps.json
try erccl scan.csv --maps large_map --extent 900 --cell 0.1
check "and no folder is left" test ! -e large_map
try ec scan.csv -d 1 --maps maps
mkdir frames && cp scan.csv frames/0.csv
try play frames -- erccl --maps maps
try play frames -- erccl --all-heights
printf 'x,y,z\n' >empty.csv
clump erccl empty.csv --cell 0.5 --extent 14 --maps empty -q
python3 arrays.py empty | grep -A1 'flag\|label'
clump erccl scan.csv --cell 40 --maps one -q
python3 arrays.py one | grep -A1 'flag'
check "so are pictures of one cell" pictures one

# a disk that fills up: what is there is complete
mkdir ../full
if mount -t tmpfs -o size=256k tmpfs ../full 2>/dev/null; then
    try erccl scan.csv --cell 0.05 --extent 14 -q --maps ../full/maps
    ls -A ../full/maps
    try erccl scan.csv --cell 0.1 --extent 14 -q --maps ../full/maps
    ls -A ../full/maps
    umount ../full
else
    skip "a full disk" "$do_root"
    sed -n '/^.*--maps ..\/full\/maps/,$p' "$expected"
fi
rmdir ../full
