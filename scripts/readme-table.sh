#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# scripts/readme-table.sh [README.md [RESULTS.csv...]]: puts the bench's tables into the README: those of
# the CPU between the lines <!-- bench:begin --> and <!-- bench:end -->, those of GPUs (CSV files with a
# column "gpu") between <!-- gpu:begin --> and <!-- gpu:end -->. One table a machine, from the CSV files under
# bench/results/. With --check nothing is written; status 1 says that it is out of date.
set -eu

root=$(cd "$(dirname "$0")/.." && pwd)
check=no
if [ "${1:-}" = --check ]; then
    check=yes
    shift
fi
readme=${1:-$root/README.md}
[ $# -gt 0 ] && shift
[ $# -gt 0 ] || set -- "$root"/bench/results/*.csv
if [ ! -f "$1" ]; then
    echo "readme-table.sh: there are no results under bench/results/: run make bench first" >&2
    exit 1
fi

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
page=$scratch/page

# No field of the CSV has a comma in it. Columns are found by their names in the header.
table_of() {
    awk -F, '
    FNR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }
    function field(name) { return $(column[name]) }
    function ms(value) {
        return value == "" ? "–" : sprintf(value < 1 ? "%.3f" : value < 100 ? "%.1f" : "%.0f", value)
    }
    function times(value) { return value == "" ? "–" : sprintf(value < 10 ? "%.1f×" : "%.0f×", value) }
    {
        name = field("case")
        if (!(name in seen)) { seen[name] = 1; order[++cases] = name }
        who = field("contestant")
        if (who == "fast" && field("threads") > 1) who = "fast-many"
        time[name, who] = field("median_ms"); ratio[name, who] = field("ratio")
        text[name] = field("parameters"); sub(/ seed=[0-9]*/, "", text[name]); gsub(/layout=/, "", text[name])
        sub(/file=/, "", text[name]); sub(/ground=left out/, "without ground", text[name])
        text[name] = text[name] ", d=" field("d"); points[name] = field("points")
        machine = field("machine"); cores = field("cores"); compiler = field("compiler")
        clump = field("clump"); date = field("date")
        if (who == "fast-many") many = field("threads")
        if (who ~ /^pcl/) version = field("contestant_version")
    }
    END {
        printf "Median milliseconds and ratio to one thread of clump. "
        printf "%s, %d cores, %s; clump %s", machine, cores, compiler, clump
        if (version) printf ", %s", version
        printf "; %s.\n\n", date
        printf "| cloud | points | clump, 1 thread | %s threads ", many ? many : "2"
        print "| PCL at its best | | PCL as packaged | |"
        print "|---|---:|---:|---:|---:|---:|---:|---:|"
        for (i = 1; i <= cases; i++) {
            name = order[i]
            if (time[name, "fast"] == "") continue
            printf "| %s | %d | %s | %s | %s | %s | %s | %s |\n", text[name], points[name], ms(time[name, "fast"]),
                   ms(time[name, "fast-many"]), ms(time[name, "pcl-best"]), times(ratio[name, "pcl-best"]),
                   ms(time[name, "pcl-debian"]), times(ratio[name, "pcl-debian"])
        }
    }' "$1"
}

# `fast` on a GPU, by where points and labels lie.
gpu_table_of() {
    awk -F, '
    FNR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }
    function field(name) { return name in column ? $(column[name]) : "" }
    function ms(value) {
        return value == "" ? "–" : sprintf(value < 1 ? "%.3f" : value < 100 ? "%.1f" : "%.0f", value)
    }
    field("method") == "fast" && (field("memory") == "pinned" || field("memory") == "device") {
        name = field("cloud")
        if (!(name in points)) {
            order[++clouds] = name
            points[name] = field("points")
            if (points[name] == "" && match(" " field("parameters"), / n=[0-9]+/))
                points[name] = substr(" " field("parameters"), RSTART + 3, RLENGTH - 3)
        }
        time[name, field("memory")] = field("median_ms")
        if (field("gpu") != "") gpu = field("gpu")
        if (field("clump") != "") clump = field("clump")
        if (field("date") != "") date = field("date")
    }
    END {
        printf "Median milliseconds of `fast`. %s", gpu
        if (clump) printf "; clump %s", clump
        if (date) printf "; %s", date
        printf ".\n\n"
        print "| cloud | points | pinned host memory | device memory |"
        print "|---|---:|---:|---:|"
        for (i = 1; i <= clouds; i++) {
            name = order[i]
            printf "| %s | %s | %s | %s |\n", name, points[name] == "" ? "–" : points[name],
                   ms(time[name, "pinned"]), ms(time[name, "device"])
        }
    }' "$1"
}

for file; do
    if head -n 1 "$file" | tr ',' '\n' | grep -qx gpu; then kind=gpu; else kind=bench; fi
    echo >> "$scratch/$kind"
    if [ $kind = gpu ]; then gpu_table_of "$file"; else table_of "$file"; fi >> "$scratch/$kind"
done

# A place for which there are no results is left as it is.
cp "$readme" "$page"
for kind in bench gpu; do
    [ -f "$scratch/$kind" ] || continue
    echo >> "$scratch/$kind"
    if ! grep -q "^<!-- $kind:begin -->\$" "$page" || ! grep -q "^<!-- $kind:end -->\$" "$page"; then
        echo "readme-table.sh: $readme does not have the lines <!-- $kind:begin --> and <!-- $kind:end -->" >&2
        exit 1
    fi
    awk -v table="$scratch/$kind" -v kind="$kind" '
        $0 == "<!-- " kind ":begin -->" { print; while ((getline line < table) > 0) print line; inside = 1 }
        $0 == "<!-- " kind ":end -->" { inside = 0 }
        !inside' "$page" > "$scratch/next"
    mv "$scratch/next" "$page"
done

if cmp -s "$page" "$readme"; then exit 0; fi
if [ "$check" = yes ]; then
    echo "readme-table.sh: $readme is out of date: run scripts/readme-table.sh" >&2
    exit 1
fi
cat "$page" > "$readme"
