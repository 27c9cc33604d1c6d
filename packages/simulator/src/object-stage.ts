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
import { badRequest, type KubeObject, type Status } from "@celadon/kube";
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
  return stageBuiltin(world, object, oldObject);
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
  const { fieldValidation = "Strict" } = world.options;
  const { type } = version;
  const by = { kind: "CustomResourceDefinition", name: `${type.plural}.${type.group}` };
  const warnings = version.deprecation === undefined ? [] : [version.deprecation];
  const problems: Problem[] = [];
  let status: Status | undefined;
  if (decoded.unknown.length > 0 && fieldValidation !== "Ignore") {
    const refused = fieldValidation === "Strict";
    if (refused) status = strictError(type.kind, version.name, decoded.unknown);
    else warnings.push(...decoded.unknown.map((field) => `unknown field "${field}"`));
    problems.push(...unknownFieldProblems(decoded.unknown, object, refused));
  }
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
  const problems: Problem[] = [];
  const warnings = [...accepted.warnings];
  const { fieldValidation = "Strict" } = world.options;
  let refusal: Status | undefined;
  if (unknownFields.length > 0 && fieldValidation !== "Ignore") {
    const refused = fieldValidation === "Strict";
    const texts = unknownFields.map((field) => `unknown field "${field}"`);
    if (refused)
      refusal = badRequest(`${String(object.kind)} cannot be handled: strict decoding error: ${texts.join(", ")}`);
    else warnings.push(...texts);
    problems.push(...unknownFieldProblems(unknownFields, object, refused));
  }
  if (status !== undefined) {
    problems.push(...problemsOf(status, "schema", object).map((one) => ({ ...one, returned: refusal === undefined })));
    refusal ??= status;
  }
  return { object, oldObject, ...(refusal && { status: refusal }), problems, warnings };
}

function stageBuiltin(_world: World, object: KubeObject, oldObject: KubeObject | null): Staged {
  return { object, oldObject, problems: [], warnings: [] };
}
