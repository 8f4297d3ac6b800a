import { describe, expect, it } from "vitest";
import { peaks } from "./peaks";

describe("the waveform", () => {
  it("has the loudest sample of each part, the loudest part whole", () => {
    const samples = new Float32Array(100);
    samples[10] = -0.5;
    samples[99] = 0.25;
    expect(peaks(samples, 4)).toEqual([1, 0, 0, 0.5]);
  });

  it("is flat where there is no sound", () => {
    expect(peaks(new Float32Array(10), 3)).toEqual([0, 0, 0]);
    expect(peaks(new Float32Array(0), 2)).toEqual([0, 0]);
  });

  it("takes fewer samples than parts", () => {
    expect(peaks(new Float32Array([0.5]), 3)).toEqual([1, 0, 0]);
  });
});
