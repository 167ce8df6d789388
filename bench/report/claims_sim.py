# SPDX-License-Identifier: BSD-3-Clause
"""The claims of docs/simulation.md: the scans that take the place of the papers' own must be worth it."""
from claims import Rule, Unknown, decide

CLAIMS = claim = Rule()
FARTHEST = {"range": 0.25, "elevation": 0.1, "density": 0.25}
SCANS = 7

@claim("sim-speed", "docs/simulation.md", "one core makes at least 1 million points per second", "1 million")
def speed(table):
    rows = [table.find("sim-speed", sensor, x, "cpu") for x, sensor in enumerate(("vlp-16", "hdl-32e", "hdl-64e", "128"))]
    if not all(rows):
        raise Unknown("The speed was not measured for all sensors.")
    least = min(row.value for row in rows)
    return decide(least >= 1, "%.1f million points per second at least" % least,
                  "It holds where every sensor reaches 1 million per second.")

@claim("sim-shape", "docs/simulation.md", "simulated scans are statistically close to real ones")
def shape(table):
    rows = {measure: [table.find("sim-shape", measure, x, "cpu") for x in range(SCANS)] for measure in FARTHEST}
    if not any(row for found in rows.values() for row in found):
        raise Unknown("There were no real scans to compare with.")
    worst = {measure: max((row.value for row in found if row), default=0) for measure, found in rows.items()}
    return decide(all(worst[measure] <= most for measure, most in FARTHEST.items()),
                  "at most %.2f in range, %.2f in elevation, %.2f in density" % tuple(worst.values()),
                  "It holds where no distance is above 0.25 in range, 0.1 in elevation and 0.25 in density: about as far as real scans "
                  "of one sensor in different places.")
