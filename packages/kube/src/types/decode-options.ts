// The arguments and results of decoding.

import type { Minor } from "../versions.ts";
import type { DecodeError, StrictFinding } from "./problem.ts";

/** The result of decoding: the object or an error, and what strict decoding reports. */
export interface Decoded {
  /** The object as the encoder writes it; undefined if there is an error. */
  readonly object: Readonly<Record<string, unknown>> | undefined;
  /** Unknown and duplicate fields, in the order they were met; a server stops counting at 100. */
  readonly strict: readonly StrictFinding[];
  /** The error with which a server ends the request. */
  readonly error: DecodeError | undefined;
  /** All errors, that one first: people want to see everything that is wrong. */
  readonly errors: readonly DecodeError[];
}

/** The expected kind of a body. */
export interface DecodeKind {
  readonly apiVersion: string;
  readonly kind: string;
}

/** Options for decoding a body. */
export interface DecodeOptions {
  /** Lists and maps that are empty stay, as `[]` and `{}`, where defaults or validation distinguish them from absent ones. */
  readonly keepEmpty?: boolean;
  /** Fields and keys stay in the order they were given in: faster, and enough for who does not compare texts. */
  readonly unordered?: boolean;
  /**
   * The object was merged and not read from a body. Numbers are then converted as Go converts them: a whole double becomes an integer,
   * and an integer that is too large for its field keeps its lower bits.
   */
  readonly merged?: boolean;
  /** The object, or parts of it, were decoded before: fields that were given empty then are known. */
  readonly again?: boolean;
  /** The version whose types apply; the newest otherwise. */
  readonly minor?: Minor | undefined;
  /** Fields of the object that are known to be as they should be: they are neither given nor written. */
  readonly without?: Readonly<Record<string, unknown>>;
}
