// The messages of a program in a cluster while it runs: lines for people on a terminal, JSON lines otherwise.

import { remark } from "../output/say.ts";
import type { Io } from "../program/io.ts";

export type Log = (
  level: "info" | "warn" | "error",
  message: string,
  fields?: Readonly<Record<string, unknown>>,
) => void;

export function logTo(io: Io, clock: () => Date = () => new Date()): Log {
  return (level, message, fields = {}) => {
    if (!io.err.isTerminal) {
      io.err.write(`${JSON.stringify({ time: clock().toISOString(), level, message, ...fields })}\n`);
      return;
    }
    const rest = Object.entries(fields).map(([key, value]) => ` ${key}=${JSON.stringify(value)}`);
    remark(io, `${level === "info" ? "" : `${level}: `}${message}${rest.join("")}`);
  };
}

/** Resolves when the signal aborts. */
export function untilStopped(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
