"""Running the server on this machine: a socket on loopback, then uvicorn until it is interrupted."""

from __future__ import annotations

import socket
from collections.abc import Callable
from importlib.util import find_spec
from threading import Thread

import uvicorn
from starlette.applications import Starlette

from rolloff.errors import BadInput
from rolloff.server.messages import LARGEST

HOST = "127.0.0.1"
PORT = 8642


def take_port(port: int) -> socket.socket:
    """A listening socket on loopback; port 0 takes any that is free. `BadInput` if the port is taken."""
    found = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        found.bind((HOST, port))
        found.listen(64)
    except OSError as error:
        found.close()
        why = error.strerror or "it cannot be used"
        raise BadInput(
            "port-taken", f"port {port}: {why.lower()}", where="--port", allowed="a free port, or 0 for any"
        ) from None
    return found


def address_of(listening: socket.socket) -> str:
    """Where the page is found."""
    return f"http://{HOST}:{listening.getsockname()[1]}/"


def make_server(app: Starlette, started: Callable[[], object] | None = None) -> uvicorn.Server:
    """A server of the application that calls ``started`` once it answers."""
    config = uvicorn.Config(
        app,
        loop="uvloop" if find_spec("uvloop") else "asyncio",
        ws="websockets-sansio",
        ws_max_size=LARGEST,
        log_level="warning",
        lifespan="off",
        timeout_graceful_shutdown=1,
    )

    class Server(uvicorn.Server):
        """A server that says when it has started."""

        async def startup(self, sockets: list[socket.socket] | None = None) -> None:
            await super().startup(sockets)
            if started is not None:
                Thread(target=started, daemon=True).start()

    return Server(config)


def serve(app: Starlette, listening: socket.socket, started: Callable[[], object] | None = None) -> None:
    """Serve until interrupted, which raises `KeyboardInterrupt`."""
    make_server(app, started).run(sockets=[listening])
