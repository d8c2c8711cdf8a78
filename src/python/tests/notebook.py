"""Runs the code cells of the example notebook in order, as Jupyter would, with the tiny task. It takes a run more than the other tests."""

from __future__ import annotations

import importlib.util
import json
import os
import tempfile
from typing import Dict

from mini import MINI, PROGRAM, PROJECT


def main() -> None:
    notebook = json.loads((PROJECT / "src/examples/notebook/mlestar.ipynb").read_text(encoding="utf-8"))
    pandas = importlib.util.find_spec("pandas") is not None
    with tempfile.TemporaryDirectory() as folder:
        os.environ.update(MLESTAR=str(PROGRAM), EXAMPLE=str(MINI), MLE_STAR_STORE=folder)
        names: Dict[str, object] = {}
        for number, cell in enumerate(notebook["cells"]):
            if cell["cell_type"] == "code":
                if not pandas and "needs-pandas" in cell["metadata"].get("tags", []):
                    print(f"cell {number} skipped: this Python has no pandas")
                    continue
                exec(compile("".join(cell["source"]), f"cell {number}", "exec"), names)
    print("all cells have run")


if __name__ == "__main__":
    main()
