// The names of objects, operations and speakers in every output.

import type { AdmissionRequest } from "@celadon/admission";
import type { JsonPath } from "@celadon/base";
import { apiVersionOf, type KubeObject, nameOf, namespaceOf } from "@celadon/kube";
import { type Problem, withoutMadeUp } from "@celadon/simulator";
import type { Subject } from "../output/answer.ts";
import { oneLine } from "../output/visible.ts";

export function subjectOf(object: KubeObject): Subject {
  const namespace = namespaceOf(object);
  const uid = object.metadata?.uid;
  return {
    apiVersion: String(object.apiVersion ?? ""),
    kind: String(object.kind ?? ""),
    ...(namespace !== "" && { namespace }),
    name: nameOf(object) || generatedName(object),
    ...(typeof uid === "string" && { uid }),
  };
}

function generatedName({ metadata }: KubeObject): string {
  return typeof metadata?.generateName === "string" ? `${metadata.generateName}*` : "";
}

/** The subject of a request: the object, or the old one when it is deleted. */
export function requestSubject(request: AdmissionRequest): Subject {
  const object = request.object ?? request.oldObject;
  if (object) {
    const { namespace = "" } = request;
    const own = subjectOf(withoutMadeUp(object));
    // Options of a connection have no name of their own.
    const subject = own.name === "" && request.name ? { ...own, name: request.name } : own;
    return subject.kind === "Namespace" || namespace === "" ? subject : { ...subject, namespace };
  }
  const { kind, namespace, name = "" } = request;
  return { apiVersion: apiVersionOf(kind), kind: kind.kind, ...(namespace && { namespace }), name };
}

/** Stable over runs: `policy/trusted-images/validations[0]`. */
export function ruleOf(problem: Problem): string {
  const { system, by } = problem;
  if (by === undefined) return system;
  const part = partOf(problem);
  return `${system}/${by.name}${part === "" ? "" : `/${part}`}`;
}

/** The part of the resource that a problem comes from: `validations[0]`; empty for the resource as a whole. */
export function partOf({ by }: Problem): string {
  const [first, ...rest] = by?.path ?? [];
  const steps = first === "spec" ? rest : (by?.path ?? []);
  return stepsText(steps.at(-1) === "expression" ? steps.slice(0, -1) : steps);
}

/** `dnsNames.validations[0]` */
export function stepsText(steps: JsonPath): string {
  return steps.reduce<string>((above, step) => {
    if (typeof step === "number") return `${above}[${step}]`;
    return above === "" ? step : `${above}.${step}`;
  }, "");
}

/** `policy trusted-images` */
export function speakerName({ by, system }: Problem): string {
  return by === undefined ? system : oneLine(`${shortKind(by.kind)} ${by.name}`);
}

/** `policy` for a ValidatingAdmissionPolicy. */
export function shortKind(kind: string): string {
  return SHORT_KINDS[kind] ?? kind;
}

/** `policy trusted-images, binding prod` */
export function speakerText(problem: Problem): string {
  const { by, system } = problem;
  if (by === undefined) return system === "validation" ? "the API server" : system;
  const { binding, params } = by;
  const parts = [speakerName(problem)];
  if (binding !== undefined) parts.push(`${system === "webhook" ? "webhook" : "binding"} ${binding}`);
  if (params !== undefined) parts.push(`params ${params}`);
  return oneLine(parts.join(", "));
}

const SHORT_KINDS: Readonly<Record<string, string>> = {
  ValidatingAdmissionPolicy: "policy",
  ValidatingAdmissionPolicyBinding: "binding",
  MutatingAdmissionPolicy: "mutating policy",
  MutatingAdmissionPolicyBinding: "mutating binding",
  CustomResourceDefinition: "crd",
  ValidatingWebhookConfiguration: "webhooks",
  MutatingWebhookConfiguration: "webhooks",
  CertificateRequestPolicy: "certificate policy",
};
