import { isNumbered, parse, type ClientMessage, type ServerMessage } from "./messages";

/** What the connection is doing. `taken`, `rejected` and `ended` are final until somebody asks again. */
export type LinkState = "connecting" | "open" | "lost" | "taken" | "rejected" | "ended" | "closed";

/** The closes after which a client stays away; after any other it comes back by itself. */
const FINAL: ReadonlyMap<number, LinkState> = new Map([
  [1000, "ended"], // the seat was given up
  [4400, "ended"], // malformed: the same would be refused again
  [4401, "rejected"],
  [4409, "taken"],
  [4410, "ended"],
  [4413, "ended"], // a frame too large
]);
const CLOSE_TOO_MANY = 4429;

/** The server pings every 3 s; nothing at all for this long means the path is dead. */
export const SILENCE_MS = 10_000;
const BACKOFF_FIRST_MS = 250;
const BACKOFF_MAX_MS = 5_000;
/** So many attempts behind one that the next waits the longest. */
const PATIENT = 8;

export interface SocketHandlers {
  message(message: ServerMessage): void;
  state(state: LinkState): void;
}

export interface SocketOptions {
  url: string;
  token: string;
  /** The table to watch, for a moderator. */
  table?: string;
  make?: (url: string) => WebSocket;
  random?: () => number;
}

/**
 * One table's WebSocket: says hello, asks for what it has not seen, answers pings, and comes back by itself
 * after every close but those that say it should not.
 */
export class TableSocket {
  #options: SocketOptions;
  #handlers: SocketHandlers;
  #socket: WebSocket | null = null;
  #state: LinkState = "closed";
  #seen = 0;
  #attempt = 0;
  #beginAgain = false;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #watchdog: ReturnType<typeof setTimeout> | undefined;

  constructor(options: SocketOptions, handlers: SocketHandlers) {
    this.#options = options;
    this.#handlers = handlers;
  }

  /** The number of the last numbered message: what `hello` names in `after`. */
  get seen(): number {
    return this.#seen;
  }

  get state(): LinkState {
    return this.#state;
  }

  open(): void {
    this.#drop();
    this.#attempt = 0;
    this.#connect();
  }

  close(): void {
    this.#drop();
    this.#set("closed");
  }

  /** Tries at once, for instance when the machine says that it is online again. */
  hurry(): void {
    if (this.#state !== "lost") return;
    clearTimeout(this.#retry);
    this.#attempt = 0;
    this.#connect();
  }

  /** False when the frame could not be sent: nothing is kept for later, so that no old command acts. */
  send(message: ClientMessage): boolean {
    if (this.#state !== "open" || this.#socket?.readyState !== 1) return false;
    this.#socket.send(JSON.stringify(message));
    return true;
  }

  #connect(): void {
    this.#set(this.#attempt === 0 ? "connecting" : "lost");
    const socket = (this.#options.make ?? ((url) => new WebSocket(url)))(this.#options.url);
    this.#socket = socket;
    this.#watch();
    socket.onopen = () => {
      if (socket !== this.#socket) return;
      const { token, table } = this.#options;
      const hello: ClientMessage = { type: "hello", token, after: this.#seen, ...(table ? { table } : {}) };
      socket.send(JSON.stringify(hello));
    };
    socket.onmessage = (frame: MessageEvent<unknown>) => {
      if (socket !== this.#socket) return;
      this.#watch();
      const message = parse(frame.data);
      if (message !== null) this.#receive(message);
    };
    socket.onclose = (event: CloseEvent) => {
      if (socket === this.#socket) this.#closed(event.code);
    };
  }

  #receive(message: ServerMessage): void {
    if (message.type === "ping") {
      this.send({ type: "pong", at: message.at });
      return;
    }
    if (isNumbered(message)) {
      if (message.n <= this.#seen) return; // sent again after a reconnect
      if (message.n !== this.#seen + 1) {
        // A gap would mean a wrong table on the screen: ask for all that is missing.
        this.#lost();
        return;
      }
      this.#seen = message.n;
    }
    // The table's log is shorter than what we have seen (a server set back to a backup): begin again.
    if (message.type === "error" && message.code === "bad_after") {
      this.#seen = 0;
      this.#beginAgain = true;
    }
    if (message.type === "welcome") {
      this.#attempt = 0;
      this.#set("open");
    }
    this.#handlers.message(message);
  }

  #closed(code: number): void {
    clearTimeout(this.#watchdog);
    this.#socket = null;
    const final = this.#beginAgain ? undefined : FINAL.get(code);
    this.#beginAgain = false;
    if (final !== undefined) {
      this.#set(final);
      return;
    }
    if (code === CLOSE_TOO_MANY) this.#attempt = PATIENT;
    this.#lost();
  }

  #lost(): void {
    this.#drop();
    this.#set("lost");
    this.#attempt += 1;
    const ceiling = Math.min(BACKOFF_MAX_MS, BACKOFF_FIRST_MS * 2 ** (this.#attempt - 1));
    // Half fixed, half random: a whole table that lost its server does not come back in one instant.
    const wait = ceiling * (0.5 + 0.5 * (this.#options.random ?? Math.random)());
    this.#retry = setTimeout(() => this.#connect(), wait);
  }

  #watch(): void {
    clearTimeout(this.#watchdog);
    this.#watchdog = setTimeout(() => this.#lost(), SILENCE_MS);
  }

  #drop(): void {
    clearTimeout(this.#watchdog);
    clearTimeout(this.#retry);
    const socket = this.#socket;
    this.#socket = null;
    if (socket !== null) {
      socket.onopen = socket.onmessage = socket.onclose = null;
      socket.close();
    }
  }

  #set(state: LinkState): void {
    if (state === this.#state) return;
    this.#state = state;
    this.#handlers.state(state);
  }
}
