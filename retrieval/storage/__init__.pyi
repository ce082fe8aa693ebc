from .cache_folder import CacheFolder as CacheFolder
from .cache_folder import Say as Say
from .cache_folder import rebuilt as rebuilt
from .cache_folder import silent as silent
from .expiry import Expiry as Expiry
from .lock import alone_in as alone_in
