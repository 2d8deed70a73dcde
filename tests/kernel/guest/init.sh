#!/bin/busybox sh
# Process 1 of the guest: shows the host's files read-only below a layer of memory, runs /mnt/cmd, hands its status back.
b=/bin/busybox
$b mount -t proc proc /proc
$b mount -t sysfs sys /sys
$b mount -t devtmpfs dev /dev
while read -r module; do $b insmod "/mods/$module.ko" || echo "guest: insmod $module failed"; done < /mods/order

$b mount -t 9p -o trans=virtio,version=9p2000.L,ro,msize=512000,cache=loose,noatime hostroot /ro || echo "guest: no files"
$b mount -t tmpfs tmpfs /rw
$b mkdir /rw/upper /rw/work
$b mount -t overlay -o lowerdir=/ro,upperdir=/rw/upper,workdir=/rw/work overlay /new || echo "guest: no overlay"
for d in proc sys dev; do $b mount --move /$d /new/$d; done
$b mount -t configfs configfs /new/sys/kernel/config
$b mkdir -p /new/dev/shm /new/dev/pts
for d in run dev/shm; do $b mount -t tmpfs tmpfs /new/$d; done
$b mount -t devpts devpts /new/dev/pts
$b mount -t 9p -o trans=virtio,version=9p2000.L,msize=512000 job /new/mnt || echo "guest: no job"
$b ip link set lo up

# gpiozero asks /proc/cpuinfo which Pi this is: a Pi 4B 1.2.
{ $b cat /proc/cpuinfo 2> /dev/null || $b cat /new/proc/cpuinfo; printf 'Revision\t: c03112\n'; } > /new/run/cpuinfo
$b mount --bind /new/run/cpuinfo /new/proc/cpuinfo

# vport0p1 is a pipe of raw bytes to the host: no terminal, so no echo and no CR LF. It appears a little later.
n=0
while [ ! -e /new/dev/vport0p1 ] && [ $n -lt 200 ]; do
    $b usleep 10000
    n=$((n + 1))
done
[ -e /new/dev/vport0p1 ] || { echo "guest: no way out for what it prints"; $b poweroff -f; }

$b chroot /new /bin/sh /mnt/cmd < /new/dev/null > /new/dev/vport0p1 2>&1
echo $? > /new/mnt/rc
$b sync
printf 'x' | $b dd of=/new/dev/port bs=1 seek=1281 2> /new/dev/null # isa-debug-exit: qemu ends at once
$b poweroff -f
