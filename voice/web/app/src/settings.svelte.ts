import type { Lang } from "./wire/messages";

export interface Settings {
  lang: Lang;
  displayName: string;
  captions: boolean;
  captionSize: 1 | 2 | 3;
  contrast: boolean;
  help: boolean;
  sounds: boolean;
  shortcuts: boolean;
  /** Commands spoken in the own minute are offered as a button. */
  proposals: boolean;
  /** Echo cancellation, noise suppression and gain control of the browser. */
  cleanSound: boolean;
  deviceId: string;
}

const KEY = "vt.settings";

function defaults(): Settings {
  return {
    lang: navigator.languages.some((lang) => lang.toLowerCase().startsWith("ru")) ? "ru" : "en",
    displayName: "",
    captions: true,
    captionSize: 1,
    contrast: false,
    help: true,
    sounds: true,
    shortcuts: true,
    proposals: true,
    cleanSound: true,
    deviceId: "",
  };
}

function load(): Settings {
  const made = defaults();
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? "{}");
    for (const [key, value] of Object.entries(kept as object)) {
      if (key in made && typeof value === typeof made[key as keyof Settings]) Object.assign(made, { [key]: value });
    }
  } catch {
    // no storage, or something else's value: the defaults do
  }
  if (made.lang !== "ru") made.lang = "en";
  return made;
}

export const settings: Settings = $state(load());

/** Keeps a change for the next visit. */
export function change(what: Partial<Settings>): void {
  Object.assign(settings, what);
  try {
    localStorage.setItem(KEY, JSON.stringify(settings));
  } catch {
    // without storage the change holds for this visit
  }
}
