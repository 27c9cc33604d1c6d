// The mutants of a resource, in the order their places stand in the tables, with names that stay the same from run to run.

import { expressionFields } from "@celadon/admission/resources";
import type { JsonPath } from "@celadon/base";
import { valueAt } from "@celadon/base";
import { policyRuleFields } from "@celadon/certpolicy";
import { ruleFields } from "@celadon/crd/rules";
import { type KubeObject, nameOf, namespaceOf } from "@celadon/kube";
import type { TextPosition } from "@celadon/kube/read";
import { type Manifest, type Role, roleOf } from "@celadon/simulator/manifests";
import { placeOf } from "../suite/issue.ts";
import { fieldText } from "../suite/read/check-shape.ts";
import {
  BINDING_MUTATORS,
  MESSAGE_MUTATORS,
  MUTATING_POLICY_MUTATORS,
  POLICY_MUTATORS,
  WEBHOOK_MUTATORS,
} from "./admission-mutators.ts";
import type { Edit } from "./edit.ts";
import { expressionMutants } from "./expression-mutants.ts";
import { type FieldMutant, fieldMutants } from "./field-mutators.ts";
import { CERTIFICATE_MUTATORS, SCHEMA_MUTATORS, schemaMutants } from "./other-mutators.ts";

/** The resource that was changed. */
export interface MutatedResource {
  readonly kind: string;
  readonly name: string;
  readonly namespace?: string;
  readonly file?: string;
}

/** A changed resource, as the change. */
export interface Mutant {
  /** `ValidatingAdmissionPolicy/replicas/spec.validations[0].expression:12:comparison-changed` */
  readonly id: string;
  readonly resource: MutatedResource;
  readonly mutator: string;
  readonly edit: Edit;
  /** The author's expression, where the change is in one. */
  readonly expression?: string;
  readonly place?: TextPosition;
  /** The change; empty when it is gone. */
  readonly original: string;
  readonly mutated: string;
}

/** The aspects that tests check besides verdicts; the rest is not changed. */
export interface Aspects {
  readonly messages: boolean;
  readonly annotations: boolean;
}

/** All mutants of a resource. */
export interface MutantsOf {
  readonly mutants: readonly Mutant[];
  /** Changes that say the same as the original, or as another change. */
  readonly same: number;
}

export const MUTATED_ROLES: readonly Role[] = [
  "policy",
  "binding",
  "mutatingPolicy",
  "mutatingBinding",
  "webhooks",
  "definition",
  "certificatePolicy",
];

/** Changes a resource in every way that a mutator knows. */
export function mutantsOf(manifest: Manifest, aspects: Aspects): MutantsOf {
  const { object, origin } = manifest;
  const namespace = namespaceOf(object);
  const resource: MutatedResource = {
    kind: String(object.kind),
    name: nameOf(object),
    ...(namespace !== "" && { namespace }),
    ...(origin && { file: origin.file }),
  };
  const ids = new Map<string, number>();
  const mutants: Mutant[] = [];
  const add = (mutant: Omit<Mutant, "id" | "resource" | "place">, offset?: number): void => {
    const { path } = mutant.edit;
    const at = offset === undefined ? "" : `:${offset}`;
    const id = `${resource.kind}/${resource.name}/${fieldText(path)}${at}:${mutant.mutator}`;
    const times = (ids.get(id) ?? 0) + 1;
    ids.set(id, times);
    const place = origin && ((offset !== undefined && origin.positionIn(path, offset)) || placeOf(origin, path));
    mutants.push({ id: times === 1 ? id : `${id}:${times}`, resource, ...mutant, ...(place && { place }) });
  };
  let same = 0;
  for (const { path, text, answers } of expressionsOf(object, aspects)) {
    const found = expressionMutants(text, answers);
    same += found.same;
    for (const { mutator, offset, original, mutated, text: value } of found.mutants) {
      add({ mutator, edit: { path, value }, expression: text, original, mutated }, offset);
    }
  }
  for (const { mutator, ...edit } of fieldsOf(object, aspects)) {
    const field = edit.path.findLast((step) => typeof step === "string");
    const named = (value: unknown): string => (field === undefined ? shown(value) : `${field}: ${shown(value)}`);
    const now = valueAt(object, edit.path);
    add({
      mutator,
      edit,
      original: now === undefined ? "" : named(now),
      mutated: edit.value === undefined ? "" : named(edit.value),
    });
  }
  return { mutants, same };
}

interface Answering {
  readonly path: JsonPath;
  readonly text: string;
  readonly answers: boolean;
}

function expressionsOf(object: KubeObject, { messages, annotations }: Aspects): readonly Answering[] {
  switch (roleOf(object)) {
    case "policy":
    case "mutatingPolicy":
    case "webhooks":
      return expressionFields(object).flatMap(({ path, text, kind }) => {
        if (kind === "messageExpression" && !messages) return [];
        if (kind === "auditAnnotation" && !annotations) return [];
        return [{ path, text, answers: kind === "validation" || kind === "matchCondition" }];
      });
    case "definition":
      return ruleFields(object).flatMap(({ path, text, kind }) =>
        kind === "messageExpression" && !messages ? [] : [{ path, text, answers: kind === "rule" }],
      );
    case "certificatePolicy":
      return policyRuleFields(object).map(({ path, text }) => ({ path, text, answers: true }));
    default:
      return [];
  }
}

function fieldsOf(object: KubeObject, { messages }: Aspects): readonly FieldMutant[] {
  switch (roleOf(object)) {
    case "policy":
      return fieldMutants(object, messages ? [...POLICY_MUTATORS, ...MESSAGE_MUTATORS] : POLICY_MUTATORS);
    case "mutatingPolicy":
      return fieldMutants(object, MUTATING_POLICY_MUTATORS);
    case "binding":
    case "mutatingBinding":
      return fieldMutants(object, BINDING_MUTATORS);
    case "webhooks":
      return fieldMutants(object, WEBHOOK_MUTATORS);
    case "definition":
      return schemaMutants(object, (schema) => fieldMutants(schema, SCHEMA_MUTATORS));
    case "certificatePolicy":
      return fieldMutants(object, CERTIFICATE_MUTATORS);
    default:
      return [];
  }
}

const MOST = 120;

/** The text of an expression, or the name of a resource. */
function shown(value: unknown): string {
  if (typeof value === "object" && value !== null) {
    const { expression, rule, metadata } = value as { expression?: unknown; rule?: unknown; metadata?: unknown };
    for (const text of [expression, rule]) if (typeof text === "string") return text;
    if (metadata !== undefined) return nameOf(value as KubeObject);
  }
  const text = JSON.stringify(value, (_, item) => (typeof item === "bigint" ? Number(item) : item));
  return text.length > MOST ? `${text.slice(0, MOST)}…` : text;
}
