#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# scripts/plots.sh [--check]: draws docs/per-query.svg, the two plots of the paper on nearest neighbours. Both show time
# against the size of the reference: one all sizes, one the small sizes. The figures are the rows "plot" under
# bench/results/: `per-query` on a GPU, and FLANN and our `kdtree` with one thread, query by query. With --check nothing is
# written; status 1 says that the picture is out of date.
set -eu
cd "$(dirname "$0")/.."

scratch=$(mktemp)
trap 'rm -f "$scratch"' EXIT

awk -F, '
    FNR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }
    function field(name) { return $(column[name]) }
    function keep(who, x, y, k) {
        if (!(who in count)) names[++series] = who
        k = ++count[who]
        for (; k > 1 && xs[who, k - 1] + 0 > x + 0; k--) { xs[who, k] = xs[who, k - 1]; ys[who, k] = ys[who, k - 1] }
        xs[who, k] = x; ys[who, k] = y
    }
    FILENAME ~ /\/nn\// && $1 ~ /^plot-/ && (field("contestant") == "flann" || field("contestant") == "kdtree") &&
        field("threads") == 1 {
        keep((field("contestant") == "flann" ? "FLANN" : "kdtree") ", " field("machine"), field("points"), field("total_ms"))
    }
    FILENAME !~ /\/nn\// && field("part") == "nn" && field("cloud") == "plot" {
        keep(field("method") ", " field("gpu"), field("points"), field("median_ms"))
    }

    # Returns a step of 1, 2 or 5 times a power of ten; about five steps make up the whole.
    function step_of(most, s) {
        for (s = 1; s * 10 < most; s *= 10);
        return s * 5 < most ? s * 2 : s * 2 < most ? s / 2 : s / 5
    }
    function text(x, y, anchor, what) {
        printf "<text x=\"%.0f\" y=\"%.0f\" text-anchor=\"%s\">%s</text>\n", x, y, anchor, what
    }
    function panel(left, most_x, title, most_y, i, k, who, s, v, d, x, y) {
        for (i = 1; i <= series; i++)
            for (k = 1; k <= count[names[i]]; k++)
                if (xs[names[i], k] + 0 <= most_x && ys[names[i], k] + 0 > most_y) most_y = ys[names[i], k] + 0
        most_y *= 1.1
        text(left + width / 2, top - 12, "middle", title)
        printf "<path class=\"axis\" d=\"M%d %dV%dH%d\"/>\n", left, top, top + height, left + width
        s = step_of(most_y)
        for (v = 0; v <= most_y; v += s) {
            y = top + height - height * v / most_y
            printf "<path class=\"grid\" d=\"M%d %.1fh%d\"/>\n", left, y, width
            text(left - 6, y + 4, "end", v)
        }
        s = step_of(1.6 * most_x)
        for (v = 0; v <= most_x; v += s) text(left + width * v / most_x, top + height + 18, "middle", v)
        for (i = 1; i <= series; i++) {
            who = names[i]; d = ""
            for (k = 1; k <= count[who] && xs[who, k] + 0 <= most_x; k++) {
                x = left + width * xs[who, k] / most_x; y = top + height - height * ys[who, k] / most_y
                d = d sprintf("%s%.1f %.1f", k == 1 ? "M" : "L", x, y)
                printf "<circle class=\"s%d\" cx=\"%.1f\" cy=\"%.1f\" r=\"3\"/>\n", i, x, y
            }
            printf "<path class=\"line s%d\" d=\"%s\"/>\n", i, d
        }
    }
    END {
        if (series == 0) exit 1
        width = 360; height = 220; top = 40
        print "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 900 340\" role=\"img\">"
        print "<title>Milliseconds for 20000 queries against the size of the reference</title>"
        print "<style>text{font:13px sans-serif;fill:#777}.axis,.grid,.line{fill:none}.axis{stroke:#777}" \
              ".grid{stroke:#7773}.line{stroke-width:2}.s1{stroke:#d55e00;fill:#d55e00}.s2{stroke:#0072b2;fill:#0072b2}" \
              ".s3{stroke:#009e73;fill:#009e73}.s4{stroke:#cc79a7;fill:#cc79a7}.line{fill:none!important}</style>"
        panel(60, 130000, "ms for 20000 queries, by points of the reference", 0)
        panel(510, 8000, "the same, up to 8000 points", 0)
        for (i = 1; i <= series; i++) {
            printf "<path class=\"line s%d\" d=\"M%d 315h24\"/>\n", i, 60 + (i - 1) * 270
            text(60 + (i - 1) * 270 + 32, 319, "start", names[i])
        }
        print "</svg>"
    }' bench/results/h200.csv bench/results/nn/*.csv >"$scratch"

if cmp -s "$scratch" docs/per-query.svg; then exit 0; fi
if [ "${1:-}" = --check ]; then
    echo "plots.sh: docs/per-query.svg is out of date: run scripts/plots.sh" >&2
    exit 1
fi
cat "$scratch" >docs/per-query.svg
