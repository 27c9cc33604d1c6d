// Groups of the Kubernetes community need an annotation that says where the API was approved.

import { quoteGo } from "@celadon/base";
import { annotationsOf } from "@celadon/kube";
import { fieldPath, invalidValue, requiredValue } from "@celadon/kube/errors";
import { parseRequestUri, UrlFailure } from "@celadon/kube-cel/url";
import type { CustomResourceDefinition, Problems } from "./definition.ts";

const ANNOTATION = "api-approved.kubernetes.io";
const SEE = "see https://github.com/kubernetes/enhancements/pull/1111";

type Approval = "missing" | "bypassed" | "approved" | "invalid";

export function approvalErrors(
  definition: CustomResourceDefinition,
  old: CustomResourceDefinition | undefined,
): Problems {
  const group = definition.spec.group ?? "";
  if (!/(^|\.)(k8s|kubernetes)\.io$/.test(group)) return [];
  const state = approvalOf(definition);
  // An approval that existed before may stay.
  if (old !== undefined && approvalOf(old) === state) return [];
  const path = fieldPath("metadata", "annotations").key(ANNOTATION);
  const needed = `protected groups must have approval annotation ${quoteGo(ANNOTATION)}`;
  if (state === "missing") return [requiredValue(path, `${needed}, ${SEE}`)];
  if (state !== "invalid") return [];
  const detail = `${needed} with either a URL or a reason starting with "unapproved", ${SEE}`;
  return [invalidValue(path, annotation(definition), detail)];
}

function annotation(definition: CustomResourceDefinition): string {
  const annotations = annotationsOf(definition);
  return Object.hasOwn(annotations, ANNOTATION) ? (annotations[ANNOTATION] ?? "") : "";
}

function approvalOf(definition: CustomResourceDefinition): Approval {
  const text = annotation(definition);
  if (text === "") return "missing";
  if (text.startsWith("unapproved")) return "bypassed";
  const url = parseRequestUri(text);
  return !(url instanceof UrlFailure) && url.host !== "" && url.scheme !== "" ? "approved" : "invalid";
}
