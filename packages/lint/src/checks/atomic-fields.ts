// Lists and maps that an apply configuration may not set, because they are replaced as a whole: every request that such a mutation is
// evaluated for fails.

import { atomicFields } from "@celadon/admission/mutating";
import type { Policy } from "@celadon/admission/policy";
import { expressionFields } from "@celadon/admission/resources";
import { type Expr, visit } from "@celadon/cel/ast";
import { type GroupVersionKind, gvkText } from "@celadon/kube";
import type { SimulatedCluster } from "@celadon/simulator";
import type { Manifest } from "@celadon/simulator/manifests";
import type { Vocabulary } from "../help/vocabulary.ts";
import { type LintProblem, problem } from "../problem.ts";

/** Policies for more kinds than this are about common fields. */
const MOST_KINDS = 10;

/** `kinds` are those that the policy names. */
export async function atomicFieldProblems(
  manifest: Manifest,
  policy: Policy,
  kinds: readonly GroupVersionKind[],
  simulated: SimulatedCluster,
  { env }: Vocabulary,
): Promise<LintProblem[]> {
  if (policy.kind !== "MutatingAdmissionPolicy" || kinds.length > MOST_KINDS) return [];
  const found: LintProblem[] = [];
  for (const { kind, path, text } of expressionFields(policy)) {
    if (kind !== "mutation" || !path.includes("applyConfiguration")) continue;
    const { ast, issues } = env.parse({ name: "<input>", text });
    if (ast === undefined || issues.length > 0) continue;
    const fields = new Map<string, GroupVersionKind[]>();
    for (const configuration of configurationsIn(ast.expr)) {
      for (const matched of kinds) {
        const type = await simulated.hosts.mergeType?.(matched);
        if (type === undefined || type === "none") continue;
        for (const field of atomicFields(type, configuration)) {
          const known = fields.get(field) ?? [];
          if (!known.includes(matched)) fields.set(field, [...known, matched]);
        }
      }
    }
    for (const [field, of] of fields) {
      const isAlways = of.length === kinds.length;
      const message = `${field.slice(1)} is atomic, so the configuration cannot be applied (for ${of.map(gvkText).join("; ")})`;
      const help = "write this field with patchType JSONPatch";
      found.push(
        problem("atomic_in_configuration", manifest, path, message, { help, ...(isAlways && { level: "error" }) }),
      );
    }
  }
  return found;
}

type Configuration = Record<string, unknown>;

/** The possible results of an expression, as far as they are literals: each `Object{…}` with its fields and elements. */
function configurationsIn(root: Expr): Configuration[] {
  const found: Configuration[] = [];
  visit(root, {
    enter(expr) {
      if (expr.kind === "struct" && expr.type === "Object") found.push(shapeOf(expr) as Configuration);
      return undefined;
    },
  });
  return found;
}

/** The fields of literals; computed values are null. */
function shapeOf(expr: Expr): unknown {
  switch (expr.kind) {
    case "struct":
      return Object.fromEntries(expr.fields.map(({ name, value }) => [name, shapeOf(value)]));
    case "map":
      return Object.fromEntries(
        expr.entries.flatMap(({ key, value }) =>
          key.kind === "literal" && typeof key.value === "string" ? [[key.value, shapeOf(value)]] : [],
        ),
      );
    case "list":
      return expr.elements.map(shapeOf);
    // A step of `map` or `filter` appends to the list.
    case "comprehension":
      return shapeOf(expr.step);
    case "call":
      return expr.function === "_?_:_"
        ? joined(expr.args.slice(1).map(shapeOf))
        : JOINING.has(expr.function)
          ? joined([...(expr.target ? [expr.target] : []), ...expr.args].map(shapeOf))
          : null;
    default:
      return null;
  }
}

/** Calls whose result has everything that an argument has. */
const JOINING: ReadonlySet<string> = new Set([
  "_+_",
  "of",
  "ofNonZeroValue",
  "optional.of",
  "optional.ofNonZeroValue",
  "orValue",
  "or",
]);

/** Everything that one of the shapes has. */
function joined(shapes: readonly unknown[]): unknown {
  const known = shapes.filter((shape) => shape !== null);
  if (known.some((shape) => Array.isArray(shape))) return known.flatMap((shape) => (Array.isArray(shape) ? shape : []));
  if (known.length === 0) return null;
  const all = new Map<string, unknown>();
  for (const [name, value] of known.flatMap((shape) => Object.entries(shape as object))) {
    all.set(name, all.has(name) ? joined([all.get(name), value]) : value);
  }
  return Object.fromEntries(all);
}
