#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""papers_page.py PAGE: reads the page of test_papers_report with two parsers of Python: it is well-formed XML, HTML whose
elements are closed in order, each figure names one machine, and charts have no rows of the other machine."""
import sys
import xml.etree.ElementTree as tree
from html.parser import HTMLParser

NAME = "{http://www.w3.org/1999/xhtml}"
failures = 0


def check(condition, words):
    global failures
    if not condition:
        failures += 1
        print("failed:", words)


class Nesting(HTMLParser):
    """Compares every end with the last begin."""

    def __init__(self):
        super().__init__()
        self.open = []
        self.seen = {}

    def handle_starttag(self, tag, attrs):
        self.seen[tag] = self.seen.get(tag, 0) + 1
        self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.seen[tag] = self.seen.get(tag, 0) + 1

    def handle_endtag(self, tag):
        check(self.open and self.open[-1] == tag, f"</{tag}> closes {self.open[-1:]}")
        if self.open:
            self.open.pop()


def text_of(element):
    return "".join(element.itertext())


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        page = file.read()
    nesting = Nesting()
    nesting.feed(page)
    check(not nesting.open, f"open at the end: {nesting.open}")
    check("script" not in nesting.seen and "link" not in nesting.seen, "the page needs no script and no other file")
    root = tree.fromstring(page.encode())
    figures = [f for f in root.iter(NAME + "figure") if f.find(".//" + NAME + "svg") is not None]
    check(len(figures) == 14, f"{len(figures)} figures with charts, expected 7 per machine")
    for figure in figures:
        caption = text_of(figure.find(NAME + "figcaption"))
        gpu = caption.startswith("Made GPU 9, host Made CPU <A&B>")
        check(gpu or caption == "Made CPU 2, 2 cores", f"caption {caption!r}")
        words = text_of(figure)
        check(gpu or "GPU" not in words, f"a figure of {caption} has rows of the GPU")
        check(("Made CPU 2" in words) != gpu, f"a figure of {caption} names the other machine")
    claims = [t for t in root.iter(NAME + "table") if t.get("class") == "claims"]
    check(len(claims) == 1 and len(list(claims[0].iter(NAME + "tr"))) == 5, "a heading, a paper and three claims")
    print("failed" if failures else "passed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
