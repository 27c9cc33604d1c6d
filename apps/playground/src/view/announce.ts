// Announces messages to screen readers: the last message once typing rests, and none twice in a row.

import { byId } from "./dom.ts";

const REST_MS = 500;

export class Announcer {
  #timer: ReturnType<typeof setTimeout> | undefined;
  #last = "";

  say(text: string): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      if (text === this.#last) return;
      this.#last = text;
      byId("live").textContent = text;
    }, REST_MS);
  }
}
