"""Where the package finds the program, and what it says where there is none."""

from __future__ import annotations

import tempfile
import unittest
from pathlib import Path
from unittest import mock

import mlestar


class InstallTest(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.home = Path(folder.name)
        # No PATH: the program that is started here needs no other.
        patch = mock.patch.dict("os.environ", {"HOME": folder.name, "PATH": folder.name + "/bin"}, clear=True)
        patch.start()
        self.addCleanup(patch.stop)

    def program(self, folder: str, script: str) -> Path:
        file = self.home / folder / "mlestar"
        file.parent.mkdir(parents=True)
        file.write_text(f"#!/bin/sh\n{script}\n")
        file.chmod(0o755)
        return file.parent

    def test_the_one_that_is_named_goes_before_the_path_and_the_path_before_an_archive(self) -> None:
        with self.assertRaisesRegex(mlestar.BadInput, f"tar -xzf mlestar-{mlestar.__version__}-jvm.tar.gz -C ~$"):
            mlestar.runs()
        says = "echo 'mlestar: {}' >&2; exit 2"
        self.program(f"mlestar-{mlestar.__version__}", says.format("archive"))
        with self.assertRaisesRegex(mlestar.BadInput, "^archive$"):
            mlestar.runs()
        self.program("bin", says.format("path"))
        with self.assertRaisesRegex(mlestar.BadInput, "^path$"):
            mlestar.runs()
        folder = self.program("elsewhere", says.format("elsewhere"))
        with mock.patch.dict("os.environ", {"MLESTAR": str(folder)}), self.assertRaisesRegex(mlestar.BadInput, "^elsewhere$"):
            mlestar.runs()
        with self.assertRaisesRegex(mlestar.BadInput, "^elsewhere$"):
            mlestar.runs(program=folder / "mlestar")

    def test_an_archive_of_another_version_is_not_taken(self) -> None:
        self.program("mlestar-0.0.9", "exit 0")
        with self.assertRaisesRegex(mlestar.BadInput, "neither on the PATH"):
            mlestar.runs()

    def test_a_missing_java_is_the_launchers_line(self) -> None:
        self.program("bin", "echo 'mlestar: there is no Java 25 or newer: sudo apt-get install openjdk-25-jre-headless' >&2; exit 2")
        with self.assertRaisesRegex(mlestar.BadInput, "^there is no Java 25 or newer: sudo apt-get install openjdk-25-jre-headless$"):
            mlestar.runs()


if __name__ == "__main__":
    unittest.main()
