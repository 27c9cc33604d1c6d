// The way of an object before admission: decoded, pruned, defaulted, validated. Custom resources by their definition, resources of
// the set-up by their own rules, built-in kinds by their published schema. What no manifest describes passes as it is.

import type { AdmissionRequest } from "@celadon/admission";
import { valueAt } from "@celadon/base";
import {
  type Findings,
  finalizerWarnings,
  invalidResource,
  type JsonObject,
  prepareCreate,
  prepareStatusUpdate,
  prepareUpdate,
  type ResourceVersion,
  type RuleObserver,
  strictError,
} from "@celadon/crd";
import { badRequest, type GroupVersionKind, gvkOf, type KubeObject, nameOf, type Status } from "@celadon/kube";
import { builtinSchema, checkShape, type ShapeProblem } from "@celadon/kube/builtin";
import { withServerDefaults } from "@celadon/kube/defaults";
import { typeMetaOf } from "./ask.ts";
import type { Problem } from "./outcome.ts";
import { roleOf } from "./roles.ts";
import { attributeRules, RuleFailures } from "./rule-failures.ts";
import { asScale, isScale, scaledBy } from "./scale.ts";
import type { Accepted } from "./set-up.ts";
import { problemsOf, unknownFieldProblems, warningProblems } from "./status-problems.ts";
import {
  builtinCreated,
  builtinStored,
  builtinUpdated,
  withCreatedMetadata,
  withStoredMetadata,
} from "./system-fields.ts";
import type { World } from "./world.ts";

export interface Staged {
  /** As validating admission sees it: with what the server fills in. */
  readonly object: KubeObject | null;
  readonly oldObject: KubeObject | null;
  /** As mutating webhooks see it: decoded, and not yet named by the server. The object itself where that is the same. */
  readonly decoded?: KubeObject;
  /** With what the request ends here. */
  readonly status?: Status;
  /** It ends while the object is decoded, before any webhook is asked. */
  readonly undecoded?: boolean;
  readonly problems: readonly Problem[];
  readonly warnings: readonly string[];
  /** The object could not even be decoded: nothing further can be said of it. */
  readonly unreadable?: boolean;
}

export function stageObject(
  world: World,
  request: AdmissionRequest,
  observerOf?: (version: ResourceVersion) => RuleObserver,
): Staged {
  const { object = null, oldObject = null, operation, subresource = "" } = request;
  const kind = world.resources.kind(request.resource, "") ?? request.kind;
  const version = world.typeOf(kind.group, kind.kind)?.version(kind.version);
  if (operation === "DELETE" || operation === "CONNECT" || object === null) {
    return { object, oldObject: oldObject && storedAs(world, version, oldObject), problems: [], warnings: [] };
  }
  const untyped = typeMetaStatus(object);
  if (untyped !== undefined) {
    const problems = problemsOf(untyped, "schema", object);
    return { object, oldObject, status: untyped, problems, warnings: [], undecoded: true, unreadable: true };
  }
  if (subresource === "scale") return stageScale(world, version, request, object, oldObject, observerOf);
  if (version !== undefined) return stageCustom(world, version, request, object, oldObject, observerOf?.(version));
  if (subresource === "") {
    const accepted = oldObject === null ? world.accepted(object) : world.acceptedUpdate(object, oldObject);
    if (accepted !== undefined) return stageSetUp(world, object, oldObject, accepted);
  }
  return stageBuiltin(world, request, object, oldObject);
}

/** Nothing is decoded before it says what it is. */
function typeMetaStatus(object: KubeObject): Status | undefined {
  for (const key of ["apiVersion", "kind"] as const) {
    const value: unknown = Object.hasOwn(object, key) ? object[key] : undefined;
    if (typeof value === "string" || value === undefined || value === null) continue;
    const found = Array.isArray(value) ? "array" : typeof value === "boolean" ? "bool" : typeof value;
    const text = `json: cannot unmarshal ${found} into Go struct field .${key} of type string`;
    return badRequest(`couldn't get version/kind; json parse error: ${text}`);
  }
  return undefined;
}

/** An object that is there already, as its clients read it. */
function storedAs(world: World, version: ResourceVersion | undefined, object: KubeObject): KubeObject {
  if (typeMetaStatus(object) !== undefined) return object;
  if (version !== undefined) {
    return withStoredMetadata(version.read(object as JsonObject) as KubeObject, { generation: 1 });
  }
  const definition = roleOf(object) === "definition" && world.accepted(object)?.resource;
  if (definition) return withStoredMetadata(definition as KubeObject);
  return world.options.serverDefaults === false ? object : builtinStored(withServerDefaults(object));
}

/** What is scaled is validated; policies see the Scales of it. */
function stageScale(
  world: World,
  version: ResourceVersion | undefined,
  request: AdmissionRequest,
  object: KubeObject,
  oldObject: KubeObject | null,
  observerOf: ((version: ResourceVersion) => RuleObserver) | undefined,
): Staged {
  if (oldObject === null || isScale(oldObject)) return { object, oldObject, problems: [], warnings: [] };
  const { subresource: _, ...main } = request;
  const scaled = isScale(object) ? scaledBy(object, oldObject, version) : object;
  const kind = world.resources.kind(request.resource, "") ?? request.kind;
  const staged = stageObject(world, { ...main, kind, object: scaled }, observerOf);
  const { decoded: ___, ...rest } = staged;
  const seen = (one: KubeObject | null): KubeObject | null => one && asScale(one, version);
  return { ...rest, object: seen(staged.object), oldObject: seen(staged.oldObject) };
}

function stageCustom(
  world: World,
  version: ResourceVersion,
  { subresource }: AdmissionRequest,
  object: KubeObject,
  oldObject: KubeObject | null,
  watching: RuleObserver | undefined,
): Staged {
  const decoded = version.decode(object as JsonObject);
  if (!("unknown" in decoded)) {
    return {
      object,
      oldObject,
      status: decoded,
      problems: problemsOf(decoded, "schema", object),
      warnings: version.deprecation === undefined ? [] : [version.deprecation],
      undecoded: true,
      unreadable: true,
    };
  }
  const { type } = version;
  const by = { kind: "CustomResourceDefinition", name: `${type.plural}.${type.group}` };
  const strict = unknownFieldStage(world, object, decoded.unknown);
  const warnings = [...(version.deprecation === undefined ? [] : [version.deprecation]), ...strict.warnings];
  const problems: Problem[] = [...strict.problems];
  let { status } = strict;
  const old = oldObject === null ? undefined : (storedAs(world, version, oldObject) as JsonObject);
  const isStatus = subresource === "status";
  const prepared =
    old === undefined
      ? prepareCreate(version, withCreatedMetadata(decoded.object as KubeObject) as JsonObject)
      : isStatus
        ? prepareStatusUpdate(decoded.object, old)
        : prepareUpdate(version, decoded.object, old);
  const validate = (observer?: RuleObserver): Findings => {
    if (old === undefined) return version.validateCreate(prepared, { observer });
    return isStatus
      ? version.validateStatusUpdate(prepared, old, { observer })
      : version.validateUpdate(prepared, old, { observer });
  };
  const findings = validate(watching);
  warnings.push(...findings.warnings);
  if (findings.errors.length > 0) {
    const invalid = invalidResource(prepared, findings.errors);
    const failures = new RuleFailures();
    validate(failures);
    const all = problemsOf(invalid, "schema", prepared as KubeObject, by);
    const found = attributeRules(all, failures.found, type, version.name);
    problems.push(...found.map((problem) => ({ ...problem, returned: status === undefined })));
    status ??= invalid;
  } else if (!isStatus) warnings.push(...finalizerWarnings(prepared, old));
  problems.push(...warningProblems(findings.warnings, "rules"));
  return {
    object: prepared as KubeObject,
    oldObject: (old as KubeObject | undefined) ?? null,
    decoded: decoded.object as KubeObject,
    ...(status && { status }),
    ...(strict.status && { undecoded: true }),
    problems,
    warnings,
  };
}

function stageSetUp(
  world: World,
  object: KubeObject,
  oldObject: KubeObject | null,
  { unknownFields, status, resource, warnings: accepting }: Accepted<unknown>,
): Staged {
  const strict = unknownFieldStage(world, object, unknownFields);
  const problems = [...strict.problems];
  const warnings = [...strict.warnings, ...accepting];
  if (status !== undefined) {
    const returned = strict.status === undefined;
    problems.push(...problemsOf(status, "schema", object).map((one) => ({ ...one, returned })));
  }
  const refusal = strict.status ?? status;
  // Read as the current version, and shown in the one it was sent in.
  const decoded = resource === undefined ? object : { ...(resource as KubeObject), ...typeMetaOf(object) };
  const old = oldObject && storedAs(world, undefined, oldObject);
  return {
    object: old === null ? setUpCreated(decoded) : setUpUpdated(decoded, old),
    oldObject: old,
    decoded,
    ...(refusal && { status: refusal }),
    ...(strict.status && { undecoded: true }),
    problems,
    warnings,
  };
}

// Definitions count their generation and keep their status when they are read.
const setUpCreated = (object: KubeObject): KubeObject =>
  roleOf(object) === "definition" ? withCreatedMetadata(object) : builtinCreated(object);

const setUpUpdated = (object: KubeObject, old: KubeObject): KubeObject =>
  roleOf(object) === "definition" ? object : builtinUpdated(object, old, "");

function stageBuiltin(
  world: World,
  { kind, subresource }: AdmissionRequest,
  object: KubeObject,
  oldObject: KubeObject | null,
): Staged {
  const schema = subresource === undefined || subresource === "" ? builtinSchema(kind) : undefined;
  const shape = schema === undefined ? [] : checkShape(object, schema);
  const undecodable = shape.filter(({ code }) => code === "wrong_type" || code === "invalid_value");
  if (undecodable.length > 0) {
    const [first] = undecodable;
    const status = badRequest(
      `${kind.kind} in version "${kind.version}" cannot be handled as a ${kind.kind}: ${first!.message}`,
    );
    const problems = undecodable.map((one) => shapeProblem(one, object, one === first));
    return { object, oldObject, status, problems, warnings: [], undecoded: true, unreadable: true };
  }
  const unknown = shape.filter(({ code }) => code === "unknown_field").map(({ field }) => field);
  const strict = unknownFieldStage(world, object, unknown);
  const missing = shape.filter(({ code }) => code === "missing_field");
  return {
    ...filledIn(world, object, oldObject, subresource),
    ...(strict.status && { status: strict.status, undecoded: true }),
    problems: [
      ...strict.problems,
      ...(schema === undefined ? notJudged(world, kind) : []),
      // Decoding takes these; most are refused by validation that only a server has.
      ...missing.map((one): Problem => ({ ...shapeProblem(one, object, false), level: "warning" })),
    ],
    warnings: strict.warnings,
  };
}

/** What a server adds to an object of a built-in kind, unless nothing is to be added. */
function filledIn(
  world: World,
  object: KubeObject,
  oldObject: KubeObject | null,
  subresource = "",
): Pick<Staged, "object" | "oldObject" | "decoded"> {
  if (world.options.serverDefaults === false) return { object: named(object), oldObject, decoded: object };
  const decoded = withServerDefaults(object);
  const old = oldObject && storedAs(world, undefined, oldObject);
  // What is created below another object, such as an Eviction, is not stored.
  if (old === null && subresource !== "") return { object: decoded, oldObject: null, decoded };
  return {
    object: old === null ? builtinCreated(decoded) : builtinUpdated(decoded, old, subresource),
    oldObject: old,
    decoded,
  };
}

/** Policies never meet an object without a name. */
function named(object: KubeObject): KubeObject {
  if (nameOf(object) !== "") return object;
  const name = nameOf(withCreatedMetadata(object));
  return name === "" ? object : { ...object, metadata: { ...object.metadata, name } };
}

/** The inputs mean to define the kind, and do not: an object nobody looked at must not seem to be fine. */
function notJudged(world: World, kind: GroupVersionKind): Problem[] {
  const reason = world.resources.ofKind(kind) === undefined ? world.reasonUnknown(kind) : undefined;
  if (reason === undefined) return [];
  return [{ system: "schema", level: "warning", message: `not judged by its schema: ${reason}`, returned: false }];
}

function shapeProblem({ path, message }: ShapeProblem, object: KubeObject, returned: boolean): Problem {
  const value = valueAt(object, path);
  return { system: "schema", level: "deny", message, path, ...(value !== undefined && { value }), returned };
}

/** Fields no schema knows: refused, told, or dropped, as the client asked. */
function unknownFieldStage(
  { options }: World,
  object: KubeObject,
  fields: readonly string[],
): Pick<Staged, "status" | "problems" | "warnings"> {
  const { fieldValidation = "Strict" } = options;
  if (fields.length === 0 || fieldValidation === "Ignore") return { problems: [], warnings: [] };
  const problems = unknownFieldProblems(fields, object, fieldValidation === "Strict");
  const { kind, version } = gvkOf(object);
  if (fieldValidation === "Strict") return { status: strictError(kind, version, fields), problems, warnings: [] };
  return { problems, warnings: problems.map(({ message }) => message) };
}
