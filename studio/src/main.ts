// The page: board and game at the left, searches at the right, one socket to the studio.

import "uplot/dist/uPlot.min.css";
import "./style.css";
import { h } from "./dom";
import { Link, type Status } from "./link";
import { Studio } from "./studio";

const SAID: Record<Status, string> = {
  connecting: "Connecting to the studio …",
  open: "",
  lost: "The studio has stopped or does not answer. Start it again with “conspirator studio”: this page comes back by itself.",
  refused: "The studio does not know this page’s token. Open the address that “conspirator studio” printed.",
  full: "Too many pages are open. Close some: this one tries again.",
};

/** The token comes with the address once; then it is kept, and the address can be shared without it. */
function token(): string {
  const address = new URL(location.href);
  const given = address.searchParams.get("token");
  if (given) {
    localStorage.setItem("token", given);
    address.searchParams.delete("token");
    history.replaceState(null, "", address);
    return given;
  }
  return localStorage.getItem("token") ?? "";
}

/** A shared address has a game and a position in it. */
function shared(): Record<string, unknown> {
  const words = new URLSearchParams(location.hash.slice(1));
  const game = words.get("game");
  if (!game) return {};
  let options: unknown = {};
  try {
    options = JSON.parse(words.get("options") ?? "{}");
  } catch {
    options = {};
  }
  return { game, options, position: words.get("position") };
}

const theme = localStorage.getItem("theme");
if (theme) document.documentElement.dataset.theme = theme;

const root = document.querySelector("#studio") as HTMLElement;
const banner = h("div", { class: "banner", role: "alert", hidden: true });
root.append(banner);
const link = new Link(token());
const studio = new Studio(link, root);
link.onStatus = (status) => {
  banner.textContent = SAID[status];
  banner.hidden = status === "open" || (status === "connecting" && root.childElementCount > 1);
  document.body.dataset.status = status;
};
link.hello = () => {
  const kept = sessionStorage.getItem("document");
  const opened = shared();
  if ("game" in opened) {
    history.replaceState(null, "", location.pathname);
    return opened;
  }
  return { session: sessionStorage.getItem("session"), document: kept ? JSON.parse(kept) : undefined };
};
link.onHello = (hello, again) => studio.meet(hello, again);
link.onNews = (news) => studio.hear(news);
link.onFrame = (frame) => studio.see(frame);
addEventListener("hashchange", () => { if ("game" in shared()) location.reload(); });
link.open();
