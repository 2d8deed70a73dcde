"""Packs the guest: an initrd with busybox, the modules that the guest needs and its init, and the kernel itself.

The cpio archive is written by hand: no tool is needed, and equal input gives equal bytes.
"""

import argparse
import lzma
import re
import shutil
import struct
import subprocess
import sys
from pathlib import Path

WANTED = ("virtio_pci", "virtio_console", "9pnet_virtio", "9p", "overlay", "configfs")
FOLDERS = ("bin", "dev", "proc", "sys", "mods", "new", "ro", "rw")


def module_name(path: Path) -> str:
    return path.name.partition(".ko")[0].replace("-", "_")


def dependencies(module: bytes) -> list[str]:
    found = re.search(rb"\0depends=([^\0]*)\0", module)
    return [name for name in found.group(1).decode().replace("-", "_").split(",") if name] if found else []


class Modules:
    """The modules that the guest loads, each after those that it rests on."""

    def __init__(self, tree: Path) -> None:
        folder = next(path for root in ("lib", "usr/lib") for path in (tree / root / "modules").glob("*"))
        self._files = {module_name(path): path for path in folder.rglob("*.ko*")}
        builtin = (folder / "modules.builtin").read_text().split()
        self._builtin = {module_name(Path(line)) for line in builtin}
        self.loaded: dict[str, bytes] = {}

    def need(self, name: str) -> None:
        if name in self.loaded or name in self._builtin:
            return
        if name not in self._files:
            sys.exit(f"image.py: this kernel has no module {name}")
        data = self._files[name].read_bytes()
        self.add(name, lzma.decompress(data) if self._files[name].suffix == ".xz" else data)

    def add(self, name: str, data: bytes) -> None:
        for other in dependencies(data):
            self.need(other)
        self.loaded[name] = data


class Cpio:
    """An archive in the format newc."""

    def __init__(self) -> None:
        self.data = bytearray()
        self._inode = 0

    def add(self, name: str, mode: int, body: bytes = b"", device: tuple[int, int] = (0, 0)) -> None:
        self._inode += 1
        path = name.encode() + b"\0"
        fields = (self._inode, mode, 0, 0, 1, 0, len(body), 0, 0, *device, len(path), 0)
        for part in (b"070701" + b"".join(b"%08X" % field for field in fields) + path, body):
            self.data += part
            self.data += bytes(-len(self.data) % 4)


def initrd(modules: Modules, init: bytes) -> bytes:
    archive = Cpio()
    for folder in FOLDERS:
        archive.add(folder, 0o040755)
    archive.add("dev/console", 0o020600, device=(5, 1))
    busybox = shutil.which("busybox") or sys.exit("image.py: no busybox: apt-get install busybox-static")
    archive.add("bin/busybox", 0o100755, Path(busybox).read_bytes())
    for name, data in modules.loaded.items():
        archive.add(f"mods/{name}.ko", 0o100644, data)
    archive.add("mods/order", 0o100644, "".join(f"{name}\n" for name in modules.loaded).encode())
    archive.add("init", 0o100755, init)
    archive.add("TRAILER!!!", 0)
    return bytes(archive.data)


def kernel(tree: Path) -> bytes:
    """The kernel without its wrapping where that can be taken off here: an emulated guest unpacks slowly."""
    places = ("boot/vmlinuz-*", "usr/lib/modules/*/vmlinuz")
    image = next(path for place in places for path in tree.glob(place)).read_bytes()
    sectors = image[0x1F1] or 4
    offset, length = struct.unpack_from("<II", image, 0x248)
    start = (sectors + 1) * 512 + offset
    packed = image[start : start + length]
    elf = b""
    if packed.startswith(b"\xfd7zXZ\0"):
        elf = lzma.LZMADecompressor().decompress(packed)
    elif packed.startswith(b"\x28\xb5\x2f\xfd") and shutil.which("zstd"):
        elf = subprocess.run(["zstd", "-dc"], input=packed[:-4], stdout=subprocess.PIPE, check=True).stdout
    return elf if elf.startswith(b"\x7fELF") else image


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("kernel", "module", "init", "out"):
        parser.add_argument(f"--{name}", type=Path, required=True)
    given = parser.parse_args()
    modules = Modules(given.kernel)
    for name in WANTED:
        modules.need(name)
    modules.add(module_name(given.module), given.module.read_bytes())
    (given.out / "initrd.cpio").write_bytes(initrd(modules, given.init.read_bytes()))
    (given.out / "vmlinux").write_bytes(kernel(given.kernel))


if __name__ == "__main__":
    main()
