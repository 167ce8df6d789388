#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# scripts/readme-table.sh [--check]: writes the tables of the benches into the pages, each between the lines
# <!-- KIND:begin --> and <!-- KIND:end -->:
#
#     how-fast                     README.md             four of the main rows
#     main                         docs/benchmarks.md    the main rows of all jobs
#     ec, dbscan, erccl, nn        docs/benchmarks.md    the CPU beside its rivals, one column per contestant
#     detect                       docs/benchmarks.md    from scans to boxes, beside PCL's pipeline: all stages
#     objects                      docs/benchmarks.md    objects, and ec with a distance that grows: all stages
#     files                        docs/benchmarks.md    reading files, beside PCL's readers
#     recordings                   docs/benchmarks.md    frames out of recordings, to clouds and to boxes
#     latency                      docs/benchmarks.md    paced frames beside busy programs, one column per number of threads
#     scaling                      docs/benchmarks.md    the CPU, one column per number of threads
#     python                       docs/benchmarks.md    from Python, beside scikit-learn, Open3D and SciPy
#     gpu-fast, gpu-dbscan,        docs/benchmarks.md    `fast` on a GPU, by where points and labels are, and the
#     gpu-erccl                                          papers' methods
#     gpu-describe, gpu-detect,    docs/benchmarks.md    boxes, the whole way to them, and objects, on a GPU
#     gpu-objects
#     gpu-crossover, gpu-searches  docs/benchmarks.md    from which size on a GPU is faster
#     gpu-nn                       docs/benchmarks.md    nearest neighbours on a GPU
#
# scripts/papers-tables.sh writes the tables of the papers' experiments.
#
# The figures come from the CSV files under bench/results/; those of GPUs have a column "gpu". Each kind has one table
# per file. With --check nothing is written; status 1 says that a page is out of date.
set -eu

root=$(cd "$(dirname "$0")/.." && pwd)
results=$root/bench/results
check=no
[ "${1:-}" != --check ] || check=yes

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# What the tables have in common. No field of the CSV has a comma in it. Columns are found by their names in the header.
# shellcheck disable=SC2016
common='
    FNR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }
    function field(name) { return $(column[name]) }
    function ms(value) {
        return value == "" ? "–" : sprintf(value < 1 ? "%.3f" : value < 100 ? "%.1f" : "%.0f", value)
    }
    function times(value) { return sprintf(value < 10 ? "%.1f×" : "%.0f×", value) }
    function cloud_text(text) {
        text = field("parameters")
        sub(/ seed=[0-9]*/, "", text); sub(/layout=/, "", text); sub(/(file|cloud)=/, "", text)
        sub(/ground=left out/, "without ground", text)
        sub(/ first=[0-9]+/, "& points", text); sub(/ first=/, ", the first ", text)
        return text
    }
    function keep(name) { if (!(name in seen)) { seen[name] = 1; order[++count] = name } }
    # Sorts the rows by a number; rows with the same number stay in the order of the CSV.
    function sort_by(number, i, k, name) {
        for (i = 2; i <= count; i++) {
            name = order[i]
            for (k = i - 1; k > 0 && number[order[k]] + 0 > number[name] + 0; k--) order[k + 1] = order[k]
            order[k + 1] = name
        }
    }
    function rule(columns, i) { printf "|---|"; for (i = 1; i < columns; i++) printf "---:|"; print "" }
    '
# The lines of the machine. The newest date of a file counts.
cpu_line='
    { machine = field("machine"); cores = field("cores"); compiler = field("compiler"); clump = field("clump")
      if (field("date") > date) date = field("date") }
    function where() { return sprintf("%s, %d cores, %s; clump %s; %s.\n\n", machine, cores, compiler, clump, date) }
    '
gpu_line='
    { gpu = field("gpu"); host = field("machine"); clump = field("clump")
      if (field("date") > date) date = field("date") }
    function where() { return sprintf("%s, host %s; clump %s; %s.\n\n", gpu, host, clump, date) }
    '

# cpu_table FILE CASE TIME CLOUD: one row per case, one column per contestant. CASE and TIME are columns of the CSV, CLOUD
# is an expression for what is known of the case besides its name.
cpu_table() {
    awk -F, -v key="$2" -v time_column="$3" "$common$cpu_line"'
    {
        name = field(key); keep(name)
        who = field("contestant")
        if ("threads" in column && field("threads") > 1) who = who ", " field("threads") " threads"
        if (!(who in known)) { known[who] = 1; contestants[++contestant_count] = who }
        time[name, who] = field(time_column)
        if ("ratio" in column) ratio[name, who] = field("ratio")
        if (time[name, "first"] == "") { time[name, "first"] = field(time_column); points[name] = field("points") }
        text[name] = '"$4"'
        version = field("contestant_version" in column ? "contestant_version" : "version")
        if (version != "" && version != field("clump") && !(version in listed)) {
            listed[version] = 1; versions = versions (versions ? ", " : "") version
        }
    }
    function cell(name, who) {
        if (!((name, who) in time)) return "–"
        if (!((name, who) in ratio)) ratio[name, who] = time[name, who] / time[name, "first"]
        return ms(time[name, who]) (who == contestants[1] ? "" : " (" times(ratio[name, who]) ")")
    }
    END {
        sort_by(points)
        printf "Median milliseconds, and times as long as the first column. %s. %s", versions, where()
        printf "| %s | points |", key
        for (c = 1; c <= contestant_count; c++) printf " %s |", contestants[c]
        print ""
        rule(2 + contestant_count)
        for (i = 1; i <= count; i++) {
            name = order[i]
            printf "| %s%s | %d |", name, text[name] ? ": " text[name] : "", points[name]
            for (c = 1; c <= contestant_count; c++) printf " %s |", cell(name, contestants[c])
            print ""
        }
    }' "$1"
}

# recordings_table FILE: one row per recording.
recordings_table() {
    awk -F, "$common$cpu_line"'
    {
        name = field("case"); keep(name)
        who = field("contestant")
        points[name] = field("points_per_frame")
        time[name, who] = field("median_ms")
        if (who == "next") rate[name] = field("million_points_per_second")
        if (who == "detect") frames[name] = field("frames_per_second")
    }
    END {
        printf "Median milliseconds per frame, one thread. %s", where()
        print "| recording | points per frame | next | million points per second | with `detect` | frames per second | memcpy |"
        print "|---|---:|---:|---:|---:|---:|---:|"
        for (i = 1; i <= count; i++) {
            name = order[i]
            printf "| %s | %d | %s | %.1f | %s | %.0f | %s |\n", name, points[name], ms(time[name, "next"]), rate[name], \
                ms(time[name, "detect"]), frames[name], ms(time[name, "memcpy"])
        }
    }' "$1"
}

# detect_table FILE: one row per case and contestant.
detect_table() {
    awk -F, "$common$cpu_line"'
    {
        name = field("case") "," field("contestant") "," field("threads"); keep(name)
        points[name] = field("points")
        text[name] = field("case") ": " cloud_text()
        sub(/ min_size=.*/, "", text[name]); sub(/ thin=0$/, "", text[name]); sub(/ thin=/, ", thinned to ", text[name])
        who[name] = field("contestant") (field("threads") > 1 ? ", " field("threads") " threads" : "")
        total[name] = ms(field("median_ms")) (field("ratio") == 1 ? "" : " (" times(field("ratio")) ")")
        stages[name] = ms(field("ground_ms")) " | " ms(field("cluster_ms")) " | " ms(field("boxes_ms"))
        found[name] = field("clustered") " | " field("clusters")
        if (field("contestant") ~ /^pcl/) version = field("contestant_version")
    }
    END {
        sort_by(points)
        printf "Median milliseconds, and times as long as `detect` with one thread. %s%s", version ? version ". " : "", where()
        print "| case | points | | all | ground, thinning | clusters | boxes | points clustered | clusters |"
        print "|---|---:|---|---:|---:|---:|---:|---:|---:|"
        for (i = 1; i <= count; i++) {
            name = order[i]
            printf "| %s | %d | %s | %s | %s | %s |\n", text[name], points[name], who[name], total[name], stages[name], found[name]
        }
    }' "$1"
}

# objects_table FILE: one row per case, contestant and number of threads.
objects_table() {
    awk -F, "$common$cpu_line"'
    {
        name = field("case") "," field("contestant") "," field("threads"); keep(name)
        points[name] = field("points")
        text[name] = field("case") ": " cloud_text()
        kind = field("contestant")
        who[name] = kind == "ec" ? "`ec -d 0.5`" : kind == "ec-grows" ? "`ec -d 0.25 --eps-per-metre 0.0175`" : "`objects`, " kind
        who[name] = who[name] (field("threads") > 1 ? ", " field("threads") " threads" : "")
        total[name] = ms(field("median_ms")) (field("ratio") == 1 ? "" : " (" times(field("ratio")) ")")
        stages[name] = ms(field("ground_ms")) " | " ms(field("cluster_ms")) " | " ms(field("label_ms"))
        found[name] = field("clusters")
    }
    END {
        sort_by(points)
        printf "Median milliseconds, ground included, and times as long as `objects` with scan neighbours and one thread (`--eps-per-metre`: as `ec -d 0.5`). %s", where()
        print "| case | points | | all | ground | clusters | labels | clusters found |"
        print "|---|---:|---|---:|---:|---:|---:|---:|"
        for (i = 1; i <= count; i++) {
            name = order[i]
            printf "| %s | %d | %s | %s | %s | %s |\n", text[name], points[name], who[name], total[name], stages[name], found[name]
        }
    }' "$1"
}

# The columns of the tables of threads. 0 threads are the default, -1 the GPU.
# shellcheck disable=SC2016
thread_columns='
    function column_of(threads) {
        if (!(threads in known)) { known[threads] = 1; columns[++column_count] = threads }
        return threads
    }
    function head_of(threads) {
        return threads < 0 ? "GPU" : threads == 0 ? "default" : threads " thread" (threads > 1 ? "s" : "")
    }
    function cells_of(name, c) {
        for (c = 1; c <= column_count; c++)
            printf " %s |", (name, columns[c]) in cell ? cell[name, columns[c]] : "–"
        print ""
    }
    function heads(i) { for (i = 1; i <= column_count; i++) printf " %s |", head_of(columns[i]); print "" }
    '

# latency_table FILE: one row per case and pace.
latency_table() {
    awk -F, "$common$cpu_line$thread_columns"'
    {
        name = field("case") "," field("pace"); keep(name)
        text[name] = substr(field("case"), 1, index(field("case"), "-") - 1) ": " cloud_text() ", d=" field("d")
        points[name] = field("points"); busy[name] = field("busy_cores"); pace[name] = field("pace")
        sub(/hz/, " Hz", pace[name]); gsub(/-/, " ", pace[name])
        if (field("threads") == 0) ratio[name] = sprintf("%.2f×", field("ratio"))
        if (!(name in frames) || field("frames") < frames[name]) frames[name] = field("frames") + 0
        cell[name, column_of(field("threads"))] = ms(field("p50_ms")) " / " ms(field("p99_ms")) " / " \
            ms(field("p999_ms")) " (" ms(field("cpu_ms")) ")"
    }
    END {
        printf "Milliseconds per call, p50 / p99 / p99.9, and the processor time per frame in brackets. "
        printf "The number of frames is the least of the row. %s", where()
        printf "| job, cloud | points | busy cores | frames come | frames | p50, default against 1 thread |"
        heads()
        rule(6 + column_count)
        for (i = 1; i <= count; i++) {
            name = order[i]
            printf "| %s | %d | %d | %s | %d | %s |", text[name], points[name], busy[name], pace[name], frames[name],
                   ratio[name]
            cells_of(name)
        }
    }' "$1"
}

# scaling_table FILE: one row per case.
scaling_table() {
    awk -F, "$common$cpu_line$thread_columns"'
    {
        name = field("case"); keep(name)
        text[name] = cloud_text(); points[name] = field("points")
        column_of(field("threads"))
        cell[name, field("threads")] = ms(field("p50_ms"))
        if (field("threads") > 1)
            cell[name, field("threads")] = cell[name, field("threads")] \
                sprintf(" (%s, %.2f)", times(field("speedup")), field("work"))
    }
    END {
        sort_by(points)
        printf "Median milliseconds; in brackets the speedup, and the processor time over that of one thread. %s", where()
        printf "| case | points |"
        heads()
        rule(2 + column_count)
        for (i = 1; i <= count; i++) {
            name = order[i]
            printf "| %s: %s | %d |", name, text[name], points[name]
            cells_of(name)
        }
    }' "$1"
}

# python_table FILE: one row per case. Rows "overhead" are microseconds of a call on few points.
python_table() {
    awk -F, "$common"'
    {
        machine = field("machine"); cores = field("cores"); python = field("python"); clump = field("clump")
        if (field("date") > date) date = field("date")
        name = field("case"); keep(name)
        text[name] = field("parameters"); points[name] = field("points")
        who = field("contestant"); time_of = field("median_ms")
        if (name ~ /^overhead/) overhead = overhead sprintf("| `%s` | %d | %.1f |\n", who, points[name], 1000 * time_of)
        else if (who == "clump" && field("threads") == 1) one[name] = time_of
        else if (who == "clump") some[name] = time_of
        else if (who == "clump-float64") wide[name] = time_of
        else { rival[name] = who " " field("contestant_version"); theirs[name] = time_of }
    }
    END {
        printf "Median milliseconds, and the time of the rival over that of clump with one thread and by default. "
        printf "%s, %d cores, %s; clump %s; %s.\n\n", machine, cores, python, clump, date
        print "| case | points | clump, 1 thread | clump | clump, float64 | rival | its ms | ratio, 1 thread | ratio |"
        print "|---|---:|---:|---:|---:|---|---:|---:|---:|"
        for (i = 1; i <= count; i++) {
            name = order[i]
            if (name ~ /^overhead/) continue
            printf "| %s: %s | %d | %s | %s | %s | %s | %s |", name, text[name], points[name], ms(one[name]), ms(some[name]),
                   ms(wide[name]), name in rival ? rival[name] : "–", ms(theirs[name])
            if (name in rival) printf " %s | %s |\n", times(theirs[name] / one[name]), times(theirs[name] / some[name])
            else print " – | – |"
        }
        if (overhead) printf "\nMicroseconds per call with a context that has been used before.\n\n| call | points | µs |\n|---|---:|---:|\n%s", overhead
    }' "$1"
}

# memories_table FILE PART OTHERS: `fast` by kinds of memory, then the methods OTHERS, from pinned memory, or the CPU of
# the host with "1 thread,all cores".
memories_table() {
    awk -F, -v wanted="$2" -v others="$3" "$common$gpu_line"'
    field("part") == wanted {
        name = field("cloud"); keep(name)
        text[name] = cloud_text(); points[name] = field("points")
        if (wanted == "objects") text[name] = text[name] ", " (field("method") == "fast" ? "`ec`" : "`objects`, " field("method"))
        if (wanted != "erccl") text[name] = text[name] (wanted == "dbscan" ? ", eps=" : ", d=") field("d")
        memory = field("backend") == "cpu" ? (field("threads") > 1 ? "all cores" : "1 thread") : \
            field("method") == "fast" || wanted == "objects" ? field("memory") : field("method")
        time[name, memory] = field("median_ms"); passes[name, memory] = field("passes")
    }
    END {
        sort_by(points)
        n = split("pageable,pinned,device,device no wait" (others ? "," others : ""), columns, ",")
        last = others ~ /cores/ ? "; of the last columns on the host" : "; of the last columns from pinned memory"
        job = wanted == "describe" || wanted == "detect" ? "of `clump_" wanted "`" : wanted == "objects" ? "" : "of `fast`"
        printf "Median milliseconds%s%s. %s", job ? " " job : "", others ? last : "", where()
        printf "| cloud | points |"
        for (c = 1; c <= n; c++) printf " %s |", columns[c]
        print ""
        rule(2 + n)
        for (i = 1; i <= count; i++) {
            name = order[i]
            printf "| %s | %d |", text[name], points[name]
            for (c = 1; c <= n; c++)
                printf " %s%s |", ms(time[name, columns[c]]),
                       (c > 4 && wanted == "erccl" ? " (" passes[name, columns[c]] " passes)" : "")
            print ""
        }
    }' "$1"
}

# Of the two rows of the CPU the first is that with one thread. Bold: the GPU is the fastest of the three.
sizes='
    function add(name, who) {
        keep(name)
        if (who == "cpu" && (name, who) in time) who = "all"
        time[name, who] = field("median_ms")
    }
    function three(name, other, mark) {
        other = time[name, "cuda"]
        mark = other + 0 < time[name, "cpu"] + 0 && other + 0 < time[name, "all"] + 0 ? "**" : ""
        return sprintf(" %s | %s | %s%s%s |", ms(time[name, "cpu"]), ms(time[name, "all"]), mark, ms(other), mark)
    }
    '
crossover_table() {
    awk -F, "$common$gpu_line$sizes"'
    field("part") == "crossover" {
        split(field("cloud"), part, "-"); add(field("cloud"), field("backend"))
        if (!(part[1] in known)) { known[part[1]] = 1; shapes[++shape_count] = part[1] }
        if (!(part[2] in sized)) { sized[part[2]] = 1; points[++size_count] = part[2] }
    }
    END {
        printf "Median milliseconds, ordinary memory. %s| points |", where()
        for (s = 1; s <= shape_count; s++) printf " %s: 1 thread | all cores | GPU |", shapes[s]
        print ""
        rule(1 + 3 * shape_count)
        for (i = 1; i <= size_count; i++) {
            printf "| %s |", points[i]
            for (s = 1; s <= shape_count; s++) printf "%s", three(shapes[s] "-" points[i])
            print ""
        }
    }' "$1"
}

searches_table() {
    awk -F, "$common$gpu_line$sizes"'
    (field("part") == "nn" && field("cloud") ~ /^crossover/) || field("part") == "icp" {
        add((field("part") == "icp" ? "`clump_icp`, " field("method") : "nearest") "|" field("points"), field("backend"))
    }
    END {
        printf "Median milliseconds, ordinary memory, one query per point. %s", where()
        print "| | points | 1 thread | all cores | GPU |"
        rule(5)
        for (i = 1; i <= count; i++) {
            split(order[i], part, "|")
            printf "| %s | %d |%s\n", part[1], part[2], three(order[i])
        }
    }' "$1"
}

# Build and query in one. The rows "crossover" of the CSV are in the table of searches.
neighbours_table() {
    awk -F, "$common$gpu_line"'
    field("part") == "nn" && field("cloud") !~ /^crossover/ {
        n = split(field("parameters"), word, " ")
        name = field("cloud") ", " word[n] " " field("method"); keep(name)
        text[name] = field("cloud"); method[name] = "`" field("method") "`"; k[name] = substr(word[n], 3)
        points[name] = field("points"); queries[name] = substr(word[n - 1], 9)
        time[name, field("memory")] = field("median_ms")
    }
    END {
        sort_by(points)
        printf "Median milliseconds, an index built and asked. %s", where()
        print "| clouds | points | queries | method | k | pageable | pinned | device | device no wait |"
        rule(9)
        for (i = 1; i <= count; i++) {
            name = order[i]
            printf "| %s | %d | %d | %s | %d | %s | %s | %s | %s |\n", text[name], points[name], queries[name],
                   method[name], k[name], ms(time[name, "pageable"]), ms(time[name, "pinned"]),
                   ms(time[name, "device"]), ms(time[name, "device no wait"])
        }
    }' "$1"
}

# speed_row FILE TIME OURS RIVAL JOB CLOUD MACHINE NAME COMMAND: one of the main rows. OURS and RIVAL are conditions on
# the columns, "case=kitti&threads>1"; of several rows the first counts. In MACHINE and NAME a column in braces stands
# for the field of OURS and of RIVAL.
speed_row() {
    awk -F, -v time_column="$2" -v ours="$3" -v rival="$4" -v job="$5" -v cloud="$6" -v machine="$7" -v name="$8" \
        -v command="$9" "$common"'
    function holds(conditions, n, part, i, word) {
        n = split(conditions, part, "&")
        for (i = 1; i <= n; i++) {
            split(part[i], word, /[=>]/)
            if (index(part[i], ">") ? field(word[1]) + 0 <= word[2] + 0 : field(word[1]) != word[2]) return 0
        }
        return 1
    }
    function filled(text, name) {
        for (name in column) gsub("[{]" name "[}]", field(name), text)
        return text
    }
    holds(ours) && !found { found = 1; mine = field(time_column); points = field("points"); machine = filled(machine) }
    holds(rival) && !met { met = 1; theirs = field(time_column); name = filled(name) }
    END {
        if (!found || !met) exit 1
        printf "| %s | %s | %d | %s | %s | %s | %s | %s | `%s` |\n", job, cloud, points, machine, ms(mine), name, ms(theirs),
               times(theirs / mine), command
    }' "$1" || { echo "readme-table.sh: $1 does not have the rows $3 and $4" >&2 && exit 1; }
}

# Each job has one file per machine; the first by name counts.
first() {
    for file; do
        if [ -f "$file" ]; then echo "$file" && return; fi
    done
    echo "readme-table.sh: there is no $1: run the benches first" >&2
    exit 1
}

# shellcheck disable=SC2016
speed_table() {
    ec=$(first "$results"/*cores.csv) dbscan=$(first "$results"/dbscan/*.csv) erccl=$(first "$results"/erccl/*.csv)
    detect=$(first "$results"/detect/*.csv) nn=$(first "$results"/nn/*.csv) files=$(first "$results"/files/*.csv)
    gpu=$(for file in "$results"/*.csv; do is_gpu "$file" && echo "$file"; done | head -n 1)
    one='{machine}, 1 thread' all='clump {clump}, {threads} threads of the host'
    street=semkitti_00_000000
    echo '| job | cloud | points | machine | clump, ms | rival | its ms | ratio | command |'
    echo '|---|---|---:|---|---:|---|---:|---:|---|'
    speed_row "$ec" median_ms 'case=kitti&contestant=fast&threads=1' 'case=kitti&contestant=pcl-best' '`ec`' $street "$one" \
        '{contestant_version} at its best' 'make bench BENCH=kitti'
    speed_row "$ec" median_ms 'case=blob-256k&contestant=fast&threads=1' 'case=blob-256k&contestant=pcl-best' '`ec`' \
        'blob, k = 32' "$one" '{contestant_version} at its best' 'make bench BENCH=blob-256k'
    speed_row "$dbscan" median_ms 'case=kitti&contestant=fast&threads=1' 'case=kitti&contestant=sklearn' '`dbscan`' $street \
        "$one" '{contestant_version}' 'make bench-dbscan BENCH=kitti'
    speed_row "$erccl" median_ms 'case=kitti-00-r5&contestant=fast&threads=1' 'case=kitti-00-r5&contestant=pcl-best' \
        '`erccl`, ground included' $street "$one" '{contestant_version} at its best, {points} points without ground' \
        'make bench-erccl BENCH=kitti-00-r5'
    speed_row "$detect" median_ms 'case=kitti-00&contestant=detect&threads=1' 'case=kitti-00&contestant=pcl-best' \
        '`detect`: ground, `ec`, boxes' $street "$one" "{contestant_version}'s pipeline at its best" \
        'make bench-detect BENCH=kitti-00'
    speed_row "$detect" median_ms 'case=kitti-00&contestant=detect&threads=1' 'case=kitti-00&contestant=pcl-debian' \
        '`detect`: ground, `ec`, boxes' $street "$one" "{contestant_version}'s pipeline as in its tutorials" \
        'make bench-detect BENCH=kitti-00'
    speed_row "$nn" total_ms 'case=kitti-0-1&contestant=fast&threads=1' 'case=kitti-0-1&contestant=flann' \
        '`nn`, index and queries' "$street, next scan" "$one" '{contestant_version}' 'make bench-nn BENCH=kitti-0-1'
    speed_row "$files" median_ms 'kind=pcd-binary&contestant=clump' 'kind=pcd-binary&contestant=pcl' 'reading PCD, binary' \
        'rings with intensity' "$one" '{version}' 'make bench-files'
    speed_row "$gpu" median_ms 'part=crossover&cloud=kitti-65536&backend=cuda' \
        'part=crossover&cloud=kitti-65536&backend=cpu&threads>1' '`ec` on a GPU' "$street without ground" \
        '{gpu}, {memory} memory' "$all" 'clump_bench_gpu --only crossover kitti'
    speed_row "$gpu" median_ms 'part=dbscan&cloud=kitti&method=fast&memory=pinned' 'part=dbscan&cloud=kitti&method=dclust' \
        '`dbscan` on a GPU' $street '{gpu}, {memory} memory' '`dclust` of clump {clump}, same GPU' \
        'clump_bench_gpu --only dbscan kitti'
    if has_part "$gpu" detect; then
        speed_row "$gpu" median_ms 'part=detect&cloud=kitti&backend=cuda&memory=pinned' \
            'part=detect&cloud=kitti&backend=cpu&threads>1' '`detect` on a GPU' $street '{gpu}, {memory} memory' "$all" \
            'clump_bench_gpu --only detect kitti'
    fi
    if has_part "$gpu" objects; then
        speed_row "$gpu" median_ms 'part=objects&cloud=kitti-scan&backend=cuda&memory=pinned' \
            'part=objects&cloud=kitti-scan&backend=cpu&threads>1' '`objects` on a GPU, scan neighbours' $street \
            '{gpu}, {memory} memory' "$all" 'clump_bench_gpu --only objects kitti'
    fi
    speed_row "$gpu" median_ms 'part=nn&cloud=crossover-65536&backend=cuda' \
        'part=nn&cloud=crossover-65536&backend=cpu&threads>1' '`nn` on a GPU' "$street, next scan, thinned" \
        '{gpu}, {memory} memory' "$all" 'clump_bench_gpu --only nn kitti'
    speed_row "$gpu" median_ms 'part=icp&method=point&backend=cuda' 'part=icp&method=point&backend=cpu&threads>1' \
        '`icp` on a GPU' "$street, next scan" '{gpu}, {memory} memory' "$all" 'clump_bench_gpu --only nn kitti'
}

# speed_rows FILE JOB...: the first of the main rows in FILE per JOB, without cloud and points, which all of them share and
# the line above the table names.
speed_rows() {
    file=$1
    shift
    for job; do
        grep -F -m 1 "| $job |" "$file" || echo "readme-table.sh: the main rows have none of $job" >&2
    done | awk -F' [|] ' -v wanted=$# '
        NR == 1 { cloud = $2; points = $3; printf "One LiDAR scan, `%s`, %d points; median milliseconds.\n\n", cloud, points
                  print "| job | machine | clump, ms | rival | its ms | ratio | command |"
                  print "|---|---|---:|---|---:|---:|---|" }
        $2 != cloud || $3 != points { print "readme-table.sh: " $1 ": not the scan " cloud >"/dev/stderr"; other = 1 }
        { print $1 " | " $4 " | " $5 " | " $6 " | " $7 " | " $8 " | " $9 }
        END { exit (other || NR != wanted) }'
}

is_gpu() {
    head -n 1 "$1" | tr ',' '\n' | grep -qx gpu
}

# has_part FILE PART: the results of a GPU have rows of the part.
has_part() {
    grep -q "^$2," "$1"
}

# add KIND COMMAND...: appends a table.
add() {
    kind=$1
    shift
    { echo && "$@"; } >>"$scratch/$kind"
}

add main speed_table
# shellcheck disable=SC2016
add how-fast speed_rows "$scratch/main" '`ec`' '`dbscan`' '`detect`: ground, `ec`, boxes' '`detect` on a GPU'
# shellcheck disable=SC2016
for file in "$results"/*.csv "$results"/*/*.csv; do
    [ -f "$file" ] || continue
    case $file in
    */dbscan/*) add dbscan cpu_table "$file" case median_ms 'cloud_text() ", eps=" field("d")' ;;
    */erccl/*) add erccl cpu_table "$file" case median_ms '"reach " field("reach")' ;;
    */detect/*) add detect detect_table "$file" ;;
    */objects/*) add objects objects_table "$file" ;;
    */nn/*) add nn cpu_table "$file" case total_ms 'field("queries") " queries"' ;;
    */recordings/*) add recordings recordings_table "$file" ;;
    */latency/*) add latency latency_table "$file" ;;
    */scaling/*) add scaling scaling_table "$file" ;;
    */python/*) add python python_table "$file" ;;
    */papers/*) ;; # scripts/papers-tables.sh
    */batch/* | */pieces/*) ;; # their sections quote a few of the rows
    */files/*) add files cpu_table "$file" kind median_ms 'sprintf("%.1f MB", field("file_bytes") / 1e6)' ;;
    *)
        if ! is_gpu "$file"; then
            add ec cpu_table "$file" case median_ms 'cloud_text() ", d=" field("d")'
            continue
        fi
        add gpu-fast memories_table "$file" fast ''
        add gpu-dbscan memories_table "$file" dbscan dclust
        add gpu-erccl memories_table "$file" erccl racing,independent
        ! has_part "$file" describe || add gpu-describe memories_table "$file" describe ''
        ! has_part "$file" detect || add gpu-detect memories_table "$file" detect '1 thread,all cores'
        ! has_part "$file" objects || add gpu-objects memories_table "$file" objects '1 thread,all cores'
        add gpu-crossover crossover_table "$file"
        add gpu-nn neighbours_table "$file"
        add gpu-searches searches_table "$file"
        ;;
    esac
done

# fill PAGE KIND...: a place for which there are no results is left as it is.
old=0
fill() {
    page=$1
    shift
    cp "$root/$page" "$scratch/page"
    for kind; do
        [ -f "$scratch/$kind" ] || continue
        echo >>"$scratch/$kind"
        if ! grep -q "^<!-- $kind:begin -->\$" "$scratch/page" || ! grep -q "^<!-- $kind:end -->\$" "$scratch/page"; then
            echo "readme-table.sh: $page does not have the lines <!-- $kind:begin --> and <!-- $kind:end -->" >&2
            exit 1
        fi
        awk -v table="$scratch/$kind" -v kind="$kind" '
            $0 == "<!-- " kind ":begin -->" { print; while ((getline line < table) > 0) print line; inside = 1 }
            $0 == "<!-- " kind ":end -->" { inside = 0 }
            !inside' "$scratch/page" >"$scratch/next"
        mv "$scratch/next" "$scratch/page"
    done
    if cmp -s "$scratch/page" "$root/$page"; then return; fi
    if [ "$check" = yes ]; then
        echo "readme-table.sh: $page is out of date: run scripts/readme-table.sh" >&2
        old=1
    else
        cat "$scratch/page" >"$root/$page"
    fi
}
fill README.md how-fast
fill docs/benchmarks.md main ec dbscan erccl detect objects nn files recordings latency scaling python gpu-fast gpu-crossover \
    gpu-dbscan gpu-erccl gpu-describe gpu-detect gpu-objects gpu-nn gpu-searches
exit $old
