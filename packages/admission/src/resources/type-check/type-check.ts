// Type checking of a policy: the warnings that kube-controller-manager writes to status.typeChecking, text for text, and those that it
// leaves out: kinds of wildcards and subresources, kinds after the tenth, and the expressions of variables, match conditions and audit
// annotations. The API server does not check mutating policies. Upstream: apiserver pkg/admission/plugin/policy/validating/typechecking.go.

import type { JsonPath } from "@celadon/base";
import type { Issue } from "@celadon/cel";
import { type GroupVersionKind, gvkText } from "@celadon/kube";
import { FieldPath } from "@celadon/kube/errors";
import { emulationOf, type Minor } from "@celadon/kube/versions";
import type {
  ExpressionWarning,
  Policy,
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicyStatus,
} from "../../policy.ts";
import { type ExpressionKind, expressionFields, type WrittenExpression } from "../expression-fields.ts";
import { answerOf } from "./answer-of.ts";
import { kindsToCheck, type TypeSource } from "./kinds-to-check.ts";
import { paramsOf } from "./params-kind.ts";
import { publishedSchema } from "./published-schema.ts";
import { TypedEnvironment } from "./typed-environment.ts";

/** An expression that is wrong for a kind. */
export interface TypeWarning {
  /** The path of the expression in the policy: `spec.validations[0].expression`. */
  readonly path: FieldPath;
  readonly kind: GroupVersionKind;
  readonly issues: readonly Issue[];
  /** The issues as they are shown, without the kind. */
  readonly text: string;
  /** True for kinds that the API server does not check. */
  readonly beyond: boolean;
}

/** The findings of type checking a policy. */
export interface TypeCheck {
  /** For the status, in the API server's order and words. */
  readonly expressionWarnings: readonly ExpressionWarning[];
  /** Every warning by itself, those beyond the API server's limits among them. */
  readonly warnings: readonly TypeWarning[];
  /** The kinds that were checked, and those beyond the API server's limits. */
  readonly kinds: readonly GroupVersionKind[];
  readonly kindsBeyond: readonly GroupVersionKind[];
}

/** The extent of type checking. */
export interface TypeCheckOptions {
  /** False to look no further than the API server. */
  readonly beyond?: boolean;
  /** The minor of the API server; the current one when absent. */
  readonly kubeVersion?: Minor;
  /** Called before each expression for each kind: a policy may have thousands for dozens of kinds, and others want to go on. */
  readonly pause?: () => Promise<void> | undefined;
}

/** Since then `params` of an unknown kind are untyped; before, they were not declared. */
const UNKNOWN_PARAMS_SINCE = 36;

/** Checks the expressions of a policy against the schemas of the kinds it matches. */
export async function checkTypes(
  policy: Policy,
  source: TypeSource,
  { beyond = true, kubeVersion, pause }: TypeCheckOptions = {},
): Promise<TypeCheck> {
  const { kinds, beyond: kindsBeyond } = await kindsToCheck(policy, beyond ? source : { ...plain(source) });
  const paramKind = await paramsOf(policy.spec.paramKind, source);
  const isDeclared = paramKind?.schema !== undefined || emulationOf(kubeVersion).since(UNKNOWN_PARAMS_SINCE);
  const params = isDeclared ? paramKind : undefined;
  const expressions = expressionFields(policy);
  const warnings: TypeWarning[] = [];
  const checked: Record<"kinds" | "beyond", GroupVersionKind[]> = { kinds: [], beyond: [] };
  for (const [list, isBeyond] of [
    [kinds, false],
    [kindsBeyond, true],
  ] as const) {
    for (const kind of list) {
      const schema = await answerOf(() => source.schema(kind));
      if (schema === undefined) continue; // upstream says nothing either
      checked[isBeyond ? "beyond" : "kinds"].push(kind);
      const object = { kind: kind.kind, schema: publishedSchema(schema) };
      const env = new TypedEnvironment({ object, params }, kubeVersion);
      for (const expression of expressions) {
        const paused = pause?.();
        if (paused !== undefined) await paused;
        const found = checkExpression(policy, expression, env);
        if (found === undefined) continue;
        const outside = isBeyond || found.beyond;
        if (beyond || !outside) warnings.push({ ...found, kind, beyond: outside });
      }
    }
  }
  return {
    expressionWarnings: byExpression(warnings).map(({ path, warning }) => ({ fieldRef: path.toString(), warning })),
    warnings,
    kinds: checked.kinds,
    kindsBeyond: checked.beyond,
  };
}

/** The status a policy has after it was checked. */
export function checkedStatus(
  policy: ValidatingAdmissionPolicy,
  { expressionWarnings }: TypeCheck,
): ValidatingAdmissionPolicyStatus {
  return {
    ...policy.status,
    ...(policy.metadata.generation !== undefined && { observedGeneration: policy.metadata.generation }),
    typeChecking: expressionWarnings.length === 0 ? {} : { expressionWarnings },
  };
}

function plain(source: TypeSource): TypeSource {
  return { schema: (kind) => source.schema(kind), kinds: (resource) => source.kinds(resource) };
}

type KindWarning = Omit<TypeWarning, "kind">;

/** An expression of the policy for one kind. Variables are known to the expressions after them. */
function checkExpression(
  policy: Policy,
  { path, text, kind: role }: WrittenExpression,
  env: TypedEnvironment,
): KindWarning | undefined {
  if (text === "" && role === "messageExpression") return undefined;
  const variable = role === "variable" ? policy.spec.variables?.[Number(path.at(-2))] : undefined;
  const wrong = variable ? env.addVariable(variable.name, text) : env.check(text, role === "mutation");
  return wrong === undefined ? undefined : { path: fieldPathOf(path), ...wrong, beyond: !CHECKED.has(role) };
}

const fieldPathOf = (path: JsonPath): FieldPath =>
  path.reduce<FieldPath>((at, step) => (typeof step === "number" ? at.index(step) : at.child(step)), FieldPath.root);

/** Kinds that the API server checks itself. */
const CHECKED: ReadonlySet<ExpressionKind> = new Set(["validation", "messageExpression"]);

/** The API server's warnings for each expression, in the order of the fields: a block per kind. */
export function byExpression(
  warnings: readonly TypeWarning[],
): { readonly path: FieldPath; readonly warning: string }[] {
  const blocks = new Map<string, TypeWarning[]>();
  for (const warning of warnings) {
    if (warning.beyond) continue;
    const known = blocks.get(warning.path.toString());
    if (known === undefined) blocks.set(warning.path.toString(), [warning]);
    else known.push(warning);
  }
  const sorted = [...blocks.values()].sort(([a], [b]) => compareFields(a!.path.steps, b!.path.steps));
  return sorted.map((list) => ({
    path: list[0]!.path,
    warning: list.map(({ kind, text }) => `${gvkText(kind)}: ${text}\n`).join("\n"),
  }));
}

/** Validations by number, each with its expression before its message. */
function compareFields([, , i, field]: JsonPath, [, , j, other]: JsonPath): number {
  return Number(i) - Number(j) || (field === other ? 0 : field === "expression" ? -1 : 1);
}
