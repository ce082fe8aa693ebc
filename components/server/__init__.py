"""What stands between the network and Gradio: addresses, limits, uploads and sessions."""

from components.server.address import client_address, parse_networks
from components.server.agents import FULL_SCHEMA, serve_agents
from components.server.connections.launching import limited_server
from components.server.connections.stopping import (
    ending_early,
    interrupt_on_signals,
    run_until_stopped,
)
from components.server.files.run_folder import own_upload_folder, remove_folder
from components.server.files.upload_budget import UploadBudget
from components.server.files.upload_store import (
    SWEEP_S,
    UNCLAIMED_S,
    claim,
    is_stored,
    remove,
    sweeping,
)
from components.server.files.uploads import Uploads
from components.server.frontend.first_page import FirstPage, opening
from components.server.requests.arguments import ArgumentCheck
from components.server.requests.doors import Doors
from components.server.requests.health import Monitored
from components.server.requests.hosts import AllowedHosts
from components.server.requests.logs import keep_input_out_of_logs
from components.server.requests.metrics import Metrics
from components.server.requests.request_ids import RequestIds, mark_events
from components.server.visitors.page_functions import PageFunctions
from components.server.visitors.session_states import SessionStates
from components.server.visitors.session_table import SessionLimits, SessionTable, session_table
from components.server.visitors.sessions import Sessions

__all__ = [
    "FULL_SCHEMA",
    "SWEEP_S",
    "UNCLAIMED_S",
    "AllowedHosts",
    "ArgumentCheck",
    "Doors",
    "FirstPage",
    "Metrics",
    "Monitored",
    "PageFunctions",
    "RequestIds",
    "SessionLimits",
    "SessionStates",
    "SessionTable",
    "Sessions",
    "UploadBudget",
    "Uploads",
    "claim",
    "client_address",
    "ending_early",
    "interrupt_on_signals",
    "is_stored",
    "keep_input_out_of_logs",
    "limited_server",
    "mark_events",
    "opening",
    "own_upload_folder",
    "parse_networks",
    "remove",
    "remove_folder",
    "run_until_stopped",
    "serve_agents",
    "session_table",
    "sweeping",
]
