#!/bin/bash
# run.sh: everything that is tested on the kernel's own GPIO interface, in guests that qemu emulates.
#
# Needs Debian 12 on x86-64, apt, and the project's .venv with Python 3.11 (make setup). What apt has to install is
# installed (as root). Guest and libraries are made once and kept in ${XDG_CACHE_HOME:-~/.cache}/doubtable/kernel-test.
# Takes two to four minutes. What is tested and why: docs/kernel-test.md. The last line says how many cases passed; the status is 0 only when none failed.
set -uo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
python=$root/.venv/bin/python
cache=${XDG_CACHE_HOME:-${HOME:-/root}/.cache}/doubtable/kernel-test

fail() {
    echo "kernel test: $*" >&2
    exit 1
}

. /etc/os-release 2> /dev/null
[ "${VERSION_CODENAME:-}" = bookworm ] && [ "$(uname -m)" = x86_64 ] ||
    fail "needs Debian 12 on x86-64: the guest runs Debian 12's kernel and this machine's programs"
[ -x "$python" ] || fail "$python is missing: run make setup first"
"$python" -c 'import sys; sys.exit(sys.version_info[:2] != (3, 11))' ||
    fail "needs a .venv of Python 3.11, for which Debian 12 and PyPI have libgpiod 1.6 and lgpio: make setup PYTHON=python3.11"

missing=
for need in qemu-system-x86_64:qemu-system-x86 busybox:busybox-static gcc:gcc make:make xz:xz-utils strip:binutils; do
    command -v "${need%%:*}" > /dev/null || missing="$missing ${need##*:}"
done
guest=$cache/guest-$(cat "$here"/guest/* | sha256sum | cut -c1-12)
older=$cache/libgpiod-1.6
lgpio=$cache/lgpio-0.2.2-python3.11
if [ -n "$missing" ] || [ ! -e "$guest/version" ] || [ ! -d "$older" ]; then
    apt-get -qq update || fail "apt-get update failed: is there a network, and are you root?"
fi
if [ -n "$missing" ]; then
    echo "kernel test: installing$missing (once)"
    # shellcheck disable=SC2086  a list
    DEBIAN_FRONTEND=noninteractive apt-get -qq install -y --no-install-recommends $missing > /dev/null ||
        fail "apt-get could not install$missing"
fi

# Each is made beside its place and moved there whole: a run that was stopped leaves nothing half made.
mkdir -p "$cache" || fail "$cache cannot be made"
half=$(mktemp -d "$cache/.half.XXXXXX")
trap 'rm -rf "$half"' EXIT
if [ ! -e "$guest/version" ]; then
    echo "kernel test: building the guest (once, about 20 s, 225 MB of downloads)"
    "$here/guest/build.sh" "$half/guest" || fail "the guest could not be built"
    rm -rf "$cache"/guest-* && mv "$half/guest" "$guest" || fail "the guest could not be kept in $cache"
fi
if [ ! -d "$lgpio" ]; then
    "$python" -m pip install -q --disable-pip-version-check --target "$half/lgpio" lgpio==0.2.2.0 rpi-lgpio==0.6 ||
        fail "pip could not get lgpio and rpi-lgpio"
    mv "$half/lgpio" "$lgpio"
fi
if [ ! -d "$older" ]; then
    (mkdir "$half/debs" && cd "$half/debs" && apt-get -qq download python3-libgpiod libgpiod2 2> /dev/null &&
        for deb in *.deb; do dpkg-deb -x "$deb" "$half/older" || exit 1; done) || fail "apt could not get python3-libgpiod"
    mv "$half/older" "$older"
fi
echo "kernel test: $(cat "$guest/version"), $(qemu-system-x86_64 --version | head -n 1)"

# cases NAME SETTINGS... -- FILES...: one guest that runs the cases of these files; what it says goes to NAME.log.
cases() {
    local name=$1 settings=() files=()
    shift
    while [ "$1" != -- ]; do settings+=("$1") && shift; done
    shift
    for file in "$@"; do files+=("$here/$file"); done
    env "${settings[@]}" VM_GUEST="$guest" VM_OUT="$half/$name.out" \
        VM_ENV="PYTHONPATH=$root/tests:$lgpio OLDER_GPIOD=$older LG_WD=/run RPI_LGPIO_REVISION=c03112" \
        "$here/vm.sh" "$python" -m pytest -c "$root/pyproject.toml" -p no:cacheprovider -p no:hypothesispytest -p no:xdist \
        --tb=short --durations=3 "${files[@]}" > "$half/$name.log" 2>&1
    local status=$?
    echo "== $name"
    grep -v 'lgPthAlert: read error' "$half/$name.log" # lgpio's own cry over a chip that was removed, by the thousand
    [ $status = 0 ] || echo "== $name FAILED ($status)"
    echo $status > "$half/$name.status"
}

whole_program() {
    (cd "$root/tests" && exec "$python" -m kernel.reader_outside "$half/wire" "$half/orders") &
    local reader=$!
    cases program VM_MEM=512 VM_TIMEOUT=1500 \
        VM_EXTRA="-serial unix:$half/wire,server=on,wait=off -serial unix:$half/orders,server=on,wait=off" -- program.py
    kill "$reader" 2> /dev/null # it ends with the guest; this is for a guest that never began
    wait "$reader" 2> /dev/null
}

{
    whole_program
    cases two-processors VM_SMP=2 VM_TIMEOUT=1500 -- two_processors.py
} &
{
    cases devices VM_TIMEOUT=1500 -- case_gpio.py case_faults.py case_lamps.py
    cases virtual-time VM_ICOUNT=1 VM_TIMEOUT=1500 -- case_fallback.py case_lamp_delay.py case_same_presses.py virtual_time.py
}
wait

count() { cat "$half"/*.log | grep -oE "[0-9]+ $1" | awk '{ sum += $1 } END { print sum + 0 }'; }
passed=$(count passed)
failed=$(($(count failed) + $(count errors?)))
bad=$(cat "$half"/*.status | grep -cv '^0$')
[ "$bad" = 0 ] || [ "$failed" != 0 ] || failed=$bad # a guest that died has counted nothing
echo "kernel: $passed passed, $failed failed"
[ "$failed" = 0 ] && [ "$(cat "$half"/*.status | wc -l)" = 4 ]
