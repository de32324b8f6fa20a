"""Running the server: a socket, on loopback unless told otherwise, then uvicorn until it is interrupted."""

from __future__ import annotations

import asyncio
import errno
import logging
import signal
import socket
import sys
from collections.abc import Callable
from contextlib import suppress
from importlib.util import find_spec
from ipaddress import ip_address
from threading import Thread
from typing import Any

import h11
import uvicorn
from starlette.applications import Starlette
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from rolloff.errors import BadInput
from rolloff.server.guard import ANY
from rolloff.server.messages import LARGEST

HOST = "127.0.0.1"
PORT = 8642
PATIENCE = 10.0
"""Seconds a client has to finish the head of a request."""
STUCK = 30.0
"""Seconds after which a client that takes nothing of what it is sent is hung up on."""
MOST_CONNECTIONS = 2000
BACKLOG = 256
SWITCH = 0.001
"""Seconds after which the loop may go on while another thread works."""


def take_port(port: int, host: str = HOST) -> socket.socket:
    """A listening socket; port 0 takes any that is free. `BadInput` if it cannot be had."""
    try:
        kind = socket.AF_INET6 if ip_address(host).version == 6 else socket.AF_INET
    except ValueError:
        message = f"{host!r} is no address to listen on"
        raise BadInput(
            "bad-address", message, where="--listen", allowed="an address such as 192.168.1.20, or 0.0.0.0"
        ) from None
    found = socket.socket(kind, socket.SOCK_STREAM)
    found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    if sys.platform == "linux":  # what was closed and is never taken is forgotten by the system itself
        found.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, int(2000 * STUCK))
    try:
        found.bind((host, port))
        found.listen(BACKLOG)
    except OSError as error:
        found.close()
        why = error.strerror or "it cannot be used"
        if error.errno == errno.EADDRNOTAVAIL:
            message = f"this machine has no address {host}"
            raise BadInput("bad-address", message, where="--listen", allowed="an address of this machine, or 0.0.0.0") from None
        raise BadInput(
            "port-taken", f"port {port}: {why.lower()}", where="--port", allowed="a free port, or 0 for any"
        ) from None
    return found


def hosts_of(host: str) -> frozenset[str]:
    """The hosts a server on this address answers to beside loopback: itself, its machine's name, or any address."""
    address = ip_address(host)
    if address.is_loopback:
        return frozenset()
    name = socket.gethostname().lower()
    own = f"[{host}]" if address.version == 6 else host
    return frozenset({own, name, f"{name}.local"} | ({ANY} if address.is_unspecified else set()))


def address_of(listening: socket.socket) -> str:
    """Where the page is found."""
    host, port = listening.getsockname()[:2]
    if ip_address(host).is_unspecified:
        host = HOST if listening.family == socket.AF_INET else "::1"
    return f"http://[{host}]:{port}/" if ":" in host else f"http://{host}:{port}/"


class _Taken:
    """A clock that runs while a client takes nothing, and then hangs up."""

    def __init__(self) -> None:
        self._clock: asyncio.TimerHandle | None = None

    def run(self, transport: asyncio.Transport) -> None:
        """Begin to wait for the client to take something."""
        self._clock = asyncio.get_running_loop().call_later(STUCK, transport.abort)

    def stop(self) -> None:
        """It has taken something, or is gone."""
        if self._clock is not None:
            self._clock.cancel()
            self._clock = None


class _Patient(WebSocketsSansIOProtocol):
    """WebSockets that hang up on whoever does not take what it is sent: a page that sleeps comes back by itself."""

    def connection_made(self, transport: Any) -> None:
        """Nothing is waited for yet."""
        self._taken = _Taken()
        super().connection_made(transport)

    def pause_writing(self) -> None:
        """More waits to be taken than is kept for a client."""
        super().pause_writing()
        self._taken.run(self.transport)

    def resume_writing(self) -> None:
        """It was taken."""
        self._taken.stop()
        super().resume_writing()

    def keepalive_timeout(self) -> None:
        """Nobody is there any more: what was not taken never will be."""
        super().keepalive_timeout()
        self.transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait no more."""
        self._taken.stop()
        super().connection_lost(exc)


class _Impatient(H11Protocol):
    """HTTP that hangs up on whoever does not come to the end of a request's head, or does not take the answer."""

    _late: asyncio.TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:
        """Begin to wait for the first head."""
        self._taken = _Taken()
        super().connection_made(transport)
        self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait no more."""
        self._stop_waiting()
        self._taken.stop()
        super().connection_lost(exc)

    def pause_writing(self) -> None:
        """More waits to be taken than is kept for a client."""
        super().pause_writing()
        self._taken.run(self.transport)

    def resume_writing(self) -> None:
        """It was taken."""
        self._taken.stop()
        super().resume_writing()

    def data_received(self, data: bytes) -> None:
        """Wait on while a head is not whole."""
        super().data_received(data)
        if self.conn.their_state is not h11.IDLE:
            self._stop_waiting()
        elif self._late is None:
            self._wait()

    def _wait(self) -> None:
        self._late = self.loop.call_later(PATIENCE, self._hang_up)

    def _stop_waiting(self) -> None:
        if self._late is not None:
            self._late.cancel()
            self._late = None

    def _hang_up(self) -> None:
        self._late = None
        if self.conn.their_state is h11.IDLE and not self.transport.is_closing():
            self.transport.close()


class _Quiet(logging.Filter):
    """Keeps tracebacks out of the log that any stranger can cause, and that requests were under way when the server stopped."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether a record is worth a line."""
        return not record.getMessage().startswith(("Invalid UTF-8", "Cancel "))


_QUIET = _Quiet()


def make_server(app: Starlette, started: Callable[[], object] | None = None) -> uvicorn.Server:
    """A server of the application that calls ``started`` once it answers."""
    config = uvicorn.Config(
        app,
        http=_Impatient,
        loop="uvloop" if find_spec("uvloop") else "asyncio",
        ws=_Patient,
        ws_max_size=LARGEST,
        ws_per_message_deflate=False,  # it costs a quarter of a megabyte a viewer, and packs each message anew for each
        log_level="warning",
        lifespan="off",
        limit_concurrency=MOST_CONNECTIONS,
        timeout_graceful_shutdown=1,
    )

    logging.getLogger("uvicorn.error").addFilter(_QUIET)

    class Server(uvicorn.Server):
        """A server that says when it has started."""

        async def startup(self, sockets: list[socket.socket] | None = None) -> None:
            await super().startup(sockets)
            if started is not None:
                Thread(target=started, daemon=True).start()

    return Server(config)


async def serve(app: Starlette, listening: socket.socket, started: Callable[[], object] | None = None) -> None:
    """Serve until interrupted, which raises `KeyboardInterrupt` in whoever runs the loop."""
    await make_server(app, started).serve(sockets=[listening])


def _interrupt(number: int, frame: object) -> None:
    raise KeyboardInterrupt


def allow_connections() -> None:
    """Let this process have as many files open as connections may stand, where the system's usual limit is lower."""
    if sys.platform != "win32":
        import resource

        usual, most = resource.getrlimit(resource.RLIMIT_NOFILE)
        wanted = 2 * MOST_CONNECTIONS
        wanted = wanted if most == resource.RLIM_INFINITY else min(wanted, most)
        if usual != resource.RLIM_INFINITY and usual < wanted:
            with suppress(OSError, ValueError):
                resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, most))


def run(work: Callable[[], Any]) -> None:
    """Run a coroutine on the quickest loop there is; threads that look things up let it go on every millisecond.

    Whoever asks the program to end interrupts it: what is open is closed.
    """
    sys.setswitchinterval(SWITCH)
    allow_connections()
    signal.signal(signal.SIGTERM, _interrupt)
    if find_spec("uvloop"):
        import uvloop

        uvloop.run(work())
    else:
        asyncio.run(work())
