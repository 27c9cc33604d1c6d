// A configuration file as the API server reads it at its start: strictly, with unknown and repeated fields as errors. The file is no object of
// the API: it has no metadata, and nobody sends it. Upstream: apiserver pkg/apis/apiserver/load, pkg/apis/apiserver/v1/register.go.

import { type AcceptedResource, gvkOf, type KubeObject } from "@celadon/kube";
import { type FieldError, FieldPath, fieldErrorsText } from "@celadon/kube/errors";
import { badRequest, failure, type Status } from "@celadon/kube/status";
import { type DecodeError, decodeAs, decodeErrorText, type GoStruct, stepsText, strictText } from "@celadon/kube/types";
import { CURRENT, isBefore, type Minor } from "@celadon/kube/versions";

/** The group of configuration files. */
export const CONFIGURATION_GROUP = "apiserver.config.k8s.io";

/** A kind of configuration: its type, and the minor that added each of its versions. */
export interface ConfigurationKind {
  readonly kind: string;
  readonly type: GoStruct;
  readonly since: Readonly<Record<string, Minor>>;
}

/** The decoded file with the fields that its kind does not have, or what ends the start of the server. */
export type ReadConfiguration<T> =
  | { readonly configuration: T; readonly unknownFields: readonly FieldPath[]; readonly strict: string }
  | { readonly failed: AcceptedResource<never> };

/** Decodes a configuration file of a kind. `T` describes the fields of the kind's type. */
export function readConfiguration<T>(
  { kind, type, since }: ConfigurationKind,
  file: KubeObject,
  minor: Minor = CURRENT,
): ReadConfiguration<T> {
  const { version } = gvkOf(file);
  const apiVersion = `${CONFIGURATION_GROUP}/${version}`;
  const first = Object.hasOwn(since, version) ? since[version] : undefined;
  if (first === undefined || isBefore(minor, first)) {
    const written = String(file.apiVersion);
    return ended({ code: "unknown_kind", path: ["apiVersion"], apiVersion: written, kind, minor });
  }
  const decoded = decodeAs(type, { apiVersion, kind }, file);
  if (decoded.error !== undefined) return ended(decoded.error);
  return {
    configuration: decoded.object as T,
    unknownFields: decoded.strict.map(({ path }) => FieldPath.of(path, stepsText(path))),
    strict: decoded.strict.map(strictText).join(", "),
  };
}

/** The end of reading at a field that reads itself. */
export function unreadable(path: FieldPath, message: string): AcceptedResource<never> {
  return { errors: [], warnings: [], unknownFields: [], unreadable: path, status: badRequest(message) };
}

function ended(error: DecodeError): { readonly failed: AcceptedResource<never> } {
  return { failed: unreadable(FieldPath.of(error.path, stepsText(error.path)), decodeErrorText(error)) };
}

/** The configuration with its errors; with one, the server does not start. It reports unknown fields before anything else. */
export function accepted<T>(
  resource: T,
  errors: readonly FieldError[],
  { unknownFields, strict }: { readonly unknownFields: readonly FieldPath[]; readonly strict: string },
): AcceptedResource<T> {
  const status = statusOf(errors, strict);
  return { resource, errors, unknownFields, warnings: [], ...(status && { status }) };
}

function statusOf(errors: readonly FieldError[], strict: string): Status | undefined {
  if (strict !== "") return badRequest(`strict decoding error: ${strict}`);
  return errors.length === 0 ? undefined : failure("Invalid", fieldErrorsText(errors));
}
