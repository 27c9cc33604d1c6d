// @celadon/language/playground: work of a playground as data, as a link, and without secrets.

export { bindingEdit } from "../actions/binding-edit.ts";
export { type Deflate, decodeWork, encodeWork, type Inflate, LONG_LINK, LONGEST_LINK } from "./link.ts";
export { type MaskedValue, type MaskedWork, maskWork } from "./mask-work.ts";
export { readWork, WORK_TEXTS, type Work, type WorkMode, type WorkRequest, type WorkText } from "./work.ts";
export { type ShownRequest, workOf } from "./work-of.ts";
