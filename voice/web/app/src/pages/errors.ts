import { t } from "../i18n/index.svelte";
import { ApiError } from "../wire/http";

const KNOWN = new Set([
  "unreachable", "name_taken", "name_invalid", "consent_needed", "invite_invalid", "invite_expired",
  "table_full", "table_started", "table_over", "rate_limited", "too_many_tables", "token_invalid", "already_ruled",
]);

/** What a person reads of an error: translated where the code is known, else the server's own words. */
export function errorText(error: unknown): string {
  if (!(error instanceof ApiError)) return t("error-unknown");
  if (KNOWN.has(error.code)) return t(`error-${error.code.replaceAll("_", "-")}`);
  return t("error-other", { message: error.message });
}
