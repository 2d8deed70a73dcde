"""Is what the journal writes there tomorrow? By the mount table (a read-only root with an overlay over everything)."""

from pathlib import Path

import pytest

from doubtable.journal import storage

OVERLAY = "overlay / overlay rw,noatime,lowerdir=/lower,upperdir=/upper/data,workdir=/upper/work 0 0\n"
DATA = "/dev/mmcblk0p2 /persistent ext4 rw,relatime 0 0\n"
COVERED = "overlay /persistent overlay rw,relatime,lowerdir=/lower/persistent,upperdir=/u,workdir=/w 0 0\n"
PLAIN = "/dev/mmcblk0p2 / ext4 rw,noatime 0 0\n"


@pytest.mark.parametrize(
    ("mounts", "path", "kept"),
    [
        (OVERLAY, "/var/lib/doubtable/journal.db", False),
        (OVERLAY + DATA, "/persistent/journal.db", True),
        (OVERLAY + DATA, "/persistence/journal.db", False),
        (OVERLAY + COVERED, "/persistent/journal.db", False),
        (OVERLAY + DATA + COVERED, "/persistent/journal.db", False),
        (OVERLAY + COVERED + DATA, "/persistent/journal.db", True),
        (PLAIN, "/var/lib/doubtable/journal.db", True),
        (PLAIN + "tmpfs /run tmpfs rw,nosuid 0 0\n", "/run/doubtable/journal.db", False),
        (PLAIN + "tmpfs /run tmpfs rw,nosuid 0 0\n", "/runs/journal.db", True),
        (PLAIN + "/dev/sda1 /media/my\\040stick vfat rw 0 0\n", "/media/my stick/journal.db", True),
        (PLAIN + "tmpfs /media/my\\040stick tmpfs rw 0 0\n", "/media/my stick/journal.db", False),
        ("", "/journal.db", True),
        ("rubbish\n\n" + PLAIN, "/journal.db", True),
    ],
)
def test_an_overlay_is_no_permanent_storage(mounts: str, path: str, kept: bool) -> None:
    said = storage.fault(Path(path), mounts)
    assert (said == "") == kept
    assert kept or ("journal not on permanent storage" in said and "recurse=0" in said)


def test_a_read_only_file_system_is_named() -> None:
    said = storage.fault(Path("/data/journal.db"), PLAIN + "/dev/sda1 /data ext4 ro,errors=remount-ro 0 0\n")
    assert said.startswith("journal on a read-only file system (/data)")
    assert storage.fault(Path("/data/journal.db"), PLAIN + "/dev/sda1 /data ext4 rw,errors=remount-ro 0 0\n") == ""


@pytest.mark.skipif(not Path("/dev/shm").is_mount(), reason="needs a tmpfs at /dev/shm, as Linux has")
def test_this_machines_own_mounts_are_read() -> None:
    assert "/dev/shm is tmpfs" in storage.fault_here(Path("/dev/shm/doubtable/journal.db"))


def test_the_fault_is_said_at_the_start(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from journal.evening import Evening  # noqa: PLC0415 - the only test here that plays

    table = tmp_path / "mounts"
    table.write_text(OVERLAY)
    monkeypatch.setattr(storage, "MOUNTS", table)
    evening = Evening(tmp_path / "journal.db", 1)
    assert evening.recovered.faults[0].startswith("journal not on permanent storage")
    evening.close()
