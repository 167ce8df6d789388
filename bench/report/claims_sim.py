# SPDX-License-Identifier: BSD-3-Clause
"""The claims of docs/simulation.md: the scans that take the place of the papers' own must be worth it."""
from claims import Rule, decide, need

CLAIMS = claim = Rule()
FARTHEST = {"range": 0.25, "elevation": 0.1, "density": 0.25}

@claim("sim-speed", "docs/simulation.md", "one core makes at least 1 million points per second", "1 million")
def speed(table):
    least = min(need(table.find("sim-speed", sensor, x, "cpu")).value for x, sensor in enumerate(("vlp-16", "hdl-32e", "hdl-64e", "128")))
    return decide(least >= 1, f"{least:.1f} million points per second at least", "It holds where every sensor reaches 1 million per second.")

@claim("sim-shape", "docs/simulation.md", "simulated scans are statistically close to real ones")
def shape(table):
    worst = {measure: max(row.value for row in table.experiments.get("sim-shape", ()) if row.series == measure) for measure in FARTHEST}
    return decide(all(worst[measure] <= most for measure, most in FARTHEST.items()),
                  "at most " + ", ".join(f"{number:.2f} in {measure}" for measure, number in worst.items()),
                  "It holds where no distance is above 0.25 in range, 0.1 in elevation and 0.25 in density: about as far as real scans "
                  "of one sensor in different places.")
