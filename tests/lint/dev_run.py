"""Checks what ./dev does about CUDA, about packages and which targets it builds, with stand-ins for the programs it calls.

dev_run.py: needs bash.
"""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

DEV = pathlib.Path(__file__).resolve().parents[2] / "scripts" / "dev.sh"
TOOLS = ["bash", "basename", "cat", "dirname", "grep", "mkdir", "sed", "tr", "xargs"]


def shell(folder, script, programs, begin="setup() { :; }"):
    """Runs a script after scripts/dev.sh and `begin` where PATH holds `programs` (name: body) and a few tools."""
    folder = pathlib.Path(folder)
    path = folder / "bin"
    path.mkdir()
    for tool in TOOLS:
        (path / tool).symlink_to(shutil.which(tool))
    for name, body in programs.items():
        (path / name).write_text(f"#!/bin/bash\n{body}\n")
        (path / name).chmod(0o755)
    text = f'set -euo pipefail\nsource "{DEV}"\n{begin}\n{script}'
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


SETUPS = [
    # installed, known to the system, whether it has lists of packages; what apt-get is called for, what is said
    ("cmake tidy", "cmake tidy", True, [], ""),
    ("cmake", "cmake tidy", True, ["update -qq", "install tidy"], "installing tidy"),
    ("cmake", "cmake", True, [], "this system has no package tidy: left out"),
    ("", "cmake", True, ["update -qq", "install cmake"], "this system has no package tidy: left out\ninstalling cmake"),
    ("", "cmake tidy", False, ["update -qq", "update -qq", "install cmake tidy"], "installing cmake tidy"),
    # another package is there instead, as in a newer release
    ("cmake", "cmake lint=tidy", True, ["update -qq", "install lint"], "installing lint"),
    ("cmake lint", "cmake lint=tidy", True, [], ""),
    ("", "cmake=tidy cmake", True, ["update -qq", "install cmake"], "installing cmake"),
]
# It says more than fits into a pipe: who stops reading early ends it with an error.
APT_CACHE = """table() { printf '     1.2-3 500\\n%.0s' {1..9999}; }
for word in KNOWN; do
  case $1 in
    policy) [ "$word" != "$2" ] || { printf '%s:\\n  Installed: (none)\\n  Candidate: 1.2-3\\n' "$2"; table; exit 0; } ;;
    showpkg) [ "${word#*=}" != "$2" ] || { printf 'Package: %s\\nReverse Provides: \\n%s 6.8 (= 6.8)\\n' "$2" "${word%=*}"; exit 0; } ;;
  esac
done
printf '%s:\\n  Installed: (none)\\n  Candidate: (none)\\n' "$2"
"""


def check_setup(wrong):
    """./dev setup installs what the system has, leaves out what it has not, and succeeds."""
    for installed, known, lists, calls, said in SETUPS:
        with tempfile.TemporaryDirectory() as folder:
            pathlib.Path(folder, "packages.txt").write_text("# what is needed\ncmake\ntidy\n")
            programs = {
                "dpkg-query": f'case " {installed} " in *" ${{@: -1}} "*) echo "install ok installed" ;; *) exit 1 ;; esac',
                "apt-cache": APT_CACHE.replace("KNOWN", known),
                "apt-get": f'words=("$@"); [ "$1" = update ] || words=(install "${{@:5}}"); echo "${{words[@]}}" >>"{folder}/log"',
                "id": "echo 0",
            }
            begin = f"has_lists() {{ {'true' if lists else 'false'}; }}"
            status, printed = shell(folder, "main setup", programs, begin)
            log = pathlib.Path(folder, "log")
            made = log.read_text().splitlines() if log.exists() else []
            if status != 0 or made != calls or printed.strip() != said:
                wrong.append(f"installed '{installed}' of '{known}': status {status}, apt-get {made}, expected {calls}; "
                             f"said '{printed.strip()}', expected '{said}'")


def check_format(wrong):
    """Without clang-format 14 a check of the format is left out, but not in CI, and ./dev format refuses."""
    arrows = {"git": "echo a.cpp", "python3": "echo arrows"}
    for script, expected, said in [
        ("lint_quick", 0, "the format is not checked"),
        ("CI=true lint_quick", 1, "clang-format-14 is missing"),
        ("main format", 1, "clang-format-14 is missing"),
    ]:
        with tempfile.TemporaryDirectory() as folder:
            status, printed = shell(folder, script, arrows)
            if status != expected or said not in printed:
                wrong.append(f"without clang-format 14, {script}: status {status}, '{printed.strip()}'")
    for verdict, expected in [("exit 0", 0), ("exit 1", 1)]:
        with tempfile.TemporaryDirectory() as folder:
            status, printed = shell(folder, "lint_quick", {**arrows, "clang-format-14": verdict})
            if status != expected:
                wrong.append(f"a clang-format 14 that does '{verdict}': status {status}, '{printed.strip()}'")


PROGRAMS = ["isolume_device_tests", "test_poisson_boltzmann", "test_orbitals", "test_energies", "test_trace", "test_schedule",
            "test_faults", "test_field_faults", "test_cli_faults", "test_app", "test_window", "test_window_maps",
            "test_window_structures", "test_window_scene", "test_window_quantum", "test_window_clicks",
            "test_window_any_order", "test_window_faults"]
GPU_TESTS = [
    # whether there is a GPU, whether the processor draws, the program that fails; status, what is said
    (False, False, None, 1, "no NVIDIA GPU here"),
    (True, False, None, 0, "pictures are drawn by a card"),
    (True, True, None, 1, "failed: OpenGL of the card"),
    (True, False, "test_orbitals", 1, "failed: test_orbitals"),
]


def check_gpu_test(wrong):
    """./dev gpu-test runs every program with ISOLUME_REQUIRE_CUDA=1, and fails where one fails or the card does not draw."""
    for gpu, software, failing, expected, said in GPU_TESTS:
        with tempfile.TemporaryDirectory() as folder:
            made = pathlib.Path(folder, "build/release/bin")
            made.mkdir(parents=True)
            report = f'{{"result": {{"renderer": "a card", "software": {str(software).lower()}}}}}'
            bodies = {"isolume": f"printf '%s' '{report}' >\"${{@: -1}}\""}
            for name in PROGRAMS:
                body = f'echo "{name} $ISOLUME_REQUIRE_CUDA ${{LIBGL_ALWAYS_SOFTWARE:-card}} ${{@: -1}}" >>"{folder}/log"'
                bodies[name] = body + ("\nexit 1" if name == failing else "")
            for name, body in bodies.items():
                (made / name).write_text(f"#!/bin/bash\n{body}\n")
                (made / name).chmod(0o755)
            programs = {"python3": f'exec "{sys.executable}" "$@"', "nvidia-smi": "echo GPU" if gpu else "exit 9"}
            begin = "setup() { :; }\nbuild() { :; }\nwith_display() { \"$@\"; }\nexport LIBGL_ALWAYS_SOFTWARE=1"
            status, printed = shell(folder, "main gpu-test 'A*'", programs, begin)
            log = pathlib.Path(folder, "log")
            ran = log.read_text().splitlines() if log.exists() else []
            wanted = [f"{name} 1 card --gtest_filter=A*" for name in PROGRAMS] if gpu else []
            if status != expected or said not in printed or ran != wanted:
                wrong.append(f"./dev gpu-test, GPU {gpu}, drawn by the processor {software}, failing {failing}: status "
                             f"{status}, ran {ran}, said '{printed.strip()}'")


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
    check_setup(wrong)
    check_format(wrong)
    check_gpu_test(wrong)
    for line in wrong:
        print(line)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
