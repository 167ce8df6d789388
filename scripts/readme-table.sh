#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# scripts/readme-table.sh [--check] [RESULTS.csv...]: puts the bench's tables into the pages, each between the
# lines <!-- KIND:begin --> and <!-- KIND:end -->:
#
#     bench                     README.md             the CPU beside its rivals
#     gpu                       README.md             `fast` on a GPU, by where points and labels lie
#     six, memory, crossover    docs/benchmarks.md    the six methods on a GPU; from where on a GPU is faster
#     density, obstacles        docs/benchmarks.md    DBSCAN and obstacles on a GPU
#     neighbours, searches      docs/benchmarks.md    nearest neighbours on a GPU; from where on it is faster there
#
# One table a machine, from the CSV files under bench/results/; those of GPUs have a column "gpu". With --check
# nothing is written; status 1 says that a page is out of date.
set -eu

root=$(cd "$(dirname "$0")/.." && pwd)
check=no
if [ "${1:-}" = --check ]; then
    check=yes
    shift
fi
[ $# -gt 0 ] || set -- "$root"/bench/results/*.csv
if [ ! -f "$1" ]; then
    echo "readme-table.sh: there are no results under bench/results/: run make bench first" >&2
    exit 1
fi

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# What the tables have in common. No field of the CSV has a comma in it. Columns are found by their names in
# the header.
# shellcheck disable=SC2016
common='
    FNR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }
    function field(name) { return $(column[name]) }
    function ms(value) {
        return value == "" ? "–" : sprintf(value < 1 ? "%.3f" : value < 100 ? "%.1f" : "%.0f", value)
    }
    function times(value) { return value == "" ? "–" : sprintf(value < 10 ? "%.1f×" : "%.0f×", value) }
    function cloud_text(text) {
        text = field("parameters")
        sub(/ seed=[0-9]*/, "", text); sub(/layout=/, "", text); sub(/file=/, "", text)
        sub(/ground=left out/, "without ground", text)
        sub(/ first=[0-9]+/, "& points", text); sub(/ first=/, ", the first ", text)
        return text ", d=" field("d")
    }
    function keep(name) { if (!(name in seen)) { seen[name] = 1; order[++count] = name } }
    # Rows by their number of points; rows of as many points stay in the order of the CSV.
    function by_points(i, k, name) {
        for (i = 2; i <= count; i++) {
            name = order[i]
            for (k = i - 1; k > 0 && points[order[k]] + 0 > points[name] + 0; k--) order[k + 1] = order[k]
            order[k + 1] = name
        }
    }
    function rule(columns, i) { printf "|---|"; for (i = 1; i < columns; i++) printf "---:|"; print "" }
    '
gpu_line='
    { gpu = field("gpu"); host = field("machine"); clump = field("clump"); date = field("date") }
    function where() { return sprintf("%s, host %s; clump %s; %s.\n\n", gpu, host, clump, date) }
    '

bench_table() {
    awk -F, "$common"'
    {
        name = field("case"); keep(name)
        who = field("contestant")
        if (who == "fast" && field("threads") > 1) who = "fast-many"
        time[name, who] = field("median_ms"); ratio[name, who] = field("ratio")
        text[name] = cloud_text(); points[name] = field("points")
        machine = field("machine"); cores = field("cores"); compiler = field("compiler")
        clump = field("clump"); date = field("date")
        if (who == "fast-many") many = field("threads")
        if (who ~ /^pcl/) version = field("contestant_version")
    }
    END {
        by_points()
        printf "Median milliseconds and ratio to one thread of clump. "
        printf "%s, %d cores, %s; clump %s", machine, cores, compiler, clump
        if (version) printf ", %s", version
        printf "; %s.\n\n", date
        printf "| cloud | points | clump, 1 thread | %s threads ", many ? many : "2"
        print "| PCL at its best | | PCL as packaged | |"
        rule(8)
        for (i = 1; i <= count; i++) {
            name = order[i]
            if (time[name, "fast"] == "") continue
            printf "| %s | %d | %s | %s | %s | %s | %s | %s |\n", text[name], points[name], ms(time[name, "fast"]),
                   ms(time[name, "fast-many"]), ms(time[name, "pcl-best"]), times(ratio[name, "pcl-best"]),
                   ms(time[name, "pcl-debian"]), times(ratio[name, "pcl-debian"])
        }
    }' "$1"
}

gpu_table() {
    awk -F, "$common$gpu_line"'
    field("part") == "fast" {
        name = field("cloud"); keep(name)
        text[name] = cloud_text(); points[name] = field("points")
        time[name, field("memory")] = field("median_ms")
    }
    END {
        by_points()
        printf "Median milliseconds of `fast`. %s", where()
        print "| cloud | points | pageable | pinned | device | device, no wait |"
        rule(6)
        for (i = 1; i <= count; i++) {
            name = order[i]
            printf "| %s | %d | %s | %s | %s | %s |\n", text[name], points[name], ms(time[name, "pageable"]),
                   ms(time[name, "pinned"]), ms(time[name, "device"]), ms(time[name, "device no wait"])
        }
    }' "$1"
}

density_table() {
    awk -F, "$common$gpu_line"'
    field("part") == "dbscan" {
        name = field("cloud"); keep(name)
        text[name] = cloud_text(); points[name] = field("points")
        sub(/, d=/, ", eps=", text[name])
        memory = field("method") == "dclust" ? "dclust" : field("memory")
        time[name, memory] = field("median_ms")
    }
    END {
        by_points()
        printf "Median milliseconds of `fast`; in the last column of `dclust`. %s", where()
        print "| cloud | points | pageable | pinned | device | device, no wait | dclust, pinned |"
        rule(7)
        for (i = 1; i <= count; i++) {
            name = order[i]
            printf "| %s | %d | %s | %s | %s | %s | %s |\n", text[name], points[name], ms(time[name, "pageable"]),
                   ms(time[name, "pinned"]), ms(time[name, "device"]), ms(time[name, "device no wait"]),
                   ms(time[name, "dclust"])
        }
    }' "$1"
}

obstacles_table() {
    awk -F, "$common$gpu_line"'
    field("part") == "erccl" {
        name = field("cloud"); keep(name)
        text[name] = cloud_text(); points[name] = field("points")
        sub(/, d=.*/, "", text[name])
        memory = field("method") == "fast" ? field("memory") : field("method")
        time[name, memory] = field("median_ms"); passes[name, memory] = field("passes")
    }
    function sweeps(name, method) { return ms(time[name, method]) " (" passes[name, method] ")" }
    END {
        by_points()
        printf "Median milliseconds of `fast`; of the others, from pinned memory, with their passes. %s", where()
        print "| scan | points | pageable | pinned | device | device, no wait | racing | independent |"
        rule(8)
        for (i = 1; i <= count; i++) {
            name = order[i]
            printf "| %s | %d | %s | %s | %s | %s | %s | %s |\n", text[name], points[name], ms(time[name, "pageable"]),
                   ms(time[name, "pinned"]), ms(time[name, "device"]), ms(time[name, "device no wait"]),
                   sweeps(name, "racing"), sweeps(name, "independent")
        }
    }' "$1"
}

# six_table FILE time|memory
six_table() {
    awk -F, -v what="$2" "$common$gpu_line"'
    function cell(name, method, limit) {
        if (!((name, method) in time)) return "–"
        if (time[name, method] + 0 == 0) return "refused"
        if (what == "memory") return sprintf("%.1f", bytes[name, method] / 1e6)
        limit = target[name, method]
        return ms(time[name, method]) (limit > 0 ? " (" limit ")" : "")
    }
    field("part") == "six" && field("memory") == "pinned" {
        name = field("cloud"); keep(name)
        text[name] = name; sub(/-/, " ", text[name])
        method = field("method")
        time[name, method] = field("median_ms"); target[name, method] = field("target_ms")
        bytes[name, method] = field("device_bytes"); passes[name, method] = field("passes")
    }
    END {
        split("vertex-es edge-es matrix-es vertex-rs edge-rs matrix-rs", methods, " ")
        head = "Median milliseconds from pinned memory, in brackets what it is compared with. "
        if (what == "memory") head = "Passes, and megabytes of GPU memory. "
        printf "%s%s| cloud |", head, where()
        if (what == "memory") printf " passes: vertex, edge | matrix |"
        for (m = 1; m <= 6; m++) printf " %s |", methods[m]
        print ""
        rule(what == "memory" ? 9 : 7)
        for (i = 1; i <= count; i++) {
            name = order[i]
            printf "| %s |", text[name]
            if (what == "memory") printf " %s | %s |", passes[name, "vertex-rs"], passes[name, "matrix-rs"]
            for (m = 1; m <= 6; m++) printf " %s |", cell(name, methods[m])
            print ""
        }
    }' "$1"
}

# Of the two rows of the CPU the first is that with one thread.
crossover_table() {
    awk -F, "$common$gpu_line"'
    function least(a, b) { return a + 0 < b + 0 ? a : b }
    field("part") == "crossover" {
        split(field("cloud"), part, "-"); keep(part[2])
        if (!(part[1] in known)) { known[part[1]] = 1; shapes[++shape_count] = part[1] }
        who = field("backend")
        if (who == "cpu" && (part[2], part[1], who) in time) who = "all"
        time[part[2], part[1], who] = field("median_ms")
    }
    END {
        printf "Median milliseconds, ordinary memory. %s", where()
        printf "| points |"
        for (s = 1; s <= shape_count; s++) printf " %s: 1 thread | all cores | GPU |", shapes[s]
        print ""
        rule(1 + 3 * shape_count)
        for (i = 1; i <= count; i++) {
            printf "| %s |", order[i]
            for (s = 1; s <= shape_count; s++) {
                one = time[order[i], shapes[s], "cpu"]; all = time[order[i], shapes[s], "all"]
                other = time[order[i], shapes[s], "cuda"]
                mark = other + 0 < least(one, all) + 0 ? "**" : ""
                printf " %s | %s | %s%s%s |", ms(one), ms(all), mark, ms(other), mark
            }
            print ""
        }
    }' "$1"
}

# Build and query in one; "plot" is a table of its own in the CSV, "crossover" the next one here.
neighbours_table() {
    awk -F, "$common$gpu_line"'
    field("part") == "nn" && field("cloud") !~ /^(plot|crossover)/ {
        n = split(field("parameters"), word, " ")
        name = field("cloud") ", " word[n] " " field("method"); keep(name)
        text[name] = field("cloud"); method[name] = "`" field("method") "`"; k[name] = substr(word[n], 3)
        points[name] = field("points"); queries[name] = substr(word[n - 1], 9)
        time[name, field("memory")] = field("median_ms")
    }
    END {
        by_points()
        printf "Median milliseconds, an index built and asked. %s", where()
        print "| clouds | points | queries | method | k | pageable | pinned | device | device, no wait |"
        rule(9)
        for (i = 1; i <= count; i++) {
            name = order[i]
            printf "| %s | %d | %d | %s | %d | %s | %s | %s | %s |\n", text[name], points[name], queries[name], method[name],
                   k[name], ms(time[name, "pageable"]), ms(time[name, "pinned"]), ms(time[name, "device"]),
                   ms(time[name, "device no wait"])
        }
    }' "$1"
}

# Of the two rows of the CPU the first is that with one thread.
searches_table() {
    awk -F, "$common$gpu_line"'
    (field("part") == "nn" && field("cloud") ~ /^crossover/) || field("part") == "icp" {
        name = field("part") == "icp" ? "`clump_icp`, " field("method") : "nearest"
        name = name "|" field("points"); keep(name)
        who = field("backend")
        if (who == "cpu" && (name, who) in time) who = "all"
        time[name, who] = field("median_ms")
    }
    END {
        printf "Median milliseconds, ordinary memory, as many queries as points. %s", where()
        print "| | points | 1 thread | all cores | GPU |"
        rule(5)
        for (i = 1; i <= count; i++) {
            split(order[i], part, "|")
            one = time[order[i], "cpu"]; all = time[order[i], "all"]; other = time[order[i], "cuda"]
            mark = other + 0 < one + 0 && other + 0 < all + 0 ? "**" : ""
            printf "| %s | %d | %s | %s | %s%s%s |\n", part[1], part[2], ms(one), ms(all), mark, ms(other), mark
        }
    }' "$1"
}

for file; do
    if head -n 1 "$file" | tr ',' '\n' | grep -qx gpu; then kinds='gpu six memory crossover density obstacles neighbours searches'; else kinds=bench; fi
    for kind in $kinds; do
        echo >> "$scratch/$kind"
        case $kind in
        bench) bench_table "$file" ;;
        gpu) gpu_table "$file" ;;
        six) six_table "$file" time ;;
        memory) six_table "$file" memory ;;
        density) density_table "$file" ;;
        obstacles) obstacles_table "$file" ;;
        crossover) crossover_table "$file" ;;
        neighbours) neighbours_table "$file" ;;
        searches) searches_table "$file" ;;
        esac >> "$scratch/$kind"
    done
done

# fill PAGE KIND...: a place for which there are no results is left as it is.
old=0
fill() {
    page=$1
    shift
    cp "$root/$page" "$scratch/page"
    for kind; do
        [ -f "$scratch/$kind" ] || continue
        echo >> "$scratch/$kind"
        if ! grep -q "^<!-- $kind:begin -->\$" "$scratch/page" || ! grep -q "^<!-- $kind:end -->\$" "$scratch/page"; then
            echo "readme-table.sh: $page does not have the lines <!-- $kind:begin --> and <!-- $kind:end -->" >&2
            exit 1
        fi
        awk -v table="$scratch/$kind" -v kind="$kind" '
            $0 == "<!-- " kind ":begin -->" { print; while ((getline line < table) > 0) print line; inside = 1 }
            $0 == "<!-- " kind ":end -->" { inside = 0 }
            !inside' "$scratch/page" > "$scratch/next"
        mv "$scratch/next" "$scratch/page"
    done
    if cmp -s "$scratch/page" "$root/$page"; then return; fi
    if [ "$check" = yes ]; then
        echo "readme-table.sh: $page is out of date: run scripts/readme-table.sh" >&2
        old=1
    else
        cat "$scratch/page" > "$root/$page"
    fi
}
fill README.md bench gpu
fill docs/benchmarks.md six memory crossover density obstacles neighbours searches
exit $old
