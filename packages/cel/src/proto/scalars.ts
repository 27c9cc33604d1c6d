// Protobuf scalars as CEL values. 64-bit integers are bigints (or texts, by a field option) in messages and, as ints,
// numbers while they are safe; doubles and uints are boxed.

import { ScalarType } from "@bufbuild/protobuf";
import { boxDouble } from "@celadon/base";
import { toInt } from "../value/int.ts";
import { BOOL, BYTES, DOUBLE, INT, type Int, STRING, type Type, UINT } from "../value/type.ts";
import { Uint } from "../value/value.ts";
import type { Convert } from "./containers.ts";

const same: Convert = (raw) => raw;
const readDouble: Convert = (raw) => boxDouble(raw as number);
const readUint32: Convert = (raw) => new Uint(raw as number);
const readInt64: Convert = (raw) => toInt(typeof raw === "bigint" ? raw : BigInt(raw as string));
const readUint64: Convert = (raw) => new Uint(readInt64(raw) as Int);

interface Scalar {
  readonly type: Type;
  readonly read: Convert;
  /** Go's name, which conversion errors show. */
  readonly goName: string;
}

const row = (type: Type, read: Convert, goName: string): Scalar => ({ type, read, goName });

// biome-ignore format: one scalar per line
export const scalars: Readonly<Record<ScalarType, Scalar>> = {
  [ScalarType.BOOL]:     row(BOOL,   same,       "bool"),
  [ScalarType.BYTES]:    row(BYTES,  same,       "[]uint8"),
  [ScalarType.STRING]:   row(STRING, same,       "string"),
  [ScalarType.DOUBLE]:   row(DOUBLE, readDouble, "float64"),
  [ScalarType.FLOAT]:    row(DOUBLE, readDouble, "float32"),
  [ScalarType.INT32]:    row(INT,    same,       "int32"),
  [ScalarType.SINT32]:   row(INT,    same,       "int32"),
  [ScalarType.SFIXED32]: row(INT,    same,       "int32"),
  [ScalarType.INT64]:    row(INT,    readInt64,  "int64"),
  [ScalarType.SINT64]:   row(INT,    readInt64,  "int64"),
  [ScalarType.SFIXED64]: row(INT,    readInt64,  "int64"),
  [ScalarType.UINT32]:   row(UINT,   readUint32, "uint32"),
  [ScalarType.FIXED32]:  row(UINT,   readUint32, "uint32"),
  [ScalarType.UINT64]:   row(UINT,   readUint64, "uint64"),
  [ScalarType.FIXED64]:  row(UINT,   readUint64, "uint64"),
};

/** Whether messages hold the scalar in a form that is a CEL value already. */
export const isPlain = (type: ScalarType): boolean => scalars[type].read === same;

/** The value of an unset scalar field, in the message's own form. */
export function zeroOf(type: ScalarType): unknown {
  const of = scalars[type];
  if (of.type === BOOL) return false;
  if (of.type === STRING) return "";
  if (of.type === BYTES) return new Uint8Array();
  return of.read === readInt64 || of.read === readUint64 ? 0n : 0;
}
