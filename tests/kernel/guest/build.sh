#!/bin/bash
# build.sh OUTDIR: makes the guest of the kernel test: OUTDIR/vmlinux and OUTDIR/initrd.cpio.
#
# No Debian kernel ships gpio-sim, the kernel's simulated GPIO chip. Debian's own kernel is taken as it is, and that one
# module is built from Debian's kernel source against Debian's headers. Downloads 225 MB with apt; nothing is installed.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
out=$(mkdir -p "$1" && cd "$1" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

image=$(apt-cache depends linux-image-amd64 | awk '/Depends:/ {print $2; exit}')
[ -n "$image" ] || { echo "guest/build.sh: apt knows no linux-image-amd64: run apt-get update first" >&2; exit 1; }
abi=${image#linux-image-}                                      # 6.1.0-50-amd64
series=$(echo "$abi" | cut -d. -f1,2)                          # 6.1
version=$(apt-cache policy "$image" | awk '/Candidate:/ {print $2}')
headers=$(apt-cache depends "linux-headers-$abi=$version" | awk '/Depends:/ {print $2}' | grep -E '^linux-(headers|kbuild|compiler)')
# shellcheck disable=SC2086  the list is to be split
apt-get -qq download "$image=$version" "linux-headers-$abi=$version" "linux-source-$series=$version" \
    $(for package in $headers; do echo "$package=$version"; done) 2>&1 | grep -v '^W: Download is performed unsandboxed' >&2 || true

mkdir kernel headers module
dpkg-deb -x linux-image-*.deb kernel
for package in linux-headers-*.deb linux-kbuild-*.deb linux-compiler-*.deb; do dpkg-deb -x "$package" headers; done
source=linux-source-$series
dpkg-deb --fsys-tarfile linux-source-*.deb | tar -xO "./usr/src/$source.tar.xz" | tar -xJ -C module --strip-components=1 \
    "$source/drivers/gpio/gpio-sim.c" "$source/drivers/gpio/gpiolib.h" "$source/kernel/irq/irq_sim.c"
mv module/drivers/gpio/* module/kernel/irq/* module/

usr_src=$work/headers/usr/src
# The Makefile as shipped includes /usr/src, where these headers are not.
echo "include $usr_src/linux-headers-${abi%-amd64}-common/Makefile" > "$usr_src/linux-headers-$abi/Makefile"
# A module may not call irq_to_desc: the exported function does the same here.
sed -i 's/handle_simple_irq(irq_to_desc(irqnum));/generic_handle_irq(irqnum);/' module/irq_sim.c
# A chip that is removed frees its interrupts though a request may still hold them, and the guest dies of it a little
# later. Here they stay (a few kB for each chip), and the request lets go of them as it would on a Pi.
sed -i 's/irq_dispose_mapping(irq_find_mapping(chip->irq_sim, i));/;/' module/gpio-sim.c
sed -i '/^static void devm_irq_domain_remove_sim/,/^}/ s/irq_domain_remove_sim(domain);/(void)domain;/' module/irq_sim.c
grep -q 'generic_handle_irq(irqnum)' module/irq_sim.c && grep -q '(void)domain;' module/irq_sim.c && ! grep -q irq_dispose_mapping module/gpio-sim.c ||
    { echo "guest/build.sh: gpio-sim of $series is not the one that is known here" >&2; exit 1; }
# Named gpiosim, because gpio-sim.o is already the name of one of its parts.
printf 'obj-m := gpiosim.o\ngpiosim-objs := gpio-sim.o irq_sim.o\n' > module/Kbuild
make -s -C "$usr_src/linux-headers-$abi" M="$work/module" modules >&2
strip -g module/gpiosim.ko

python3 "$here/image.py" --kernel kernel --module module/gpiosim.ko --init "$here/init.sh" --out "$out"
echo "Debian's $version with gpio-sim" > "$out/version"
