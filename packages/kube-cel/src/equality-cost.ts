// The estimated cost of `==` between values of Kubernetes' own types. At run time such values say it themselves (`Opaque.equalityCost`).
// `!=` has no such price, and its estimate is beyond every limit. Upstream: apiserver pkg/cel/library/cost.go.

import { type Estimate, type EstimatedCall, exactly, ONE, scale, TRAVERSAL } from "@celadon/cel/cost";
import { MaxFormatSize } from "./limits.ts";

const FIXED: ReadonlySet<string> = new Set([
  "net.IP",
  "net.CIDR",
  "kubernetes.Quantity",
  "kubernetes.Semver",
  "kubernetes.authorization.Authorizer",
  "kubernetes.authorization.PathCheck",
  "kubernetes.authorization.GroupCheck",
  "kubernetes.authorization.ResourceCheck",
  "kubernetes.authorization.Decision",
]);

export function equalityEstimate({ function: name, args }: EstimatedCall): Estimate | undefined {
  const [left, right] = args;
  if (name !== "_==_" || left === undefined || right === undefined) return undefined;
  const { type } = left;
  if (
    (type.kind !== "opaque" && type.kind !== "struct") ||
    type.name !== right.type.name ||
    type.kind !== right.type.kind
  )
    return undefined;
  if (FIXED.has(type.name)) return { cost: ONE };
  if (type.name === "kubernetes.NamedFormat")
    return { cost: { min: 1n, max: scale(exactly(MaxFormatSize), TRAVERSAL).max } };
  if (type.name !== "kubernetes.URL") return undefined;
  // Upstream takes both sizes from the right operand.
  return { cost: { min: 1n, max: right.sizeKnown ? scale(right.size, TRAVERSAL).max : 1n } };
}
