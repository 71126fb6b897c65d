#!/usr/bin/env python3
"""render_recipe.py RECIPE: what rattler-build makes of the recipe for Linux on x86-64. Ends with an error where that is not one package whose
script configures, builds and installs, and which depends on what CMake looks for."""

import json
import pathlib
import re
import sys

from rattler_build import PlatformConfig, RenderConfig, Stage0Recipe, VariantConfig

ROOT = pathlib.Path(__file__).resolve().parents[1]
VARIANTS = """
cxx_compiler: [gxx]
c_stdlib: [sysroot]
c_stdlib_version: ["2.17"]
python: ["3.12.* *_cpython"]
"""
# Packages of conda-forge by the names that CMake looks for; those that are optional are in the recipe all the same.
NAMES = {
    "CLI11": "cli11",
    "Eigen3": "eigen",
    "embree": "embree",
    "epoxy": "libepoxy",
    "fmt": "fmt",
    "gemmi": "gemmi",
    "glm": "glm",
    "hwy": "libhwy",
    "nlohmann_json": "nlohmann_json",
    "OpenEXR": "openexr",
    "pegtl": "pegtl",
    "PNG": "libpng",
    "Qt6": "qt6-main",
    "TBB": "tbb-devel",
    "TIFF": "libtiff",
    "ZLIB": "zlib",
}
# Of the compiler, of the machine's own tools, or for tests.
OTHERS = {"Threads", "CUDAToolkit", "PkgConfig", "Python3", "GTest", "benchmark", "Qt6Test"}


def looked_for():
    """Names of find_package and pkg-config in the rooms, not in tests."""
    found = set()
    for room in ("molecule", "formats", "compute", "render", "app", "resources"):
        for lists in (ROOT / room).rglob("CMakeLists.txt"):
            text = lists.read_text()
            found |= set(re.findall(r"find_package\((\w+)", text))
            found |= set(re.findall(r"pkg_check_modules\(\w+ (?:REQUIRED )?(?:IMPORTED_TARGET )?(\w+)", text))
    return found - OTHERS


def main():
    recipe = Stage0Recipe.from_file(sys.argv[1])
    variants = VariantConfig.from_yaml(VARIANTS)
    config = RenderConfig(platform=PlatformConfig(target_platform="linux-64", build_platform="linux-64", host_platform="linux-64"))
    rendered = recipe.render(variants, config)
    assert len(rendered) == 1, len(rendered)
    made = rendered[0].recipe.to_dict()
    print(json.dumps(made, indent=1)[:6000])
    package, needs = made["package"], json.dumps(made["requirements"])
    version = re.search(r"project\(Isolume VERSION ([\d.]+)", (ROOT / "CMakeLists.txt").read_text())[1]
    assert (package["name"], package["version"]) == ("isolume", version), package
    missing = [name for name in looked_for() if NAMES.get(name, name) not in needs]
    assert not missing, f"CMake looks for {missing}, the recipe has none of them"
    print(f"conda: {package['name']} {package['version']} rendered; depends on all that CMake looks for")


main()
