# SPDX-License-Identifier: BSD-3-Clause
"""What the judges of the claims share. A claim is a sentence of a paper that the rows of one machine decide: it holds, does not
hold, or cannot be told. The sentence of a judge names what was compared, and the threshold.

    rule = Rule()                         the claims of a paper, in its order

    @rule("ec-size", "Fig. 4", "in our words", "the paper's number", gpu=True)
    def judge(table):                     returns decide(holds, our measurement, sentence)

Where rows are missing a judge raises Missing, or divides by 0, or asks for the least or the first of none: then it cannot be told."""
import dataclasses
import math

HOLDS, FAILS, UNKNOWN = "holds", "does not hold", "cannot be told"


class Missing(Exception):
    """A row that a judge needs was not measured."""


@dataclasses.dataclass(frozen=True)
class Judgement:
    verdict: str
    ours: str  # our measurement: "2.1 ms, 1 pass"
    why: str  # one sentence


@dataclasses.dataclass(frozen=True)
class Claim:
    experiment: str  # whose rows decide
    place: str
    claim: str
    theirs: str
    gpu: bool  # of a GPU: on machines without one it cannot be told
    decide: object

    def judge(self, machine):
        return Judgement(UNKNOWN, "", "This machine has no GPU.") if self.gpu and not machine.gpu else self.judge_rows(machine)

    def judge_rows(self, table):
        try:
            return self.decide(table)
        except (Missing, ZeroDivisionError, ValueError, IndexError):
            return Judgement(UNKNOWN, "", f"Rows of {self.experiment} are missing: not measured on this machine, or left out.")


class Rule(list):
    """The claims of a paper; a decorator that adds one."""

    def __call__(self, experiment, place, claim, theirs="", gpu=False):
        def add(judge):
            self.append(Claim(experiment, place, claim, theirs, gpu, judge))
            return judge
        return add


def decide(holds, ours, why):
    return Judgement(HOLDS if holds else FAILS, ours, why)


def need(row):
    """The row, if it was measured."""
    if not row or not row.runs:
        raise Missing
    return row


def time(table, experiment, series, x, backend):
    """The median in ms of a row that was measured."""
    return need(table.find(experiment, series, x, backend)).median_ms


def known(number):
    if math.isnan(number):
        raise Missing
    return number
