"""The static host: serves one folder over HTTP as an ASGI app, and nothing outside that folder."""

from __future__ import annotations

from doctrove_server.host.app import StaticHost
from doctrove_server.host.errors import CannotServe, HostError
from doctrove_server.host.hosts import HostCheck, host_check
from doctrove_server.host.response import Policy

__all__ = ["CannotServe", "HostCheck", "HostError", "Policy", "StaticHost", "host_check"]
