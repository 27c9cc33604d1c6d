// Type conversions of the standard library.

import { bytesToString, fixed, stringToBytes } from "../../cost/formulas.ts";
import * as convert from "../../value/convert.ts";
import {
  BOOL,
  BYTES,
  DOUBLE,
  DURATION,
  DYN,
  INT,
  param,
  STRING,
  TIMESTAMP,
  typeOfType,
  UINT,
} from "../../value/type.ts";
import { bareTypeOf, oldTypeOf, plainTypeOf, typeOf } from "../../value/type-of.ts";
import { before, fn, type Overload, since } from "../library.ts";

const A = param("A");
const same = <T>(value: T): T => value;

// biome-ignore format: one overload per line
export const conversions: readonly Overload[] = [
  //  name         overload id               argument     result     cost           implementation
  fn("type",      "type",                   [A],         typeOfType(A), fixed(1),   typeOf),
  fn("bool",      "bool_to_bool",           [BOOL],      BOOL,      fixed(1),       same),
  fn("bool",      "string_to_bool",         [STRING],    BOOL,      fixed(1),       convert.boolFromString),
  fn("bytes",     "bytes_to_bytes",         [BYTES],     BYTES,     fixed(1),       same),
  fn("bytes",     "string_to_bytes",        [STRING],    BYTES,     stringToBytes,  convert.bytesFromString),
  fn("double",    "double_to_double",       [DOUBLE],    DOUBLE,    fixed(1),       same),
  fn("double",    "int64_to_double",        [INT],       DOUBLE,    fixed(1),       convert.doubleFromInt),
  fn("double",    "string_to_double",       [STRING],    DOUBLE,    fixed(1),       convert.doubleFromString),
  fn("double",    "uint64_to_double",       [UINT],      DOUBLE,    fixed(1),       convert.doubleFromInt),
  fn("duration",  "duration_to_duration",   [DURATION],  DURATION,  fixed(1),       same),
  fn("duration",  "string_to_duration",     [STRING],    DURATION,  fixed(1),       convert.durationFromString),
  fn("dyn",       "to_dyn",                 [A],         DYN,       fixed(1),       same),
  fn("int",       "int64_to_int64",         [INT],       INT,       fixed(1),       same),
  fn("int",       "double_to_int64",        [DOUBLE],    INT,       fixed(1),       convert.intFromDouble),
  fn("int",       "duration_to_int64",      [DURATION],  INT,       fixed(1),       convert.intFromDuration),
  fn("int",       "string_to_int64",        [STRING],    INT,       fixed(1),       convert.intFromString),
  fn("int",       "timestamp_to_int64",     [TIMESTAMP], INT,       fixed(1),       convert.intFromTimestamp),
  fn("int",       "uint64_to_int64",        [UINT],      INT,       fixed(1),       convert.intFromUint),
  fn("string",    "string_to_string",       [STRING],    STRING,    fixed(1),       same),
  fn("string",    "bool_to_string",         [BOOL],      STRING,    fixed(1),       convert.stringFromBool),
  fn("string",    "bytes_to_string",        [BYTES],     STRING,    bytesToString,  convert.stringFromBytes),
  fn("string",    "double_to_string",       [DOUBLE],    STRING,    fixed(1),       convert.stringFromDouble),
  fn("string",    "duration_to_string",     [DURATION],  STRING,    fixed(1),       convert.stringFromDuration),
  fn("string",    "int64_to_string",        [INT],       STRING,    fixed(1),       convert.stringFromInt),
  fn("string",    "timestamp_to_string",    [TIMESTAMP], STRING,    fixed(1),       convert.stringFromTimestamp),
  fn("string",    "uint64_to_string",       [UINT],      STRING,    fixed(1),       convert.stringFromInt),
  fn("timestamp", "timestamp_to_timestamp", [TIMESTAMP], TIMESTAMP, fixed(1),       same),
  fn("timestamp", "int64_to_timestamp",     [INT],       TIMESTAMP, fixed(1),       convert.timestampFromInt),
  fn("timestamp", "string_to_timestamp",    [STRING],    TIMESTAMP, fixed(1),       convert.timestampFromString),
  fn("uint",      "uint64_to_uint64",       [UINT],      UINT,      fixed(1),       same),
  fn("uint",      "double_to_uint64",       [DOUBLE],    UINT,      fixed(1),       convert.uintFromDouble),
  fn("uint",      "int64_to_uint64",        [INT],       UINT,      fixed(1),       convert.uintFromInt),
  fn("uint",      "string_to_uint64",       [STRING],    UINT,      fixed(1),       convert.uintFromString),
];

/** As they were in older releases of cel-go. */
// biome-ignore format: one overload per line
export const olderConversions: readonly Overload[] = [
  before(29, fn("duration", "int64_to_duration", [INT], DURATION,      fixed(1), convert.durationFromInt)),
  since(26, before(29, fn("type", "type",        [A],   typeOfType(A), fixed(1), bareTypeOf))),
  since(20, before(26, fn("type", "type",        [A],   typeOfType(A), fixed(1), plainTypeOf))),
  before(20, fn("type",     "type",              [A],   typeOfType(A), fixed(1), oldTypeOf)),
];
