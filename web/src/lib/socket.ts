/** The line to the server: sends and receives whole messages, and comes back by itself when it drops. */

import type { PageMessage, Seat, ServerMessage } from "./wire";

export type LineState = "connecting" | "open" | "lost";

export interface Line {
  send(message: PageMessage): void;
  close(): void;
}

export interface Listener {
  heard(message: ServerMessage): void;
  changed(state: LineState): void;
}

export type Dial = (listener: Listener) => Line;

const FIRST_WAIT = 500;
const LONGEST_WAIT = 8000;

/** How to reach a game as a seat of it; the server greets each new connection with the whole situation. */
export function dialGame(game: string, seat: Seat): Dial {
  return (listener) => {
    const secure = location.protocol === "https:" ? "wss" : "ws";
    const address = `${secure}://${location.host}/ws/${encodeURIComponent(game)}?seat=${seat}`;
    let socket: WebSocket;
    let wait = FIRST_WAIT;
    let closed = false;

    const connect = (): void => {
      listener.changed("connecting");
      socket = new WebSocket(address);
      socket.onopen = () => {
        wait = FIRST_WAIT;
        listener.changed("open");
      };
      socket.onmessage = (event) => listener.heard(JSON.parse(String(event.data)) as ServerMessage);
      socket.onclose = () => {
        if (closed) return;
        listener.changed("lost");
        setTimeout(connect, wait);
        wait = Math.min(wait * 2, LONGEST_WAIT);
      };
    };
    connect();
    return {
      send: (message) => {
        if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message));
      },
      close: () => {
        closed = true;
        socket.close();
      },
    };
  };
}
