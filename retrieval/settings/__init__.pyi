from .logs import apply_log_level as apply_log_level
from .model import ROOT as ROOT
from .model import Settings as Settings
from .model import environment_file as environment_file
from .model import read_settings as read_settings
from .model import variable as variable
