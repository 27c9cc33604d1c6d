// CustomResourceDefinitions and custom resources as @celadon/crd admits them, in the in-memory cluster.

import { quoteGo } from "@celadon/base";
import {
  type CustomResourceDefinition,
  CustomResourceType,
  definitionWarnings,
  finalizerWarnings,
  invalidResource,
  prepareCreate,
  prepareDefinition,
  prepareStatusUpdate,
  prepareUpdate,
  type ResourceVersion,
  readDefinition,
  strictError,
  toScale,
  validateDefinition,
  validateDefinitionUpdate,
  withReplicas,
} from "@celadon/crd";
import { badRequest, invalidObject, nameOf, type Status } from "@celadon/kube";
import type { Handler, Write } from "./handler.ts";
import type { JsonObject } from "./json.ts";
import type { Kind } from "./kinds.ts";
import { servedKinds } from "./served-kinds.ts";
import { metadataOf } from "./write.ts";

const DEFINITION = { group: "apiextensions.k8s.io", kind: "CustomResourceDefinition" };

/** Handlers of definitions and of the kinds that these add; both share what is defined. */
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
      if (!("definition" in read)) return read;
      const refused = unknownFields(read.unknown, write, (fields) =>
        badRequest(
          `CustomResourceDefinition in version "v1" cannot be handled as a CustomResourceDefinition: strict decoding error: ${fields}`,
        ),
      );
      return refused ?? (read.definition as unknown as JsonObject);
    },
    prepare: (object, { oldObject }) =>
      prepareDefinition(asDefinition(object), oldObject && asDefinition(oldObject)) as unknown as JsonObject,
    validate(object, write) {
      const definition = asDefinition(object);
      const old = write.oldObject && asDefinition(write.oldObject);
      const errors = old === undefined ? validateDefinition(definition) : validateDefinitionUpdate(definition, old);
      if (errors.length > 0) return invalidObject(DEFINITION, nameOf(object), errors);
      write.warnings.push(...definitionWarnings(definition, old));
      return undefined;
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
      const version = versionOf(write.kind);
      if (version.deprecation !== undefined) write.warnings.push(version.deprecation);
      const decoded = version.decode(object);
      if (!("unknown" in decoded)) return decoded;
      const refused = unknownFields(decoded.unknown, write, () =>
        strictError(write.kind.kind, write.kind.version, decoded.unknown),
      );
      return refused ?? (decoded.object as JsonObject);
    },
    prepare(object, { kind, oldObject, subresource }) {
      const version = versionOf(kind);
      if (oldObject === undefined) return prepareCreate(version, object) as JsonObject;
      const old = version.read(oldObject);
      const prepared =
        subresource === "status" ? prepareStatusUpdate(object, old) : prepareUpdate(version, object, old);
      return prepared as JsonObject;
    },
    validate(object, write) {
      const version = versionOf(write.kind);
      const old = write.oldObject && version.read(write.oldObject);
      const { errors, warnings } =
        old === undefined
          ? version.validateCreate(object)
          : write.subresource === "status"
            ? version.validateStatusUpdate(object, old)
            : version.validateUpdate(object, old);
      write.warnings.push(...warnings);
      if (errors.length > 0) return invalidResource(object, errors);
      if (write.subresource !== "status") write.warnings.push(...finalizerWarnings(object, old));
      return undefined;
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

/** Unknown fields as the request wants them: refused, told, or dropped. */
function unknownFields(
  unknown: readonly string[],
  write: Write,
  refuse: (fields: string) => Status,
): Status | undefined {
  const fields = unknown.map((path) => `unknown field ${quoteGo(path)}`);
  if (write.fieldValidation === "Strict" && fields.length > 0) return refuse(fields.join(", "));
  if (write.fieldValidation === "Warn") write.warnings.push(...fields);
  return undefined;
}
