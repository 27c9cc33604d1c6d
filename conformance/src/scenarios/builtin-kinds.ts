// Built-in kinds as a server has them: bodies pass through the type of their kind, get defaults, and are prepared, validated and warned
// about by its rules. Kinds that come with the packages under test, policies and definitions, have handlers of their own.

import { formatGoJson } from "@celadon/base";
import type { KubeObject } from "@celadon/kube";
import type { Status } from "@celadon/kube/status";
import { decode, servedKind } from "@celadon/kube/types";
import { type AnyKindRules, deprecationOf, loadActionRules, loadKindRules, readBody } from "@celadon/kube/validation";
import { askFor, createObject, updateObject } from "../../../packages/write/src/requests.testing.ts";
import type { Handler, Write } from "./handler.ts";
import type { JsonObject } from "./json.ts";
import { apiVersionOfKind } from "./kinds.ts";
import { metadataOf } from "./write.ts";

const ELSEWHERE: ReadonlySet<string> = new Set(["admissionregistration.k8s.io", "apiextensions.k8s.io"]);

export const builtinHandler: Handler = {
  handles: (kind) => !ELSEWHERE.has(kind.group) && servedKind(apiVersionOfKind(kind), kind.kind) !== undefined,
  decode(object, { kind, operation, fieldValidation, warnings }) {
    const target = { apiVersion: apiVersionOfKind(kind), kind: kind.kind };
    const options = operation === "CREATE" ? "CreateOptions" : "UpdateOptions";
    const body = readBody(formatGoJson(object), target, fieldValidation, options);
    warnings.push(...body.warnings);
    return body.object === undefined ? body.refusal! : (body.object as JsonObject);
  },
  async finish(object, write) {
    const rules = await loadKindRules(write.kind);
    return rules === undefined ? asked(object, write) : written(rules, object, write);
  },
};

/** The answer of a kind that is not stored, or the reason for its rejection. */
async function asked(object: JsonObject, { kind, namespace, subresource }: Write): Promise<JsonObject | Status> {
  if (subresource !== "" || (await loadActionRules(kind)) === undefined) return object;
  return (await askFor(object as KubeObject, { namespace })).refusal ?? object;
}

/** The object as it is to be stored, or why it is not. */
async function written(rules: AnyKindRules, object: JsonObject, write: Write): Promise<JsonObject | Status> {
  const { namespace, oldObject, subresource, user, warnings } = write;
  const deprecation = deprecationOf(apiVersionOfKind(write.kind), write.kind.kind);
  if (deprecation !== undefined) warnings.push(deprecation);
  const { uid, creationTimestamp } = metadataOf(object);
  const request = { namespace, user, now: String(creationTimestamp) };
  const made =
    oldObject === undefined
      ? await createObject(object as KubeObject, { ...request, uid: String(uid) })
      : await updateObject(object as KubeObject, oldObject as KubeObject, request, endpointOf(rules, subresource));
  warnings.push(...made.warnings.map(({ text }) => text));
  return made.object === undefined ? made.refusal! : encoded(made.object);
}

/** Scales and what else has no rules of its own are updates of the object. */
function endpointOf(rules: AnyKindRules, subresource: string): string | undefined {
  return rules.subresources?.[subresource] === undefined ? undefined : subresource;
}

/** Fields that its type always writes are present, also if preparing removed them. */
function encoded(object: KubeObject): JsonObject {
  const { apiVersion = "", kind = "" } = object;
  return (decode({ apiVersion, kind }, object)?.object ?? object) as JsonObject;
}
