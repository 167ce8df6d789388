/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The style sheet of the page. The colours of series were chosen so that the least distance between two of them is large
 * for readers with normal vision, protanopia, deuteranopia and tritanopia: 0.08 in OKLab on both backgrounds. Their
 * contrast to the background is 3 or more. Series differ in their marks besides.
 */
#include "report/report.h"

/* The colour of a series as line, hollow mark, bar and mark; the colour of a stage. */
#define SERIES(n)                                                                                                      \
    ".line.c" n ",.hollow.c" n ",.bar.c" n "{stroke:var(--c" n ")}.mark.c" n ",.bar.c" n "{fill:var(--c" n ")}\n"
#define STAGE(n) ".t" n "{fill:var(--t" n ")}\n"

const char *const html_style[] = {
    ":root{--paper:#fff;--card:#f6f7f9;--ink:#1b1f24;--soft:#5b6470;--rule:#d9dde3;--link:#0b5cad;"
    "--yes:#0b6b3a;--yes-back:#e2f3e8;--no:#a3210f;--no-back:#fbe6e2;--open:#5b6470;--open-back:#eceef1;"
    "--c0:#8c381c;--c1:#708cfc;--c2:#381c8c;--c3:#e07070;--c4:#708c00;--c5:#1c1c1c;--c6:#7054a8;--c7:#541c54;"
    "--c8:#a85470;--c9:#a870c4;--c10:#701c00;"
    "--t0:#8a93a0;--t1:#0063a8;--t2:#57b0e6;--t3:#cf4a00;--t4:#e8a33d;--t5:#00795b;--t6:#c4c9d0}\n",
    "@media screen and (prefers-color-scheme:dark){:root{--paper:#14171b;--card:#1d2127;--ink:#e6e9ed;--soft:#a0a9b5;"
    "--rule:#363c45;--link:#7db8f0;--yes:#7fd6a2;--yes-back:#163524;--no:#ff9c8a;--no-back:#45201a;--open:#b4bcc7;"
    "--open-back:#2b3038;"
    "--c0:#e08ca8;--c1:#7070e0;--c2:#ffffff;--c3:#c47000;--c4:#00c4ff;--c5:#c4c470;--c6:#a8fca8;--c7:#a870a8;"
    "--c8:#8c8cff;--c9:#a8a854;--c10:#ffe054;"
    "--t0:#7c8591;--t1:#4da3e8;--t2:#a3d4fa;--t3:#ff8a4d;--t4:#f0c069;--t5:#33bf97;--t6:#575f6b}}\n",
    "*{box-sizing:border-box}\n",
    "body{margin:0;background:var(--paper);color:var(--ink);font:16px/1.5 system-ui,-apple-system,\"Segoe UI\",Roboto,"
    "\"Helvetica Neue\",Arial,sans-serif}\n",
    "header,main,footer{max-width:1320px;margin:0 auto;padding:0 20px}\n",
    "header{padding-top:36px}\n",
    "h1{font-size:30px;line-height:1.2;margin:0 0 6px;letter-spacing:-.01em}\n",
    "h2{font-size:22px;line-height:1.3;margin:48px 0 6px;padding-top:12px;border-top:2px solid var(--ink)}\n",
    "h3{font-size:17px;margin:0 0 8px}\n",
    ".lead,.why{color:var(--soft)}.lead{margin:0 0 16px}.why{font-size:14px}\n",
    "nav{display:flex;flex-wrap:wrap;gap:4px 18px;font-size:15px}\n",
    "a{color:var(--link)}code{font-family:ui-monospace,Menlo,Consolas,monospace;font-size:.92em}\n",
    ".cards{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,340px),1fr));gap:16px}\n",
    ".card{background:var(--card);border-radius:8px;padding:16px 18px}\n",
    "dl{display:grid;grid-template-columns:max-content 1fr;gap:2px 14px;margin:0 0 12px;font-size:15px}\n",
    "dt{color:var(--soft)}dd{margin:0;overflow-wrap:anywhere}.counts{margin:0}\n",
    ".chip{display:inline-block;border-radius:4px;padding:1px 8px;font-size:14px;font-weight:600;white-space:nowrap}\n",
    ".chip.holds{color:var(--yes);background:var(--yes-back)}.chip.fails{color:var(--no);background:var(--no-back)}"
    ".chip.unknown{color:var(--open);background:var(--open-back)}\n",
    ".alarm{margin-top:28px;padding:2px 18px 8px;border-left:5px solid var(--no);background:var(--no-back)}"
    ".alarm h2{border:0;margin:8px 0 0;color:var(--no)}\n",
    "table{border-collapse:collapse;font-variant-numeric:tabular-nums}\n",
    "th,td{text-align:left;vertical-align:top;padding:7px 10px;border-bottom:1px solid var(--rule)}\n",
    ".claims{width:100%;font-size:15px;line-height:1.42}.claims thead th{color:var(--soft);font-size:14px}\n",
    ".claims td:nth-child(1){min-width:220px}.claims td:nth-child(n+4){min-width:210px}"
    ".claims td strong{display:block;margin-top:3px}.claims .why{display:block}\n",
    ".claims .paper th{padding-top:22px;font-size:16px;border-bottom:1px solid var(--ink)}\n",
    ".block{margin:34px 0 0}.place{color:var(--soft);font-weight:400;margin-right:6px}\n",
    ".charts{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,520px),1fr));gap:0 28px}\n",
    ".wide{grid-column:1/-1}\n",
    ".figures{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,520px),1fr));gap:24px;max-width:100%}"
    "\n",
    "figure{margin:0;min-width:0;max-width:760px}figcaption{font-size:14px;color:var(--soft);margin:2px 0 6px}\n",
    ".absent{margin:34px 0 0;color:var(--soft);font-size:15px}.absent ul{margin:4px 0;padding-left:20px}\n",
    ".scroll{overflow-x:auto}\n",
    ".chart{display:block;width:100%;min-width:440px;height:auto;font-size:12px}\n",
    ".chart text{fill:var(--ink)}.chart .tick{fill:var(--soft)}.chart .label{font-size:13px}\n",
    ".grid{stroke:var(--rule);fill:none}.axis{stroke:var(--soft);fill:none}\n",
    ".line{fill:none;stroke-width:1.8;stroke-linejoin:round}.mark{stroke:var(--paper);stroke-width:.8}\n",
    ".hollow{fill:var(--paper);stroke-width:1.6}rect.hollow{fill:none;stroke-dasharray:3 2}\n",
    ".line.d1{stroke-dasharray:6 4}.line.d2{stroke-dasharray:2 3}.bar.d1{fill-opacity:.55}.bar.d2{fill-opacity:.3}\n",
    ".bar{stroke-width:1}circle.wrong{fill:none;stroke:var(--no);stroke-width:2}"
    "rect.wrong{stroke:var(--no);stroke-width:3}.chart .tick.wrong{fill:var(--no);font-weight:700}\n",
    SERIES("0"),
    SERIES("1"),
    SERIES("2"),
    SERIES("3"),
    SERIES("4"),
    SERIES("5"),
    SERIES("6"),
    SERIES("7"),
    SERIES("8"),
    SERIES("9"),
    SERIES("10"),
    STAGE("0"),
    STAGE("1"),
    STAGE("2"),
    STAGE("3"),
    STAGE("4"),
    STAGE("5"),
    STAGE("6"),
    ".legend{list-style:none;display:flex;flex-wrap:wrap;gap:2px 16px;margin:6px 0;padding:0;font-size:14px}\n",
    ".legend li{white-space:nowrap}.swatch{height:12px;vertical-align:-1px;margin-right:2px}\n",
    "details{font-size:14px;margin:2px 0 0}summary{cursor:pointer;color:var(--link)}\n",
    ".numbers{font-size:13px;margin:6px 0}.numbers th,.numbers td{padding:3px 9px;white-space:nowrap}\n",
    ".numbers td{text-align:right}.numbers thead th{color:var(--soft)}.numbers tbody th{font-weight:400}\n",
    ".numbers .wrong,.numbers .wrong td{color:var(--no);font-weight:700}\n",
    ".numbers .given{color:var(--soft);font-style:italic}\n",
    ".notes{margin:4px 0 8px;padding-left:20px;color:var(--soft)}\n",
    ".pictures{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,300px),1fr));gap:20px}\n",
    ".pictures img{display:block;max-width:100%;border:1px solid var(--rule);border-radius:6px}\n",
    "footer{margin-top:56px;padding-bottom:36px;color:var(--soft);font-size:14px}\n",
    "@media (max-width:760px){h1{font-size:25px}.claims thead{display:none}\n",
    ".claims,.claims tbody,.claims tr,.claims td,.claims .paper th{display:block}\n",
    ".claims tr{padding:8px 0;border-bottom:1px solid var(--rule)}.claims .paper th{padding-left:0}\n",
    ".claims td{border:0;padding:2px 0}.claims td:nth-child(1){font-weight:600}\n",
    ".legend li{white-space:normal}\n",
    ".claims td:nth-child(n+2)::before{content:attr(data-name) \": \";color:var(--soft);font-size:14px}}\n",
    "@media print{body{font-size:11pt}nav{display:none}.block,.card,tr{break-inside:avoid}.chart{min-width:0}"
    "details:not([open]){display:none}}\n",
    NULL};
