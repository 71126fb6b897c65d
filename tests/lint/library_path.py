#!/usr/bin/env python3
"""library_path.py PROGRAM...: programs look for libraries in ../lib and nowhere else; an empty entry would be the current folder."""

import re
import subprocess
import sys

failed = False
for program in sys.argv[1:]:
    section = subprocess.run(["readelf", "-d", program], check=True, capture_output=True, text=True).stdout
    paths = re.findall(r"\((?:RPATH|RUNPATH)\).*\[(.*)\]", section)
    if paths != ["$ORIGIN/../lib"]:
        print(f"{program} looks for libraries in {paths}, not in ['$ORIGIN/../lib'] alone")
        failed = True
sys.exit(failed)
