import { address } from "./http";

const BACKOFF_MS = [500, 1_000, 2_000, 5_000];
const SILENCE_MS = 10_000;
const KEEP_MS = 20_000;

/**
 * The moderators' connection: says when the queue has changed, and, by being there, that this moderator is at work.
 * When it is lost for some seconds the server gives what they had in hand to others.
 */
export class ConsoleSocket {
  #socket: WebSocket | null = null;
  #attempt = 0;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #silence: ReturnType<typeof setTimeout> | undefined;
  #kept = -KEEP_MS;
  #closed = false;

  constructor(readonly token: string, readonly changed: () => void, readonly linked: (open: boolean) => void) {
    this.#connect();
  }

  /** A sign of life: what is in hand stays there. */
  keep(): void {
    if (performance.now() - this.#kept < KEEP_MS || this.#socket?.readyState !== 1) return;
    this.#kept = performance.now();
    this.#socket.send('{"type":"keep"}');
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#retry);
    clearTimeout(this.#silence);
    this.#socket?.close();
  }

  #connect(): void {
    const url = new URL(address("ws/moderation"));
    url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
    const socket = new WebSocket(url.href);
    this.#socket = socket;
    this.#listen();
    socket.onopen = () => socket.send(JSON.stringify({ type: "hello", token: this.token }));
    socket.onmessage = (frame: MessageEvent<string>) => {
      this.#listen();
      const { type } = JSON.parse(frame.data) as { type: string };
      if (type === "ping") socket.send('{"type":"pong"}');
      else if (type === "welcome") {
        this.#attempt = 0;
        this.linked(true);
      } else if (type === "changed") this.changed();
    };
    socket.onclose = (event) => {
      clearTimeout(this.#silence);
      this.linked(false);
      if (this.#closed || event.code === 4401) return;
      this.#retry = setTimeout(() => this.#connect(), BACKOFF_MS[Math.min(this.#attempt++, BACKOFF_MS.length - 1)]);
    };
  }

  #listen(): void {
    clearTimeout(this.#silence);
    this.#silence = setTimeout(() => this.#socket?.close(), SILENCE_MS);
  }
}
