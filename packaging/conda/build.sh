#!/bin/bash
set -euo pipefail
cmake -S . -B build/conda -G Ninja ${CMAKE_ARGS} -DCMAKE_BUILD_TYPE=Release -DBUILD_SHARED_LIBS=ON -DBUILD_TESTING=OFF \
  -DPython3_EXECUTABLE="$PYTHON" -DPLANNER_CCD_PYTHON_DIR="${SP_DIR#"$PREFIX"/}"
cmake --build build/conda
cmake --install build/conda --prefix "$PREFIX"
