"""Asks MLE-bench's own code: ask.py CHECKOUT grade|agents FILE. The answer is JSON."""
import importlib.util
import json
import os
import shutil
import sys
import tempfile
from pathlib import Path

CHECKOUT, WHAT, GIVEN = Path(sys.argv[1]), sys.argv[2], json.loads(Path(sys.argv[3]).read_text())
# Competitions and agents are found beside the code, so the code stands in a copy that can be added to.
COPY = Path(tempfile.mkdtemp(dir="."))
for part in ("mlebench", "experiments", "agents"):
    shutil.copytree(CHECKOUT / part, COPY / part, ignore=shutil.ignore_patterns("competitions") if part == "mlebench" else None)
COMPETITIONS = COPY / "mlebench" / "competitions"
COMPETITIONS.mkdir()
(COMPETITIONS / "__init__.py").touch()
sys.path.insert(0, str(COPY.resolve()))


def grade():
    for one in GIVEN["competitions"]:
        home = COMPETITIONS / one["id"]
        home.mkdir()
        shutil.copy(Path(GIVEN["data"]) / one["id"] / "leaderboard.csv", home)
        shutil.copy(Path(GIVEN["data"]) / one["id"] / "prepared/public/description.md", home)
        (home / "__init__.py").touch()
        (home / "own.py").write_text("from sklearn.metrics import mean_absolute_error\n\n\ndef grade(submission, answers):\n"
                                     "    both = answers.merge(submission, on='id', suffixes=('', '_said'))\n"
                                     "    return mean_absolute_error(both['y'], both['y_said'])\n\n\ndef prepare(raw, public, private):\n    return public\n")
        module = f"mlebench.competitions.{one['id']}.own"
        (home / "config.yaml").write_text(json.dumps({
            "id": one["id"], "name": one["id"], "competition_type": "simple", "description": f"mlebench/competitions/{one['id']}/description.md",
            "dataset": {"answers": f"{one['id']}/prepared/private/test.csv", "sample_submission": f"{one['id']}/prepared/public/sample_submission.csv"},
            "grader": {"name": "mae", "grade_fn": f"{module}:grade"}, "preparer": f"{module}:prepare"}))
    from mlebench.grade import grade_csv
    from mlebench.registry import registry

    here = registry.set_data_dir(Path(GIVEN["data"]))
    reports = [grade_csv(Path(one["submission"]), here.get_competition(one["id"])).to_dict() for one in GIVEN["competitions"]]
    spec = importlib.util.spec_from_file_location("aggregate", COPY / "experiments" / "aggregate_grading_reports.py")
    aggregate = importlib.util.module_from_spec(spec)
    sys.modules["aggregate"] = aggregate
    spec.loader.exec_module(aggregate)
    # Three seeds of two competitions: two, one and no medal.
    seeds = [[aggregate.CompetitionReport(name, False, False, medals > place, True, True, True) for place, name in enumerate("ab")] for medals in (2, 1, 0)]
    share = aggregate.average_metrics_across_seeds([aggregate.calculate_metrics_for_a_seed(seed) for seed in seeds], 2).metrics["any_medal_percentage"]
    # The package's table, as it asks this code where it is installed.
    from mlestar import bench
    from mlestar._bench_table import mean_and_error

    ours = {one.id: one for one in bench.competitions(Path(GIVEN["data"]))}
    installed = [bench._by_mle_bench(ours[one["id"]], Path(one["submission"])) for one in GIVEN["competitions"]]
    return {"reports": reports, "installed": installed, "share": {"mean": share.mean, "standard_error": share.standard_error},
            "words": mean_and_error([100, 50, 0])}


def agents():
    os.environ["ANTHROPIC_API_KEY"] = "none"
    shutil.copytree(GIVEN["folder"], COPY / "agents" / "mlestar")
    from agents.registry import registry

    known = [registry.get_agent(name) for name in ("mlestar", "mlestar/search", "mlestar/max", "mlestar/dev")]
    return {one.id: {"kwargs": one.kwargs, "kwargs_type": one.kwargs_type, "env_vars": one.env_vars} for one in known}


answer = {"grade": grade, "agents": agents}[WHAT]()
print(json.dumps(answer, default=lambda value: value.item()))
