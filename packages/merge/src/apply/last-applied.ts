// From kubectl's client-side apply to server-side apply: the annotation with kubectl's last configuration tells which fields it owned
// before, and follows its server-side applies. Upstream: apimachinery pkg/util/managedfields/internal/lastappliedmanager.go,
// lastappliedupdater.go.

import { formatGoJson, utf8Length } from "@celadon/base";
import { annotationsOf, type KubeObject } from "@celadon/kube";
import { TOTAL_ANNOTATION_SIZE_LIMIT } from "@celadon/kube/metadata";
import { readJson } from "@celadon/kube/read";
import type { FieldSet } from "../fieldpath/field-set.ts";
import type { MergeType } from "../schema/merge-type.ts";
import { compareTyped } from "../typed/compare.ts";
import { fieldSetOf } from "../typed/field-set-of.ts";
import { validateValue } from "../typed/validate.ts";
import { isMap, type JsonMap, own } from "../value/value.ts";

const LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration";

/** The fields that kubectl applied on the client and that are still as it left them. */
export function allowedByLastApplied(live: KubeObject, type: MergeType, apiVersion: string): FieldSet | undefined {
  const text = annotationsOf(live)[LAST_APPLIED];
  if (text === undefined || text === "") return undefined;
  if (validateValue(type, live).length > 0) return undefined;
  const applied = parse(text);
  if (!isMap(applied) || own(applied, "apiVersion") !== apiVersion) return undefined;
  if (validateValue(type, applied).length > 0) return undefined;
  const { modified, added, removed, problems } = compareTyped(type, applied, live);
  if (problems.length > 0) return undefined;
  return fieldSetOf(type, applied).difference(modified).difference(added).difference(removed);
}

function parse(text: string): unknown {
  try {
    return readJson(text);
  } catch {
    return undefined;
  }
}

/** The object with the annotation updated to the applied configuration, if it has one. */
export function withLastApplied(object: KubeObject, config: KubeObject): KubeObject {
  const annotations = annotationsOf(object);
  if ((annotations[LAST_APPLIED] ?? "") === "") return object;
  const { [LAST_APPLIED]: _, ...others } = annotations;
  const next = { ...others, [LAST_APPLIED]: `${formatGoJson(withoutAnnotation(config))}\n` };
  const size = Object.entries(next).reduce((sum, [key, value]) => sum + utf8Length(key) + utf8Length(value), 0);
  const metadata = own(object as JsonMap, "metadata") as JsonMap;
  return {
    ...object,
    metadata: { ...metadata, annotations: size > TOTAL_ANNOTATION_SIZE_LIMIT ? others : next },
  } as KubeObject;
}

function withoutAnnotation(config: KubeObject): unknown {
  const metadata = own(config as JsonMap, "metadata");
  if (!isMap(metadata)) return config;
  const annotations = own(metadata, "annotations");
  if (!isMap(annotations) || !Object.hasOwn(annotations, LAST_APPLIED)) return config;
  const { [LAST_APPLIED]: _, ...others } = annotations;
  return { ...config, metadata: { ...metadata, annotations: others } };
}
