"""A root that is only read, as far as a container can show it.

read-only-root.sh runs on the booted machine; its partition is a loop device. Then the package overlayroot's own script,
which a Pi runs in its initramfs, lays memory over the root by the setting that was written, and the machine boots from
that. What is not shown: that the Pi's initramfs runs that script, and systemd's own mount of the partition (in a
container it passes over all lines of fstab that name a device; a unit does it here, by the line that it finds).
"""

import subprocess
from typing import TYPE_CHECKING

from machine import Failed, Machine

if TYPE_CHECKING:
    from boot import Bench

SCRIPT = "/usr/share/doubtable/read-only-root.sh"
CONF = "etc/overlayroot.conf"
KEEP = 'overlayroot="tmpfs:recurse=0"\n'
FSTAB = """proc /proc proc defaults 0 0
PARTUUID=0b6dc2f2-01 /boot/firmware vfat defaults,noauto 0 2
PARTUUID=0b6dc2f2-02 / ext4 defaults,noatime 0 1
"""
CMDLINE = "console=tty1 root=PARTUUID=0b6dc2f2-02 rootfstype=ext4 fsck.repair=yes rootwait quiet\n"
MOUNTS = """[Unit]
ConditionPathIsMountPoint=/media/root-ro
DefaultDependencies=no
After=systemd-remount-fs.service
Before=local-fs.target doubtable.service
[Service]
Type=oneshot
ExecStart=/bin/sh -c 'for each in /media/root-ro/var/lib/doubtable /var/lib/doubtable; do \
    if grep -q " $each " /etc/fstab; then mount $each; fi; done'
[Install]
WantedBy=multi-user.target
"""
LOST = """[Mount]
What=/dev/lost
Where=/var/lib/doubtable
Type=ext4
"""
BUSY = "for each in $(seq 500); do mkdir -p /run/busy/$each; mount -t tmpfs busy /run/busy/$each; sleep 0.01; done"
# The initramfs: a folder in memory with the root's programs, its scripts, and the root itself, mounted to be read.
INITRAMFS = r"""set -eu
stage=$1 root=$2 cmdline=$3
shift 3
mount -t tmpfs initramfs "$stage"
cd "$stage"
mkdir proc dev tmp run root usr media
for each in bin sbin lib lib64; do [ ! -e "$root/$each" ] || ln -s "usr/$each" "$each"; done
mount --bind "$root/usr" usr
mount -t proc proc proc
mount --bind "$cmdline" proc/cmdline
mount --bind /dev dev
mount --bind "$root" root
mount -o remount,bind,ro root
cp -r usr/share/initramfs-tools/scripts .
rootmnt=/root ROOT=/dev/mmcblk0p2 quiet=n chroot . /bin/sh /scripts/init-bottom/overlayroot
mountpoint -q root/media/root-ro || { echo "overlayroot did nothing" >&2; exit 1; }
exec "$@" -D "$stage/root"
"""


def read_only_root(bench: "Bench") -> str:
    """read-only-root.sh on a machine that boots; from then on only the data partition keeps what is written."""
    machine, folder = bench.machine, bench.folder
    machine.off()
    subprocess.run(["cp", "-a", f"{folder}/disk/.", str(machine.root / "var/lib/doubtable")], check=True)
    card = folder / "card.img"
    with card.open("wb") as file:
        file.truncate(64 << 20)
    said = subprocess.run(["losetup", "-f", "--show", str(card)], check=True, capture_output=True, text=True)
    device = said.stdout.strip()
    try:
        machine.disk, machine.extra = None, (f"--bind={device}",)
        took = _switched_on(machine, device)
        bench.go_on()
        machine.off()
        _in_force(bench)
        _undone(machine)
        machine.cut()
        _partition_lost(machine)
        machine.off()
    finally:
        machine.off()
        subprocess.run(["losetup", "-d", device], check=True)
        machine.disk, machine.extra, machine.through = folder / "disk", (), ()
        machine.boot()
    return f"the script {took:.1f} s; a power cut left only the games; recurse=1 and a lost partition are told"


def _switched_on(machine: Machine, device: str) -> float:
    """The script, first to look, then to do; the s that it took."""
    machine.write("/etc/fstab", FSTAB)
    machine.boot()
    machine.ready_at()
    if not machine.out("sh", SCRIPT, device).endswith("nothing was done: add --do"):
        raise Failed("it does not say that it has only looked")
    if (machine.root / CONF).exists() or (machine.root / "etc/fstab").read_text() != FSTAB:
        raise Failed("it did something when it was to look")
    journal = (machine.root / "var/lib/doubtable/journal.db").stat().st_size
    began = machine.now()
    machine.out("sh", SCRIPT, device, "--do")
    took = machine.now() - began
    machine.ready_at()
    if (machine.root / CONF).read_text() != KEEP:
        raise Failed(f"{CONF}: {(machine.root / CONF).read_text()}")
    mounted = machine.out("findmnt", "-no", "SOURCE,FSTYPE,OPTIONS", "/var/lib/doubtable")
    if not mounted.startswith(f"{device} ext4 rw,noatime"):
        raise Failed(f"the state directory is on {mounted}")
    if int(machine.out("stat", "-c", "%s", "/var/lib/doubtable/journal.db")) < journal:
        raise Failed("the journal did not move onto the partition")
    again = machine.run("sh", SCRIPT, device, "--do")
    if again.returncode != 2 or "is in use" not in again.stderr:
        raise Failed(f"it takes a partition that is in use: {again.stderr}")
    machine.write("/etc/systemd/system/data-partition.service", MOUNTS)
    machine.out("systemctl", "enable", "-q", "data-partition.service")
    return took


def _in_force(bench: "Bench") -> None:
    """Power on, play, power cut, power on: the game is there, everything else is as it was installed."""
    machine = bench.machine
    _through_overlay(bench)
    _boot(machine)
    root = machine.out("findmnt", "-no", "FSTYPE", "/")
    if root != "overlay":
        raise Failed(f"the root is {root}")
    told = machine.out("doubtable", "doctor", "--only", "journal")
    if "permanent, on /var/lib/doubtable (ext4)" not in told:
        raise Failed(f"the doctor says: {told}")
    bench.go_on()
    machine.out("touch", "/etc/written")
    machine.cut()
    if (machine.root / "etc/written").exists():
        raise Failed("the card was written")
    _boot(machine)
    if machine.succeeds("test", "-e", "/etc/written"):
        raise Failed("what was written outside the partition is still there")
    bench.go_on()
    machine.cut()
    (machine.root / CONF).write_text('overlayroot="tmpfs"\n')  # recurse=1: as if somebody had written it by hand
    _boot(machine)
    told = machine.run("doubtable", "doctor", "--only", "journal").stdout
    if "journal not on permanent storage" not in told or "recurse=0" not in told:
        raise Failed(f"with recurse=1 the doctor says: {told}")
    if "not on permanent storage" not in machine.log():
        raise Failed("with recurse=1 the table does not say at its start that nothing is kept")
    machine.cut()
    (machine.root / CONF).write_text(KEEP)
    _boot(machine)


def _partition_lost(machine: Machine) -> None:
    """A stick that was pulled out, a card whose partition is broken: the table plays, and says that nothing is kept."""
    wanted = machine.root / "etc/systemd/system/local-fs.target.wants"
    wanted.mkdir(exist_ok=True)
    machine.write("/etc/systemd/system/var-lib-doubtable.mount", LOST)
    (wanted / "var-lib-doubtable.mount").symlink_to("/etc/systemd/system/var-lib-doubtable.mount")
    (machine.root / "etc/systemd/system/multi-user.target.wants/data-partition.service").unlink()
    _boot(machine)
    since = machine.log().rpartition("Starting doubtable")[2]
    if machine.succeeds("mountpoint", "-q", "/var/lib/doubtable") or "not on permanent storage" not in since:
        raise Failed("without its partition the table does not say that nothing is kept")
    for path in (wanted / "var-lib-doubtable.mount", machine.root / "etc/systemd/system/var-lib-doubtable.mount"):
        path.unlink()


def _through_overlay(bench: "Bench") -> None:
    stage, cmdline = bench.folder / "stage", bench.folder / "cmdline"
    stage.mkdir()
    cmdline.write_text(CMDLINE)
    alone = ("unshare", "--mount", "--propagation", "private", "sh", "-c", INITRAMFS, "initramfs")
    bench.machine.through = (*alone, str(stage), str(bench.machine.root), str(cmdline))


def _boot(machine: Machine) -> None:
    machine.boot()
    machine.ready_at()


def _undone(machine: Machine) -> None:
    """--off and --on under the overlay change the card below it, whatever the machine mounts at that moment."""
    machine.out("systemd-run", "-q", "sh", "-c", BUSY)
    machine.until(lambda: machine.succeeds("mountpoint", "-q", "/run/busy/1"), "nothing is mounted")
    machine.out("sh", SCRIPT, "--off")
    if (machine.root / CONF).read_text() != 'overlayroot=""\n':
        raise Failed("--off did not reach the card")
    machine.out("sh", SCRIPT, "--on")
    if (machine.root / CONF).read_text() != KEEP:
        raise Failed("--on did not reach the card")
