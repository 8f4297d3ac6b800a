import { t } from "../i18n/index.svelte";
import { ApiError } from "../wire/http";

const KNOWN = new Set([
  "unreachable", "name_taken", "consent_needed", "invite_unknown", "invite_expired", "no_table", "table_full",
  "table_started", "table_broken", "server_full", "busy", "too_many", "bad_token", "no_line", "not_owner", "not_stoppable",
  "transcript_gone", "own_table", "own_ruling", "claimed", "not_claimed", "decided", "no_clip", "clip_lost", "not_an_admin", "no_rule",
  "appealed", "not_appealable", "game_runs",
]);

/** What a person reads of an error: translated where the code is known, else the server's own words. */
export function errorText(error: unknown): string {
  if (!(error instanceof ApiError)) return t("error-unknown");
  return codeText(error);
}

export function codeText({ code, message }: { code: string; message: string }): string {
  return KNOWN.has(code) ? t(`error-${code.replaceAll("_", "-")}`) : t("error-other", { message });
}
