"""Run by the Python that has ``arcadedb_embedded``: a graph server on a port until stdin ends.

``python arcade_process.py FOLDER BOLT_PORT HTTP_PORT PASSWORD`` reads statements of openCypher, one
a line, from stdin, runs them in the database ``tools``, and prints ``ready`` at an empty line.
"""

from __future__ import annotations

import sys

import arcadedb_embedded as arcadedb

folder, bolt, http, password = sys.argv[1:]
settings = {
    "server_plugins": "Bolt:com.arcadedb.bolt.BoltProtocolPlugin",
    "bolt_port": int(bolt),
    "bolt_host": "127.0.0.1",
    "server_httpIncomingPort": int(http),
    "server_httpIncomingHost": "127.0.0.1",
}
server = arcadedb.create_server(folder, root_password=password, config=settings)
server.start()
database = server.create_database("tools")
for line in sys.stdin:
    if not line.strip():
        sys.stdout.write("ready\n")
        sys.stdout.flush()
        continue
    with database.transaction():
        database.command("opencypher", line)
server.stop()
