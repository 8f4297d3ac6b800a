// One AudioContext for the page: level meters and the two sounds of the microphone.

let context: AudioContext | null = null;

export function audioContext(): AudioContext {
  context ??= new AudioContext();
  return context;
}

/** Call it from a press: a browser lets a page sound only then. */
export async function unlockAudio(): Promise<void> {
  const made = audioContext();
  if (made.state !== "running") await made.resume().catch(() => undefined);
}

interface Tone {
  from_hz: number;
  to_hz: number;
}

const OPEN: Tone = { from_hz: 523, to_hz: 784 };
const CLOSED: Tone = { from_hz: 440, to_hz: 294 };
const TONE_S = 0.16;
const TONE_GAIN = 0.05;

/** Two quiet sounds that can't be confused: rising for an open microphone, falling for a closed one. */
export function chime(open: boolean): void {
  const made = audioContext();
  if (made.state !== "running") return;
  const { from_hz, to_hz } = open ? OPEN : CLOSED;
  const start = made.currentTime;
  const oscillator = made.createOscillator();
  const gain = made.createGain();
  oscillator.type = "sine";
  oscillator.frequency.setValueAtTime(from_hz, start);
  oscillator.frequency.exponentialRampToValueAtTime(to_hz, start + TONE_S);
  gain.gain.setValueAtTime(0, start);
  gain.gain.linearRampToValueAtTime(TONE_GAIN, start + 0.02);
  gain.gain.linearRampToValueAtTime(0, start + TONE_S);
  oscillator.connect(gain).connect(made.destination);
  oscillator.start(start);
  oscillator.stop(start + TONE_S);
}

/** Reads how loud a stream is, for a meter: 0 is silence, 1 is loud speech. */
export class LevelMeter {
  #source: MediaStreamAudioSourceNode;
  #analyser: AnalyserNode;
  #samples: Float32Array<ArrayBuffer>;

  constructor(stream: MediaStream) {
    const made = audioContext();
    this.#source = made.createMediaStreamSource(stream);
    this.#analyser = made.createAnalyser();
    this.#analyser.fftSize = 1024;
    this.#samples = new Float32Array(this.#analyser.fftSize);
    this.#source.connect(this.#analyser);
  }

  read(): number {
    this.#analyser.getFloatTimeDomainData(this.#samples);
    let sum = 0;
    for (const sample of this.#samples) sum += sample * sample;
    const rms = Math.sqrt(sum / this.#samples.length);
    return levelOf(rms);
  }

  close(): void {
    this.#source.disconnect();
  }
}

const FLOOR_DB = -60;
const LOUD_DB = -12;

/** A root mean square of samples (1 is full scale) as a length of a bar, linear in decibels. */
export function levelOf(rms: number): number {
  if (rms <= 0) return 0;
  const db = 20 * Math.log10(rms);
  return Math.min(1, Math.max(0, (db - FLOOR_DB) / (LOUD_DB - FLOOR_DB)));
}
