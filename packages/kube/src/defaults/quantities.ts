// Lists of resources: a server rounds their quantities up to thousandths.

import { isInvalid } from "../invalid.ts";
import { parseQuantity } from "../quantity/quantity.ts";
import { isStruct, type Rule, type Struct } from "./rules.ts";

const MILLI = -3;
// Anything else has no more than thousandths: whole numbers, `m`, and suffixes that make more of it.
const MAY_BE_FINER = /[nueE.]/;

/** A map of resource names to quantities, as they came out of their type. */
export const resourceList: Rule = (given) => {
  if (!isStruct(given)) return given;
  let rounded: Struct | undefined;
  for (const name in given) {
    const text = given[name];
    if (typeof text !== "string" || !MAY_BE_FINER.test(text)) continue;
    const parsed = parseQuantity(text);
    const value = isInvalid(parsed) ? text : parsed.roundUp(MILLI).toString();
    if (value !== text) rounded = { ...(rounded ?? given), [name]: value };
  }
  return rounded ?? given;
};

export const resources: { readonly limits: Rule; readonly requests: Rule } = {
  limits: resourceList,
  requests: resourceList,
};
