import { settings } from "../settings.svelte";
import { format } from "./bundles";

/** A text in the viewer's language; what reads it is drawn again when the language changes. */
export function t(id: string, args?: Record<string, string | number>): string {
  return format(settings.lang, id, args);
}
