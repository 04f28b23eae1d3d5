"""What a server costs, beside a trivial one on the same SDK and a plain one on Node.

Run it as a program: `python tests/benchmarks/server/bench.py [--rounds N] [--calls N]`. The servers
take turns, round by round, so that a busy machine is busy for all of them. It prints medians and
their ratios to the trivial server; nothing is asserted.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
INDEX = HERE.parents[2] / "server" / "doctrove_server" / "data" / "index.json"
BIN = Path(sys.executable).parent
EXTRACT = {"id": "express", "focus": "route parameters"}


class Server:
    """A server process, with the time from its start to the answer of `initialize`."""

    def __init__(self, *command: str) -> None:
        started = time.perf_counter()
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )
        self._number = 0
        info = {"name": "bench", "version": "0"}
        hello = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": info}
        self.request("initialize", hello)
        self.start = time.perf_counter() - started
        self._send({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def request(self, method: str, params: dict[str, Any]) -> float:
        """Return the seconds from the request to the line that answers it."""
        self._number += 1
        message = {"jsonrpc": "2.0", "id": self._number, "method": method, "params": params}
        started = time.perf_counter()
        self._send(message)
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        taken = time.perf_counter() - started
        answer = json.loads(line)
        assert answer["id"] == self._number
        assert "result" in answer, answer
        return taken

    def call(self, tool: str, arguments: dict[str, Any]) -> float:
        """Return the seconds that a call takes."""
        return self.request("tools/call", {"name": tool, "arguments": arguments})

    def processor(self) -> float:
        """Return the seconds of processor time so far; 0 where the system does not say."""
        try:
            fields = Path(f"/proc/{self.process.pid}/stat").read_text("ascii").rpartition(")")[2]
        except OSError:
            return 0
        user, system = fields.split()[11:13]
        return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")

    def memory(self) -> float:
        """Return the resident megabytes; 0 where the system does not say."""
        try:
            status = Path(f"/proc/{self.process.pid}/status").read_text("ascii")
        except OSError:
            return 0
        return int(status.partition("VmRSS:")[2].split()[0]) / 1024

    def close(self) -> float:
        """End the input; return the seconds until the process has ended."""
        started = time.perf_counter()
        assert self.process.stdin is not None
        self.process.stdin.close()
        self.process.wait()
        return time.perf_counter() - started

    def _send(self, message: dict[str, Any]) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps(message).encode() + b"\n")
        self.process.stdin.flush()


def measure(
    servers: dict[str, tuple[tuple[str, ...], dict[str, Any]]], *, rounds: int, calls: int
) -> None:
    figures: dict[str, dict[str, list[float]]] = {}
    for _ in range(rounds):
        for name, (command, tools) in servers.items():
            got = figures.setdefault(name, {})
            server = Server(*command)
            got.setdefault("start to first answer, ms", []).append(server.start * 1000)
            got.setdefault("the same, processor, ms", []).append(server.processor() * 1000)
            for tool, arguments in tools.items():
                first = server.call(tool, arguments[0])
                got.setdefault(f"first {tool}, ms", []).append(first * 1000)
                times = sorted(
                    server.call(tool, arguments[n % len(arguments)]) for n in range(calls)
                )
                got.setdefault(f"{tool} p50, ms", []).append(times[len(times) // 2] * 1000)
            got.setdefault("memory, MB", []).append(server.memory())
            got.setdefault("end of input to end, ms", []).append(server.close() * 1000)
    report(figures)


def report(figures: dict[str, dict[str, list[float]]]) -> None:
    medians = {
        name: {what: statistics.median(values) for what, values in got.items()}
        for name, got in figures.items()
    }
    base = medians["trivial"]
    for name, got in medians.items():
        print(name)
        for what, value in got.items():
            peer = base.get(what, base["echo p50, ms"] if what.endswith("p50, ms") else 0)
            ratio = f"  x {value / peer:.2f}" if peer and name != "trivial" else ""
            more = f"  ({value - peer:+.1f})" if peer and "MB" in what and ratio else ""
            print(f"  {what:32} {value:9.2f}{ratio}{more}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--calls", type=int, default=300)
    options = parser.parse_args()
    fresh = [{**EXTRACT, "maxSections": n} for n in range(1, 7)]
    ours = {"doc_extract": fresh, "catalog_lookup": [{"query": "express"}, {"query": "date"}]}
    doctrove = str(BIN / "doctrove-server")
    trivial = (sys.executable, str(HERE / "trivial.py"))
    servers: dict[str, tuple[tuple[str, ...], dict[str, Any]]] = {
        "trivial": (trivial, {"echo": [{"id": "express"}]}),
        "doctrove": ((doctrove,), ours),
        "doctrove --no-cache": ((doctrove, "--no-cache"), ours),
    }
    node = shutil.which("node", path=str(BIN)) or shutil.which("node")
    if node:
        plain = (node, str(HERE / "plain.mjs"), str(INDEX))
        servers["plain Node"] = (plain, {"doc_extract": fresh})
    measure(servers, rounds=options.rounds, calls=options.calls)


if __name__ == "__main__":
    main()
