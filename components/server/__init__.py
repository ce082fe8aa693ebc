"""What stands between the network and Gradio: addresses, limits, uploads and sessions."""

from components.server.address import client_address, parse_networks
from components.server.doors import Doors
from components.server.hosts import AllowedHosts
from components.server.launching import limited_server

__all__ = ["AllowedHosts", "Doors", "client_address", "limited_server", "parse_networks"]
