#!/bin/sh
# install.sh: doubtable on a system without its Debian package: a virtual environment under /opt, the same service.
#
#     sudo sh deploy/install.sh                 install, or bring up to date; run it as often as you like
#     sh deploy/install.sh --dry-run            what it would do
#     sudo sh deploy/install.sh --uninstall     take it away; table.toml, decks and games stay
#
# Needs Linux with systemd, Python 3.11 to 3.14 with venv, and a network for the libraries. On Raspberry Pi OS and Debian
# 13 the package (make deb) is the better way: no compiler, no network while it runs, updates by apt.
set -eu

cd "$(dirname "$0")/.."
home=/opt/doubtable
unit=/etc/systemd/system/doubtable.service
python=${PYTHON:-python3}
dry=
what=install

fail() {
    echo "install.sh: $*" >&2
    exit 2
}

for word in "$@"; do
    case "$word" in
    --dry-run) dry=1 ;;
    --uninstall) what=uninstall ;;
    *) fail "$word: known are --dry-run and --uninstall" ;;
    esac
done

step() {
    echo "+ $*"
    [ -n "$dry" ] || "$@"
}

# put FILE PLACE: a copy, only when it is another one.
put() {
    if [ -f "$2" ] && cmp -s "$1" "$2"; then return; fi
    step install -D -m 644 "$1" "$2"
}

[ -n "$dry" ] || [ "$(id -u)" = 0 ] || fail "run it as root: sudo sh deploy/install.sh (or look first: --dry-run)"
dpkg-query -W -f '${Status}' doubtable 2> /dev/null | grep -q ' installed$' &&
    fail "the Debian package is installed: apt remove doubtable first, or stay with it"

if [ "$what" = uninstall ]; then
    [ ! -d /run/systemd/system ] || [ ! -f "$unit" ] || step systemctl disable --now doubtable.service
    step rm -f "$unit" /etc/sysusers.d/doubtable.conf /etc/tmpfiles.d/doubtable.conf /usr/local/bin/doubtable
    step rm -f /etc/systemd/journald.conf.d/doubtable.conf /etc/udev/rules.d/99-doubtable.rules
    step rm -rf "$home"
    [ ! -d /run/systemd/system ] || step systemctl daemon-reload
    [ -n "$dry" ] && echo "nothing was done" ||
        echo "doubtable is gone; kept: /etc/doubtable, /var/lib/doubtable, the user doubtable"
    exit 0
fi

command -v systemd-sysusers > /dev/null || fail "systemd is missing: here only make play works"
"$python" -c 'import sys; sys.exit(not (3, 11) <= sys.version_info[:2] < (3, 15))' ||
    fail "needs Python 3.11 to 3.14: name one with PYTHON=python3.12 sh deploy/install.sh"
"$python" -c 'import venv, ensurepip' 2> /dev/null || fail "Python's venv is missing: apt install python3-venv"

# lgpio drives a Pi's own lines. It has wheels up to Python 3.12; on 3.13 the index offers an empty one.
extra=
case "$("$python" -c 'import platform, sys; print(platform.machine(), sys.version_info[1])')" in
aarch64\ 1[12] | armv7l\ 1[12]) extra='[pi]' ;;
esac
[ -x "$home/venv/bin/python" ] || step "$python" -m venv "$home/venv"
# Built from a copy: nothing is left in the source, and nothing of an earlier build gets in.
source=$(mktemp -d)
trap 'rm -rf "$source"' EXIT
cp -r pyproject.toml README.md LICENSE controller firmware "$source"
find "$source" \( -name __pycache__ -o -name '*.egg-info' \) -prune -exec rm -rf {} +
step "$home/venv/bin/python" -m pip install -q --disable-pip-version-check --upgrade "$source$extra"

if [ -n "$dry" ]; then
    echo "+ $unit, with the program in $home/venv"
else
    mkdir -p "$home"
    sed "s|/usr/bin/doubtable|$home/venv/bin/doubtable|; s|^Documentation=.*|Documentation=file://$home/operate.md|" \
        deploy/systemd/doubtable.service > "$home/doubtable.service"
    put "$home/doubtable.service" "$unit"
    put docs/operate.md "$home/operate.md"
fi
put deploy/systemd/doubtable.sysusers /etc/sysusers.d/doubtable.conf
put deploy/systemd/doubtable.tmpfiles /etc/tmpfiles.d/doubtable.conf
put deploy/systemd/journald.conf /etc/systemd/journald.conf.d/doubtable.conf
put deploy/udev/99-doubtable.rules /etc/udev/rules.d/99-doubtable.rules
[ -f /etc/doubtable/table.toml ] || put deploy/table.toml /etc/doubtable/table.toml
[ "$(readlink /usr/local/bin/doubtable 2> /dev/null)" = "$home/venv/bin/doubtable" ] ||
    step ln -sf "$home/venv/bin/doubtable" /usr/local/bin/doubtable
step systemd-sysusers doubtable.conf
step systemd-tmpfiles --create /etc/tmpfiles.d/doubtable.conf
if [ -d /run/systemd/system ]; then
    step systemctl daemon-reload
    systemctl -q is-active systemd-udevd.service && step udevadm control --reload
    step systemctl enable doubtable.service
    step systemctl restart doubtable.service
fi
[ -n "$dry" ] && echo "nothing was done" || echo "doubtable runs; its table: /etc/doubtable/table.toml; look: doubtable doctor"
