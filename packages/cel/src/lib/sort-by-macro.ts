// `list.sortBy(x, key)`: names the list, maps it to its keys, and sorts one by the other, so that the list is evaluated once.

import { ACCUMULATOR } from "../ast/expr.ts";
import { LEGACY_ACCUMULATOR } from "../cost/sizes.ts";
import type { Macro } from "../parse/macro.ts";

const INPUT = "@__sortBy_input__";

export const sortByMacro: Macro = {
  name: "sortBy",
  arity: 2,
  receiver: true,
  expand(make, target, args) {
    const [variable, key] = args;
    if (target === undefined || variable === undefined || key === undefined) return undefined;
    if (target.kind === "literal" || target.kind === "map" || target.kind === "struct") {
      return make.issue("sortBy can only be applied to a list, identifier, comprehension, call or select expression", target);
    }
    if (variable.kind !== "ident") return make.issue("argument is not an identifier", variable);
    const { name } = variable;
    if (name === ACCUMULATOR || name === LEGACY_ACCUMULATOR) {
      return make.issue("iteration variable overwrites accumulator variable", variable);
    }
    const step = make.call("_+_", make.accuIdent(), make.list(key));
    const keys = make.fold(
      make.ident(INPUT), name, "", ACCUMULATOR, make.list(), make.literal(true), step, make.accuIdent(),
    );
    const sorted = make.memberCall("@sortByAssociatedKeys", make.ident(INPUT), keys);
    return make.fold(make.list(), "#unused", "", INPUT, target, make.literal(false), make.ident(INPUT), sorted);
  },
};
