// The messages of `celadon up` while it runs: lines for people on a terminal, JSON lines otherwise.

import type { AuditedRequest } from "@celadon/apiserver";
import type { Paint } from "../output/paint.ts";
import { remark } from "../output/say.ts";
import type { Io } from "../program/io.ts";
import { requestJson, requestLine } from "./request-log.ts";

export type Level = "info" | "warn" | "error";

export interface ServerLog {
  /** A terminal shows `painted` instead. */
  note(level: Level, message: string, painted?: string): void;
  request(request: AuditedRequest): void;
  /** Writes what still waits. */
  close(): void;
}

/** The time for which a request's line of JSON may wait for others, in milliseconds: a write of its own costs as much as making it. */
const GATHER_MS = 50;

export function serverLog(io: Io, paint: Paint, clock: () => Date = () => new Date()): ServerLog {
  const { err } = io;
  if (err.isTerminal) {
    return {
      note: (_level, message, painted = message) => remark(io, painted),
      request: (request) => err.write(`${requestLine(request, paint)}\n`),
      close: () => {},
    };
  }
  let lines = "";
  let timer: NodeJS.Timeout | undefined;
  const close = (): void => {
    clearTimeout(timer);
    timer = undefined;
    err.write(lines);
    lines = "";
  };
  return {
    note(level, message) {
      lines += `${JSON.stringify({ time: clock().toISOString(), level, message })}\n`;
      close();
    },
    request(request) {
      lines += `${requestJson(request)}\n`;
      timer ??= setTimeout(close, GATHER_MS);
    },
    close,
  };
}
