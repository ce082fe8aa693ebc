"""What stands between the network and Gradio: addresses, limits, uploads and sessions."""

from components.server.address import client_address, parse_networks
from components.server.doors import Doors
from components.server.hosts import AllowedHosts
from components.server.launching import limited_server
from components.server.page_functions import PageFunctions
from components.server.session_states import SessionStates
from components.server.session_table import SessionLimits, SessionTable, session_table
from components.server.sessions import Sessions

__all__ = [
    "AllowedHosts",
    "Doors",
    "PageFunctions",
    "SessionLimits",
    "SessionStates",
    "SessionTable",
    "Sessions",
    "client_address",
    "limited_server",
    "parse_networks",
    "session_table",
]
