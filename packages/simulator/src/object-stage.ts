// The way of an object around mutation: decoded, pruned and defaulted before it, prepared and validated after it. Custom resources by their definition, resources of
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

/** An object as mutating admission sees it: decoded, with defaults, not yet named by the server. */
export interface DecodedStage {
  readonly object: KubeObject | null;
  readonly oldObject: KubeObject | null;
  /** With what the request ends here, before any policy is asked. */
  readonly status?: Status;
  readonly problems: readonly Problem[];
  readonly warnings: readonly string[];
  /** The object could not even be decoded: nothing further can be said of it. */
  readonly unreadable?: boolean;
  /** What becomes of the object after mutation: what the server fills in, and what its kind says against it. */
  finish(object: KubeObject | null): FinishedStage;
}

/** An object as validating admission sees it. */
export interface FinishedStage {
  readonly object: KubeObject | null;
  readonly oldObject: KubeObject | null;
  readonly status?: Status;
  readonly problems: readonly Problem[];
  readonly warnings: readonly string[];
}

export function decodeStage(
  world: World,
  request: AdmissionRequest,
  observerOf?: (version: ResourceVersion) => RuleObserver,
): DecodedStage {
  const { object = null, oldObject = null, operation, subresource = "" } = request;
  const kind = world.resources.kind(request.resource, "") ?? request.kind;
  const version = world.typeOf(kind.group, kind.kind)?.version(kind.version);
  if (operation === "DELETE" || operation === "CONNECT" || object === null) {
    return asItIs(object, oldObject && storedAs(world, version, oldObject));
  }
  const untyped = typeMetaStatus(object);
  if (untyped !== undefined) return undecodable(object, oldObject, untyped, problemsOf(untyped, "schema", object));
  if (subresource === "scale") return decodeScale(world, version, request, object, oldObject, observerOf);
  if (version !== undefined) return decodeCustom(world, version, request, object, oldObject, observerOf?.(version));
  if (subresource === "") {
    const accept = (given: KubeObject): Accepted<unknown> | undefined =>
      oldObject === null ? world.accepted(given) : world.acceptedUpdate(given, oldObject);
    const accepted = accept(object);
    if (accepted !== undefined) return decodeSetUp(world, object, oldObject, accepted, accept);
  }
  return decodeBuiltin(world, request, object, oldObject);
}

/** Nothing is decoded here, and nothing said against it. */
function asItIs(object: KubeObject | null, oldObject: KubeObject | null): DecodedStage {
  const finish = (mutated: KubeObject | null): FinishedStage => ({ object: mutated, oldObject, ...NOTHING_SAID });
  return { object, oldObject, ...NOTHING_SAID, finish };
}

const NOTHING_SAID = { problems: [], warnings: [] };

function undecodable(
  object: KubeObject,
  oldObject: KubeObject | null,
  status: Status,
  problems: readonly Problem[],
  warnings: readonly string[] = [],
): DecodedStage {
  return { ...asItIs(object, oldObject), status, problems, warnings, unreadable: true };
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
function decodeScale(
  world: World,
  version: ResourceVersion | undefined,
  request: AdmissionRequest,
  object: KubeObject,
  oldObject: KubeObject | null,
  observerOf: ((version: ResourceVersion) => RuleObserver) | undefined,
): DecodedStage {
  if (oldObject === null || isScale(oldObject)) return asItIs(object, oldObject);
  const { subresource: _, ...main } = request;
  const kind = world.resources.kind(request.resource, "") ?? request.kind;
  const decodeMain = (scale: KubeObject): DecodedStage => {
    const scaled = isScale(scale) ? scaledBy(scale, oldObject, version) : scale;
    return decodeStage(world, { ...main, kind, object: scaled }, observerOf);
  };
  const seen = (one: KubeObject | null): KubeObject | null => one && asScale(one, version);
  const decoded = decodeMain(object);
  const finish = (scale: KubeObject | null): FinishedStage => {
    const changed = scale === null || scale === shown.object ? decoded : decodeMain(scale);
    const finished = changed.finish(changed.object);
    return { ...finished, object: seen(finished.object), oldObject: seen(finished.oldObject) };
  };
  const shown = { ...decoded, object: seen(decoded.object), oldObject: seen(decoded.oldObject), finish };
  return shown;
}

function decodeCustom(
  world: World,
  version: ResourceVersion,
  { subresource }: AdmissionRequest,
  object: KubeObject,
  oldObject: KubeObject | null,
  watching: RuleObserver | undefined,
): DecodedStage {
  const deprecation = version.deprecation === undefined ? [] : [version.deprecation];
  const decoded = version.decode(object as JsonObject);
  if (!("unknown" in decoded)) {
    return undecodable(object, oldObject, decoded, problemsOf(decoded, "schema", object), deprecation);
  }
  const strict = unknownFieldStage(world, object, decoded.unknown);
  const old = oldObject === null ? undefined : (storedAs(world, version, oldObject) as JsonObject);
  return {
    object: decoded.object as KubeObject,
    oldObject: (old as KubeObject | undefined) ?? null,
    ...(strict.status && { status: strict.status }),
    problems: strict.problems,
    warnings: [...deprecation, ...strict.warnings],
    finish: (mutated) => finishCustom(version, (mutated ?? {}) as JsonObject, old, subresource === "status", watching),
  };
}

function finishCustom(
  version: ResourceVersion,
  object: JsonObject,
  old: JsonObject | undefined,
  isStatus: boolean,
  watching: RuleObserver | undefined,
): FinishedStage {
  const { type } = version;
  const prepared =
    old === undefined
      ? prepareCreate(version, withCreatedMetadata(object as KubeObject) as JsonObject)
      : isStatus
        ? prepareStatusUpdate(object, old)
        : prepareUpdate(version, object, old);
  const validate = (observer?: RuleObserver): Findings => {
    if (old === undefined) return version.validateCreate(prepared, { observer });
    return isStatus
      ? version.validateStatusUpdate(prepared, old, { observer })
      : version.validateUpdate(prepared, old, { observer });
  };
  const findings = validate(watching);
  const warnings = [...findings.warnings];
  const problems: Problem[] = [];
  let status: Status | undefined;
  if (findings.errors.length > 0) {
    status = invalidResource(prepared, findings.errors);
    const failures = new RuleFailures();
    validate(failures);
    const by = { kind: "CustomResourceDefinition", name: `${type.plural}.${type.group}` };
    const all = problemsOf(status, "schema", prepared as KubeObject, by);
    problems.push(...attributeRules(all, failures.found, type, version.name));
  } else if (!isStatus) warnings.push(...finalizerWarnings(prepared, old));
  problems.push(...warningProblems(findings.warnings, "rules"));
  return {
    object: prepared as KubeObject,
    oldObject: (old as KubeObject | undefined) ?? null,
    ...(status && { status }),
    problems,
    warnings,
  };
}

function decodeSetUp(
  world: World,
  object: KubeObject,
  oldObject: KubeObject | null,
  accepted: Accepted<unknown>,
  accept: (object: KubeObject) => Accepted<unknown> | undefined,
): DecodedStage {
  const strict = unknownFieldStage(world, object, accepted.unknownFields);
  // Read as the current version, and shown in the one it was sent in.
  const read = ({ resource }: Accepted<unknown>): KubeObject =>
    resource === undefined ? object : { ...(resource as KubeObject), ...typeMetaOf(object) };
  const decoded = read(accepted);
  const old = oldObject && storedAs(world, undefined, oldObject);
  return {
    object: decoded,
    oldObject: old,
    ...(strict.status && { status: strict.status }),
    problems: strict.problems,
    warnings: strict.warnings,
    finish(mutated) {
      const again = mutated === null || mutated === decoded ? accepted : (accept(mutated) ?? accepted);
      const given = again === accepted ? decoded : read(again);
      const { status } = again;
      return {
        object: old === null ? setUpCreated(given) : setUpUpdated(given, old),
        oldObject: old,
        ...(status && { status }),
        problems: status === undefined ? [] : problemsOf(status, "schema", mutated ?? object),
        warnings: again.warnings,
      };
    },
  };
}

// Definitions count their generation and keep their status when they are read.
const setUpCreated = (object: KubeObject): KubeObject =>
  roleOf(object) === "definition" ? withCreatedMetadata(object) : builtinCreated(object);

const setUpUpdated = (object: KubeObject, old: KubeObject): KubeObject =>
  roleOf(object) === "definition" ? object : builtinUpdated(object, old, "");

function decodeBuiltin(
  world: World,
  { kind, subresource }: AdmissionRequest,
  object: KubeObject,
  oldObject: KubeObject | null,
): DecodedStage {
  const schema = subresource === undefined || subresource === "" ? builtinSchema(kind) : undefined;
  const shape = schema === undefined ? [] : checkShape(object, schema);
  const wrong = shape.filter(({ code }) => code === "wrong_type" || code === "invalid_value");
  if (wrong.length > 0) {
    const [first] = wrong;
    const status = badRequest(
      `${kind.kind} in version "${kind.version}" cannot be handled as a ${kind.kind}: ${first!.message}`,
    );
    const problems = wrong.map((one) => shapeProblem(one, object, one === first));
    return undecodable(object, oldObject, status, problems);
  }
  const unknown = shape.filter(({ code }) => code === "unknown_field").map(({ field }) => field);
  const strict = unknownFieldStage(world, object, unknown);
  const missing = shape.filter(({ code }) => code === "missing_field");
  const isFilled = world.options.serverDefaults !== false;
  const old = isFilled ? oldObject && storedAs(world, undefined, oldObject) : oldObject;
  return {
    object: isFilled ? withServerDefaults(object) : object,
    oldObject: old,
    ...(strict.status && { status: strict.status }),
    problems: [
      ...strict.problems,
      ...(schema === undefined ? notJudged(world, kind) : []),
      // Decoding takes these; most are refused by validation that only a server has.
      ...missing.map((one): Problem => ({ ...shapeProblem(one, object, false), level: "warning" })),
    ],
    warnings: strict.warnings,
    finish: (mutated) => ({
      object: mutated && (isFilled ? filledIn(mutated, old, subresource) : named(mutated)),
      oldObject: old,
      ...NOTHING_SAID,
    }),
  };
}

/** What a server adds to an object of a built-in kind. */
function filledIn(object: KubeObject, old: KubeObject | null, subresource = ""): KubeObject {
  if (old !== null) return builtinUpdated(object, old, subresource);
  // What is created below another object, such as an Eviction, is not stored.
  return subresource === "" ? builtinCreated(object) : object;
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
): Pick<DecodedStage, "status" | "problems" | "warnings"> {
  const { fieldValidation = "Strict" } = options;
  if (fields.length === 0 || fieldValidation === "Ignore") return { problems: [], warnings: [] };
  const problems = unknownFieldProblems(fields, object, fieldValidation === "Strict");
  const { kind, version } = gvkOf(object);
  if (fieldValidation === "Strict") return { status: strictError(kind, version, fields), problems, warnings: [] };
  return { problems, warnings: problems.map(({ message }) => message) };
}
