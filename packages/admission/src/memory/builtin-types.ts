// The built-in kinds for mutation: how they merge, and objects after a patch as the server holds them.

import { apiVersionOf, type GroupVersionKind, Invalid, type KubeObject } from "@celadon/kube";
import { builtinResources } from "@celadon/kube/builtin";
import { withServerDefaults } from "@celadon/kube/defaults";
import { decode, decodeErrorText, strictText } from "@celadon/kube/types";
import { builtinMergeType, type MergeType } from "@celadon/merge";

/** The merge type of a built-in kind; `none` for a kind that a built-in group and version does not have. */
export function builtinMergeTypeOf(kind: GroupVersionKind): MergeType | "none" | undefined {
  const type = builtinMergeType(kind);
  if (type !== undefined) return type;
  const isServed = builtinResources().some(({ group, version }) => group === kind.group && version === kind.version);
  return isServed ? "none" : undefined;
}

/** An object passed through the type of its built-in kind, with defaults; undefined where the kind is none. */
export function completeBuiltin(
  object: KubeObject,
  kind: GroupVersionKind,
  strict: boolean,
): KubeObject | Invalid | undefined {
  const decoded = decode({ apiVersion: apiVersionOf(kind), kind: kind.kind }, object);
  if (decoded === undefined) return undefined;
  if (decoded.error !== undefined) return new Invalid(decodeErrorText(decoded.error));
  if (strict && decoded.strict.length > 0) {
    return new Invalid(`strict decoding error: ${decoded.strict.map(strictText).join(", ")}`);
  }
  return withServerDefaults(decoded.object as KubeObject);
}
