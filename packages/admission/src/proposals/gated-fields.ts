// Reading a policy drops fields that the API does not know. The fields of gates that are on are put back, and validated.

import { isRecord, type JsonObject, setOwn, valueAt } from "@celadon/base";
import type { KubeObject } from "@celadon/kube";
import type { FieldError, FieldPath } from "@celadon/kube/errors";
import type { ValidatingAdmissionPolicy, ValidatingAdmissionPolicyBinding } from "../policy.ts";
import type { Gates } from "./gates.ts";
import { gatedFields, validateGatedBinding, validateGatedPolicy } from "./validate.ts";

type Gated = ValidatingAdmissionPolicy | ValidatingAdmissionPolicyBinding;

/** A resource with the fields of enabled gates. */
export interface GatedResource<T> {
  readonly resource: T;
  /** The fields that no gate adds either. */
  readonly unknownFields: readonly FieldPath[];
  readonly errors: readonly FieldError[];
}

/** `written` is what `read` was read from. Mutating policies have no such fields. */
export function withGatedFields<T extends { readonly kind?: string }>(
  read: T,
  written: KubeObject,
  unknownFields: readonly FieldPath[],
  gates: Gates,
): GatedResource<T> {
  if (!isGated(read)) return { resource: read, unknownFields, errors: [] };
  const unknown = new Set(unknownFields.map(String));
  const fields = gatedFields(written as unknown as Gated).filter(
    ({ gate, path }) => gates[gate] && unknown.has(path.toString()),
  );
  const resource = fields.reduce<T & Gated>(
    (value, { path }) => withMember(value, path.steps, valueAt(written, path.steps)) as T & Gated,
    read,
  );
  const known = new Set(fields.map(({ path }) => path.toString()));
  return {
    resource,
    unknownFields: unknownFields.filter((path) => !known.has(path.toString())),
    errors:
      resource.kind === "ValidatingAdmissionPolicy"
        ? validateGatedPolicy(resource, gates)
        : validateGatedBinding(resource, gates),
  };
}

function isGated<T extends { readonly kind?: string }>(read: T): read is T & Gated {
  return read.kind === "ValidatingAdmissionPolicy" || read.kind === "ValidatingAdmissionPolicyBinding";
}

/** A copy with another value at the end of the steps; the same object if they lead nowhere. */
function withMember(value: unknown, [step, ...rest]: readonly (string | number)[], member: unknown): unknown {
  if (step === undefined) return member;
  if (Array.isArray(value)) return value.map((item, i) => (i === step ? withMember(item, rest, member) : item));
  if (!isRecord(value)) return value;
  const copy: JsonObject = { ...value };
  setOwn(copy, String(step), withMember(value[String(step)], rest, member));
  return copy;
}
