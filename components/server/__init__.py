"""What stands between the network and Gradio: addresses, limits, uploads and sessions."""

from components.server.address import client_address, parse_networks
from components.server.arguments import ArgumentCheck
from components.server.doors import Doors
from components.server.hosts import AllowedHosts
from components.server.launching import limited_server
from components.server.logs import keep_input_out_of_logs
from components.server.page_functions import PageFunctions
from components.server.run_folder import own_upload_folder, remove_folder
from components.server.session_states import SessionStates
from components.server.session_table import SessionLimits, SessionTable, session_table
from components.server.sessions import Sessions
from components.server.stopping import interrupt_on_signals, run_until_stopped
from components.server.upload_budget import UploadBudget
from components.server.upload_store import (
    SWEEP_S,
    UNCLAIMED_S,
    claim,
    is_stored,
    remove,
    sweeping,
)
from components.server.uploads import Uploads

__all__ = [
    "SWEEP_S",
    "UNCLAIMED_S",
    "AllowedHosts",
    "ArgumentCheck",
    "Doors",
    "PageFunctions",
    "SessionLimits",
    "SessionStates",
    "SessionTable",
    "Sessions",
    "UploadBudget",
    "Uploads",
    "claim",
    "client_address",
    "interrupt_on_signals",
    "is_stored",
    "keep_input_out_of_logs",
    "limited_server",
    "own_upload_folder",
    "parse_networks",
    "remove",
    "remove_folder",
    "run_until_stopped",
    "session_table",
    "sweeping",
]
