/** Whether the browser lets the page sound; most want a press first. */
class Sound {
  blocked = $state(false);
  #element: HTMLAudioElement | null = null;

  attach(element: HTMLAudioElement): () => void {
    this.#element = element;
    const press = (): void => {
      if (this.blocked) void this.play();
    };
    addEventListener("pointerdown", press);
    addEventListener("keydown", press);
    return () => {
      removeEventListener("pointerdown", press);
      removeEventListener("keydown", press);
      this.#element = null;
      this.blocked = false;
    };
  }

  play = async (): Promise<void> => {
    if (this.#element?.srcObject == null) return;
    try {
      await this.#element.play();
      this.blocked = false;
    } catch (error) {
      // An AbortError only says that a newer stream took this one's place.
      if (error instanceof DOMException && error.name === "NotAllowedError") this.blocked = true;
    }
  };
}

export const sound = new Sound();
