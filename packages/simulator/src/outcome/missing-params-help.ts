// Advice for a policy that has a paramKind and got no params: they do not exist, or the binding does not refer to any.

import type { MissingParams } from "@celadon/admission";
import type { Policy } from "@celadon/admission/policy";
import { unguardedParams } from "@celadon/admission/resources";
import type { JsonPath } from "@celadon/base";
import { isInvalid } from "@celadon/kube/errors";
import { toLabelSelector } from "@celadon/kube/selectors";

/** A failure without params: of an expression, or of the binding itself. */
interface FailedWithout {
  readonly missing: MissingParams;
  readonly policy: Policy;
  readonly binding: string;
  readonly expression?: JsonPath | undefined;
}

/** Undefined for an expression that fails for another reason. */
export function missingParamsHelp(failed: FailedWithout): string | undefined {
  const { missing, policy, binding, expression } = failed;
  if (missing.cause === "no paramRef") {
    if (expression === undefined || !readsParams(policy, expression)) return undefined;
    return `binding "${binding}" has no paramRef, so params is null; add spec.paramRef to the binding`;
  }
  return `${notFoundText(missing)}; add the params, or correct spec.paramRef of the binding`;
}

function notFoundText({ kind, ref, namespace }: Extract<MissingParams, { cause: "not found" }>): string {
  const what = `${kind.kind} (${kind.apiVersion})`;
  const owner = ref.namespace ? "" : ", that of the request";
  const where = namespace === "" ? "" : ` in namespace "${namespace}"${owner}`;
  if (ref.name) return `${what} "${ref.name}" not found${where}`;
  const selector = toLabelSelector(ref.selector);
  const labels = isInvalid(selector) || selector.isEmpty ? "" : ` with labels ${selector}`;
  return `no ${what}${labels} found${where}`;
}

/** The reads of an expression are found once. */
const READERS = new WeakMap<Policy, ReadonlySet<string>>();

function readsParams(policy: Policy, expression: JsonPath): boolean {
  let readers = READERS.get(policy);
  if (readers === undefined) {
    READERS.set(policy, (readers = new Set(unguardedParams(policy).map((path) => JSON.stringify(path)))));
  }
  return readers.has(JSON.stringify(expression));
}
