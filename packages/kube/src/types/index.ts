// The Go types behind the built-in kinds: `@celadon/kube/types`. Objects pass through them before anything else looks at them.

export { isBuiltinGroup } from "./api-history.ts";
export { type DecodedBody, decodeBody } from "./body.ts";
export { decode, decodeAs } from "./decode.ts";
export type { Decoded, DecodeKind, DecodeOptions } from "./decode-options.ts";
export { copyEmpty, hasEmpty, wasEmpty } from "./empty-fields.ts";
export { jsonType } from "./json-type.ts";
export { type KindAnswer, kindProblemText, kindServed } from "./kind-served.ts";
export {
  type BadValue,
  conversionErrorText,
  type DecodeError,
  decodeErrorText,
  type PathStep,
  type StrictFinding,
  stepsText,
  strictText,
  type UnknownKind,
  type WrongType,
} from "./problem.ts";
export { type ServedBuiltin, type ServedBuiltinSubresource, servedKind, servedResources } from "./served.ts";
export { storedForm } from "./stored-form.ts";
export {
  type GoField,
  type GoStruct,
  type MergeStrategy,
  typeOfKind,
  type ValueCode,
  type ValueType,
} from "./table.ts";
