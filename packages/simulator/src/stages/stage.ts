// The reading of a request's object, and its strategy. The path of a write runs between reading and the answer.

import type { Maybe } from "@celadon/admission";
import type { ResourceVersion } from "@celadon/crd";
import { type GroupKind, gvkOf, type KubeObject, unknownFieldText } from "@celadon/kube";
import type { FieldPath } from "@celadon/kube/errors";
import type { Schema } from "@celadon/kube/schemas";
import { badRequest, type Status } from "@celadon/kube/status";
import type { Form, WrittenResource } from "@celadon/write";
import type { Strategy } from "@celadon/write/strategy";
import type { Problem } from "../outcome/outcome.ts";
import { unknownFieldProblems } from "../outcome/problems.ts";
import type { ReviewHost } from "../review-host.ts";
import { knownSchema } from "./known-schema.ts";

/** The findings of a step. */
export interface Findings {
  /** The Status with which the request ends here. */
  readonly status?: Status;
  readonly problems: readonly Problem[];
  readonly warnings: readonly string[];
}

export interface Decoded extends Findings {
  /** The object as mutating admission sees it. */
  readonly object: KubeObject | null;
  /** The object could not be decoded, so nothing else is checked. */
  readonly unreadable?: true;
  /** The object is a file that a server reads at its start: no request has it. */
  readonly isFile?: true;
}

/** The way an object is written. */
export interface Writing {
  readonly resource: WrittenResource;
  readonly strategy: Strategy;
  /** The kind of an action, which is answered and not stored. */
  readonly action?: GroupKind | undefined;
  /** The other kind in which it is written. */
  readonly form?: Form | undefined;
  /** The version of its definition. */
  readonly version?: ResourceVersion | undefined;
}

export interface ObjectStage {
  decode(): Decoded;
  /** The existing object, as its clients read it. The code that reads it may have to be loaded first. */
  old(): Maybe<KubeObject | null>;
  /** Absent for objects that only pass admission. */
  writing?(): Maybe<Writing>;
}

/** The same stage for several reviews, each of which writes the decoded object: every step happens once. */
export function decodedOnce({ decode, old, writing }: ObjectStage): ObjectStage {
  const once = <T>(make: () => T): (() => T) => {
    let made: { readonly value: T } | undefined;
    return () => (made ??= { value: make() }).value;
  };
  const stage = { decode: once(decode), old: once(old) };
  if (writing === undefined) return stage;
  return { ...stage, writing: once(async () => writtenOnce(await writing())) };
}

function writtenOnce(writing: Writing): Writing {
  const { strategy } = writing;
  const results = new Map<string, unknown>();
  const once =
    <K extends "prepareCreate" | "validateCreate" | "prepareUpdate" | "validateUpdate" | "warnings">(name: K) =>
    (...given: Parameters<Strategy[K]>): ReturnType<Strategy[K]> => {
      if (!results.has(name)) results.set(name, (strategy[name] as (...of: typeof given) => unknown)(...given));
      return results.get(name) as ReturnType<Strategy[K]>;
    };
  return {
    ...writing,
    strategy: {
      ...strategy,
      prepareCreate: once("prepareCreate"),
      validateCreate: once("validateCreate"),
      prepareUpdate: once("prepareUpdate"),
      validateUpdate: once("validateUpdate"),
      warnings: once("warnings"),
    },
  };
}

/** A stage that leaves the object unchanged. */
export function passing(object: KubeObject | null, old: () => Maybe<KubeObject | null>): ObjectStage {
  return { decode: () => ({ object, problems: [], warnings: [] }), old };
}

/** An object without a kind is not decoded. */
export function typeMetaStatus(object: KubeObject): Status | undefined {
  for (const key of ["apiVersion", "kind"] as const) {
    const value: unknown = Object.hasOwn(object, key) ? object[key] : undefined;
    if (typeof value === "string" || value === undefined || value === null) continue;
    const found = Array.isArray(value) ? "array" : typeof value === "boolean" ? "bool" : typeof value;
    const text = `json: cannot unmarshal ${found} into Go struct field .${key} of type string`;
    return badRequest(`couldn't get version/kind; json parse error: ${text}`);
  }
  return undefined;
}

/** Unknown fields: rejected, warned about or dropped, as the client requests. */
export function unknownFieldFindings(
  { options }: ReviewHost,
  object: KubeObject,
  fields: readonly FieldPath[],
  schemaOf: () => Schema | undefined = () => knownSchema(object),
): Findings {
  const { fieldValidation = "Strict" } = options;
  if (fields.length === 0 || fieldValidation === "Ignore") return { problems: [], warnings: [] };
  const problems = unknownFieldProblems(fields, fieldValidation === "Strict", schemaOf());
  const texts = fields.map(unknownFieldText);
  if (fieldValidation === "Warn") return { problems, warnings: texts };
  const { kind, version } = gvkOf(object);
  const status = badRequest(
    `${kind} in version "${version}" cannot be handled as a ${kind}: strict decoding error: ${texts.join(", ")}`,
  );
  return { status, problems, warnings: [] };
}
