"""API agents. The module paths of both BioChatter generations lead to ``base`` and ``web``.

BioChatter's documentation imports ``api_agent.blast``, its current package ``api_agent.web.blast``.
Each such path is an alias in ``sys.modules``, so that it needs no file of its own.
"""

import sys

from retrieval.compat.biochatter.api_agent import base, web

_ALIASES = {
    base: ("abc", "api_agent", "base.agent_abc", "base.api_agent", "base.formatters"),
    web: ("bio_tools", "blast", "oncokb", "web.bio_tools", "web.blast", "web.oncokb"),
}
for _module, _paths in _ALIASES.items():
    for _path in _paths:
        _parent, _, _name = f"{__name__}.{_path}".rpartition(".")
        sys.modules[f"{_parent}.{_name}"] = _module
        # ``import a.b.c`` sets c on a.b only when it loads c itself.
        setattr(sys.modules[_parent], _name, _module)
