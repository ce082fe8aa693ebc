from .program import build_parser as build_parser
from .program import exit_now as exit_now
from .program import main as main
