// Fields and keys that objects may lack, read without a test for them. A field that a match condition tests exists for the other
// expressions; within an expression, and the variables that it reads, the order is not checked.

import { type ExpressionFacts, type MapKey, variablesByName } from "./expression-facts.ts";
import { type FoundResource, finding, type PolicyFinding } from "./finding.ts";
import { isOptional } from "./optional-fields.ts";

export function unguardedReads(resource: FoundResource, facts: readonly ExpressionFacts[]): PolicyFinding[] {
  const variables = variablesByName(facts);
  const conditions = facts.filter(({ role }) => role === "matchCondition").flatMap((fact) => used(fact, variables));
  const found = new Map<string, { readonly at: ExpressionFacts; readonly finding: PolicyFinding }>();
  for (const fact of facts) {
    if (fact.role === "variable") continue;
    const own = used(fact, variables);
    const asking = [...own, ...conditions];
    const fields = new Set(asking.flatMap(({ data }) => [...data.asked]));
    const keys = new Set(asking.flatMap((asked) => asked.keys.asked.map(idOf)));
    for (const at of own) {
      const say = (id: string, read: NonNullable<PolicyFinding["read"]>, message: string): void => {
        const place = JSON.stringify([at.path, id]);
        const code = read.key === undefined ? "unguarded_field" : "unguarded_key";
        if (!found.has(place)) found.set(place, { at, finding: finding(resource, code, at.path, message, { read }) });
      };
      const unguardedKeys = at.keys.read.filter((key) => !keys.has(idOf(key)));
      const unguarded = [...at.data.read].filter((path) => isOptional(path) && !fields.has(path));
      for (const path of unguarded) {
        // A field inside of another that is missing, and a map whose key is missing, are one mistake.
        if (unguarded.some((outer) => path.startsWith(`${outer}.`)) || unguardedKeys.some(({ map }) => map === path))
          continue;
        say(path, { field: path }, `evaluation fails for objects without ${path}`);
      }
      for (const key of unguardedKeys) {
        const shown = JSON.stringify(key.key);
        say(
          idOf(key),
          { field: key.map, key: shown },
          `evaluation fails for objects without the key ${shown} in ${key.map}`,
        );
      }
    }
  }
  const order = new Map(facts.map((fact, i) => [fact, i]));
  return [...found.values()].sort((a, b) => order.get(a.at)! - order.get(b.at)!).map((item) => item.finding);
}

const idOf = ({ map, key }: MapKey): string => JSON.stringify([map, key]);

/** An expression, and the variables that it reads itself or through others. */
function used(fact: ExpressionFacts, variables: ReadonlyMap<string, ExpressionFacts>): readonly ExpressionFacts[] {
  const found = new Set([fact]);
  for (const { variables: names } of found) {
    for (const name of names) {
      const variable = variables.get(name);
      if (variable !== undefined) found.add(variable);
    }
  }
  return [...found];
}
