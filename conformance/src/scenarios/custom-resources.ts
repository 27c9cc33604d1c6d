// CustomResourceDefinitions and custom resources as @celadon/crd admits them, in the in-memory cluster.

import {
  acceptDefinition,
  type CustomResourceDefinition,
  CustomResourceType,
  type ResourceVersion,
  readDefinition,
} from "@celadon/crd";
import { decodeWrite, finishWrite, strictStatus, toScale, withReplicas } from "@celadon/crd/write";
import { unknownFieldText } from "@celadon/kube";
import { type FieldPath, fieldErrorText } from "@celadon/kube/errors";
import { badRequest, type Status } from "@celadon/kube/status";
import type { Handler, Write } from "./handler.ts";
import type { JsonObject } from "./json.ts";
import type { Kind } from "./kinds.ts";
import { servedKinds } from "./served-kinds.ts";
import { metadataOf } from "./write.ts";

const DEFINITION = { group: "apiextensions.k8s.io", kind: "CustomResourceDefinition" };

/** Handlers of definitions and of the kinds that these add; both share the definitions. */
export function createDefinitions(): readonly Handler[] {
  const types = new Map<string, CustomResourceType>();
  return [definitions(types), customResources(types)];
}

const asDefinition = (object: JsonObject): CustomResourceDefinition => object as unknown as CustomResourceDefinition;

function definitions(types: Map<string, CustomResourceType>): Handler {
  return {
    handles: (kind) => kind.kind === DEFINITION.kind && kind.group === DEFINITION.group,
    decode(object, write) {
      const read = readDefinition(object);
      if (!("definition" in read)) return read.status;
      const refused = unknownFields(read.unknown, write, (fields) =>
        badRequest(
          `CustomResourceDefinition in version "v1" cannot be handled as a CustomResourceDefinition: strict decoding error: ${fields}`,
        ),
      );
      return refused ?? (read.definition as unknown as JsonObject);
    },
    finish(object, write) {
      const old = write.oldObject && asDefinition(write.oldObject);
      const { resource, status, warnings } = acceptDefinition(object, old);
      write.warnings.push(...warnings.map(({ text }) => text));
      return status ?? (resource as unknown as JsonObject);
    },
    stored(object, cluster) {
      const definition = asDefinition(object);
      const type = new CustomResourceType(definition);
      types.set(`${type.group}/${type.kind}`, type);
      for (const kind of servedKinds(object)) cluster.kinds.add(kind);
    },
    deleted(object, cluster) {
      const { group, names } = asDefinition(object).spec;
      types.delete(`${group}/${names.kind}`);
      for (const kind of servedKinds(object)) cluster.kinds.remove(kind);
    },
  };
}

function customResources(types: ReadonlyMap<string, CustomResourceType>): Handler {
  const typeOf = (kind: Kind): CustomResourceType | undefined => types.get(`${kind.group}/${kind.kind}`);
  const versionOf = (kind: Kind): ResourceVersion => typeOf(kind)!.version(kind.version)!;
  return {
    handles: (kind) => typeOf(kind) !== undefined,
    decode(object, write) {
      const target = { version: versionOf(write.kind) };
      const decoded = decodeWrite(target, object);
      write.warnings.push(...decoded.warnings.map(({ text }) => text));
      if (decoded.status !== undefined) return decoded.status;
      const refused = unknownFields(decoded.unknownFields, write, () => strictStatus(target, decoded)!);
      return refused ?? (decoded.object as JsonObject);
    },
    finish(object, write) {
      const { kind, oldObject, subresource } = write;
      const version = versionOf(kind);
      const finished = finishWrite({ version, old: oldObject && version.read(oldObject), subresource }, object);
      write.warnings.push(...finished.ratcheted.map(fieldErrorText), ...finished.warnings.map(({ text }) => text));
      return finished.status ?? (finished.object as JsonObject);
    },
    kept: (object, kind) => versionOf(kind).stored(object) as JsonObject,
    convert: (object, to) => versionOf(to).read(object) as JsonObject,
    read(object, _cluster) {
      const [group = "", version = ""] = String(object.apiVersion).split("/");
      const found = types.get(`${group}/${String(object.kind)}`)?.version(version);
      return found === undefined ? object : (found.read(object) as JsonObject);
    },
    toScale(object, kind) {
      const made = toScale(object, versionOf(kind).scale!);
      return typeof made === "string" ? {} : (made as unknown as JsonObject);
    },
    fromScale(scale, object, kind) {
      const { replicas } = (scale.spec ?? {}) as { replicas?: number };
      const { resourceVersion } = metadataOf(scale);
      const changed = withReplicas(object, versionOf(kind).scale!, replicas ?? 0) as JsonObject;
      return resourceVersion === undefined
        ? changed
        : { ...changed, metadata: { ...metadataOf(object), resourceVersion } };
    },
  };
}

/** Unknown fields by the request's field validation: rejected, warned about, or dropped. */
function unknownFields(
  unknown: readonly FieldPath[],
  write: Write,
  refuse: (fields: string) => Status,
): Status | undefined {
  const fields = unknown.map(unknownFieldText);
  if (write.fieldValidation === "Strict" && fields.length > 0) return refuse(fields.join(", "));
  if (write.fieldValidation === "Warn") write.warnings.push(...fields);
  return undefined;
}
