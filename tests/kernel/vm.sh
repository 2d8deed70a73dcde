#!/bin/bash
# vm.sh COMMAND...: runs COMMAND in a guest that sees this machine's files (what it writes is lost) and has gpio-sim.
#
# What COMMAND prints comes out on standard output, its exit status is ours. 124: out of time, 125: the guest died.
#   VM_GUEST    folder with vmlinux and initrd.cpio (needed)      VM_TIMEOUT  seconds (120)
#   VM_SMP      processors (1)                                    VM_MEM      MiB (256)
#   VM_ICOUNT=1 virtual time: 1 ns per instruction, sleeps are skipped; timings do not depend on this machine's load
#   VM_EXTRA    more for qemu, split at blanks                    VM_ENV      more environment, "A=b C=d"
#   VM_OUT      folder that gets what COMMAND leaves in /mnt/out
# Emulated on purpose: with /dev/kvm guests hang where that device is itself virtual.
set -u
guest=${VM_GUEST:?VM_GUEST is not set}
job=$(mktemp -d "${TMPDIR:-/tmp}/doubtable-vm.XXXXXX")
trap 'rm -rf "$job"' EXIT
mkdir "$job/out"
{
    printf 'cd %q || exit 126\n' "$PWD"
    printf 'export PATH=%q HOME=/tmp LANG=C.UTF-8 IN_VM=1 VM_ICOUNT=%q\n' "$PATH" "${VM_ICOUNT:-}"
    printf 'export PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1\n'
    [ -z "${VM_ENV:-}" ] || printf 'export %s\n' "$VM_ENV"
    printf 'exec'
    printf ' %q' "$@"
    echo
} > "$job/cmd"

if [ -n "${VM_ICOUNT:-}" ]; then
    accel="tcg,thread=single,tb-size=256"
    icount="-icount shift=0,sleep=off"
else
    accel="tcg,thread=multi,tb-size=256"
    icount=
fi
# The pipe into cat: qemu opens /dev/stdout by its name, which must be ours and must not be a file.
# shellcheck disable=SC2086  icount and VM_EXTRA are to be split
timeout -k 5 "${VM_TIMEOUT:-120}" qemu-system-x86_64 \
    -M q35 -accel "$accel" $icount -cpu max -smp "${VM_SMP:-1}" -m "${VM_MEM:-256}" \
    -nodefaults -no-user-config -no-reboot -display none \
    -kernel "$guest/vmlinux" -initrd "$guest/initrd.cpio" \
    -append "console=ttyS0 quiet loglevel=3 panic=-1 rdinit=/init mitigations=off random.trust_cpu=on tsc=reliable no_timer_check 8250.nr_uarts=4 audit=0 apparmor=0" \
    -serial "file:$job/console.log" \
    -device virtio-serial-pci -chardev file,id=out,path=/dev/stdout -device virtserialport,chardev=out,name=out \
    -virtfs local,path=/,mount_tag=hostroot,security_model=none,readonly=on,multidevs=remap \
    -virtfs "local,path=$job,mount_tag=job,security_model=none" \
    -device isa-debug-exit,iobase=0x501,iosize=1 ${VM_EXTRA:-} < /dev/null 2> "$job/qemu.err" | cat
status=${PIPESTATUS[0]}
[ -z "${VM_OUT:-}" ] || { mkdir -p "$VM_OUT" && cp -r "$job/out/." "$VM_OUT/"; }
[ -f "$job/rc" ] && exit "$(cat "$job/rc")"
{
    echo "vm.sh: the guest ended without a status (qemu: $status)"
    cat "$job/qemu.err"
    tail -n 40 "$job/console.log"
} >&2
[ "$status" = 124 ] && exit 124
exit 125
