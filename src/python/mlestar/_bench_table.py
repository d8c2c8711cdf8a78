"""The table of a benchmark: cells as CSV, a leaderboard as CSV, both as a page."""

from __future__ import annotations

import csv
import io
import statistics
from dataclasses import dataclass
from html import escape
from typing import Callable, Dict, List, Mapping, Optional, Sequence

THRESHOLDS = ("gold", "silver", "bronze", "median")
COLUMNS = ("agent", "competition", "seed", "run", "models", "state", "submission", "valid", "score", *THRESHOLDS, "medal", "above_median", "hours",
           "cost_usd", "input_tokens", "output_tokens", "note")
_MODELS = 4
_LONGEST_NOTE = 200
_STYLE = """body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; padding: 0 1rem; max-width: 76rem; color-scheme: light dark; }
.wide { overflow-x: auto; } table { border-collapse: collapse; } th, td { text-align: left; padding: 0.3rem 0.8rem 0.3rem 0; border-bottom: 1px solid #8884;
vertical-align: top; } .number { text-align: right; font-variant-numeric: tabular-nums; } .quiet { opacity: 0.75; }"""


@dataclass(frozen=True)
class Cell:
    """What one agent did in one competition with one seed."""

    agent: str
    competition: str
    seed: int
    """From 1."""
    run: Optional[str]
    """Name of the run in the store; ``None`` for a script."""
    models: List[str]
    recorded: bool
    """Answers were replayed and no model was asked, so that none of its figures counts."""
    submitted: bool
    hours: float
    """Of wall clock."""
    cost_usd: Optional[float]
    """``None`` if a price is unknown."""
    input_tokens: int
    output_tokens: int
    ended_on: str
    """A day, as in 2026-11-22."""
    valid: Optional[bool] = None
    """``None`` if it cannot be told here."""
    score: Optional[float] = None
    """On the hidden labels."""
    gold: Optional[float] = None
    silver: Optional[float] = None
    bronze: Optional[float] = None
    median: Optional[float] = None
    medal: Optional[str] = None
    above_median: Optional[bool] = None
    note: str = ""

    @property
    def ranked(self) -> bool:
        """Whether MLE-bench's own grader ranked it."""
        return any(getattr(self, name) is not None for name in THRESHOLDS)

    @property
    def any_medal(self) -> Optional[bool]:
        """``None`` unless MLE-bench's own grader gave one, or there is nothing that could have earned one."""
        if not self.submitted or self.valid is False:
            return False
        return self.medal is not None if self.valid and self.ranked else None


@dataclass(frozen=True)
class Table:
    """All cells that are known, and the places of those that are not. A cell that was replayed is no number, and says so."""

    splits: Mapping[str, Sequence[str]]
    """Competitions by the title of a split."""
    competitions: Sequence[str]
    agents: Sequence[str]
    seeds: int
    """Each agent has so many cells in a competition."""
    cells: Sequence[Cell]

    def of(self, agent: str) -> List[Cell]:
        """The cells of an agent that count."""
        return [cell for cell in self.cells if cell.agent == agent and not cell.recorded]

    def cells_csv(self) -> str:
        """One line for each cell, run or not."""
        return _csv([COLUMNS, *([row[column] for column in COLUMNS] for row in self._rows())])

    def _rows(self) -> List[Dict[str, str]]:
        known = {(cell.agent, cell.competition, cell.seed): cell for cell in self.cells}
        return [_row(agent, competition, seed, known.get((agent, competition, seed)))
                for agent in self.agents for competition in self.competitions for seed in range(1, self.seeds + 1)]

    def leaderboard_csv(self) -> str:
        """One line for each agent, with the columns of MLE-bench's leaderboard that can be known here: any medal in percent, by split."""
        rows = [["Agent", "LLM(s) used", *self.splits, "Running Time (hours)", "Date"]]
        for agent in self.agents:
            last = max((cell.ended_on for cell in self.of(agent)), default="")
            rows.append([agent, self._models(agent), *(self._medals(agent, split) for split in self.splits.values()), self._hours(agent), last])
        return _csv(rows)

    def _share(self, agent: str, competitions: Sequence[str], counts: Callable[[Cell], Optional[bool]]) -> str:
        """Mean and standard error, over the seeds that have a result in every competition, of the share of cells that count, in percent."""
        shares: List[float] = []
        for seed in range(1, self.seeds + 1):
            known = [counts(cell) for cell in self.of(agent) if cell.seed == seed and cell.competition in competitions]
            if competitions and len(known) == len(competitions) and None not in known:
                shares.append(100 * sum(map(bool, known)) / len(known))
        return mean_and_error(shares)

    def _medals(self, agent: str, competitions: Sequence[str]) -> str:
        return self._share(agent, competitions, lambda cell: cell.any_medal)

    def _models(self, agent: str) -> str:
        models = sorted({model for cell in self.of(agent) for model in cell.models})
        return ", ".join(models[:_MODELS] + ["…"] * (len(models) > _MODELS))

    def _hours(self, agent: str) -> str:
        """The longest."""
        return max((f"{cell.hours:.2f}" for cell in self.of(agent)), key=float, default="")

    def _dollars(self, agent: str) -> str:
        costs = [cell.cost_usd for cell in self.of(agent)]
        known = [cost for cost in costs if cost is not None]
        return f"${sum(known):.2f}" if costs and len(known) == len(costs) else ""

    def page(self) -> str:
        """One file that opens from disk."""
        rows = self._rows()
        done = sum(row["state"] == "done" for row in rows)
        standings = [[agent, self._models(agent), *(self._medals(agent, split) for split in self.splits.values()),
                      self._share(agent, self.competitions, lambda cell: cell.valid if cell.submitted else False),
                      self._share(agent, self.competitions, lambda cell: cell.above_median if cell.submitted else False),
                      self._hours(agent), self._dollars(agent)] for agent in self.agents]
        body = [f"<h1>Benchmark</h1><p>{done} of {len(rows)} cells have a result.</p><h2>Any medal, by split</h2>",
                _html(["Agent", "Models", *self.splits, "Valid (%)", "Above median (%)", "Longest (hours)", "Cost"], standings),
                "<p class=quiet>Mean ± standard error over the seeds that have a result in every competition of the split. Empty where no seed is"
                " complete, or where MLE-bench's own grader, which gives medals, was not asked.</p><h2>Cells</h2>",
                _html([column.replace("_", " ") for column in COLUMNS], [list(row.values()) for row in rows])]
        replayed = [cell for cell in self.cells if cell.recorded]
        if replayed:
            body += ["<h2>Replayed, and not counted</h2><p>No language model was asked, and none of these figures is in the tables.</p>",
                     _html(["Competition", "Seed", "Score of its scripts", "Hours", "Note"],
                           [[cell.competition, str(cell.seed), _text(cell.score), f"{cell.hours:.4f}", cell.note] for cell in replayed])]
        return ("<!doctype html><html lang=en><meta charset=utf-8><meta name=viewport content='width=device-width, initial-scale=1'>"
                "<meta http-equiv=Content-Security-Policy content=\"default-src 'none'; style-src 'unsafe-inline'\">"
                f"<title>Benchmark – MLE-STAR</title><style>{_STYLE}</style>" + "\n".join(body))


def mean_and_error(values: Sequence[float]) -> str:
    """As a leaderboard shows it, e.g. ``68.18 ± 2.62``: the mean and its standard error, of which one value says nothing."""
    if not values:
        return ""
    mean = f"{statistics.mean(values):.2f}"
    return mean if len(values) == 1 else f"{mean} ± {statistics.stdev(values) / len(values) ** 0.5:.2f}"


def _row(agent: str, competition: str, seed: int, cell: Optional[Cell]) -> Dict[str, str]:
    row = {**dict.fromkeys(COLUMNS, ""), "agent": agent, "competition": competition, "seed": str(seed), "state": "not run"}
    if cell is None:
        return row
    row.update(run=cell.run or "", models=", ".join(cell.models), state="recorded" if cell.recorded else "done")
    if not cell.recorded:
        row.update({name: _text(getattr(cell, name)) for name in COLUMNS[COLUMNS.index("valid"):]},
                   submission=_text(cell.submitted), hours=f"{cell.hours:.4f}", note=cell.note[:_LONGEST_NOTE])
    return row


def _text(value: object) -> str:
    return "" if value is None else str(value).lower() if isinstance(value, bool) else str(value)


def _csv(rows: Sequence[Sequence[str]]) -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue()


def _html(titles: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    def line(tag: str, values: Sequence[str]) -> str:
        return "<tr>" + "".join(f"<{tag}{' class=number' if value[:1].isdigit() else ''}>{escape(value)}</{tag}>" for value in values) + "</tr>"
    return f"<div class=wide><table><thead>{line('th', titles)}</thead>" + "\n".join(line("td", row) for row in rows) + "</table></div>"
