#!/bin/sh
# Tests the generation: the parts' own tests, then everything made twice: the same bytes both times, and the committed ones.
# The second time elsewhere: another language, time zone, home, folder, order of hashes, and settings of matplotlib.
set -eu
cd "$(dirname "$0")/.."
root=$PWD
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

sh hardware/build.sh --help >/dev/null # installs the tools, once and not twice at the same moment
sh hardware/build.sh --to "$work/one" >/dev/null &
one=$!
mkdir -p "$work/home/matplotlib"
printf 'text.usetex: True\nfont.size: 20\npath.simplify: False\ntext.hinting: none\n' >"$work/home/matplotlib/matplotlibrc"
(cd "$work" && exec env HOME="$work/home" XDG_CONFIG_HOME="$work/home" LC_ALL=C LANG=C TZ=Pacific/Kiritimati PYTHONHASHSEED=4711 \
    sh "$root/hardware/build.sh" --to "$work/two" >/dev/null) &
two=$!
wait "$one"
wait "$two"
diff -r "$work/one" "$work/two" || { echo "not the same on every run" >&2; exit 1; }
# Not against the committed ones: the harness, whose layout is that of the system's Graphviz, and the rendered pictures,
# whose last bits are the processor's. What they show is compared as text.
diff -r -x harness.svg -x '*.png' "$work/one/hardware/out" hardware/out &&
    diff "$work/one/docs/build/parts.md" docs/build/parts.md || {
    echo "hardware/out or docs/build/parts.md is out of date: run make hardware and commit what changed" >&2
    exit 1
}
hardware/.venv/bin/python -m pytest hardware/tests
echo "hardware: made twice, the same bytes, as committed"
