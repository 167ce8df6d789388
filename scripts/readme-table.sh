#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# scripts/readme-table.sh [README.md [RESULTS.csv...]]: puts the bench's table into the README,
# between the lines <!-- bench:begin --> and <!-- bench:end -->. One table a machine, from the CSV
# files under bench/results/. With --check nothing is written; status 1 says that it is out of date.
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
if ! grep -q '^<!-- bench:begin -->$' "$readme" || ! grep -q '^<!-- bench:end -->$' "$readme"; then
    echo "readme-table.sh: $readme does not have the lines <!-- bench:begin --> and <!-- bench:end -->" >&2
    exit 1
fi

table=$(mktemp)
page=$(mktemp)
trap 'rm -f "$table" "$page"' EXIT

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

for file; do
    echo
    table_of "$file"
done > "$table"
echo >> "$table"

awk -v table="$table" '
    /^<!-- bench:begin -->$/ { print; while ((getline line < table) > 0) print line; inside = 1 }
    /^<!-- bench:end -->$/ { inside = 0 }
    !inside' "$readme" > "$page"

if cmp -s "$page" "$readme"; then exit 0; fi
if [ "$check" = yes ]; then
    echo "readme-table.sh: $readme is out of date: run scripts/readme-table.sh" >&2
    exit 1
fi
cat "$page" > "$readme"
