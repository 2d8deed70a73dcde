#!/bin/sh
# build.sh [VERSION]: dist/doubtable_VERSION_all.deb, for Debian 13 and Raspberry Pi OS on it. Needs .venv and dpkg-deb.
#
# A plain tree and dpkg-deb: pybuild would need Debian 13 to build on, for pyproject.toml asks for a newer setuptools
# than Debian 12 has. The same commit gives the same bytes.
set -eu
cd "$(dirname "$0")/../.."
python=.venv/bin/python
version=${1:-$($python -c 'import doubtable; print(doubtable.__version__)')}
[ -x "$python" ] || { echo "make deb: .venv is missing: make setup" >&2; exit 2; }
command -v dpkg-deb > /dev/null || { echo "make deb: dpkg-deb is missing: it comes with Debian" >&2; exit 2; }
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct 2> /dev/null || date +%s)
export SOURCE_DATE_EPOCH PYTHONDONTWRITEBYTECODE=1

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
umask 022
# A copy without what earlier builds left behind.
mkdir "$work/source"
cp -r pyproject.toml README.md LICENSE controller "$work/source"
find "$work/source" \( -name __pycache__ -o -name '*.egg-info' \) -prune -exec rm -rf {} +
$python -m pip wheel -q --disable-pip-version-check --no-deps --wheel-dir "$work" "$work/source"

tree=$work/tree
packages=$tree/usr/lib/python3/dist-packages
mkdir -p "$packages" "$tree/DEBIAN" "$tree/usr/bin"
$python -m zipfile -e "$work"/doubtable-*.whl "$packages"

printf '%s\n' '#!/usr/bin/python3' 'import sys' 'from doubtable.cli import main' 'sys.exit(main())' > "$tree/usr/bin/doubtable"
chmod 755 "$tree/usr/bin/doubtable"
put() { install -D -m 644 "$1" "$tree/$2"; }
put deploy/systemd/doubtable.service usr/lib/systemd/system/doubtable.service
put deploy/systemd/doubtable.sysusers usr/lib/sysusers.d/doubtable.conf
put deploy/systemd/doubtable.tmpfiles usr/lib/tmpfiles.d/doubtable.conf
put deploy/systemd/journald.conf usr/lib/systemd/journald.conf.d/doubtable.conf
for rules in deploy/udev/*.rules; do put "$rules" "usr/lib/udev/rules.d/$(basename "$rules")"; done
put deploy/table.toml etc/doubtable/table.toml
install -D -m 755 deploy/read-only-root.sh "$tree/usr/share/doubtable/read-only-root.sh"
for module in firmware/panel/*.py; do put "$module" "usr/share/doubtable/firmware/$(basename "$module")"; done
doc=usr/share/doc/doubtable
put deploy/debian/copyright $doc/copyright
put LICENSE $doc/LICENSE
for page in $(find docs -type f | LC_ALL=C sort); do put "$page" "$doc/${page#docs/}"; done # they link to one another
gzip -9n < CHANGELOG.md > "$tree/$doc/changelog.gz"
mkdir -p "$tree/usr/share/man/man1"
$python deploy/manual.py | gzip -9n > "$tree/usr/share/man/man1/doubtable.1.gz"

sed -e "s/@VERSION@/$version/" -e "s/@SIZE@/$(du -sk "$tree" | cut -f1)/" deploy/debian/control > "$tree/DEBIAN/control"
cp deploy/debian/conffiles "$tree/DEBIAN/"
for script in postinst prerm postrm; do install -m 755 "deploy/debian/$script" "$tree/DEBIAN/$script"; done
(cd "$tree" && find etc usr -type f -print0 | LC_ALL=C sort -z | xargs -0 md5sum) > "$tree/DEBIAN/md5sums"
find "$tree" -exec touch -h -d "@$SOURCE_DATE_EPOCH" {} +
mkdir -p dist
dpkg-deb --root-owner-group -Zxz --build "$tree" "dist/doubtable_${version}_all.deb" > /dev/null
echo "dist/doubtable_${version}_all.deb: $(du -k "dist/doubtable_${version}_all.deb" | cut -f1) KiB"
