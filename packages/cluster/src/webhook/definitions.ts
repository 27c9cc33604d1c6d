// The CRDs of a cluster, watched: schemas for type checking, and how mutations of custom resources are merged and read.
// Everything derived from a CRD is computed on first use and kept until the CRD changes.

import { builtinMergeTypeOf, completeBuiltin, createSchemas, type Schemas } from "@celadon/admission/memory";
import type { Reading } from "@celadon/admission/mutating";
import { isRecord, type JsonObject, setOwn } from "@celadon/base";
import { type Api, Reflector } from "@celadon/client";
import { CustomResourceType, readDefinition } from "@celadon/crd";
import type { GroupVersionKind, GroupVersionResource, KubeObject } from "@celadon/kube";
import { Invalid } from "@celadon/kube/errors";
import { readSchema } from "@celadon/kube/schemas";
import { customMergeType, type MergeType } from "@celadon/merge";

const DEFINITIONS: GroupVersionResource = {
  group: "apiextensions.k8s.io",
  version: "v1",
  resource: "customresourcedefinitions",
};

export class WatchedDefinitions {
  readonly reflector: Reflector;
  readonly #types = new Map<string, CustomResourceType | undefined>();
  readonly #mergeTypes = new Map<string, MergeType>();
  #schemas: Schemas | undefined;

  constructor(
    api: Api,
    options: { readonly changed: () => void; readonly failed: (what: string, error: unknown) => void },
  ) {
    this.reflector = new Reflector(api, DEFINITIONS, {
      changed: () => {
        this.#types.clear();
        this.#mergeTypes.clear();
        this.#schemas = undefined;
        options.changed();
      },
      transform: withoutProse,
      failed: (error) => options.failed("customresourcedefinitions", error),
    });
  }

  /** Whether a definition serves the resource, even if discovery does not show it yet. */
  serves({ group, version, resource }: GroupVersionResource): boolean {
    const object = this.reflector.objects.get(`${resource}.${group}`);
    const { spec, status } = (object ?? {}) as DefinitionState;
    const isEstablished = status?.conditions?.some(
      (condition) => condition.type === "Established" && condition.status === "True",
    );
    return (
      isEstablished === true && (spec?.versions ?? []).some(({ name, served }) => name === version && served === true)
    );
  }

  get schemas(): Schemas {
    this.#schemas ??= createSchemas({ definitions: this.reflector.objects.values() });
    return this.#schemas;
  }

  mergeType(kind: GroupVersionKind): MergeType | "none" | undefined {
    const type = this.#typeOf(kind);
    if (type === undefined) return builtinMergeTypeOf(kind);
    const key = `${kind.group}/${kind.version}/${kind.kind}`;
    const known = this.#mergeTypes.get(key);
    if (known !== undefined) return known;
    const version = type.version(kind.version);
    if (version === undefined) return "none";
    const preserveUnknownFields = type.definition.spec.preserveUnknownFields === true;
    const made = customMergeType(version.schema && readSchema(version.schema), { preserveUnknownFields });
    this.#mergeTypes.set(key, made);
    return made;
  }

  /** Completes an object after a patch as the API server does: read as its kind, with defaults. */
  complete(object: KubeObject, kind: GroupVersionKind, reading: Reading): KubeObject | Invalid {
    const completed = completeBuiltin(object, kind, reading);
    if (completed !== undefined) return completed;
    const decoded = this.#typeOf(kind)
      ?.version(kind.version)
      ?.decode({ ...object });
    if (decoded === undefined) return object;
    return "object" in decoded ? (decoded.object as KubeObject) : new Invalid(decoded.message ?? "");
  }

  #typeOf({ group, kind }: GroupVersionKind): CustomResourceType | undefined {
    const key = `${group}/${kind}`;
    if (this.#types.has(key)) return this.#types.get(key);
    for (const object of this.reflector.objects.values()) {
      const { spec } = object as { readonly spec?: { group?: string; names?: { kind?: string } } };
      if (spec?.group !== group || spec.names?.kind !== kind) continue;
      const read = readDefinition(object);
      const type = "definition" in read ? new CustomResourceType(read.definition) : undefined;
      this.#types.set(key, type);
      return type;
    }
    this.#types.set(key, undefined);
    return undefined;
  }
}

interface DefinitionState {
  readonly spec?: { readonly versions?: readonly { readonly name?: string; readonly served?: boolean }[] };
  readonly status?: { readonly conditions?: readonly { readonly type?: string; readonly status?: string }[] };
}

/** Descriptions are most of a definition and decide nothing. */
function withoutProse({ apiVersion = "", kind = "", metadata, spec, status }: KubeObject): KubeObject {
  const { name = "", resourceVersion = "" } = metadata ?? {};
  const { conditions = [] } = (status ?? {}) as NonNullable<DefinitionState["status"]>;
  return { apiVersion, kind, metadata: { name, resourceVersion }, spec: stripped(spec), status: { conditions } };
}

/** The keywords whose values are data of objects rather than schemas. */
const DATA: ReadonlySet<string> = new Set(["default", "enum", "example"]);

function stripped(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(stripped);
  if (!isRecord(value)) return value;
  const kept: JsonObject = {};
  for (const [key, member] of Object.entries(value)) {
    // A property may have this name too; its schema is no text.
    if (key === "description" && typeof member === "string") continue;
    setOwn(kept, key, DATA.has(key) ? member : stripped(member));
  }
  return kept;
}
