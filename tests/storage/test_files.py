"""Files that are whole or not there."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from retrieval.storage import write_whole


def test_threads_that_write_files_of_one_folder_at_once_leave_each_file_whole(
    tmp_path: Path,
) -> None:
    def write(number: int) -> None:
        for _ in range(20):
            write_whole(tmp_path / f"{number % 4}", bytes([number % 4]) * 50_000)

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(write, range(8)))
    assert {path.name: set(path.read_bytes()) for path in tmp_path.iterdir()} == {
        str(number): {number} for number in range(4)
    }
    assert all(path.stat().st_size == 50_000 for path in tmp_path.iterdir())
