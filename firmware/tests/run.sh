#!/bin/sh
# All firmware tests, with everything they need. What is given goes to pytest: firmware/tests/run.sh -k pio
#
# Needs Python 3.11 with venv on x86-64 Linux, and PyPI the first time. The tools and a MicroPython image are kept in
# ~/.cache/doubtable (XDG_CACHE_HOME); PANEL_UF2=path takes another image.
set -eu

tests=$(cd "$(dirname "$0")" && pwd)
python=${PYTHON:-$(command -v python3.11 || command -v python3 || true)}

fail() {
    echo "firmware tests: $1" >&2
    exit 2
}

[ -n "$python" ] || fail "there is no python3: install Python 3.11 (apt install python3 python3-venv)"
"$python" -c 'import sys; sys.exit(sys.version_info[:2] != (3, 11))' ||
    fail "$("$python" -V) does not do: MicroPython's unix port comes for Python 3.11 (PYTHON=python3.11 firmware/tests/run.sh)"
[ "$(uname -sm)" = "Linux x86_64" ] || fail "$(uname -sm) does not do: MicroPython's unix port comes for Linux x86_64"

wanted=$(cat "$tests/requirements.txt" "$tests/stubs.txt" | sha256sum | cut -c1-12)
tools=${XDG_CACHE_HOME:-$HOME/.cache}/doubtable/firmware-$wanted
if [ ! -e "$tools/ready" ]; then
    echo "firmware tests: installing the tools into $tools (once) ..."
    rm -rf "$tools"
    "$python" -m venv "$tools" 2>/dev/null || fail "Python's venv is missing: apt install python3-venv"
    "$tools/bin/pip" install --quiet --disable-pip-version-check -r "$tests/requirements.txt"
    "$tools/bin/pip" install --quiet --disable-pip-version-check --no-deps --target "$tools/stubs" -r "$tests/stubs.txt"
    touch "$tools/ready"
fi

cd "$tests"
exec "$tools/bin/python" -m pytest -n 2 --dist loadfile "$@"
