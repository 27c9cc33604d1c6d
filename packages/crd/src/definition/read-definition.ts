// Reading a CustomResourceDefinition: plain JSON → typed data with the server's defaults. Schema, subresources, columns and selectable
// fields that all versions share stand once, as the server holds them while validating.

import { deepEqual, isRecord, pushAll } from "@celadon/base";
import { FieldPath, fieldPath } from "@celadon/kube/errors";
import { badRequest, type Status } from "@celadon/kube/status";
import { wasEmpty } from "@celadon/kube/types";
import { DecodeFailure, Decoding } from "../decode.ts";
import { decodeMetadata } from "../object/decode-metadata.ts";
import type { JsonSchema } from "../schema/json-schema.ts";
import { isTooDeep, MAX_DEPTH, TOO_DEEP } from "../value/depth.ts";
import {
  type CustomResourceDefinition,
  DEFINITION,
  type DefinitionSpec,
  type DefinitionVersion,
  type PrinterColumn,
  type SelectableField,
  type Subresources,
} from "./definition.ts";

/** A definition that was read, and the fields that were unknown. */
export interface ReadDefinition {
  readonly definition: CustomResourceDefinition;
  /** Paths of fields that no CustomResourceDefinition has. */
  readonly unknown: readonly FieldPath[];
}

/** JSON that cannot be a CustomResourceDefinition. */
export interface UnreadDefinition {
  readonly status: Status;
  /** The value that is not of its field's type; the root where none is to blame. */
  readonly at: FieldPath;
}

/** Reads a definition as the API server does; a value of the wrong type is an error. */
export function readDefinition(object: unknown): ReadDefinition | UnreadDefinition {
  if (isTooDeep(object)) {
    const inSchema = isRecord(object) && isTooDeep(object.spec, MAX_DEPTH - 1);
    return { status: cannotBeHandled(inSchema ? `spec: schema ${TOO_DEEP}` : TOO_DEEP), at: FieldPath.root };
  }
  const decoding = new Decoding();
  let at = FieldPath.root;
  try {
    const decoded = decoding.struct(object, DEFINITION, at);
    at = METADATA;
    const given = isRecord(object) ? object.metadata : undefined;
    const metadata = decodeMetadata(given ?? {});
    pushAll(
      decoding.unknown,
      metadata.unknown.map((path) => METADATA.below(path)),
    );
    const read = { ...decoded, metadata: metadata.metadata } as unknown as CustomResourceDefinition;
    const definition = withDefaults(
      hasEmptyVersions(object) ? { ...read, spec: { ...read.spec, versions: [] } } : read,
    );
    return { definition, unknown: decoding.unknown };
  } catch (thrown) {
    if (thrown instanceof DecodeFailure) return { status: cannotBeHandled(thrown.message), at: at.below(thrown.path) };
    throw thrown;
  }
}

const METADATA = fieldPath("metadata");

/** No versions and an empty list of them are both errors, and shown as they were given. */
function hasEmptyVersions(object: unknown): boolean {
  const { spec } = isRecord(object) ? object : {};
  if (!isRecord(spec)) return false;
  return Array.isArray(spec.versions) ? spec.versions.length === 0 : wasEmpty(spec, "versions");
}

export function cannotBeHandled(reason: string): Status {
  const start = 'CustomResourceDefinition in version "v1" cannot be handled as a CustomResourceDefinition: ';
  return badRequest(start + reason);
}

function withDefaults(given: CustomResourceDefinition): CustomResourceDefinition {
  const spec = given.spec ?? { names: {} };
  const names = spec.names ?? {};
  const kind = names.kind ?? "";
  const singular = names.singular ?? kind.toLowerCase();
  const listKind = names.listKind ?? (kind === "" ? "" : `${kind}List`);
  return {
    ...given,
    spec: {
      ...spec,
      names: { ...names, ...(singular && { singular }), ...(listKind && { listKind }) },
      conversion: withPort(spec.conversion ?? { strategy: "None" }),
    },
  };
}

function withPort(conversion: NonNullable<DefinitionSpec["conversion"]>): NonNullable<DefinitionSpec["conversion"]> {
  const config = conversion.webhook?.clientConfig;
  if (!config?.service || config.service.port !== undefined) return conversion;
  const clientConfig = { ...config, service: { ...config.service, port: 443 } };
  return { ...conversion, webhook: { ...conversion.webhook, clientConfig } };
}

/** A definition as the server validates it: fields that all versions share are at the top and gone from the versions. */
export interface HoistedSpec extends Omit<DefinitionSpec, "versions"> {
  readonly versions: readonly DefinitionVersion[];
  readonly validation?: { readonly openAPIV3Schema?: JsonSchema };
  readonly subresources?: Subresources;
  readonly additionalPrinterColumns?: readonly PrinterColumn[];
  readonly selectableFields?: readonly SelectableField[];
}

export function hoist(spec: DefinitionSpec): HoistedSpec {
  const versions = spec.versions ?? [];
  const [first] = versions;
  if (first === undefined) return { ...spec, versions };
  const shared = (["schema", "subresources", "additionalPrinterColumns", "selectableFields"] as const).filter((key) =>
    versions.every((version) => deepEqual(version[key], first[key])),
  );
  const top: Record<string, unknown> = {};
  for (const key of shared) if (first[key] !== undefined) top[key === "schema" ? "validation" : key] = first[key];
  const own = versions.map((version) => {
    const copy: Record<string, unknown> = { ...version };
    for (const key of shared) delete copy[key];
    return copy as DefinitionVersion;
  });
  return { ...spec, ...top, versions: own };
}

/** The schema that objects of a version have. */
export function schemaOf(definition: CustomResourceDefinition, version: string): JsonSchema | undefined {
  return definition.spec.versions?.find(({ name }) => name === version)?.schema?.openAPIV3Schema;
}

/** All schemas of a definition. */
export function schemasOf(spec: DefinitionSpec): JsonSchema[] {
  return (spec.versions ?? []).flatMap(({ schema }) => schema?.openAPIV3Schema ?? []);
}
