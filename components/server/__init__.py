"""What stands between the network and Gradio: addresses, limits, uploads and sessions."""

from components.server.address import client_address, parse_networks

__all__ = ["client_address", "parse_networks"]
