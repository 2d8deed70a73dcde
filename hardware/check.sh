#!/bin/sh
# Tests the generation: the parts' own tests, then everything made twice: the same bytes both times, and the committed ones.
set -eu
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

sh hardware/build.sh --to "$work/one" >/dev/null
sh hardware/build.sh --to "$work/two" >/dev/null
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
