// Enums as CEL sees them. By default a member is the int of its number, as in cel-go; strong-enums.ts has the other form,
// in which every enum is a separate type.

import type { DescEnum } from "@bufbuild/protobuf";
import type { CelError } from "../value/error.ts";
import type { Type } from "../value/type.ts";
import { INT } from "../value/type.ts";
import type { Value } from "../value/value.ts";

export interface EnumForm {
  /** Whether enums are types of their own. */
  readonly strong: boolean;
  type(desc: DescEnum): Type;
  reader(desc: DescEnum): (raw: unknown) => Value;
  /** The number of a member to be stored; undefined if the enum has no such value. */
  toNumber(desc: DescEnum, value: Value): number | CelError | undefined;
}

/** Enums are ints. */
export const numbers: EnumForm = {
  strong: false,
  type: () => INT,
  reader: () => (raw) => raw,
  toNumber: () => undefined,
};
