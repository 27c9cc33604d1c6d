// The built-in kinds for mutation: how they merge, and objects after a patch as the server holds them.

import { apiVersionOf, type GroupVersionKind, gvkText, type KubeObject } from "@celadon/kube";
import { builtinResources } from "@celadon/kube/builtin";
import { withServerDefaults } from "@celadon/kube/defaults";
import { Invalid } from "@celadon/kube/errors";
import {
  conversionErrorText,
  type Decoded,
  type DecodeKind,
  decode,
  decodeErrorText,
  strictText,
} from "@celadon/kube/types";
import { builtinMergeType, type MergeType } from "@celadon/merge";
import type { Reading } from "../hosts.ts";

/**
 * The merge type of a built-in kind; `none` for a kind that no resource of its group and version has. Kinds that only subresources accept,
 * such as Scale, Eviction and TokenRequest, are published with the groups of these, where the server does not look for them.
 */
export function builtinMergeTypeOf(kind: GroupVersionKind): MergeType | "none" | undefined {
  const served = builtinResources().filter(({ group, version }) => group === kind.group && version === kind.version);
  if (served.length === 0) return undefined;
  return served.some((resource) => resource.kind === kind.kind) ? builtinMergeType(kind) : "none";
}

/** An object passed through the type of its built-in kind, with defaults; undefined if the kind is not built in. */
export function completeBuiltin(
  object: KubeObject,
  kind: GroupVersionKind,
  reading: Reading,
  defaults = true,
): KubeObject | Invalid | undefined {
  const of = { apiVersion: apiVersionOf(kind), kind: kind.kind };
  let decoded = decode(of, object);
  if (decoded === undefined) return undefined;
  if (reading === "merged") {
    if (decoded.error !== undefined) decoded = decode(of, object, { merged: true })!;
    if (decoded.error !== undefined) {
      const why = conversionErrorText(decoded.error);
      return new Invalid(`unable to convert unstructured object to ${gvkText(kind)}: ${why}`);
    }
  } else {
    const problem = otherKindProblem(object, of, reading) ?? readingProblem(decoded, reading);
    if (problem !== undefined) return new Invalid(problem);
  }
  const read = decoded.object as KubeObject;
  return defaults ? withServerDefaults(read) : read;
}

function readingProblem({ error, strict }: Decoded, reading: Reading): string | undefined {
  if (error !== undefined) return decodeErrorText(error);
  if (reading !== "strict" || strict.length === 0) return undefined;
  return `strict decoding error: ${strict.map(strictText).join(", ")}`;
}

/** A patch may have made an object of another kind of it, which is read as that kind and then has no place here. */
function otherKindProblem(object: KubeObject, of: DecodeKind, reading: Reading): string | undefined {
  const apiVersion = textOr(object.apiVersion, of.apiVersion);
  const kind = textOr(object.kind, of.kind);
  if (apiVersion === of.apiVersion && kind === of.kind) return undefined;
  const decoded = decode({ apiVersion, kind }, object);
  if (decoded === undefined) return decodeErrorText({ code: "unknown_kind", path: [], apiVersion, kind });
  const version = (text: string): string => text.split("/").at(-1)!;
  const internal = of.apiVersion.includes("/") ? of.apiVersion.split(/[./]/)[0] : "core";
  const conversion = `converting (${version(apiVersion)}.${kind}) to (${internal}.${of.kind}): unknown conversion`;
  return readingProblem(decoded, reading) ?? `failed to convert object: ${conversion}`;
}

const textOr = (value: unknown, other: string): string => (typeof value === "string" && value !== "" ? value : other);
