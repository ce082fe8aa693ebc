"""The recorder of packets sees what it is there for, or its silence would say nothing."""

from __future__ import annotations

from tests.network.probing import NEEDS_NAMESPACE, printed

PLANTED = """
import json, socket, subprocess, sys, time
CHILD = '''
import socket
try: socket.getaddrinfo("name.invalid", 80)
except OSError: pass
for family, host in ((socket.AF_INET, "192.0.2.1"), (socket.AF_INET6, "2001:db8::1")):
    try: socket.socket(family).connect((host, 9))
    except OSError: pass
socket.socket(type=socket.SOCK_DGRAM).sendto(b"x", ("192.0.2.2", 9))
for port in (9, 53): socket.socket(type=socket.SOCK_DGRAM).sendto(bytes(12), ("127.0.0.1", port))
'''
from tests.network import recorder
packets = recorder.enter()
subprocess.run([sys.executable, "-c", CHILD], check=True)
ends = time.monotonic() + 30
while len(packets.seen()) < 5 and time.monotonic() < ends:
    time.sleep(0.2)
print(json.dumps(packets.seen()))
"""
REPORTING = """
import json, time
from tests.network import recorder
packets = recorder.enter()
import onnxruntime
from onnx import TensorProto, helper
shape = [helper.make_tensor_value_info(name, TensorProto.FLOAT, [1]) for name in "xy"]
graph = helper.make_graph([helper.make_node("Identity", ["x"], ["y"])], "g", shape[:1], shape[1:])
model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
onnxruntime.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
ends = time.monotonic() + 60
while not packets.seen() and time.monotonic() < ends:
    time.sleep(0.2)
print(json.dumps(packets.seen()))
"""

pytestmark = NEEDS_NAMESPACE


def test_look_ups_and_connections_of_a_child_process_are_recorded():
    assert sorted(printed(PLANTED)) == [
        "TCP to 192.0.2.1 port 9",
        "TCP to 2001:db8::1 port 9",
        "UDP to 192.0.2.2 port 9",
        "look-up of ",
        "look-up of name.invalid",
    ]


def test_what_onnxruntime_looks_up_without_its_switch_is_recorded(tmp_path):
    home = {"HOME": str(tmp_path), "TMPDIR": str(tmp_path)}
    seen = printed(REPORTING, **home)
    assert any(event.startswith("look-up of mobile.events.data.") for event in seen)
    assert {path.name for path in tmp_path.rglob("*")} >= {"deviceid", "onnxruntime.db"}
