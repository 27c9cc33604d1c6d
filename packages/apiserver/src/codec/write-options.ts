// CreateOptions, UpdateOptions, PatchOptions and DeleteOptions: read from the query (deletes: from the body), validated, and kept in the form
// in which admission sees them. Upstream: apimachinery pkg/apis/meta/v1/validation.

import { isRecord } from "@celadon/base";
import type { KubeObject } from "@celadon/kube";
import {
  type FieldError,
  fieldPath,
  forbiddenField,
  invalidValue,
  notSupported,
  requiredValue,
} from "@celadon/kube/errors";
import { fieldManagerErrors, toFieldManager } from "@celadon/kube/metadata";
import { badRequest, invalidObject } from "@celadon/kube/status";
import type { DeletionOptions } from "@celadon/write/strategy";
import { isTrue } from "../wire/request-info.ts";
import { StatusError } from "../wire/status-error.ts";
import { integer } from "./list-options.ts";

export type FieldValidation = "Ignore" | "Warn" | "Strict";

export interface WriteOptions {
  readonly dryRun: boolean;
  /** Empty when the client gave none: then its user agent counts. */
  readonly fieldManager: string;
  readonly fieldValidation: FieldValidation;
  /** Whether an apply takes fields of others. */
  readonly force: boolean;
}

const DIRECTIVES = ["", "Ignore", "Strict", "Warn"] as const;

export type OptionsKind = "CreateOptions" | "UpdateOptions" | "PatchOptions";

export function writeOptions(query: URLSearchParams, kind: OptionsKind, isApply = false): WriteOptions {
  if (query.size === 0 && !isApply) return PLAIN;
  const fieldManager = query.get("fieldManager") ?? "";
  const directive = query.get("fieldValidation") ?? "";
  const dryRun = query.getAll("dryRun");
  const errors: FieldError[] = [];
  if (kind === "PatchOptions") {
    if (isApply && fieldManager === "") {
      errors.push(requiredValue(fieldPath("fieldManager"), "is required for apply patch"));
    }
    if (!isApply && query.has("force")) {
      errors.push(forbiddenField(fieldPath("force"), "may not be specified for non-apply patch"));
    }
  }
  errors.push(...fieldManagerErrors(fieldManager, fieldPath("fieldManager")), ...dryRunErrors(dryRun));
  if (!(DIRECTIVES as readonly string[]).includes(directive)) {
    errors.push(notSupported(fieldPath("fieldValidation"), directive, DIRECTIVES));
  }
  if (errors.length > 0) throw new StatusError(invalidObject({ group: "meta.k8s.io", kind }, "", errors));
  return {
    dryRun: dryRun.length > 0,
    fieldManager,
    fieldValidation: (directive || "Warn") as FieldValidation,
    force: query.get("force") === "true" || query.get("force") === "1",
  };
}

const PLAIN: WriteOptions = { dryRun: false, fieldManager: "", fieldValidation: "Warn", force: false };

export function dryRunErrors(dryRun: readonly string[]): FieldError[] {
  if (dryRun.every((value) => value === "All")) return [];
  return [notSupported(fieldPath("dryRun"), dryRun, ["All"])];
}

/** The options as admission sees them. */
export function optionsObject(kind: "CreateOptions" | "UpdateOptions", query: URLSearchParams): KubeObject {
  const { dryRun, fieldManager } = { dryRun: query.getAll("dryRun"), fieldManager: query.get("fieldManager") ?? "" };
  const fieldValidation = query.get("fieldValidation") ?? "";
  return {
    kind,
    apiVersion: "meta.k8s.io/v1",
    ...(dryRun.length > 0 && { dryRun }),
    ...(fieldManager !== "" && { fieldManager }),
    ...(fieldValidation !== "" && { fieldValidation }),
  };
}

/** The name under which a client's changes are tracked. */
export function managerName(fieldManager: string, userAgent: string | undefined): string {
  return fieldManager === "" ? toFieldManager((userAgent ?? "").split("/", 1)[0]!) : fieldManager;
}

export interface DeleteOptions extends DeletionOptions {
  readonly dryRun: boolean;
  readonly preconditionUid: string | undefined;
  readonly preconditionVersion: string | undefined;
  /** The object as admission sees it. */
  readonly object: KubeObject;
}

const POLICIES = ["Foreground", "Background", "Orphan", "nil"] as const;

/** From a decoded body, whose fields have the right types. */
export function deleteOptions(decoded: Readonly<Record<string, unknown>>): DeleteOptions {
  const { kind: _, apiVersion: __, ...fields } = decoded;
  const { orphanDependents, propagationPolicy, dryRun = [], preconditions } = fields as Record<string, unknown>;
  const errors: FieldError[] = [];
  if (orphanDependents !== undefined && propagationPolicy !== undefined) {
    const text = "orphanDependents and deletionPropagation cannot be both set";
    errors.push(invalidValue(fieldPath("propagationPolicy"), propagationPolicy, text));
  }
  if (propagationPolicy !== undefined && !POLICIES.slice(0, 3).includes(propagationPolicy as "Orphan")) {
    errors.push(notSupported(fieldPath("propagationPolicy"), propagationPolicy as string, POLICIES));
  }
  errors.push(...dryRunErrors(dryRun as string[]));
  if (errors.length > 0) {
    throw new StatusError(invalidObject({ group: "meta.k8s.io", kind: "DeleteOptions" }, "", errors));
  }
  const { uid, resourceVersion } = (preconditions ?? {}) as { uid?: string; resourceVersion?: string };
  const seconds = fields.gracePeriodSeconds as number | undefined;
  return {
    dryRun: (dryRun as string[]).length > 0,
    gracePeriodSeconds: seconds !== undefined && seconds < 0 ? 1 : seconds,
    orphanDependents: orphanDependents as boolean | undefined,
    propagationPolicy: propagationPolicy as string | undefined,
    preconditionUid: uid,
    preconditionVersion: resourceVersion,
    object: { kind: "DeleteOptions", apiVersion: "meta.k8s.io/v1", ...fields },
  };
}

const TEXT = { name: "string", fits: (value: unknown) => typeof value === "string" };
const FLAG = { name: "bool", fits: (value: unknown) => typeof value === "boolean" };
const DELETE_FIELDS: Readonly<Record<string, { readonly name: string; fits(value: unknown): boolean }>> = {
  gracePeriodSeconds: { name: "int64", fits: (value) => Number.isSafeInteger(value) || typeof value === "bigint" },
  orphanDependents: FLAG,
  propagationPolicy: TEXT,
  dryRun: { name: "[]string", fits: (value) => Array.isArray(value) && value.every(TEXT.fits) },
  preconditions: {
    name: "v1.Preconditions",
    fits: (value) => isRecord(value) && Object.values(value).every(TEXT.fits),
  },
  ignoreStoreReadErrorWithClusterBreakingPotential: FLAG,
};

/** The fields of a body that DeleteOptions have; throws a StatusError for one of another type. */
export function typedDeleteOptions(sent: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const typed: Record<string, unknown> = {};
  for (const [field, { name, fits }] of Object.entries(DELETE_FIELDS)) {
    const value = Object.hasOwn(sent, field) ? sent[field] : undefined;
    if (value === undefined || value === null) continue;
    if (!fits(value)) {
      const kind = Array.isArray(value) ? "array" : isRecord(value) ? "object" : typeof value;
      const problem = `cannot unmarshal ${kind === "boolean" ? "bool" : kind} into Go struct field DeleteOptions.${field}`;
      throw new StatusError(badRequest(`json: ${problem} of type ${name}`));
    }
    typed[field] = value;
  }
  return typed;
}

/** From the query, where there is no body. */
export function deleteOptionsOfQuery(query: URLSearchParams): DeleteOptions {
  const grace = integer(query, "gracePeriodSeconds");
  const orphan = query.get("orphanDependents");
  const policy = query.get("propagationPolicy");
  const dryRun = query.getAll("dryRun");
  const uid = query.get("uid") || undefined;
  const resourceVersion = query.get("resourceVersion") || undefined;
  const preconditions = {
    ...(uid !== undefined && { uid }),
    ...(resourceVersion !== undefined && { resourceVersion }),
  };
  return deleteOptions({
    ...(Object.keys(preconditions).length > 0 && { preconditions }),
    ...(grace !== undefined && { gracePeriodSeconds: grace }),
    ...(orphan !== null && { orphanDependents: isTrue(orphan) }),
    ...(policy !== null && { propagationPolicy: policy }),
    ...(dryRun.length > 0 && { dryRun }),
  });
}
