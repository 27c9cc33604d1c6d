// A request with known kind, resource and operation: the values that a policy reads.

import type { MatchedTarget, WriteOperation } from "@celadon/admission/memory";
import { DYN } from "@celadon/cel";
import { apiVersionOf, type KubeObject } from "@celadon/kube";
import { builtinSchema } from "@celadon/kube/builtin";
import type { Schema } from "@celadon/kube/schemas";
import { INFEASIBLE } from "../path/choices.ts";
import type { Path } from "../path/path.ts";
import { constantOf, type Symbolic } from "../path/symbolic.ts";
import { kindShape } from "../tree/kind-shape.ts";
import { KIND, type Node } from "../tree/node.ts";
import { type Shape, schemaShape } from "../tree/shape.ts";

/** The kind and operation that a question is about. */
export interface Situation {
  readonly target: MatchedTarget;
  readonly operation: WriteOperation;
}

/** Params of one binding: none, an object of the inputs, or any object of the kind. */
export type ParamsOf =
  | { readonly is: "none" }
  | { readonly is: "given"; readonly object: KubeObject }
  | {
      readonly is: "any";
      readonly shape: Shape;
      readonly apiVersion: string;
      readonly kind: string;
      /** Undefined: any name. */
      readonly name?: string;
      /** Undefined for params without a namespace, or in any. */
      readonly namespace?: string;
      /** In the namespace of the request. */
      readonly isNear?: boolean;
    };

/** The parts of a request that are open on a path. */
export interface SymbolicRequest {
  readonly situation: Situation;
  readonly object: Node | undefined;
  readonly oldObject: Node | undefined;
  readonly namespace: Node | undefined;
  readonly user: Node;
  /** The name in the request's path; a creation that asks for a generated name has none. */
  readonly name: () => Symbolic | undefined;
  variable(name: string): Symbolic | undefined;
}

const TEXT: Schema = { type: "string", minLength: 1 };
const USER: Schema = {
  type: "object",
  required: ["username", "groups"],
  properties: new Map<string, Schema>([
    ["username", TEXT],
    ["uid", TEXT],
    ["groups", { type: "array", minItems: 1, items: { type: "string" } }],
    ["extra", { type: "object", minProperties: 1, additionalProperties: { type: "array", items: { type: "string" } } }],
  ]),
};
const NAMESPACE_KIND = { group: "", version: "v1", kind: "Namespace" };

export function symbolicRequest(path: Path, situation: Situation): SymbolicRequest {
  const { target, operation } = situation;
  const shape = kindShape(target.kind, target.schema);
  const object = operation === "DELETE" ? undefined : objectNode(path, "object", shape, target);
  if (object !== undefined) noEphemeralContainers(path, object, situation);
  const oldObject = operation === "CREATE" ? undefined : objectNode(path, "oldObject", shape, target);
  const isNamespace = target.kind.kind === "Namespace" && target.kind.group === "";
  const namespace =
    target.namespaced && !isNamespace
      ? objectNode(path, "namespaceObject", kindShape(NAMESPACE_KIND, builtinSchema(NAMESPACE_KIND)), undefined)
      : undefined;
  const own = (object ?? oldObject) as Node;
  const nameNode = member(path, member(path, own, "metadata"), "name");
  const name = (): Symbolic | undefined =>
    operation === "CREATE" && isGenerated(path, own) ? undefined : { is: "text", text: path.textOf(nameNode) };
  if (object !== undefined && oldObject !== undefined) sameIdentity(path, object, oldObject);
  if (namespace !== undefined) {
    const namespaceName = member(path, member(path, namespace, "metadata"), "name");
    for (const part of [object, oldObject])
      if (part !== undefined)
        path.uniteTexts(
          path.textOf(member(path, member(path, part, "metadata"), "namespace")),
          path.textOf(namespaceName),
        );
  }
  const user = path.node("request.userInfo", schemaShape(USER));
  const request = requestScope(path, situation, { user, name, own });
  return {
    situation,
    object,
    oldObject,
    namespace,
    user,
    name,
    variable(variable) {
      switch (variable) {
        case "object":
          return nodeOrNull(object);
        case "oldObject":
          return nodeOrNull(oldObject);
        case "request":
          return request;
        case "namespaceObject":
          return nodeOrNull(namespace);
        case "authorizer":
        case "authorizer.requestResource":
          return { is: "opaque", type: DYN, key: variable, why: variable };
        default:
          return undefined;
      }
    },
  };
}

const nodeOrNull = (node: Node | undefined): Symbolic => (node === undefined ? constantOf(null) : { is: "node", node });

/** An object of a request has a name, and all that identifies it. */
function objectNode(path: Path, label: string, shape: Shape, target: MatchedTarget | undefined): Node {
  const node = path.node(label, shape, KIND.map);
  const metadata = member(path, node, "metadata");
  member(path, metadata, "name");
  if (target?.namespaced) member(path, metadata, "namespace");
  else if (target !== undefined) absent(path, metadata, "namespace");
  for (const [field, text] of [
    ["apiVersion", apiVersionOf(target?.kind ?? NAMESPACE_KIND)],
    ["kind", (target?.kind ?? NAMESPACE_KIND).kind],
  ] as const)
    path.texts.is(path.textOf(member(path, node, field)), text, true);
  return node;
}

/** The place of the pod spec in a kind. */
const POD_SPECS: Readonly<Record<string, readonly string[]>> = {
  Pod: ["spec"],
  CronJob: ["spec", "jobTemplate", "spec", "template", "spec"],
};
const TEMPLATE = ["spec", "template", "spec"];
const WORKLOADS: ReadonlySet<string> = new Set(["apps/v1", "batch/v1"]);

/** Ephemeral containers are added to running pods alone, through a subresource. */
function noEphemeralContainers(path: Path, node: Node, { target, operation }: Situation): void {
  const { kind, subresource } = target;
  const isPod = kind.group === "" && kind.kind === "Pod";
  if (!isPod && !WORKLOADS.has(apiVersionOf(kind)) && kind.kind !== "ReplicationController") return;
  if (isPod && operation !== "CREATE") return;
  if (subresource !== "") return;
  let place: Node | undefined = node;
  for (const name of POD_SPECS[kind.kind] ?? TEMPLATE) {
    place = place && path.field(place, name);
    if (place === undefined || place.presence !== "present") return;
  }
  absent(path, place, "ephemeralContainers");
}

const NAME_IS_GIVEN = "the name is given";

/** Whether the server completes the name, which policies see in the object alone. */
function isGenerated(path: Path, object: Node): boolean {
  return !path.decide(NAME_IS_GIVEN, (isGiven) => {
    if (isGiven) return;
    const metadata = member(path, object, "metadata");
    const base = path.field(metadata, "generateName");
    if (base === undefined || !path.becomesPresent(metadata, base)) throw INFEASIBLE;
    path.texts.is(path.textOf(base), "", false);
  });
}

/** Whether a path was decided to be about an object without a name of its own. */
export function asksForName(path: Path): boolean {
  return path.decided.get(NAME_IS_GIVEN) === false;
}

/** A present member. */
export function member(path: Path, owner: Node, name: string): Node {
  const field = path.field(owner, name);
  if (field === undefined || field.presence === "absent") throw INFEASIBLE;
  field.presence = "present";
  return field;
}

function absent(path: Path, owner: Node, name: string): void {
  const field = path.field(owner, name);
  if (field !== undefined) field.presence = "absent";
}

/** An update changes neither name nor namespace. */
function sameIdentity(path: Path, object: Node, oldObject: Node): void {
  const name = member(path, member(path, object, "metadata"), "name");
  member(path, oldObject, "metadata").fields.set("name", name);
}

/** The params of a binding on a path. */
export function symbolicParams(path: Path, given: ParamsOf, request: SymbolicRequest): Symbolic {
  switch (given.is) {
    case "none":
      return constantOf(null);
    case "given":
      return constantOf(given.object);
    case "any": {
      const node = path.node("params", given.shape, KIND.map);
      const metadata = member(path, node, "metadata");
      const name = member(path, metadata, "name");
      if (given.name !== undefined) path.texts.is(path.textOf(name), given.name, true);
      for (const field of ["apiVersion", "kind"] as const)
        path.texts.is(path.textOf(member(path, node, field)), given[field], true);
      const place = request.namespace && member(path, member(path, request.namespace, "metadata"), "name");
      if (given.namespace !== undefined || (given.isNear === true && place !== undefined)) {
        const own = path.textOf(member(path, metadata, "namespace"));
        if (given.namespace !== undefined) path.texts.is(own, given.namespace, true);
        else if (place !== undefined) path.uniteTexts(own, path.textOf(place));
      }
      return { is: "node", node };
    }
  }
}

interface RequestParts {
  readonly user: Node;
  readonly name: () => Symbolic | undefined;
  readonly own: Node;
}

function requestScope(path: Path, { target, operation }: Situation, { user, name, own }: RequestParts): Symbolic {
  const { kind, resource, subresource, namespaced } = target;
  const fields = new Map<string, () => Symbolic | undefined>([
    ["kind", () => constantOf({ ...kind })],
    ["resource", () => constantOf({ ...resource })],
    ["requestKind", () => constantOf({ ...kind })],
    ["requestResource", () => constantOf({ ...resource })],
    ["operation", () => constantOf(operation)],
    ["userInfo", () => ({ is: "node", node: user })],
    ["name", name],
    ["dryRun", () => ({ is: "bool", key: "request.dryRun", why: "request.dryRun" })],
    ["options", () => ({ is: "node", node: options(path) })],
  ]);
  if (subresource !== "") {
    fields.set("subResource", () => constantOf(subresource));
    fields.set("requestSubResource", () => constantOf(subresource));
  }
  if (namespaced)
    fields.set("namespace", () => ({
      is: "text",
      text: path.textOf(member(path, member(path, own, "metadata"), "namespace")),
    }));
  else if (kind.kind === "Namespace") fields.set("namespace", name);
  return { is: "scope", read: (field) => fields.get(field)?.() };
}

const OPTIONS: Schema = { type: "object", preserveUnknownFields: true };

function options(path: Path): Node {
  const known = path.made.get("request.options");
  if (known !== undefined) return known;
  const node = path.node("request.options", schemaShape(OPTIONS));
  path.made.set("request.options", node);
  return node;
}
