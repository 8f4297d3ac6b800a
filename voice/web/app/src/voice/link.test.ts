import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { VoiceLink } from "./link.svelte";

/** As much of a peer connection as the link touches. */
class Peer {
  connectionState: RTCPeerConnectionState = "new";
  iceGatheringState: RTCIceGatheringState = "complete";
  signalingState: RTCSignalingState = "stable";
  localDescription: { sdp: string } | null = null;
  onconnectionstatechange: (() => void) | null = null;
  ontrack: unknown = null;
  readonly sections: { direction: string }[] = [];
  readonly transceivers: object[] = [];
  closed = false;
  packets = 0;
  answered: string | null = null;
  readonly tracks: unknown[] = [];

  addTransceiver(_kind: string, init: { direction: string }): object {
    this.sections.push(init);
    const made = { sender: { replaceTrack: (track: unknown) => Promise.resolve(this.tracks.push(track)) } };
    this.transceivers.push(made);
    return made;
  }

  createOffer(): Promise<object> {
    return Promise.resolve({});
  }

  setLocalDescription(): Promise<void> {
    this.localDescription = { sdp: "offer" };
    this.signalingState = "have-local-offer";
    return Promise.resolve();
  }

  setRemoteDescription({ sdp }: { sdp: string }): Promise<void> {
    this.answered = sdp;
    return Promise.resolve();
  }

  getStats(): Promise<Map<string, object>> {
    return Promise.resolve(
      new Map<string, object>([
        ["a", { type: "inbound-rtp", packetsReceived: this.packets }],
        ["b", { type: "candidate-pair" }],
      ]),
    );
  }

  /** The table says something, as it does at least every 0.4 s. */
  async hear(seconds: number): Promise<void> {
    for (let at = 0; at < seconds * 4; at += 1) {
      this.packets += 1;
      await vi.advanceTimersByTimeAsync(250);
    }
  }

  close(): void {
    this.closed = true;
  }

  become(state: RTCPeerConnectionState): void {
    this.connectionState = state;
    this.onconnectionstatechange?.();
  }
}

const MIC = { kind: "audio" } as MediaStreamTrack;

describe("a voice link", () => {
  let peers: Peer[];
  let offers: string[];
  let link: VoiceLink;
  const last = (): Peer => peers.at(-1) as Peer;
  const settle = (): Promise<unknown> => vi.advanceTimersByTimeAsync(0);

  beforeEach(async () => {
    vi.useFakeTimers();
    peers = [];
    offers = [];
    link = new VoiceLink({
      send: (sdp) => offers.push(sdp),
      make: () => {
        peers.push(new Peer());
        return last() as unknown as RTCPeerConnection;
      },
    });
    link.start([], false, 3);
    await settle();
  });

  afterEach(() => {
    link.stop();
    vi.useRealTimers();
  });

  it("offers a section for each who may be heard at once, and takes the answer to it, once", async () => {
    expect(last().sections.map((section) => section.direction)).toEqual(["sendrecv", "recvonly", "recvonly"]);
    expect(offers).toEqual(["offer"]);
    await link.answer(99, "somebody else's");
    expect(last().answered).toBeNull();
    await link.answer(1, "answer");
    expect(last().answered).toBe("answer");
  });

  it("has a stream a slot in the order of the sections, whatever the order they come in", () => {
    vi.stubGlobal("MediaStream", class { constructor(readonly tracks: unknown[]) {} });
    const heard = (section: number): void =>
      (last().ontrack as (event: object) => void)({ transceiver: last().transceivers[section], track: `track ${section}` });
    heard(0);
    expect(link.remote).toHaveLength(1);
    heard(2);
    heard(1);
    expect(link.remote.map((stream) => (stream as unknown as { tracks: string[] }).tracks[0])).toEqual(["track 0", "track 1", "track 2"]);
    vi.unstubAllGlobals();
  });

  it("sends the microphone while it is open, and nothing else", () => {
    link.setTrack(MIC);
    expect(last().tracks.at(-1)).toBeNull();
    link.setOpen(true);
    expect(last().tracks.at(-1)).toBe(MIC);
    link.setOpen(false);
    expect(last().tracks.at(-1)).toBeNull();
    expect(last().tracks.filter((track) => track === MIC)).toHaveLength(1);
  });

  it("sends from a microphone that came after the gate had opened", () => {
    link.setOpen(true);
    expect(last().tracks.at(-1)).toBeNull();
    link.setTrack(MIC);
    expect(last().tracks.at(-1)).toBe(MIC);
  });

  it("makes a whole new connection two seconds after a path is lost, open as the rules say", async () => {
    link.setTrack(MIC);
    link.setOpen(true);
    last().become("connected");
    last().become("disconnected");
    await vi.advanceTimersByTimeAsync(1_999);
    expect(peers).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(peers).toHaveLength(2);
    expect(peers[0]?.closed).toBe(true);
    expect(last().tracks.at(-1)).toBe(MIC);
    expect(offers).toHaveLength(2);
  });

  it("is made anew at once when the table has lost it, and once only", async () => {
    link.lost();
    expect(peers).toHaveLength(1);
    last().become("connected");
    link.lost();
    link.lost();
    await settle();
    expect(peers).toHaveLength(2);
    expect(peers[0]?.closed).toBe(true);
    expect(offers).toHaveLength(2);
  });

  it("leaves a path alone that comes back in time", async () => {
    last().become("connected");
    last().become("disconnected");
    await vi.advanceTimersByTimeAsync(1_500);
    last().become("connected");
    await last().hear(60);
    expect(peers).toHaveLength(1);
    expect(link.state).toBe("connected");
  });

  it("gives up a connection on which the table has fallen silent, though the browser calls it connected", async () => {
    last().become("connected");
    await last().hear(10);
    expect(peers).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(4_500);
    expect(peers).toHaveLength(2);
    expect(peers[0]?.closed).toBe(true);
  });

  it("after a change of the network leaves a connection alone that lives, and a silent one not for long", async () => {
    last().become("connected");
    await last().hear(5);
    link.hurry();
    await last().hear(5);
    expect(peers).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(300);
    link.hurry();
    await vi.advanceTimersByTimeAsync(2_500);
    expect(peers).toHaveLength(2);
  });

  it("tries at once where it waited to try again, when the network is back", async () => {
    for (let failures = 0; failures < 5; failures += 1) {
      last().become("failed");
      await vi.advanceTimersByTimeAsync(8_000);
    }
    last().become("failed");
    const tried = peers.length;
    link.hurry();
    await settle();
    expect(peers).toHaveLength(tried + 1);
  });

  it("says why the server refused, until there is a connection", async () => {
    link.refused(1, "flood");
    expect(link.why).toBe("flood");
    expect(link.state).toBe("failed");
    await vi.advanceTimersByTimeAsync(500);
    last().become("connected");
    expect(link.why).toBeNull();
  });

  it("tries again after a failure, a refusal and a silence, later each time", async () => {
    last().become("failed");
    expect(link.state).toBe("failed");
    await vi.advanceTimersByTimeAsync(500);
    expect(peers).toHaveLength(2);
    link.refused(2, "busy");
    await vi.advanceTimersByTimeAsync(999);
    expect(peers).toHaveLength(2);
    await vi.advanceTimersByTimeAsync(1);
    expect(peers).toHaveLength(3);
    await vi.advanceTimersByTimeAsync(12_000); // nobody answers for 10 s, then 2 s of patience
    expect(peers).toHaveLength(4);
  });

  it("only listens where it was told to", async () => {
    link.start([], true, 1);
    await settle();
    link.setTrack(MIC);
    link.setOpen(true);
    expect(last().sections.map((section) => section.direction)).toEqual(["recvonly"]);
    expect(last().tracks).toEqual([]);
  });

  it("is quiet after it was stopped", async () => {
    last().become("disconnected");
    link.stop();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(peers).toHaveLength(1);
    expect(last().closed).toBe(true);
    expect(link.state).toBe("off");
  });
});
