#!/bin/sh
# read-only-root.sh: the SD card is only read, so a table that is switched off at the wall comes up again the same.
#
#     sudo sh read-only-root.sh DEVICE          what it would do
#     sudo sh read-only-root.sh DEVICE --do     do it; a restart puts it into force
#     sudo sh read-only-root.sh --off           the next start can be written again (for updates)
#     sudo sh read-only-root.sh --on            and this one read-only again
#
# DEVICE is an empty partition for decks and games, 64 MB are plenty: a second partition of the card, or a USB stick. It
# gets a file system of its own, mounted at /var/lib/doubtable. Everything else that is written lives in memory until the
# power goes. recurse=0 keeps overlayroot from covering that partition too; with recurse=1 nothing would be kept.
set -eu

state=/var/lib/doubtable
conf=${OVERLAYROOT_CONF:-/etc/overlayroot.conf}
fstab=${FSTAB:-/etc/fstab}
dropin=/etc/systemd/system/doubtable.service.d/data-partition.conf
label=doubtable
setting='overlayroot="tmpfs:recurse=0"'

fail() {
    echo "read-only-root: $*" >&2
    exit 2
}

under_overlay() { grep -q ' / overlay ' /proc/self/mounts; }

# Writes LINE as the only setting of overlayroot; under the overlay into the card below it. overlayroot-chroot binds /run
# there for a moment, and fails when it cannot take it away again because something was mounted below /run meanwhile, as
# systemd does at the start of many a unit. Among mounts of its own (unshare) nothing comes in between.
set_overlay() {
    if under_overlay; then
        command -v overlayroot-chroot > /dev/null || fail "overlayroot-chroot is missing: apt install overlayroot"
        printf '%s\n' "$1" | unshare --mount overlayroot-chroot tee "$conf" > /dev/null
    else
        printf '%s\n' "$1" > "$conf"
    fi
}

case "${1:-}" in
--off)
    set_overlay 'overlayroot=""'
    echo "after a restart everything can be written; update, then: read-only-root.sh --on"
    exit 0
    ;;
--on)
    grep -q " $state ext4 " "$fstab" || fail "$fstab has no line for $state: run it with a DEVICE first"
    set_overlay "$setting"
    echo "after a restart only $state can be written"
    exit 0
    ;;
"" | -*) fail "name the partition for games, for example /dev/mmcblk0p3 (lsblk shows them), or --on, --off" ;;
esac

device=$1
act=${2:-}
[ "$act" = "" ] || [ "$act" = --do ] || fail "$act: only --do is known"
[ "$act" = "" ] || [ "$(id -u)" = 0 ] || fail "run it as root: sudo"
[ -b "$device" ] || fail "$device is no partition: lsblk shows them"
under_overlay && fail "the root is read-only already: --off, restart, and then again"
grep -q "^$device " /proc/self/mounts && fail "$device is in use: name an empty partition"
kind=$(blkid -p -o value -s TYPE "$device" 2> /dev/null || true)
[ -z "$kind" ] || [ "$(blkid -p -o value -s LABEL "$device")" = "$label" ] ||
    fail "$device holds a file system ($kind): it would be lost; empty it yourself with: wipefs -a $device"

step() {
    echo "+ $*"
    [ "$act" != --do ] || "$@"
}
line="LABEL=$label $state ext4 defaults,noatime,data=ordered,nofail,x-systemd.device-timeout=10s 0 2"

step apt-get install -y overlayroot
[ -n "$kind" ] || step mkfs.ext4 -q -L "$label" "$device"
step systemctl stop doubtable
# StateDirectory= would keep the service from starting at all when the partition is lost. Better a table that plays, and
# says that nothing is kept.
echo "+ $dropin: the table plays without $device too"
echo "+ the files of $state move onto $device; $fstab gets: $line"
if [ "$act" = --do ]; then
    there=$(mktemp -d)
    mount "$device" "$there"
    cp -a "$state/." "$there/"
    chown --reference="$state" "$there"
    chmod --reference="$state" "$there"
    umount "$there"
    rmdir "$there"
    grep -q " $state ext4 " "$fstab" || printf '%s\n' "$line" >> "$fstab"
    mkdir -p "${dropin%/*}"
    cat > "$dropin" << END
[Unit]
After=$(systemd-escape -p --suffix=mount "$state")
[Service]
StateDirectory=
ReadWritePaths=$state
Environment=STATE_DIRECTORY=$state
END
    systemctl daemon-reload
    mount "$state"
fi
step systemctl start doubtable
echo "+ $conf: $setting"
[ "$act" != --do ] || set_overlay "$setting"
[ "$act" = --do ] && echo "restart now; then look: doubtable doctor --only journal says permanent" || echo "nothing was done: add --do"
