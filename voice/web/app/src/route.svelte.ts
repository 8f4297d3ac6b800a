// The page's address: a hash, so that one static page serves all of it.

import { keepAccount, MODERATOR } from "./wire/tokens";

export type Route =
  | { page: "home" }
  | { page: "join"; invite: string }
  | { page: "table"; table: string }
  | { page: "transcript"; table: string }
  | { page: "mine"; table: string }
  | { page: "watch"; table: string }
  | { page: "moderate" };

/** A moderator's token comes in the address once; it is taken out of it before anything else is drawn. */
export const MODERATOR_KEY = MODERATOR;

function read(hash: string): Route {
  const [page, rest] = hash.replace(/^#\/?/, "").split(/\/(.*)/s);
  const value = decode(rest ?? "");
  if (page === "join" && value) return { page: "join", invite: value };
  if (page === "table" && value) return { page: "table", table: value };
  if (page === "transcript" && value) return { page: "transcript", table: value };
  if (page === "mine" && value) return { page: "mine", table: value };
  if (page === "watch" && value) return { page: "watch", table: value };
  if (page === "account" && value) {
    keepAccount(value);
    history.replaceState(null, "", "#/");
  }
  if (page === "moderate") {
    if (value) {
      try {
        sessionStorage.setItem(MODERATOR_KEY, value);
        history.replaceState(null, "", "#/moderate");
      } catch {
        // without storage the token stays in the address
      }
    }
    return { page: "moderate" };
  }
  return { page: "home" };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

class Router {
  route = $state.raw<Route>(read(location.hash));

  constructor() {
    addEventListener("hashchange", () => {
      this.route = read(location.hash);
    });
  }

  go(hash: string): void {
    if (location.hash === hash) return;
    location.hash = hash;
  }
}

export const router = new Router();
