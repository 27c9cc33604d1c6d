// Built-in kinds, by their published schema, and kinds that nothing is known of.

import type { AdmissionRequest } from "@celadon/admission";
import { valueAt } from "@celadon/base";
import { badRequest, FieldPath, type GroupVersionKind, type KubeObject, nameOf } from "@celadon/kube";
import { builtinSchema, checkShape, type ShapeProblem } from "@celadon/kube/builtin";
import { withServerDefaults } from "@celadon/kube/defaults";
import type { Cluster } from "../cluster.ts";
import type { Problem } from "../outcome.ts";
import { builtinCreated, builtinUpdated, withCreatedMetadata } from "../system-fields.ts";
import { type Decoded, type ObjectStage, storedAs, unknownFieldHalf } from "./stage.ts";

export function builtinStage(cluster: Cluster, request: AdmissionRequest): ObjectStage {
  const { object: given = null, oldObject = null, subresource = "" } = request;
  const sent = given as KubeObject;
  return {
    decode: () => decode(cluster, request, sent),
    finish(decoded) {
      const object = decoded ?? sent;
      if (cluster.options.serverDefaults === false) {
        return { object: named(object), oldObject, problems: [], warnings: [] };
      }
      const old = oldObject && storedAs(cluster, undefined, oldObject);
      return { object: filledIn(object, old, subresource), oldObject: old, problems: [], warnings: [] };
    },
  };
}

function decode(cluster: Cluster, { kind, subresource = "" }: AdmissionRequest, sent: KubeObject): Decoded {
  const schema = subresource === "" ? builtinSchema(kind) : undefined;
  const shape = schema === undefined ? [] : checkShape(sent, schema);
  const undecodable = shape.filter(({ code }) => code === "wrong_type" || code === "invalid_value");
  const [first] = undecodable;
  if (first !== undefined) {
    const status = badRequest(
      `${kind.kind} in version "${kind.version}" cannot be handled as a ${kind.kind}: ${first.message}`,
    );
    const problems = undecodable.map((one) => shapeProblem(one, sent, one === first));
    return { object: sent, status, problems, warnings: [], unreadable: true };
  }
  const unknown = shape.filter(({ code }) => code === "unknown_field");
  const strict = unknownFieldHalf(
    cluster,
    sent,
    unknown.map(({ path, field }) => FieldPath.of(path, field)),
  );
  const missing = shape.filter(({ code }) => code === "missing_field");
  return {
    ...strict,
    object: cluster.options.serverDefaults === false ? sent : withServerDefaults(sent),
    problems: [
      ...strict.problems,
      ...(schema === undefined ? notJudged(cluster, kind) : []),
      // Decoding takes these; most are refused by validation that only a server has.
      ...missing.map((one): Problem => ({ ...shapeProblem(one, sent, false), level: "warning" })),
    ],
  };
}

/** What a server adds to an object of a built-in kind. What is created below another object, such as an Eviction, is not stored. */
function filledIn(object: KubeObject, old: KubeObject | null, subresource: string): KubeObject {
  if (old !== null) return builtinUpdated(object, old, subresource);
  return subresource === "" ? builtinCreated(object) : object;
}

/** Policies never meet an object without a name. */
function named(object: KubeObject): KubeObject {
  if (nameOf(object) !== "") return object;
  const name = nameOf(withCreatedMetadata(object));
  return name === "" ? object : { ...object, metadata: { ...object.metadata, name } };
}

/** The inputs mean to define the kind, and do not: an object nobody looked at must not seem to be fine. */
function notJudged(cluster: Cluster, kind: GroupVersionKind): Problem[] {
  const reason = cluster.resources.ofKind(kind) === undefined ? cluster.reasonUnknown(kind) : undefined;
  if (reason === undefined) return [];
  return [{ system: "schema", level: "warning", message: `not judged by its schema: ${reason}`, returned: false }];
}

function shapeProblem({ path, message }: ShapeProblem, object: KubeObject, returned: boolean): Problem {
  const value = valueAt(object, path);
  return { system: "schema", level: "deny", message, path, ...(value !== undefined && { value }), returned };
}
