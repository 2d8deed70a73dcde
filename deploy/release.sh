#!/bin/sh
# release.sh: dist/ with everything that is handed out: sdist, wheel, Debian package, the panel's firmware, checksums.
set -eu
cd "$(dirname "$0")/.."
python=.venv/bin/python
version=$($python -c 'import doubtable; print(doubtable.__version__)')
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct 2> /dev/null || date +%s)
export SOURCE_DATE_EPOCH
git diff --quiet HEAD 2> /dev/null || echo "make release: what is not committed goes in too" >&2

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/source" "$work/out" dist
# A copy without what earlier builds left behind; the sdist is made first and the wheel from it.
cp -r pyproject.toml README.md CHANGELOG.md LICENSE controller firmware "$work/source"
find "$work/source" \( -name __pycache__ -o -name '*.egg-info' \) -prune -exec rm -rf {} +
$python -m venv "$work/venv"
"$work/venv/bin/python" -m pip install -q --disable-pip-version-check build
"$work/venv/bin/python" -m build -o "$work/out" "$work/source" > "$work/log" 2>&1 || { cat "$work/log" >&2; exit 1; }
sh deploy/debian/build.sh "$version" > /dev/null
cp "dist/doubtable_${version}_all.deb" "$work/out"
# The same commit gives the same bytes: times and owners in the sdist are the commit's, not the build's.
$python - "$work/out" "$version" "$SOURCE_DATE_EPOCH" << 'END'
import gzip, io, sys, tarfile, time, zipfile
from pathlib import Path

out, version, epoch = Path(sys.argv[1]), sys.argv[2], max(int(sys.argv[3]), 315532800)  # a zip begins in 1980
with zipfile.ZipFile(out / f"doubtable-panel-firmware-{version}.zip", "w", zipfile.ZIP_DEFLATED) as archive:
    for path in sorted(Path("firmware/panel").glob("*.py")):
        name = zipfile.ZipInfo(f"panel/{path.name}", time.gmtime(epoch)[:6])
        archive.writestr(name, path.read_bytes(), zipfile.ZIP_DEFLATED)
sdist, plain = out / f"doubtable-{version}.tar.gz", io.BytesIO()
with tarfile.open(sdist) as made, tarfile.open(fileobj=plain, mode="w", format=tarfile.PAX_FORMAT) as archive:
    for member in sorted(made.getmembers(), key=lambda each: each.name):
        member.mtime, member.uid, member.gid, member.uname, member.gname, member.pax_headers = epoch, 0, 0, "", "", {}
        archive.addfile(member, made.extractfile(member) if member.isfile() else None)
sdist.write_bytes(gzip.compress(plain.getvalue(), 9, mtime=0))
END
(cd "$work/out" && sha256sum * > SHA256SUMS)
cp "$work"/out/* dist/
(cd dist && sha256sum -c --quiet SHA256SUMS && ls -l $(cut -c67- SHA256SUMS) SHA256SUMS | awk '{ print $5, $9 }')
