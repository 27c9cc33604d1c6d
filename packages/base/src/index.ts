// The basis of every package: JSON values, UTF-8, base64, blanks, Go's formatting.

export { type Base64Form, decodeBase64, encodeBase64 } from "./base64.ts";
export { joinLines, trimEndOf } from "./blanks.ts";
export { BoundedMap } from "./bounded-map.ts";
export { CelObject } from "./cel-object.ts";
export { boxDouble, Double } from "./double.ts";
export { deepEqual, semanticEqual } from "./equal.ts";
export {
  formatFixed,
  formatFloatJson,
  formatFloatV,
  formatGoJson,
  formatGoValue,
  formatNumberV,
  goTypeName,
} from "./go-format.ts";
export { quoteGo, quoteGoTime, quoteJson } from "./go-quote.ts";
export {
  isRecord,
  type JsonKind,
  type JsonObject,
  type JsonPath,
  jsonKind,
  memberOf,
  own,
  setOwn,
  valueAt,
} from "./json.ts";
export { toExactJson, toJson } from "./json-text.ts";
export { nearestName } from "./nearest-name.ts";
export { pushAll } from "./push-all.ts";
export { thrownText } from "./thrown-text.ts";
export {
  compareBytes,
  compareStrings,
  decodeUtf8,
  decodeUtf8Bytewise,
  decodeUtf8Lossy,
  encodeUtf8,
  type Order,
  utf8Length,
  utf8Parts,
} from "./utf8.ts";
