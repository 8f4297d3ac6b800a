import { settings, change } from "../settings.svelte";
import { findInTab, keepInTab } from "../wire/tokens";
import { unlockAudio } from "./audio";

/** What stands between the player and being heard; `ready` is the only good one. */
export type MicState = "off" | "asking" | "ready" | "denied" | "missing" | "busy" | "insecure" | "ended";

export interface Device {
  id: string;
  label: string;
}

/**
 * The player's own microphone: one stream for the page, from the check before sitting down to the table. It is
 * asked for by a press; after a reload it comes back by itself where this tab had it and the browser still allows it.
 */
class Microphone {
  state = $state<MicState>("off");
  devices = $state.raw<Device[]>([]);
  stream = $state.raw<MediaStream | null>(null);
  /** The device is there but sends nothing now, as in a phone call. */
  muted = $state(false);
  #asked = 0;

  get track(): MediaStreamTrack | null {
    return this.stream?.getAudioTracks()[0] ?? null;
  }

  /** The device in use, as the browser names it. */
  get deviceId(): string {
    return this.track?.getSettings().deviceId ?? settings.deviceId;
  }

  async open(deviceId: string = settings.deviceId): Promise<void> {
    const asked = ++this.#asked;
    void unlockAudio();
    if (!("mediaDevices" in navigator)) {
      this.state = "insecure";
      return;
    }
    this.#stop();
    this.state = "asking";
    try {
      const stream = await this.#ask(deviceId);
      if (asked !== this.#asked) {
        stream.getTracks().forEach((track) => track.stop());
        return;
      }
      this.#take(stream);
      if (deviceId !== settings.deviceId) change({ deviceId });
      keepInTab("microphone", "1");
    } catch (error) {
      if (asked === this.#asked) this.state = stateOf(error);
    }
    await this.#list();
  }

  /** Takes the microphone again after a reload, without asking anybody anything. */
  async resume(): Promise<void> {
    if (this.state !== "off" || findInTab("microphone") === null || !("mediaDevices" in navigator)) return;
    const permission = await navigator.permissions.query({ name: "microphone" }).catch(() => null);
    if (permission?.state === "granted" && this.state === "off") await this.open();
  }

  /** Takes it anew where the device took it away (a phone call, a sleep) and the browser still allows it. */
  async recover(): Promise<void> {
    if (!this.lost) return;
    const permission = await navigator.permissions.query({ name: "microphone" }).catch(() => null);
    if (permission?.state === "granted" && this.lost) await this.open();
  }

  /** It was there, and nothing comes from it any more. */
  get lost(): boolean {
    return this.state === "ended" || (this.state === "ready" && (this.muted || this.track?.readyState === "ended"));
  }

  close(): void {
    this.#asked += 1;
    this.#stop();
    this.state = "off";
    keepInTab("microphone", null);
  }

  async #ask(deviceId: string): Promise<MediaStream> {
    const clean = settings.cleanSound;
    const audio: MediaTrackConstraints = {
      echoCancellation: clean, noiseSuppression: clean, autoGainControl: clean, channelCount: 1,
    };
    if (deviceId !== "") {
      try {
        return await navigator.mediaDevices.getUserMedia({ audio: { ...audio, deviceId: { exact: deviceId } } });
      } catch (error) {
        // The device of the last visit may be unplugged: any other is better than none.
        if (!(error instanceof DOMException) || !["OverconstrainedError", "NotFoundError"].includes(error.name)) throw error;
      }
    }
    return navigator.mediaDevices.getUserMedia({ audio });
  }

  #take(stream: MediaStream): void {
    this.stream = stream;
    this.state = "ready";
    this.muted = false;
    const track = stream.getAudioTracks()[0];
    if (track === undefined) return;
    track.onended = () => {
      if (this.stream !== stream) return;
      this.#stop();
      this.state = "ended";
      void this.#list();
    };
    track.onmute = () => (this.muted = true);
    track.onunmute = () => (this.muted = false);
  }

  #stop(): void {
    const stream = this.stream;
    this.stream = null;
    this.muted = false;
    for (const track of stream?.getTracks() ?? []) {
      track.onended = null;
      track.stop();
    }
  }

  async #list(): Promise<void> {
    const all = await navigator.mediaDevices.enumerateDevices().catch(() => []);
    this.devices = all
      .filter((device) => device.kind === "audioinput" && device.deviceId !== "")
      .map((device) => ({ id: device.deviceId, label: device.label }));
    navigator.mediaDevices.ondevicechange = () => void this.#list();
  }
}

function stateOf(error: unknown): MicState {
  const name = error instanceof DOMException ? error.name : "";
  if (name === "NotAllowedError" || name === "SecurityError") return "denied";
  if (name === "NotFoundError" || name === "OverconstrainedError") return "missing";
  return "busy";
}

export const microphone = new Microphone();
