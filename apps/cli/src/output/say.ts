// Lines outside of reports: on standard output where a server listens and which file was written, on standard error notes and
// failures. Paths, addresses and others' messages in them come from users, and colours from `paintOf`.

import type { Io } from "../program/io.ts";
import { screened, unbroken } from "./visible.ts";

/** Writes one line, with any text. */
export function say(io: Io, line: string): void {
  io.out.write(`${screened(unbroken(line))}\n`);
}

/** The same on standard error, which is screened by itself. */
export function remark(io: Pick<Io, "err">, line: string): void {
  io.err.write(`${unbroken(line)}\n`);
}
