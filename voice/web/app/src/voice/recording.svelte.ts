const LONGEST_MS = 4_000;

/** A few seconds of the player's own voice, to listen to before sitting down. It never leaves the page. */
export class Recording {
  state = $state<"idle" | "recording">("idle");
  url = $state<string | null>(null);
  #recorder: MediaRecorder | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;

  start(stream: MediaStream): void {
    if (this.state === "recording") return;
    this.clear();
    const parts: Blob[] = [];
    const recorder = new MediaRecorder(stream);
    recorder.ondataavailable = (event) => parts.push(event.data);
    recorder.onstop = () => {
      if (recorder !== this.#recorder) return;
      this.state = "idle";
      this.url = URL.createObjectURL(new Blob(parts, { type: recorder.mimeType }));
    };
    recorder.onerror = () => this.clear();
    this.#recorder = recorder;
    recorder.start();
    this.state = "recording";
    this.#timer = setTimeout(() => recorder.state === "recording" && recorder.stop(), LONGEST_MS);
  }

  clear(): void {
    clearTimeout(this.#timer);
    const recorder = this.#recorder;
    this.#recorder = null;
    if (recorder?.state === "recording") recorder.stop();
    if (this.url !== null) URL.revokeObjectURL(this.url);
    this.url = null;
    this.state = "idle";
  }
}
