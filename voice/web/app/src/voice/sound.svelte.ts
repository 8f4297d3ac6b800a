/** Whether the browser lets the page sound; most want a press first. */
class Sound {
  blocked = $state(false);
  #elements = new Set<HTMLAudioElement>();

  attach(element: HTMLAudioElement): () => void {
    if (this.#elements.size === 0) {
      addEventListener("pointerdown", this.#press);
      addEventListener("keydown", this.#press);
    }
    this.#elements.add(element);
    return () => {
      this.#elements.delete(element);
      if (this.#elements.size > 0) return;
      removeEventListener("pointerdown", this.#press);
      removeEventListener("keydown", this.#press);
      this.blocked = false;
    };
  }

  #press = (): void => {
    if (this.blocked) void this.play();
  };

  play = async (): Promise<void> => {
    const elements = [...this.#elements].filter((element) => element.srcObject != null);
    if (elements.length === 0) return;
    const played = await Promise.allSettled(elements.map((element) => element.play()));
    // An AbortError only says that a newer stream took this one's place.
    const refused = played.some((each) =>
      each.status === "rejected" && each.reason instanceof DOMException && each.reason.name === "NotAllowedError");
    if (refused) this.blocked = true;
    else if (played.some((each) => each.status === "fulfilled")) this.blocked = false;
  };
}

export const sound = new Sound();
