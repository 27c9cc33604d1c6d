// A progress bar for people who wait: on stderr, only on a terminal, only after half a second, gone at the end. Files and CI logs
// never see it.

import type { Flags } from "../program/command.ts";
import type { Io } from "../program/io.ts";
import { oneLine } from "./visible.ts";
import { cutTo } from "./width.ts";

const PATIENCE_MS = 500;
const BETWEEN_MS = 100;
const BAR = 24;

export interface Progress {
  /** `done` of `total`; cheap, call it as often as there is work. */
  update(done: number, total: number, what?: string): void;
  /** Clears the line. Call it before anything else is written, and in any case. */
  end(): void;
}

export function startProgress(title: string, args: Pick<Flags<"quiet">, "on">, io: Io): Progress {
  const shows = io.err.isTerminal && !args.on("quiet") && (io.env.CI ?? "") === "" && io.env.TERM !== "dumb";
  if (!shows) return { update: () => {}, end: () => {} };

  let next = io.now() + PATIENCE_MS;
  let drawn = false;
  return {
    update: (done, total, what = "") => {
      const now = io.now();
      if (now < next) return;
      next = now + BETWEEN_MS;
      drawn = true;
      io.err.control(`\r${cutTo(oneLine(lineOf(title, done, total, what)), (io.err.columns ?? 80) - 1)}\u001b[K`);
    },
    end: () => {
      if (drawn) io.err.control("\r\u001b[K");
      drawn = false;
      next = Number.POSITIVE_INFINITY;
    },
  };
}

function lineOf(title: string, done: number, total: number, what: string): string {
  const share = total <= 0 ? 0 : Math.min(1, Math.max(0, done / total));
  const full = Math.round(share * BAR);
  const bar = "█".repeat(full) + "░".repeat(BAR - full);
  return `${title} ${bar} ${done}/${total}${what === "" ? "" : ` ${what}`}`;
}
