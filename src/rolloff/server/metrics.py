"""What a server counts: commands and how long they took, refusals, viewers, battles; as Prometheus reads it."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter

STEPS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0)
"""Seconds up to which commands are counted together."""


class Metrics:
    """Counts since the start."""

    def __init__(self) -> None:
        """Begin at nothing."""
        self.counts: Counter[str] = Counter()
        self._steps: dict[str, list[int]] = {}
        self._seconds: Counter[str] = Counter()

    def count(self, name: str) -> None:
        """One more."""
        self.counts[name] += 1

    def command(self, kind: str, seconds: float) -> None:
        """A command was carried out in that time."""
        steps = self._steps.setdefault(kind, [0] * (len(STEPS) + 1))
        steps[bisect_left(STEPS, seconds)] += 1
        self._seconds[kind] += seconds  # type: ignore[assignment]  # a Counter of floats adds up as well

    def text(self, gauges: dict[str, int]) -> str:
        """All of it in the text form that Prometheus reads."""
        lines = ["# TYPE rolloff_command_seconds histogram"]
        for kind, steps in sorted(self._steps.items()):
            total = 0
            for bound, found in zip((*map(str, STEPS), "+Inf"), steps, strict=True):
                total += found
                lines.append(f'rolloff_command_seconds_bucket{{kind="{kind}",le="{bound}"}} {total}')
            lines.append(f'rolloff_command_seconds_sum{{kind="{kind}"}} {self._seconds[kind]:.6f}')
            lines.append(f'rolloff_command_seconds_count{{kind="{kind}"}} {total}')
        for name, found in sorted(self.counts.items()):
            lines += [f"# TYPE rolloff_{name}_total counter", f"rolloff_{name}_total {found}"]
        for name, found in sorted(gauges.items()):
            lines += [f"# TYPE rolloff_{name} gauge", f"rolloff_{name} {found}"]
        return "\n".join(lines) + "\n"


METRICS = Metrics()
"""The counts of this process."""
