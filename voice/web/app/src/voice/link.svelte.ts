/** The voice connection: `connected` is the only good one. */
export type VoiceState = "off" | "connecting" | "connected" | "failed";

/** A path that is `disconnected` for this long is given up; a new connection takes a fraction of a second. */
const DISCONNECTED_MS = 2_000;
const CONNECT_MS = 10_000;
const GATHER_MS = 1_500;
const RETRY_FIRST_MS = 500;
const RETRY_MAX_MS = 8_000;
/** The table says something at least every 0.4 s: after so many looks without a packet the path is dead. */
const LOOK_MS = 1_000;
const SILENT_LOOKS = 3;

export interface VoiceLinkOptions {
  /** Sends an offer to the server: its id, or null when it could not be sent. */
  send(sdp: string): number | null;
  make?: (configuration: RTCConfiguration) => RTCPeerConnection;
}

/**
 * One WebRTC connection with an audio section for each speaker who may be heard at once; the first one carries the own
 * voice too. The track is on the sender only while the seat's microphone is open, which saves packets; the server's gate
 * alone decides who is heard. Whatever breaks is mended by a whole
 * new connection, never by an ICE restart.
 */
export class VoiceLink {
  state = $state<VoiceState>("off");
  /** What the table says, a stream a slot, for the page's audio elements. */
  remote = $state.raw<MediaStream[]>([]);
  /** The server's code for its last refusal, until there is a connection. */
  why = $state<string | null>(null);

  #options: VoiceLinkOptions;
  #peer: RTCPeerConnection | null = null;
  #sender: RTCRtpSender | null = null;
  #track: MediaStreamTrack | null = null;
  #open = false;
  #iceServers: RTCIceServer[] = [];
  #listenOnly = false;
  #slots = 1;
  #offer: number | null = null;
  #attempt = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #watch: ReturnType<typeof setInterval> | undefined;
  #packets = -1;
  #silent = 0;

  constructor(options: VoiceLinkOptions) {
    this.#options = options;
  }

  /** `slots`: how many speakers the table lets be heard at once. */
  start(iceServers: RTCIceServer[], listenOnly: boolean, slots: number): void {
    this.#iceServers = iceServers;
    this.#listenOnly = listenOnly;
    this.#slots = Math.max(1, slots);
    this.#attempt = 0;
    this.restart();
  }

  /** A new connection in place of the one there is. */
  restart(): void {
    this.#drop();
    this.state = "connecting";
    this.#timer = setTimeout(() => this.#failed(), CONNECT_MS);
    void this.#connect().catch(() => this.#failed());
  }

  stop(): void {
    this.#drop();
    this.state = "off";
    this.remote = [];
  }

  /** The network may have changed, or the machine slept: a connection that lives is left alone, a silent one is not. */
  hurry(): void {
    if (this.state === "failed" || this.#peer?.connectionState === "disconnected") {
      this.#attempt = 0;
      this.restart();
    } else if (this.state === "connected") {
      this.#silent = SILENT_LOOKS - 2;
      void this.#look();
    }
  }

  /** The table has lost this page's voice: a new connection at once, where this one believes that it lives. */
  lost(): void {
    if (this.state === "connected") this.restart();
  }

  setTrack(track: MediaStreamTrack | null): void {
    this.#track = track;
    this.#apply();
  }

  setOpen(open: boolean): void {
    this.#open = open;
    this.#apply();
  }

  async answer(id: number, sdp: string): Promise<void> {
    const peer = this.#peer;
    if (id !== this.#offer || peer === null || peer.signalingState !== "have-local-offer") return;
    try {
      await peer.setRemoteDescription({ type: "answer", sdp });
    } catch {
      if (peer === this.#peer) this.#failed();
    }
  }

  /** The server refused an offer: the code says why. */
  refused(id: number, code: string): void {
    if (id !== this.#offer || this.state === "off") return;
    this.why = code;
    this.#failed();
  }

  async #connect(): Promise<void> {
    const configuration: RTCConfiguration = { iceServers: this.#iceServers, bundlePolicy: "max-bundle" };
    const peer = (this.#options.make ?? ((each) => new RTCPeerConnection(each)))(configuration);
    this.#peer = peer;
    const transceiver = peer.addTransceiver("audio", { direction: this.#listenOnly ? "recvonly" : "sendrecv" });
    this.#sender = this.#listenOnly ? null : transceiver.sender;
    this.#apply();
    const slots = [transceiver];
    for (let slot = 1; slot < this.#slots; slot += 1) slots.push(peer.addTransceiver("audio", { direction: "recvonly" }));
    const streams: MediaStream[] = [];
    peer.ontrack = (event) => {
      // In the order of the sections: a server that carries fewer leaves out the last ones.
      streams[slots.indexOf(event.transceiver)] = new MediaStream([event.track]);
      if (peer === this.#peer) this.remote = [...streams];
    };
    peer.onconnectionstatechange = () => {
      if (peer === this.#peer) this.#changed(peer.connectionState);
    };
    await peer.setLocalDescription(await peer.createOffer());
    await gathered(peer);
    if (peer !== this.#peer) return;
    this.#offer = this.#options.send(peer.localDescription?.sdp ?? "");
    if (this.#offer === null) this.#failed();
  }

  #changed(state: RTCPeerConnectionState): void {
    if (state === "connected") {
      clearTimeout(this.#timer);
      this.#attempt = 0;
      this.state = "connected";
      this.why = null;
      clearInterval(this.#watch);
      this.#watch = setInterval(() => void this.#look(), LOOK_MS);
    } else if (state === "failed" || state === "closed") {
      this.#failed();
    } else if (state === "disconnected") {
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => this.restart(), DISCONNECTED_MS);
    }
  }

  /** Does the table still reach this page? The browser itself notices a dead path only after half a minute. */
  async #look(): Promise<void> {
    const peer = this.#peer;
    if (peer === null || this.state !== "connected") return;
    let packets = 0;
    for (const report of (await peer.getStats()).values() as Iterable<{ type: string; packetsReceived?: number }>) {
      if (report.type === "inbound-rtp") packets += report.packetsReceived ?? 0;
    }
    if (peer !== this.#peer || this.state !== "connected") return;
    this.#silent = packets > this.#packets ? 0 : this.#silent + 1;
    this.#packets = packets;
    if (this.#silent >= SILENT_LOOKS) this.restart();
  }

  #failed(): void {
    this.#drop();
    this.state = "failed";
    const wait = Math.min(RETRY_MAX_MS, RETRY_FIRST_MS * 2 ** this.#attempt);
    this.#attempt += 1;
    this.#timer = setTimeout(() => this.restart(), wait);
  }

  #apply(): void {
    const wanted = this.#open ? this.#track : null;
    // Always said, for `sender.track` is behind while an earlier call waits. A sender of a closed connection
    // refuses; the next connection gets the track from here.
    this.#sender?.replaceTrack(wanted).catch(() => undefined);
  }

  #drop(): void {
    clearTimeout(this.#timer);
    clearInterval(this.#watch);
    this.#packets = -1;
    this.#silent = 0;
    const peer = this.#peer;
    this.#peer = this.#sender = this.#offer = null;
    if (peer !== null) {
      peer.ontrack = peer.onconnectionstatechange = null;
      peer.close();
    }
  }
}

/** The wire has no trickle: the offer goes out with the candidates found within a short while. */
function gathered(peer: RTCPeerConnection): Promise<void> {
  if (peer.iceGatheringState === "complete") return Promise.resolve();
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, GATHER_MS);
    peer.onicegatheringstatechange = () => {
      if (peer.iceGatheringState !== "complete") return;
      clearTimeout(timer);
      resolve();
    };
  });
}
