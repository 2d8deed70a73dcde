#!/bin/sh
# Makes everything a builder needs: hardware/out, build/hardware (STL) and docs/build/parts.md. `make hardware` calls it.
set -eu
cd "$(dirname "$0")/.."
PYTHON=${PYTHON:-python3}
ENV=hardware/.venv

command -v dot >/dev/null || {
    echo "Graphviz is missing, which draws the harness: apt install graphviz, then run make hardware again" >&2
    exit 2
}
if ! cmp -s hardware/requirements.txt "$ENV/installed.txt"; then
    echo "Installing the drawing tools into $ENV (once) ..."
    test -x "$ENV/bin/python" || "$PYTHON" -m venv "$ENV"
    "$ENV/bin/python" -m pip install -q --disable-pip-version-check -r hardware/requirements.txt
    cp hardware/requirements.txt "$ENV/installed.txt"
fi
exec "$ENV/bin/python" hardware/build.py "$@"
