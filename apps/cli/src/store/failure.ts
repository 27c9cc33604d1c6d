// Exit codes for a store's errors: unusable arguments (2), or failed work (1).

import { isStoreError, type StoreErrorCode } from "@celadon/storage";
import { remark } from "../output/say.ts";
import { EXIT, type ExitCode, UsageError } from "../program/exit.ts";
import type { Io } from "../program/io.ts";

const FAILURES: ReadonlySet<StoreErrorCode> = new Set(["corrupt", "no_space", "unavailable"]);

/** Runs something on a store; `hints` says what to do about an error. */
export async function onStore(
  io: Io,
  hints: Partial<Record<StoreErrorCode, string>>,
  run: () => Promise<ExitCode>,
): Promise<ExitCode> {
  try {
    return await run();
  } catch (error) {
    if (!isStoreError(error)) throw error;
    const hint = hints[error.code];
    if (!FAILURES.has(error.code)) throw new UsageError(error.message, hint);
    remark(io, `celadon: ${error.message}`);
    if (hint !== undefined) remark(io, `  ${hint}`);
    return EXIT.failed;
  }
}
