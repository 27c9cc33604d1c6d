// `list.join()`, in the behaviour of each version of the strings library: they differ in the error for an element that is no string.

import { type List, listGet, listSize } from "../../value/collection/list.ts";
import { type CelError, celError, isError } from "../../value/error.ts";
import { work } from "../../value/size/work.ts";
import { formatValue } from "../../value/text/format-go.ts";
import { typeOf } from "../../value/type-of.ts";
import { Optional, type Value } from "../../value/value.ts";
import { joinTexts } from "./text-limit.ts";

/** Since version 2: any value may turn up, an error of the data among them, and is shown. */
export function join(list: List, separator = ""): string | CelError {
  return joinWith(list, separator, (elem) =>
    typeof elem === "string" ? elem : celError("invalid_argument", `join: invalid input: ${formatValue(elem)}`),
  );
}

/** Versions 0 and 1 convert the list to Go strings first, and each type has its own way of refusing that. */
export function joinNative(list: List, separator = ""): string | CelError {
  return joinWith(list, separator, toNative);
}

function joinWith(list: List, separator: string, toText: (elem: Value) => string | CelError): string | CelError {
  const texts: string[] = [];
  const size = listSize(list);
  for (let i = 0; i < size; i++) {
    work(1);
    const text = toText(listGet(list, i));
    if (typeof text !== "string") return text;
    texts.push(text);
  }
  return joinTexts(texts, separator);
}

function toNative(elem: Value): string | CelError {
  if (typeof elem === "string") return elem;
  if (isError(elem)) return elem;
  if (elem instanceof Optional && elem.hasValue) return toNative(elem.value);
  return celError("conversion", nativeRefusal(elem));
}

function nativeRefusal(elem: Value): string {
  const type = typeOf(elem);
  switch (type.kind) {
    case "int":
    case "uint":
      return `unsupported type conversion from '${type.name}' to string`;
    case "bytes":
      return "type conversion error from Bytes to 'string'";
    case "double":
      return "type conversion error from Double to 'string'";
    case "bool":
    case "list":
    case "map":
      return `type conversion error from ${type.name} to 'string'`;
    case "timestamp":
      return "type conversion error from 'Timestamp' to 'string'";
    case "duration":
      return "type conversion error from 'Duration' to 'string'";
    case "type":
      return "type conversion not supported for 'type'";
    default:
      return `type conversion error from '${type.name}' to 'string'`;
  }
}
