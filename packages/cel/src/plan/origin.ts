// The origin of the values that a step returns, or that its result contains. It decides how they are read: data given under a declared type
// is converted to it, and a computed value may be an optional, which reading opens and closes again (value/reopen.ts). The checker's type
// does not say: `distinct` of untyped data leaves a type that the next operator chooses.

import type { TypeProvider } from "../types/provider.ts";
import { DYN, isOptionalType, type Type } from "../value/type.ts";
import type { Attr, Root, Step } from "./step.ts";

/**
 * - `data`: a document as it came in, or constants. Holds no optionals, and is what it is.
 * - `declared`: given by a host under a type of its own: a plain 1 is a double where a double is declared.
 * - `computed`: anything an expression can make.
 */
export type Origin = "data" | "declared" | "computed";

/** Caches its results, so that shared parts are visited once. */
export class Origins {
  private readonly known = new WeakMap<Step, Origin>();
  private readonly provider: TypeProvider;

  constructor(provider: TypeProvider) {
    this.provider = provider;
  }

  of(step: Step): Origin {
    let origin = this.known.get(step);
    if (origin === undefined) {
      origin = this.find(step);
      this.known.set(step, origin);
    }
    return origin;
  }

  private find(step: Step): Origin {
    switch (step.op) {
      case "const":
      case "and":
      case "or":
      case "eq":
      case "ne":
      case "inSet":
      case "all":
      case "exists":
      case "existsOne":
        return "data";
      case "attr":
        return step.test ? "data" : this.ofRoot(step.root);
      case "call":
        if (step.candidates.some((row) => row.host)) return "declared";
        return step.args.some((arg) => this.of(arg) === "declared") ? "declared" : "computed";
      case "list":
        return this.join(step.elements);
      case "map":
        return this.join(step.entries.flatMap(({ key, value }) => [key, value]));
      case "optionalOr":
        return this.join([step.left, step.right]);
      case "collect":
        return this.of(step.transform);
      case "collectMap":
        return step.key ? this.join([step.key, step.transform]) : this.of(step.transform);
      case "bind":
      case "block":
        return this.of(step.body);
      case "struct":
      case "fold":
        return "computed";
    }
  }

  ofRoot(root: Root): Origin {
    switch (root.kind) {
      case "global":
        return this.ofVariable(root.type);
      case "local":
        return root.origin;
      case "lazy":
        return this.of(root.init);
      case "value":
        return this.of(root.step);
      case "conditional":
        return this.join<Attr>([root.whenTrue, root.whenFalse]);
      case "ambiguous":
        return "computed";
    }
  }

  private join<S extends Step>(steps: readonly S[]): Origin {
    let joined: Origin = "data";
    for (const step of steps) {
      const origin = this.of(step);
      if (origin === "declared") return origin;
      if (origin === "computed") joined = origin;
    }
    return joined;
  }

  /** Types with an adapter convert their parts by themselves; opening an optional of one leaves the data alone. */
  private ofVariable(type: Type): Origin {
    if (isOptionalType(type)) return this.ofVariable(type.params[0] ?? DYN) === "declared" ? "declared" : "computed";
    if (type.kind === "dyn" || type.adapter !== undefined) return "data";
    if (type.kind === "struct" && this.provider.findStruct(type.name)?.converts === false) return "computed";
    return "declared";
  }
}
