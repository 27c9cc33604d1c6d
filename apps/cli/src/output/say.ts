// A line on standard output that stands in no report: where a server listens, which file was written. Paths and addresses in it
// come from users, and colours in it from `paintOf`.

import type { Io } from "../program/io.ts";
import { screened, unbroken } from "./visible.ts";

/** Writes one line, whatever the text holds. */
export function say(io: Io, line: string): void {
  io.out.write(`${screened(unbroken(line))}\n`);
}
