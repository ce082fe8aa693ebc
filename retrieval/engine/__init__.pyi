from .answer import Answer as Answer
from .answer import Mode as Mode
from .answer import Outline as Outline
from .answer import Setting as Setting
from .answer import Snapshot as Snapshot
from .engine import Engine as Engine
from .limits import Limit as Limit
