"""Compares doctrove-host with nginx: requests a second and processor time, in the same run.

Both serve the same folder over loopback with one process each (nginx without a master), without an
access log, to the same load from `wrk`; they take turns, and the medians are compared. Processor
time is the process's own, so it is steadier than the rate where other programs run beside it.

    python tests/benchmarks/host/serve.py [--rounds N] [--seconds N] [--connections N]

Needs `nginx` and `wrk` (both are Debian packages of these names); says which one is missing.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from dataclasses import dataclass
from pathlib import Path
from statistics import median

SMALL, LARGE = 3000, 10_000_000  # bytes
PAGES = 200
GOAL = 0.6
RUN = "import sys; from doctrove_server.host.cli import main; sys.exit(main())"

NGINX = """
daemon off; master_process off; worker_processes 1; pid {work}/pid; error_log {work}/log crit;
events {{ worker_connections 1024; }}
http {{
  include /etc/nginx/mime.types; access_log off; sendfile on; tcp_nopush on;
  keepalive_requests 100000000;
  client_body_temp_path {work}/t1; proxy_temp_path {work}/t2; fastcgi_temp_path {work}/t3;
  uwsgi_temp_path {work}/t4; scgi_temp_path {work}/t5;
  server {{ listen 127.0.0.1:{port}; root {site}; }}
}}
"""

SCRIPT = """
local number = 0
request = function()
  number = number % {pages} + 1
  return wrk.format("GET", "/pages/" .. number .. "/")
end
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Server:
    """A server that runs."""

    name: str
    process: subprocess.Popen[str]
    port: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Load:
    """One kind of request."""

    name: str
    path: str = "/small.html"
    conditional: bool = False
    script: Path | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """What one server did under one load."""

    rate: float
    """Responses a second."""

    cost: float
    """Processor time for a response, in microseconds."""


def main() -> int:
    """Measure, print the table, and return 1 where the goal is missed."""
    options = _options()
    missing = [name for name in ("nginx", "wrk") if shutil.which(name) is None]
    if missing:
        print(f"not here: {', '.join(missing)}; install it to measure against it")
        return 2
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        work.chmod(0o755)
        site = _site(work)
        servers = _start(work, site)
        try:
            return _compare(servers, _loads(work), options)
        finally:
            for server in servers:
                server.process.kill()
                server.process.wait()


def _compare(servers: list[Server], loads: list[Load], options: argparse.Namespace) -> int:
    print(f"{os.cpu_count()} processors, {options.connections} connections, one process each")
    print(f"{'':24}{'nginx':>10}{'host':>10}{'ratio':>7}{'nginx':>10}{'host':>10}{'ratio':>7}")
    print(f"{'':24}{'per s':>10}{'per s':>10}{'':7}{'us':>10}{'us':>10}")
    reached = True
    for load in loads:
        rounds = [
            [_measure(server, load, options) for server in servers] for _ in range(options.rounds)
        ]
        rates = [median(figures[place].rate for figures in rounds) for place in (0, 1)]
        costs = [median(figures[place].cost for figures in rounds) for place in (0, 1)]
        rate = median(own.rate / peer.rate for peer, own in rounds)
        cost = median(peer.cost / own.cost for peer, own in rounds)
        print(
            f"{load.name:24}{rates[0]:10.0f}{rates[1]:10.0f}{rate:7.2f}"
            f"{costs[0]:10.1f}{costs[1]:10.1f}{cost:7.2f}"
        )
        reached = reached and (load.path == "/large.bin" or rate >= GOAL)
    print(f"goal of {GOAL} of the rate of nginx: {'reached' if reached else 'missed'}")
    return 0 if reached else 1


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=int, default=2)
    parser.add_argument("--connections", type=int, default=32)
    return parser.parse_args()


def _site(work: Path) -> Path:
    site = work / "site"
    for number in range(1, PAGES + 1):
        (site / "pages" / str(number)).mkdir(parents=True)
        (site / "pages" / str(number) / "index.html").write_bytes(b"%04d" % number * (SMALL // 4))
    (site / "small.html").write_bytes(b"small" * (SMALL // 5))
    (site / "large.bin").write_bytes(os.urandom(LARGE))
    time.sleep(2.5)  # the host keeps no file that changed within the last two seconds
    return site


def _loads(work: Path) -> list[Load]:
    script = work / "pages.lua"
    script.write_text(SCRIPT.format(pages=PAGES))
    return [
        Load(name=f"{SMALL} bytes, one page"),
        Load(name=f"{SMALL} bytes, {PAGES} pages", script=script),
        Load(name="304", conditional=True),
        Load(name=f"{LARGE // 1_000_000} MB", path="/large.bin"),
    ]


def _start(work: Path, site: Path) -> list[Server]:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    config = work / "nginx.conf"
    config.write_text(NGINX.format(work=work, site=site, port=port))
    nginx = subprocess.Popen(["nginx", "-c", str(config)], stderr=subprocess.DEVNULL, text=True)
    for _ in range(100):
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                break
        time.sleep(0.05)
    command = [sys.executable, "-c", RUN, str(site), "--port", "0"]
    host = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    assert host.stderr is not None
    said = re.search(r":(\d+)/", host.stderr.readline())
    assert said is not None
    return [
        Server(name="nginx", process=nginx, port=port),
        Server(name="host", process=host, port=int(said[1])),
    ]


def _measure(server: Server, load: Load, options: argparse.Namespace) -> Figure:
    url = f"http://127.0.0.1:{server.port}{load.path}"
    with urllib.request.urlopen(url) as response:
        etag: str = response.headers["ETag"]
    command = ["wrk", "-t1", f"-c{options.connections}", f"-d{options.seconds}s"]
    command += ["-H", f"If-None-Match: {etag}"] if load.conditional else []
    command += ["-s", str(load.script)] if load.script else []
    before = _processor_time(server)
    done = subprocess.run([*command, url], capture_output=True, text=True, check=True).stdout
    used = _processor_time(server) - before
    count = re.search(r"(\d+) requests in", done)
    rate = re.search(r"Requests/sec:\s+([\d.]+)", done)
    assert count is not None
    assert rate is not None
    wrong = re.search(r"Non-2xx or 3xx responses: (\d+)|Socket errors: .*", done)
    assert wrong is None, wrong
    return Figure(rate=float(rate[1]), cost=used / max(int(count[1]), 1) * 1e6)


def _processor_time(server: Server) -> float:
    fields = Path(f"/proc/{server.process.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


if __name__ == "__main__":
    sys.exit(main())
