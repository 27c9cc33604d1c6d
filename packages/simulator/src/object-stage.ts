// The way of an object before admission: decoded, pruned, defaulted, validated. Custom resources by their definition, resources of
// the set-up by their own rules, built-in kinds by their published schema. What no manifest describes passes as it is.

import type { AdmissionRequest } from "@celadon/admission";
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
import { badRequest, gvkOf, type KubeObject, type Status } from "@celadon/kube";
import { builtinSchema, checkShape, type ShapeProblem } from "@celadon/kube/builtin";
import { withServerDefaults } from "@celadon/kube/defaults";
import { valueAt } from "./field-path-in.ts";
import type { Problem } from "./outcome.ts";
import { attributeRules, RuleFailures } from "./rule-failures.ts";
import { problemsOf, unknownFieldProblems, warningProblems } from "./status-problems.ts";
import type { World } from "./world.ts";

export interface Staged {
  /** As policies see it. */
  readonly object: KubeObject | null;
  readonly oldObject: KubeObject | null;
  /** With what the request ends here. */
  readonly status?: Status;
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
  const { object = null, oldObject = null, operation, kind } = request;
  const version = world.typeOf(kind.group, kind.kind)?.version(kind.version);
  if (operation === "DELETE" || operation === "CONNECT" || object === null) {
    const old = version && oldObject ? version.read(oldObject as JsonObject) : oldObject;
    return { object, oldObject: old as KubeObject | null, problems: [], warnings: [] };
  }
  if (version !== undefined) return stageCustom(world, version, request, object, oldObject, observerOf?.(version));
  if (request.subresource === undefined) {
    const accepted = world.accepted(object);
    if (accepted !== undefined) return stageSetUp(world, object, oldObject, accepted);
  }
  return stageBuiltin(world, request, object, oldObject);
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
      warnings: [],
      unreadable: true,
    };
  }
  const { type } = version;
  const by = { kind: "CustomResourceDefinition", name: `${type.plural}.${type.group}` };
  const strict = unknownFieldStage(world, object, decoded.unknown);
  const warnings = [...(version.deprecation === undefined ? [] : [version.deprecation]), ...strict.warnings];
  const problems: Problem[] = [...strict.problems];
  let { status } = strict;
  const old = oldObject === null ? undefined : version.read(oldObject as JsonObject);
  const isStatus = subresource === "status";
  const prepared =
    old === undefined
      ? prepareCreate(version, decoded.object)
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
    ...(status && { status }),
    problems,
    warnings,
  };
}

function stageSetUp(
  world: World,
  object: KubeObject,
  oldObject: KubeObject | null,
  accepted: NonNullable<ReturnType<World["accepted"]>>,
): Staged {
  const { unknownFields, status } = accepted;
  const strict = unknownFieldStage(world, object, unknownFields);
  const problems = [...strict.problems];
  const warnings = [...accepted.warnings, ...strict.warnings];
  if (status !== undefined) {
    const returned = strict.status === undefined;
    problems.push(...problemsOf(status, "schema", object).map((one) => ({ ...one, returned })));
  }
  const refusal = strict.status ?? status;
  return { object, oldObject, ...(refusal && { status: refusal }), problems, warnings };
}

function stageBuiltin(
  world: World,
  { kind, subresource }: AdmissionRequest,
  object: KubeObject,
  oldObject: KubeObject | null,
): Staged {
  const schema = subresource === undefined ? builtinSchema(kind) : undefined;
  const shape = schema === undefined ? [] : checkShape(object, schema);
  const undecodable = shape.filter(({ code }) => code === "wrong_type" || code === "invalid_value");
  if (undecodable.length > 0) {
    const [first] = undecodable;
    const status = badRequest(
      `${kind.kind} in version "${kind.version}" cannot be handled as a ${kind.kind}: ${first!.message}`,
    );
    const problems = undecodable.map((one) => shapeProblem(one, object, one === first));
    return { object, oldObject, status, problems, warnings: [], unreadable: true };
  }
  const unknown = shape.filter(({ code }) => code === "unknown_field").map(({ field }) => field);
  const strict = unknownFieldStage(world, object, unknown);
  const missing = shape.filter(({ code }) => code === "missing_field");
  const defaults = world.options.serverDefaults === false ? <T>(given: T): T => given : withServerDefaults;
  return {
    object: defaults(object),
    oldObject: defaults(oldObject),
    ...(strict.status && { status: strict.status }),
    problems: [
      ...strict.problems,
      // Decoding takes these; most are refused by validation that only a server has.
      ...missing.map((one): Problem => ({ ...shapeProblem(one, object, false), level: "warning" })),
    ],
    warnings: strict.warnings,
  };
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
