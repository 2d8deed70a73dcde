#!/bin/bash
# run.sh: the package installed on a machine that boots, and everything done to it that happens in a bar.
#
# Needs root, apt, and the project's .venv (make setup). A Debian 13 root is made once and kept in
# ${XDG_CACHE_HOME:-~/.cache}/doubtable/deploy-test. The two large packages that ours depends on are installed in it, the
# others are downloaded only: apt installs them with ours, without a network. Under five minutes. The last line says how many cases passed; the status is 0 only when none failed.
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
for need in mmdebstrap:mmdebstrap systemd-nspawn:systemd-container mkfs.ext4:e2fsprogs nsenter:util-linux dpkg-deb:dpkg; do
    command -v "${need%%:*}" > /dev/null || missing="$missing ${need##*:}"
done
if [ -n "$missing" ]; then
    echo "deploy test: installing$missing (once)"
    apt-get -qq update
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

cd "$tree"
version=$(.venv/bin/python -c 'import doubtable; print(doubtable.__version__)')
began=$(date +%s.%N)
took() { awk -v a="$began" -v b="$(date +%s.%N)" 'BEGIN { printf "%.1f s", b - a }'; }
sh deploy/debian/build.sh "$version"
cp "dist/doubtable_${version}_all.deb" "$work/old.deb"
echo "deploy test: make deb: $(took)"
dpkg-deb -R "$work/old.deb" "$work/newer" # the next version: the same program under a higher number
sed -i "s/^Version: .*/&+next/" "$work/newer/DEBIAN/control"
dpkg-deb --root-owner-group -Zgzip -b "$work/newer" "$work/new.deb" > /dev/null

depends=$(sed -n 's/^Depends: //p' deploy/debian/control | sed 's/([^)]*)//g; s/,/ /g')
heavy="python3-pygame python3-pydantic"
key=$(echo "$suite $heavy $depends" | sha256sum | cut -c1-12)
if [ ! -f "$cache/root-$key.tar" ]; then
    began=$(date +%s.%N)
    mkdir -p "$cache"
    rm -f "$cache"/root-*.tar
    mmdebstrap --quiet --variant=minbase --skip=cleanup/apt --dpkgopt=force-unsafe-io \
        --include=systemd,systemd-sysv,dbus,udev,python3 \
        --customize-hook="chroot \"\$1\" apt-get -qq install -y --no-install-recommends $heavy > /dev/null" \
        --customize-hook="chroot \"\$1\" apt-get -qq install -y --no-install-recommends --download-only $depends > /dev/null" \
        "$suite" "$cache/half.tar" "$mirror" || fail "mmdebstrap could not make a Debian 13 root"
    mv "$cache/half.tar" "$cache/root-$key.tar"
    echo "deploy test: Debian 13 root made: $(took)"
fi
began=$(date +%s.%N)
mkdir "$work/root" "$work/disk"
tar -C "$work/root" -xf "$cache/root-$key.tar"
echo force-unsafe-io > "$work/root/etc/dpkg/dpkg.cfg.d/test" # this root is thrown away
truncate -s 24M "$work/disk.img"
mkfs.ext4 -q -m 0 "$work/disk.img"
mount -o loop "$work/disk.img" "$work/disk"
echo "deploy test: root unpacked: $(took)"
PYTHONDONTWRITEBYTECODE=1 .venv/bin/python deploy/tests/boot.py "$work" "$@"
