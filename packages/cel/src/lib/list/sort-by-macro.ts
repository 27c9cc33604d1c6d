// `list.sortBy(x, key)`: names the list, maps it to its keys, and sorts one by the other, so that the list is evaluated once.

import type { Macro } from "../../parse/macro.ts";
import { STANDARD_MACROS } from "../../parse/macros.ts";

const INPUT = "@__sortBy_input__";
const map = STANDARD_MACROS.find((macro) => macro.name === "map" && macro.arity === 2) as Macro;

export const sortByMacro: Macro = {
  name: "sortBy",
  arity: 2,
  receiver: true,
  expand(make, target, args) {
    if (target === undefined) return undefined;
    if (target.kind === "literal" || target.kind === "map" || target.kind === "struct") {
      return make.issue(
        "sortBy can only be applied to a list, identifier, comprehension, call or select expression",
        target,
      );
    }
    const keys = map.expand(make, make.ident(INPUT), args);
    if (keys === undefined || !("kind" in keys)) return keys;
    const sorted = make.memberCall("@sortByAssociatedKeys", make.ident(INPUT), keys);
    return make.fold(make.list(), "#unused", "", INPUT, target, make.literal(false), make.ident(INPUT), sorted);
  },
};
