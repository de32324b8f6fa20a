/** The line to the server: shows its token, sends and receives whole messages, and comes back by itself when it drops. */

import type { PageMessage, ServerMessage } from "./wire";

export type LineState = "connecting" | "open" | "lost" | "closed";

export interface Line {
  send(message: PageMessage): void;
  close(): void;
}

/** What a page has seen of a game: how many events, and how often answers were taken back. */
export interface Seen {
  seen: number;
  cuts: number;
}

export interface Listener {
  heard(message: ServerMessage): void;
  changed(state: LineState): void;
  /** What has been seen so far, so that only the rest is told again; null to be told everything. */
  seen(): Seen | null;
}

export type Dial = (listener: Listener) => Line;

const FIRST_WAIT = 500;
const LONGEST_WAIT = 8000;
const TURNED_AWAY = 1008;

/** How to reach a game with the token of a seat; the server greets each new connection with what it has not seen. */
export function dialGame(game: string, token: () => Promise<string>): Dial {
  return (listener) => {
    const secure = location.protocol === "https:" ? "wss" : "ws";
    const address = `${secure}://${location.host}/ws/${encodeURIComponent(game)}`;
    let socket: WebSocket | undefined;
    let wait = FIRST_WAIT;
    let closed = false;

    const connect = (held: string): void => {
      if (closed) return;
      listener.changed("connecting");
      const line = (socket = new WebSocket(address));
      line.onopen = () => {
        wait = FIRST_WAIT;
        line.send(JSON.stringify({ type: "sit", token: held, ...listener.seen() } satisfies PageMessage));
        listener.changed("open");
      };
      line.onmessage = (event) => listener.heard(JSON.parse(String(event.data)) as ServerMessage);
      line.onclose = (event) => {
        if (closed) return;
        if (event.code === TURNED_AWAY) return listener.changed("closed");
        listener.changed("lost");
        setTimeout(() => connect(held), wait);
        wait = Math.min(wait * 2, LONGEST_WAIT);
      };
    };
    token().then(connect, (error: unknown) => {
      listener.heard({ type: "error", message: error instanceof Error ? error.message : String(error) });
      listener.changed("closed");
    });
    return {
      send: (message) => {
        if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message));
      },
      close: () => {
        closed = true;
        socket?.close();
      },
    };
  };
}
