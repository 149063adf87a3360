#!/usr/bin/env bash
# ./dev aarch64: the library and its tests for 64-bit ARM (NEON through Highway), cross-compiled and run under qemu. Debian's ARM packages are
# unpacked into build/aarch64/root; nothing of them is installed on this machine. It takes an hour or two.
#   ./dev aarch64 [CTEST ARGS]
set -euo pipefail
cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/../.."
tree=$PWD/build/aarch64
root=$tree/root
packages=(libhwy-dev libhwy1 libgtest-dev libtinyxml2-dev libtinyxml2-9 libyaml-cpp-dev libyaml-cpp0.7 libgmp-dev libgmp10
          libgmpxx4ldbl libtbb-dev libtbb12 libtbbmalloc2 libtbbbind-2-5 libhwloc15 libudev1 libstdc++6 libgcc-s1 zlib1g-dev zlib1g)

# apt with separate package lists, for the other architecture.
arm_apt() {
  apt-get -qq -o APT::Architecture=arm64 -o APT::Architectures::=arm64 -o Dir::State::lists="$tree/apt/lists" \
    -o Dir::Cache="$tree/apt/cache" -o Dir::State::status=/dev/null -o APT::Sandbox::User= "$@"
}

if [ ! -e "$root/complete" ]; then
  mkdir -p "$tree/apt/lists/partial" "$tree/apt/cache/archives/partial" "$tree/apt/packages"
  arm_apt update
  (cd "$tree/apt/packages" && arm_apt download "${packages[@]}")
  rm -rf "$root"
  mkdir -p "$root/usr/include"
  for package in "$tree"/apt/packages/*.deb; do dpkg-deb --extract "$package" "$root"; done
  # Headers alone, the same for every architecture.
  for headers in eigen3 nlohmann boost; do ln -s "/usr/include/$headers" "$root/usr/include/$headers"; done
  mkdir -p "$root/usr/share"
  for found in eigen3/cmake cmake/nlohmann_json; do
    mkdir -p "$(dirname "$root/usr/share/$found")"
    [ ! -d "/usr/share/$found" ] || ln -s "/usr/share/$found" "$root/usr/share/$found"
  done
  touch "$root/complete"
fi

cmake -S . -B "$tree/build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_TOOLCHAIN_FILE="$PWD/tests/aarch64/toolchain.cmake" \
  -DPLANNER_CCD_ARM_ROOT="$root" -DPLANNER_CCD_TESTS=ON -DPLANNER_CCD_CLI=OFF -DPLANNER_CCD_PYTHON=OFF -DPLANNER_CCD_OMPL=OFF \
  ${PLANNER_CCD_CMAKE_ARGS:-}
cmake --build "$tree/build" --parallel "$(nproc)" ${PLANNER_CCD_ARM_TARGETS:+--target $PLANNER_CCD_ARM_TARGETS}
PLANNER_CCD_TEST_SCALE=${PLANNER_CCD_TEST_SCALE:-0.1} \
  ctest --test-dir "$tree/build" --output-on-failure --parallel "$(nproc)" --label-exclude once --timeout 7200 "$@"
