import subprocess
import sys

import pytest

pytestmark = pytest.mark.process

COUNT = """
import ctypes, re, tempfile, threading
from components.server.malloc import share_heaps
share_heaps()
libc = ctypes.CDLL(None)
libc.malloc.restype = ctypes.c_void_p
libc.fopen.restype = ctypes.c_void_p
together = threading.Barrier(7)
def work():
    libc.malloc(100)
    together.wait()
    together.wait()
threads = [threading.Thread(target=work) for _ in range(6)]
for one in threads: one.start()
together.wait()
with tempfile.NamedTemporaryFile() as told:
    stream = ctypes.c_void_p(libc.fopen(told.name.encode(), b"w"))
    libc.malloc_info(0, stream)
    libc.fclose(stream)
    print(len(re.findall(r"<heap nr=", open(told.name).read())))
together.wait()
"""


@pytest.mark.skipif(sys.platform != "linux", reason="the limit is one of glibc")
def test_many_threads_share_two_heaps():
    ran = subprocess.run([sys.executable, "-c", COUNT], capture_output=True, text=True, check=True)
    assert 1 <= int(ran.stdout) <= 2
