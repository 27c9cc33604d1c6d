// Tables: what `kubectl get` prints. The columns of a kind are data of their own; a kind without any has its name and age.

import type { KubeObject, ObjectMeta } from "@celadon/kube";
import type { IncludeObject } from "./forms.ts";

export interface ColumnDefinition {
  readonly name: string;
  readonly type: string;
  readonly format: string;
  readonly description: string;
  readonly priority: number;
}

export interface RowCondition {
  readonly type: string;
  readonly status: string;
  readonly reason: string;
  readonly message: string;
}

export interface TableColumns {
  readonly definitions: readonly ColumnDefinition[];
  /** The conditions of a row, for clients that have not read the object. */
  conditions?(object: KubeObject): readonly RowCondition[] | undefined;
  cells(object: KubeObject, now: number): readonly unknown[];
}

/** Bookmarks were never created. */
const NO_TIME = "0001-01-01T00:00:00Z";

export const DEFAULT_COLUMNS: TableColumns = {
  definitions: [
    {
      name: "Name",
      type: "string",
      format: "name",
      description:
        "Name must be unique within a namespace. Is required when creating resources, although some resources may allow a client to request the generation of an appropriate name automatically. Name is primarily intended for creation idempotence and configuration definition. Cannot be updated. More info: https://kubernetes.io/docs/concepts/overview/working-with-objects/names#names",
      priority: 0,
    },
    {
      name: "Created At",
      type: "date",
      format: "",
      description:
        "CreationTimestamp is a timestamp representing the server time when this object was created. It is not guaranteed to be set in happens-before order across separate operations. Clients may not set this value. It is represented in RFC3339 form and is in UTC.\n\nPopulated by the system. Read-only. Null for lists. More info: https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#metadata",
      priority: 0,
    },
  ],
  cells: (object) => [object.metadata?.name ?? "", object.metadata?.creationTimestamp ?? NO_TIME],
};

export interface ListMeta {
  readonly resourceVersion?: string;
  readonly continue?: string;
  readonly remainingItemCount?: number;
}

export function tableOf(
  objects: readonly KubeObject[],
  columns: TableColumns,
  options: { readonly version: string; readonly include: IncludeObject; readonly withColumns: boolean },
  metadata: ListMeta,
  now: number,
): unknown {
  return {
    kind: "Table",
    apiVersion: `meta.k8s.io/${options.version}`,
    metadata,
    columnDefinitions: options.withColumns ? columns.definitions : null,
    rows: objects.map((object) => ({
      cells: columns.cells(object, now),
      ...(columns.conditions !== undefined && { conditions: columns.conditions(object) }),
      object: options.include === "None" ? null : shown(object, options),
    })),
  };
}

function shown(object: KubeObject, { include, version }: { include: IncludeObject; version: string }): unknown {
  return include === "Object" ? object : partialMetadata(object, version);
}

export function partialMetadata(object: KubeObject, version: string): KubeObject {
  return { kind: "PartialObjectMetadata", apiVersion: `meta.k8s.io/${version}`, metadata: metadataOf(object) };
}

/** kube-apiserver keeps the generation of a DaemonSet's template beside its metadata, and writes it there for whole objects alone. */
function metadataOf({ kind, metadata: given }: KubeObject): ObjectMeta {
  const metadata = given ?? {};
  if (kind !== "DaemonSet" || metadata.annotations?.[TEMPLATE_GENERATION] === undefined) return metadata;
  const { [TEMPLATE_GENERATION]: _, ...annotations } = metadata.annotations;
  const { annotations: __, ...others } = metadata;
  return Object.keys(annotations).length === 0 ? others : { ...metadata, annotations };
}

const TEMPLATE_GENERATION = "deprecated.daemonset.template.generation";
