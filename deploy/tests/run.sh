#!/bin/bash
# run.sh: the package installed on a machine that boots, and everything done to it that happens in a bar.
#
# Needs root, apt, a network, and the project's .venv (make setup). What else it needs it installs. A Debian 13 root is
# made once and kept in ${XDG_CACHE_HOME:-~/.cache}/doubtable/deploy-test. The two large packages that ours depends on are
# installed in it, the others are downloaded only: apt installs them with ours, without a network.
#
# The last line says how many cases passed; the status is 0 only when none failed. Where a machine does not allow what a
# booting container needs (found out by trying it, never by guessing) the last line says NOT RUN, and the status is 0.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
tree=$(cd "$here/../.." && pwd)
cache=${XDG_CACHE_HOME:-${HOME:-/root}/.cache}/doubtable/deploy-test
suite=trixie
mirror=${DOUBTABLE_MIRROR:-http://deb.debian.org/debian}

fail() {
    echo "deploy test: $*" >&2
    exit 1
}

[ "$(id -u)" = 0 ] || fail "boots a container: run it as root"
[ -x "$tree/.venv/bin/python" ] || fail "$tree/.venv is missing: run make setup first"
missing=
for need in mmdebstrap:mmdebstrap systemd-nspawn:systemd-container mkfs.ext4:e2fsprogs nsenter:util-linux \
    mount:mount dpkg-deb:dpkg; do
    command -v "${need%%:*}" > /dev/null || missing="$missing ${need##*:}"
done
if [ -n "$missing" ]; then
    echo "deploy test: installing$missing (once)"
    apt-get -qq update || fail "apt-get could not fetch its lists"
    # shellcheck disable=SC2086  a list
    DEBIAN_FRONTEND=noninteractive apt-get -qq install -y --no-install-recommends $missing > /dev/null ||
        fail "apt-get could not install$missing"
fi

work=$(mktemp -d /var/tmp/doubtable-deploy.XXXXXX)
clean() {
    mountpoint -q "$work/disk" && umount "$work/disk"
    rm -rf "$work"
}
trap clean EXIT
mkdir "$work/disk"
truncate -s 24M "$work/disk.img"
mkfs.ext4 -q -m 0 "$work/disk.img" || fail "mkfs.ext4 could not make a disk for the games"

# try WHAT COMMAND...: does it; when this machine refuses, WHAT and the reason are kept.
refused=
try() {
    local what=$1 said
    shift
    said=$("$@" 2>&1) || refused+="  - $what: $(echo "$said" | grep . | head -n 1)"$'\n'
}
try "namespaces of its own" unshare --mount --pid --ipc --uts --net --fork true
try "the mount of a file as a disk" mount -o loop "$work/disk.img" "$work/disk"
try "a container" systemd-nspawn -q --register=no --keep-unit --private-network -D / --volatile=yes /usr/bin/true
if [ -n "$refused" ]; then
    cat << END
deploy test: this machine does not allow what a booting container needs:
${refused}How to get it: run it as root on a machine of its own, real or virtual (a Debian 12 or 13 with 2 GB of memory
does). In a container its host has to give CAP_SYS_ADMIN, loop devices and a control group that can be written, for
example with: docker run --privileged
deploy test: NOT RUN
END
    exit 0
fi

cd "$tree"
version=$(.venv/bin/python -c 'import doubtable; print(doubtable.__version__)')
depends=$(sed -n 's/^Depends: //p' deploy/debian/control | sed 's/([^)]*)//g; s/,/ /g')
heavy="python3-pygame python3-pydantic"
tools="overlayroot python3-venv" # what read-only-root.sh installs, what install.sh needs
key=$(echo "$suite $heavy $depends $tools" | sha256sum | cut -c1-12)
took() { awk -v a="$began" -v b="$(date +%s.%N)" 'BEGIN { printf "%.1f s", b - a }'; }

unpack() {
    tar -C "$work/root" -xf "$cache/root-$key.tar"
    echo force-unsafe-io > "$work/root/etc/dpkg/dpkg.cfg.d/test" # this root is thrown away
    echo 'APT::Install-Recommends "false";' > "$work/root/etc/apt/apt.conf.d/test"
}
# What the index gives to install.sh in there, for the Python of Debian 13.
.venv/bin/python deploy/tests/requirements.py > "$work/requirements"
wheels=$cache/wheels-$(sha256sum < "$work/requirements" | cut -c1-12)
if [ ! -d "$wheels" ]; then
    began=$(date +%s.%N)
    rm -rf "$cache"/wheels-* "$cache/half"
    .venv/bin/python -m pip download -q --disable-pip-version-check --only-binary :all: --python-version 3.13 \
        --dest "$cache/half" --requirement "$work/requirements" > "$work/log" 2>&1 ||
        { cat "$work/log" >&2; fail "pip could not fetch what the program depends on"; }
    mv "$cache/half" "$wheels"
    echo "deploy test: what install.sh needs fetched: $(took)"
fi
if [ ! -f "$cache/root-$key.tar" ]; then
    began=$(date +%s.%N)
    mkdir -p "$cache"
    rm -f "$cache"/root-*.tar
    install="apt-get -qq install -y --no-install-recommends"
    mmdebstrap --quiet --variant=minbase --skip=cleanup/apt --dpkgopt=force-unsafe-io \
        --include=systemd,systemd-sysv,dbus,udev,python3,e2fsprogs \
        --customize-hook="chroot \"\$1\" $install $heavy > /dev/null" \
        --customize-hook="chroot \"\$1\" $install --download-only $depends $tools > /dev/null" \
        "$suite" "$cache/half.tar" "$mirror" || fail "mmdebstrap could not make a Debian 13 root"
    mv "$cache/half.tar" "$cache/root-$key.tar"
    echo "deploy test: Debian 13 root made: $(took)"
fi
began=$(date +%s.%N)
mkdir "$work/root"
unpack &
unpacking=$!
sh deploy/debian/build.sh "$version" || fail "make deb failed"
cp "dist/doubtable_${version}_all.deb" "$work/old.deb"
dpkg-deb -R "$work/old.deb" "$work/newer" # the next version: the same program under a higher number
sed -i "s/^Version: .*/&+next/" "$work/newer/DEBIAN/control"
dpkg-deb --root-owner-group -Zgzip -b "$work/newer" "$work/new.deb" > /dev/null
wait "$unpacking" || fail "$cache/root-$key.tar cannot be unpacked: delete it, the next run makes it anew"
echo "deploy test: package made, root unpacked: $(took)"
PYTHONDONTWRITEBYTECODE=1 .venv/bin/python deploy/tests/boot.py "$work" "$wheels"
