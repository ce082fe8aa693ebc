from .inflate import LIMIT as LIMIT
from .inflate import read_body as read_body
from .pace import Pace as Pace
from .permission import OutsideCalls as OutsideCalls
from .secrets import redact as redact
from .transport import DEADLINE as DEADLINE
from .transport import OWN as OWN
from .transport import PinnedTransport as PinnedTransport
