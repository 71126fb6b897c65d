"""Checks what ./dev does about CUDA and which targets it builds, with stand-ins for nvidia-smi, cmake and nvcc.

dev_run.py: needs bash.
"""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

DEV = pathlib.Path(__file__).resolve().parents[2] / "scripts" / "dev.sh"
TOOLS = ["bash", "basename", "cat", "dirname", "mkdir", "sed", "tr"]


def shell(folder, script, programs):
    """Runs a script after scripts/dev.sh where PATH holds `programs` (name: what it prints) and a few tools."""
    folder = pathlib.Path(folder)
    path = folder / "bin"
    path.mkdir()
    for tool in TOOLS:
        (path / tool).symlink_to(shutil.which(tool))
    for name, body in programs.items():
        (path / name).write_text(f"#!/bin/bash\n{body}\n")
        (path / name).chmod(0o755)
    text = f'set -euo pipefail\nsource "{DEV}"\nsetup() {{ :; }}\n{script}'
    environment = {"PATH": str(path), "CUDA_HOME": str(folder / "none"), "HOME": str(folder)}
    ran = subprocess.run(["bash", "-c", text], cwd=folder, env=environment, capture_output=True, text=True)
    return ran.returncode, ran.stdout + ran.stderr


def smi(line):
    return f"printf '{line}\\n'"


CHOICES = [
    # GPU and driver that nvidia-smi prints, release of nvcc or 0, how the answer begins
    (None, 0, "off no NVIDIA GPU"),
    (None, 13, "off no NVIDIA GPU"),
    ("8.6, 580.82.07", 13, "on "),
    ("8.6, 580.82.07", 0, "pypi "),
    ("8.6, 580.82.07", 11, "pypi "),
    ("6.1, 580.82.07\\n12.0, 580.82.07", 0, "pypi "),
    ("6.1, 580.82.07", 13, "off the NVIDIA GPU is older"),
    ("8.6, 535.183.01", False, "off the NVIDIA driver 535.183.01 is older"),
]

RUNS = [
    # GPU, options of the configuration that ./dev run makes
    (None, "--preset release -DISOLUME_UNITY=ON -DISOLUME_CUDA=OFF"),
    ("8.9, 580.82.07", "--preset release -DISOLUME_UNITY=ON"),
]


def main():
    wrong = []
    for gpu, nvcc, expected in CHOICES:
        with tempfile.TemporaryDirectory() as folder:
            programs = {"nvidia-smi": smi(gpu)} if gpu else {}
            if nvcc:
                programs["nvcc"] = f"echo 'Cuda compilation tools, release {nvcc}.0'"
            status, printed = shell(folder, "cuda_choice", programs)
            if status != 0 or not printed.startswith(expected):
                wrong.append(f"GPU {gpu}, nvcc {nvcc}: '{printed.strip()}', expected '{expected}...'")
    for gpu, options in RUNS:
        with tempfile.TemporaryDirectory() as folder:
            programs = {"cmake": f'echo "$@" >>"{folder}/log"', "nvcc": "echo release 13.0"}
            if gpu:
                programs["nvidia-smi"] = smi(gpu)
            status, printed = shell(folder, "gallery() { :; }\nmain run", programs)
            log = pathlib.Path(folder, "log")
            lines = log.read_text().splitlines() if log.exists() else []
            expected = [options, "--build --preset release --target isolume"]
            if status != 0 or lines != expected:
                wrong.append(f"GPU {gpu}: ./dev run called cmake with {lines}, expected {expected}\n{printed}")
    for line in wrong:
        print(line)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
