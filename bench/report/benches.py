# SPDX-License-Identifier: BSD-3-Clause
"""Tables of the benches, from the CSV files under bench/results/. No field of these files has a comma in it. Each kind has one table
per file, the newest first:

    how-fast                     README.md             four of the main rows
    main                         docs/benchmarks.md    the main rows of all jobs
    ec, dbscan, erccl, nn, pcl   docs/benchmarks.md    the CPU beside its rivals, one column per contestant
    tree, batch, pieces          docs/benchmarks.md    ours, one column per way or number of threads
    detect, objects              docs/benchmarks.md    from scans to boxes or objects: all stages
    files                        docs/benchmarks.md    reading files, beside PCL's readers
    recordings                   docs/benchmarks.md    frames out of recordings, to clouds and to boxes
    latency                      docs/benchmarks.md    paced frames beside busy programs, one column per number of threads
    scaling                      docs/benchmarks.md    the CPU, one column per number of threads
    python                       docs/benchmarks.md    from Python, beside scikit-learn, Open3D and SciPy
    gpu-NAME                     docs/benchmarks.md    a GPU, by where points and labels are, and beside the CPU"""
import csv
import glob
import os
import re

from rows import Failure, dated
from tables import row, rule

STREET = "semkitti_00_000000"


def read(path):
    try:
        with open(path, encoding="utf-8", newline="") as file:
            return list(csv.DictReader(file))
    except OSError as why:
        raise Failure(f"{path} cannot be read") from why


def ms(value):
    return "–" if value in ("", None) else ("%.3f" if float(value) < 1 else "%.1f" if float(value) < 100 else "%.0f") % float(value)


def times(value):
    return ("%.2f×" if float(value) < 0.095 else "%.1f×" if float(value) < 10 else "%.0f×") % float(value)


def cloud_text(line):
    text = line["parameters"]
    for old, new in ((r" seed=[0-9]*", ""), ("layout=", ""), ("(file|cloud)=", ""), ("ground=left out", "without ground"),
                     (r"( first=[0-9]+)", r"\1 points"), (" first=", ", the first ")):
        text = re.sub(old, new, text, count=1)
    return text


def made_on(lines):
    """The machine of the last row, and the dates of all."""
    last = lines[-1]
    where = (f"{last['gpu']}, host {last['machine']}" if "gpu" in last else
             f"{last['machine']}, {last['cores']} cores, {last.get('compiler') or last['python']}")
    return f"{where}; clump {last['clump']}; {dated(line['date'] for line in lines)}.\n\n"


def grouped(lines, key, by_points=True):
    """{key: rows}, in the order of the file, or by the points of the last row."""
    groups = {}
    for line in lines:
        groups.setdefault(key(line), []).append(line)
    return dict(sorted(groups.items(), key=lambda item: int(item[1][-1]["points"]))) if by_points else groups


def threaded(line, name):
    threads = int(line.get("threads") or 1)
    return name + (", GPU" if threads < 0 and name == "batch" else f", {threads} threads" if threads > 1 else "")


def beside(line):
    """A time, and how it compares with the first."""
    return ms(line["median_ms"]) + ("" if float(line["ratio"]) == 1 else f" ({times(line['ratio'])})")


# --- CPU -------------------------------------------------------------------------------------------------


def cpu_table(lines, text, key="case", time="median_ms", who="contestant"):
    """One row per case, one column per contestant. text: what is known of a case besides its name."""
    contestants = list(dict.fromkeys(threaded(line, line[who]) for line in lines))
    versions = dict.fromkeys(line.get("contestant_version", line.get("version")) for line in lines)
    versions = [v for v in versions if v and not any(v == line["clump"] for line in lines)]
    table = (f"Median milliseconds, and times as long as the first column. {', '.join(versions)}{'. ' * bool(versions)}{made_on(lines)}" +
             row([key, "points", *contestants]) + rule(2 + len(contestants)))
    groups = {}
    for line in lines:
        groups.setdefault(line[key], []).append(line)
    for name, found in sorted(groups.items(), key=lambda item: int(item[1][0]["points"])):
        of = {threaded(line, line[who]): line for line in found}
        cells = []
        for name_of in contestants:
            line = of.get(name_of)
            ratio = line and (line.get("ratio") or float(line[time]) / float(found[0][time]))
            cells.append("–" if not line else ms(line[time]) + ("" if name_of == contestants[0] else f" ({times(ratio)})"))
        words = text(found[-1])
        table += row([name + (": " + words if words else ""), found[0]["points"], *cells])
    return table


def recordings_table(lines):
    table = (f"Median milliseconds per frame, one thread. {made_on(lines)}" +
             "| recording | points per frame | next | million points per second | with `detect` | frames per second | memcpy |\n" + rule(7))
    for name, found in grouped(lines, lambda line: line["case"], False).items():
        of = {line["contestant"]: line for line in found}
        next_, detect, copy = (of.get(who, {}) for who in ("next", "detect", "memcpy"))
        table += row([name, found[-1]["points_per_frame"], ms(next_.get("median_ms")),
                      "%.1f" % float(next_.get("million_points_per_second") or 0), ms(detect.get("median_ms")),
                      "%.0f" % float(detect.get("frames_per_second") or 0), ms(copy.get("median_ms"))])
    return table


def by_contestant(line):
    return line["case"], line["contestant"], line["threads"]


def detect_table(lines):
    version = next((line["contestant_version"] for line in reversed(lines) if line["contestant"].startswith("pcl")), "")
    table = (f"Median milliseconds, and times as long as `detect` with one thread. {version + '. ' if version else ''}{made_on(lines)}"
             "| case | points | | all | ground, thinning | clusters | boxes | points clustered | clusters |\n"
             "|---|---:|---|---:|---:|---:|---:|---:|---:|\n")
    for (*_, line), in zip(grouped(lines, by_contestant).values()):
        text = re.sub(" thin=0$", "", re.sub(" min_size=.*", "", cloud_text(line))).replace(" thin=", ", thinned to ")
        table += row([f"{line['case']}: {text}", line["points"], threaded(line, line["contestant"]), beside(line), ms(line["ground_ms"]),
                      ms(line["cluster_ms"]), ms(line["boxes_ms"]), line["clustered"], line["clusters"]])
    return table


def objects_table(lines):
    names = {"ec": "`ec -d 0.5`", "ec-grows": "`ec -d 0.25 --eps-per-metre 0.0175`"}
    table = ("Median milliseconds, ground included, and times as long as `objects` with scan neighbours and one thread "
             f"(`--eps-per-metre`: as `ec -d 0.5`). {made_on(lines)}"
             "| case | points | | all | ground | clusters | labels | clusters found |\n|---|---:|---|---:|---:|---:|---:|---:|\n")
    for (*_, line), in zip(grouped(lines, by_contestant).values()):
        who = names.get(line["contestant"], "`objects`, " + line["contestant"])
        table += row([f"{line['case']}: {cloud_text(line)}", line["points"], threaded(line, who), beside(line), ms(line["ground_ms"]),
                      ms(line["cluster_ms"]), ms(line["label_ms"]), line["clusters"]])
    return table


def thread_columns(lines):
    """{threads: heading}, in the order of the file. 0 threads are the default, -1 the GPU."""
    def head(threads):
        return {"-1": "GPU", "0": "default"}.get(threads, threads + " thread" + ("s" if int(threads) > 1 else ""))
    return {line["threads"]: head(line["threads"]) for line in lines}


def latency_table(lines):
    columns = thread_columns(lines)
    table = ("Milliseconds per call, p50 / p99 / p99.9, and the processor time per frame in brackets. The number of frames is the least "
             f"of the row. {made_on(lines)}" +
             row(["job, cloud", "points", "busy cores", "frames come", "frames", "p50, default against 1 thread", *columns.values()]) +
             rule(6 + len(columns)))
    for found in grouped(lines, lambda line: (line["case"], line["pace"]), False).values():
        line = found[-1]
        cells = {l["threads"]: "%s / %s / %s (%s)" % tuple(ms(l[k]) for k in ("p50_ms", "p99_ms", "p999_ms", "cpu_ms")) for l in found}
        ratio = next(("%.2f×" % float(l["ratio"]) for l in reversed(found) if l["threads"] == "0"), "")
        table += row([f"{line['case'].split('-')[0]}: {cloud_text(line)}, d={line['d']}", line["points"], line["busy_cores"],
                      line["pace"].replace("hz", " Hz", 1).replace("-", " "), str(min(int(l["frames"]) for l in found)), ratio,
                      *(cells.get(threads, "–") for threads in columns)])
    return table


def scaling_table(lines):
    columns = thread_columns(lines)
    table = (f"Median milliseconds; in brackets the speedup, and the processor time over that of one thread. {made_on(lines)}" +
             row(["case", "points", *columns.values()]) + rule(2 + len(columns)))
    for name, found in grouped(lines, lambda line: line["case"]).items():
        cells = {l["threads"]: ms(l["p50_ms"]) +
                 (" (%s, %.2f)" % (times(l["speedup"]), float(l["work"])) if int(l["threads"]) > 1 else "") for l in found}
        table += row([f"{name}: {cloud_text(found[-1])}", found[-1]["points"], *(cells.get(threads, "–") for threads in columns)])
    return table


def python_table(lines):
    table = (f"Median milliseconds, and the time of the rival over that of clump with one thread and by default. {made_on(lines)}"
             "| case | points | clump, 1 thread | clump | clump, float64 | rival | its ms | ratio, 1 thread | ratio |\n"
             "|---|---:|---:|---:|---:|---|---:|---:|---:|\n")
    overhead = ""
    for name, found in grouped(lines, lambda line: line["case"], False).items():
        if name.startswith("overhead"):
            overhead += "".join(row([f"`{l['contestant']}`", l["points"], "%.1f" % (1000 * float(l["median_ms"]))]) for l in found)
            continue
        def time(who, *threads):
            return next((l["median_ms"] for l in reversed(found) if l["contestant"] == who and
                         (not threads or (l["threads"] == "1") == threads[0])), "")
        rival = next((l for l in reversed(found) if not l["contestant"].startswith("clump")), None)
        one, some = time("clump", True), time("clump", False)
        ratios = [times(float(rival["median_ms"]) / float(time)) for time in (one, some)] if rival else ["–", "–"]
        table += row([f"{name}: {found[-1]['parameters']}", found[-1]["points"], ms(one), ms(some), ms(time("clump-float64")),
                      f"{rival['contestant']} {rival['contestant_version']}" if rival else "–", ms(rival and rival["median_ms"]), *ratios])
    if overhead:
        table += "\nMicroseconds per call with a context that has been used before.\n\n| call | points | µs |\n|---|---:|---:|\n" + overhead
    return table


# --- GPU -------------------------------------------------------------------------------------------------


def memories_table(lines, part, others=()):
    """By kinds of memory, then the methods `others` from pinned memory, or the CPU of the host."""
    columns = ("pageable", "pinned", "device", "device no wait", *others)
    job = f" of `clump_{part}`" if part in ("describe", "detect") else "" if part == "objects" else " of `fast`"
    last = "; of the last columns " + ("on the host" if "all cores" in others else "from pinned memory") if others else ""
    lines = [line for line in lines if line["part"] == part]
    table = f"Median milliseconds{job}{last}. {made_on(lines)}" + row(["cloud", "points", *columns]) + rule(2 + len(columns))

    def column(line):
        if line["backend"] == "cpu":
            return "all cores" if int(line["threads"]) > 1 else "1 thread"
        return line["memory"] if line["method"] == "fast" or part == "objects" else line["method"]
    for found in grouped(lines, lambda line: line["cloud"]).values():
        line, of = found[-1], {column(line): line for line in found}
        text = cloud_text(line)
        if part == "objects":
            text += ", " + ("`ec`" if line["method"] == "fast" else "`objects`, " + line["method"])
        if part != "erccl":
            text += (", eps=" if part == "dbscan" else ", d=") + line["d"]
        cells = [ms(of.get(name, {}).get("median_ms")) for name in columns]
        if part == "erccl":
            cells[4:] = [f"{time} ({of.get(name, {}).get('passes', '')} passes)" for time, name in zip(cells[4:], columns[4:])]
        table += row([text, line["points"], *cells])
    return table


def three(found):
    """Cells of one thread, all cores and the GPU. Of the two rows of the CPU the first is that with one thread. Bold: the GPU is the
    fastest of the three."""
    cpu = [line["median_ms"] for line in found if line["backend"] == "cpu"]
    one, every = (cpu + ["", ""])[:2] if len(cpu) < 3 else (cpu[0], cpu[-1])
    gpu = next((line["median_ms"] for line in reversed(found) if line["backend"] == "cuda"), "")
    mark = "**" if float(gpu or 0) < min(float(one or 0), float(every or 0)) else ""
    return ms(one), ms(every), mark + ms(gpu) + mark


def crossover_table(lines):
    lines = [line for line in lines if line["part"] == "crossover"]
    found = grouped(lines, lambda line: line["cloud"], False)
    shapes, sizes = (list(dict.fromkeys(name.split("-")[part] for name in found)) for part in (0, 1))
    table = (f"Median milliseconds, ordinary memory. {made_on(lines)}" +
             row(["points", *(head for shape in shapes for head in (shape + ": 1 thread", "all cores", "GPU"))]) + rule(1 + 3 * len(shapes)))
    for size in sizes:
        table += row([size, *(text for shape in shapes for text in three(found.get(f"{shape}-{size}", [])))])
    return table


def searches_table(lines):
    def name(line):
        return f"`clump_icp`, {line['method']}" if line["part"] == "icp" else "nearest", line["points"]
    rows = [line for line in lines if line["part"] == "icp" or line["part"] == "nn" and line["cloud"].startswith("crossover")]
    head = f"Median milliseconds, ordinary memory, one query per point. {made_on(rows)}| | points | 1 thread | all cores | GPU |\n"
    return head + rule(5) + "".join(row([*key, *three(found)]) for key, found in grouped(rows, name, False).items())


def neighbours_table(lines):
    """Build and query in one. The rows "crossover" of the CSV are in the table of searches."""
    rows = [line for line in lines if line["part"] == "nn" and not line["cloud"].startswith("crossover")]
    table = (f"Median milliseconds, an index built and asked. {made_on(rows)}"
             "| clouds | points | queries | method | k | pageable | pinned | device | device no wait |\n" + rule(9))
    for found in grouped(rows, lambda line: (line["cloud"], line["parameters"].split()[-1], line["method"])).values():
        line, of = found[-1], {l["memory"]: l["median_ms"] for l in found}
        *_, queries, k = line["parameters"].split()
        table += row([line["cloud"], line["points"], queries[8:], f"`{line['method']}`", k[2:],
                      *(ms(of.get(memory)) for memory in ("pageable", "pinned", "device", "device no wait"))])
    return table


# --- the main rows ---------------------------------------------------------------------------------------


def holds(line, conditions):
    """Conditions on the columns: "case=kitti&threads>1"."""
    for condition in conditions.split("&"):
        name, sign, value = re.split("([=>])", condition)
        if not (float(line[name]) > float(value) if sign == ">" else line[name] == value):
            return False
    return True


def main_row(path, ours, rival, job, cloud, machine, name, command, time="median_ms"):
    """(One of the main rows, of the first lines that hold; their dates). A column in braces stands for the field of ours, or of the
    rival."""
    lines = read(path)
    mine, theirs = (next((line for line in lines if holds(line, wanted)), None) for wanted in (ours, rival))
    if not mine or not theirs:
        raise Failure(f"{path} does not have the rows {ours} and {rival}")
    return [job, cloud, mine["points"], machine.format(**mine), ms(mine[time]), name.format(**theirs), ms(theirs[time]),
            times(float(theirs[time]) / float(mine[time])), f"`{command}`"], {mine["date"], theirs["date"]}


def cpu_rows(results):
    """Those of the CPU, all of one machine: the first that has them all."""
    why = Failure(f"there is no {os.path.join(results, '*cores.csv')}: run the benches first")
    for path in sorted(glob.glob(os.path.join(results, "*cores.csv"))):
        try:
            return list(rows_of_machine(results, os.path.basename(path)))
        except Failure as missing:
            why = missing
    raise why


def rows_of_machine(results, machine):
    best, detect = "{contestant_version} at its best", "`detect`: ground, `ec`, boxes"
    for folder, ours, rival, job, cloud, name, command in (
            ("", "case=kitti&contestant=fast", "pcl-best", "`ec`", STREET, best, "bench BENCH=kitti"),
            ("", "case=blob-256k&contestant=fast", "pcl-best", "`ec`", "blob, k = 32", best, "bench BENCH=blob-256k"),
            ("dbscan", "case=kitti&contestant=fast", "sklearn", "`dbscan`", STREET, "{contestant_version}", "bench-dbscan BENCH=kitti"),
            ("erccl", "case=kitti-00-r5&contestant=fast", "pcl-best", "`erccl`, ground included", STREET,
             best + ", {points} points without ground", "bench-erccl BENCH=kitti-00-r5"),
            ("detect", "case=kitti-00&contestant=detect", "pcl-best", detect, STREET, "{contestant_version}'s pipeline at its best",
             "bench-detect BENCH=kitti-00"),
            ("detect", "case=kitti-00&contestant=detect", "pcl-debian", detect, STREET,
             "{contestant_version}'s pipeline as in its tutorials", "bench-detect BENCH=kitti-00"),
            ("nn", "case=kitti-0-1&contestant=fast", "flann", "`nn`, index and queries", STREET + ", next scan", "{contestant_version}",
             "bench-nn BENCH=kitti-0-1"),
            ("files", "kind=pcd-binary&contestant=clump", "pcl", "reading PCD, binary", "rings with intensity", "{version}",
             "bench-files")):
        yield main_row(os.path.join(results, folder, machine), ours + "&threads=1" * (folder != "files"), re.sub("contestant=.*", "contestant=" + rival,
                       ours), job, cloud, "{machine}, 1 thread", name, "make " + command, "total_ms" if folder == "nn" else "median_ms")


def gpu_rows(results):
    path = next(path for path in sorted(glob.glob(os.path.join(results, "*.csv"))) if "gpu" in read(path)[0])
    parts = {line["part"] for line in read(path)}
    for part, ours, rival, job, cloud in (
            ("crossover", "cloud=kitti-65536&backend=cuda", "cloud=kitti-65536", "`ec` on a GPU", STREET + " without ground"),
            ("dbscan", "cloud=kitti&method=fast&memory=pinned", "cloud=kitti&method=dclust", "`dbscan` on a GPU", STREET),
            ("detect", "cloud=kitti&backend=cuda&memory=pinned", "cloud=kitti", "`detect` on a GPU", STREET),
            ("objects", "cloud=kitti-scan&backend=cuda&memory=pinned", "cloud=kitti-scan", "`objects` on a GPU, scan neighbours", STREET),
            ("nn", "cloud=crossover-65536&backend=cuda", "cloud=crossover-65536", "`nn` on a GPU", STREET + ", next scan, thinned"),
            ("icp", "method=point&backend=cuda", "method=point", "`icp` on a GPU", STREET + ", next scan")):
        if part in parts:
            host = "`dclust` of clump {clump}, same GPU" if part == "dbscan" else "clump {clump}, {threads} threads of the host"
            yield main_row(path, f"part={part}&{ours}", f"part={part}&{rival}" + "&backend=cpu&threads>1" * (part != "dbscan"), job, cloud,
                           "{gpu}, {memory} memory", host, f"clump_bench gpu --only {'nn' if part == 'icp' else part} kitti")


def main_tables(results):
    """A table of the CPU and one of the GPU."""
    tables = []
    for rows, where in (cpu_rows(results), "CPU"), (gpu_rows(results), "GPU"):
        cells, dates = zip(*rows)
        tables.append(f"{where}: median milliseconds; {dated(set().union(*dates))}.\n\n"
                      "| job | cloud | points | machine | clump, ms | rival | its ms | ratio | command |\n"
                      "|---|---|---:|---|---:|---|---:|---:|---|\n" + "".join(map(row, cells)))
    return "\n".join(tables)


def how_fast(results):
    """The first of the main rows per job, without cloud and points, which all of them share."""
    rows = [line for line, _ in (*cpu_rows(results), *gpu_rows(results))]
    wanted = "`ec`", "`dbscan`", "`detect`: ground, `ec`, boxes", "`detect` on a GPU"
    found = [next((line for line in rows if line[0] == job), None) for job in wanted]
    if not all(found) or len({(line[1], line[2]) for line in found}) != 1:
        raise Failure(f"the main rows do not have {', '.join(wanted)} of one scan")
    return (f"One LiDAR scan, `{found[0][1]}`, {found[0][2]} points; median milliseconds.\n\n" +
            "| job | machine | clump, ms | rival | its ms | ratio | command |\n|---|---|---:|---|---:|---:|---|\n" +
            "".join(row([line[0], *line[3:]]) for line in found))


def bench_kinds(results):
    """{mark: function that makes its tables}, a table per file that has rows for it."""
    def of(maker, folder="", part=None):
        """part: of the results of GPUs; None: of those of CPUs."""
        def make():
            files = [read(path) for path in sorted(glob.glob(os.path.join(results, folder, "*.csv")))]
            files.sort(key=lambda lines: max(line["date"][:10] for line in lines), reverse=True)
            return "\n".join(maker(lines) for lines in files if ("gpu" in lines[0]) == bool(part) and
                             (not part or any(line["part"] == part for line in lines)))
        return make

    def columns(text, **more):
        return lambda lines: cpu_table(lines, text, **more)
    kinds = {"main": lambda: main_tables(results), "how-fast": lambda: how_fast(results),
             "ec": of(columns(lambda line: f"{cloud_text(line)}, d={line['d']}")),
             "dbscan": of(columns(lambda line: f"{cloud_text(line)}, eps={line['d']}"), "dbscan"),
             "erccl": of(columns(lambda line: "reach " + line["reach"]), "erccl"),
             "nn": of(columns(lambda line: line["queries"] + " queries", time="total_ms"), "nn"),
             "files": of(columns(lambda line: "%.1f MB" % (int(line["file_bytes"]) / 1e6), key="kind"), "files"),
             "tree": of(columns(cloud_text), "tree"), "batch": of(columns(cloud_text, time="p50_ms", who="way"), "batch"),
             "pieces": of(columns(cloud_text, time="p50_ms", who="way"), "pieces"),
             "pcl": of(lambda lines: cpu_table(sorted(lines, key=lambda line: line["contestant"] != "clump"), cloud_text), "pcl"),
             "gpu-crossover": of(crossover_table, part="crossover"), "gpu-nn": of(neighbours_table, part="nn"),
             "gpu-searches": of(searches_table, part="icp")}
    for name, maker in (("detect", detect_table), ("objects", objects_table), ("recordings", recordings_table), ("latency", latency_table),
                        ("scaling", scaling_table), ("python", python_table)):
        kinds[name] = of(maker, name)
    for part, others in (("fast", ()), ("dbscan", ("dclust",)), ("erccl", ("racing", "independent")), ("describe", ()),
                         ("detect", ("1 thread", "all cores")), ("objects", ("1 thread", "all cores"))):
        kinds["gpu-" + part] = of(lambda lines, part=part, others=others: memories_table(lines, part, others), part=part)
    return kinds
