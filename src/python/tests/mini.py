"""The tiny task of the project's tests, whose scripts do nothing and whose answers are recorded; the built program that runs it."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any, Dict

PROJECT = Path(os.environ.get("MLESTAR_PROJECT") or Path(__file__).resolve().parents[3])
PROGRAM = PROJECT / "mlestar"
MINI = PROJECT / "src/test/resources/mini"
MODEL = f"recorded:{MINI}/answers"
TOKEN = "a-token-of-the-tests"
SMALL: Dict[str, Any] = {"num_parallel_solutions": 1, "outer_loop_steps": 1, "inner_loop_steps": 1, "ensemble_rounds": 1, "num_retrieved_models": 1}
TASK: Dict[str, object] = {"competition_id": "mini", "task_type": "tabular", "data_modality": "tabular", "evaluation_metric": "AUC",
                           "metric_direction": "maximize", "description": "Predict y from x."}
