// The fate of each field of a pod in a workload's template. Decided per field, with the reason in words: they are shown to people.

/**
 * - `template`: read from the template
 * - `own`: read from the workload
 * - text: there is no such thing; why
 */
export type MetadataDecision = "template" | "own" | { readonly why: string };

const ONE_POD = { why: "it belongs to a single pod; a template does not have it" };

// Controllers copy labels, annotations and finalizers of the template to their pods.
// biome-ignore format: one field per line
export const METADATA_FIELDS: ReadonlyMap<string, MetadataDecision> = new Map<string, MetadataDecision>([
  ["labels",                     "template"],
  ["annotations",                "template"],
  ["finalizers",                 "template"],
  // pods live where their workload lives, even if the template names another namespace
  ["namespace",                  "own"],
  // names of pods are made from it
  ["name",                       "own"],
  // whether the object at hand is going away
  ["deletionTimestamp",          "own"],
  ["generateName",               { why: "pods of a workload always have it, the workload rarely" }],
  ["ownerReferences",            { why: "pods of a workload have an owner, the workload itself may not" }],
  ["uid",                        ONE_POD],
  ["resourceVersion",            ONE_POD],
  ["generation",                 ONE_POD],
  ["creationTimestamp",          ONE_POD],
  ["deletionGracePeriodSeconds", ONE_POD],
  ["managedFields",              ONE_POD],
  ["selfLink",                   ONE_POD],
]);

/** The type fields of every pod. */
export const POD_TYPE: ReadonlyMap<string, string> = new Map([
  ["apiVersion", "v1"],
  ["kind", "Pod"],
]);

const POD_KIND: ReadonlyMap<string, string> = new Map([
  ["group", ""],
  ["version", "v1"],
  ["kind", "Pod"],
]);
const POD_RESOURCE: ReadonlyMap<string, string> = new Map([
  ["group", ""],
  ["version", "v1"],
  ["resource", "pods"],
]);

/** Fields of `request` that are the same for every pod. */
export const REQUEST_TYPES: ReadonlyMap<string, ReadonlyMap<string, string>> = new Map([
  ["kind", POD_KIND],
  ["requestKind", POD_KIND],
  ["resource", POD_RESOURCE],
  ["requestResource", POD_RESOURCE],
]);
