// Policies and bindings with fields that only a gate of the proposals brings. The Go types do not know them: they are taken out before an
// object is decoded and put back afterwards. With a gate off its fields are unknown, as they are to a cluster.

import type { ValidatingAdmissionPolicy } from "@celadon/admission/policy";
import { type Gates, gatedFields } from "@celadon/admission/proposals";
import { isRecord, setOwn, valueAt } from "@celadon/base";
import { badRequest } from "@celadon/kube/status";
import { DEDUCED, type MergeField, type MergeType } from "@celadon/merge";
import type { Draft } from "@celadon/write";
import { JSON_TYPE } from "../wire/accept.ts";
import { StatusError } from "../wire/status-error.ts";
import { parseText } from "./body.ts";
import type { Codec, Decoding } from "./codec.ts";

type Steps = readonly (string | number)[];

/** The shape of a field, by its name: the same wherever it stands. */
const SHAPES: Readonly<Record<string, "boolean" | "string" | "integer" | "strings">> = {
  singletonPolicy: "boolean",
  validationActions: "strings",
  namespaces: "strings",
  excludeNamespaces: "strings",
  name: "string",
  code: "integer",
  failurePolicy: "string",
};

export function gatedCodec(codec: Codec, gates: Gates): Codec {
  const decode = (value: unknown, decoding: Decoding): Draft => {
    const fields = fieldsOf(value, codec.resource.kind, gates);
    if (fields.length === 0) return codec.decode(value, decoding);
    const known = structuredClone(value) as Record<string, unknown>;
    for (const steps of fields) delete holderOf(known, steps)?.[steps.at(-1)!];
    const draft = codec.decode(known, decoding);
    for (const steps of fields) {
      const holder = holderOf(draft, steps);
      if (holder !== undefined) setOwn(holder, String(steps.at(-1)), checked(valueAt(value, steps), steps));
    }
    return draft;
  };
  return {
    ...codec,
    decode,
    decodeJson: (text, decoding) =>
      NAMES.test(text) ? decode(parseText(text, JSON_TYPE), decoding) : codec.decodeJson(text, decoding),
  };
}

/** Whether a body may have such a field at all. */
const NAMES = new RegExp(`"(?:${Object.keys(SHAPES).join("|")})"`);

function fieldsOf(value: unknown, kind: string, gates: Gates): readonly Steps[] {
  const { spec } = (isRecord(value) ? value : {}) as { spec?: unknown };
  if (!isRecord(spec)) return [];
  const { validations } = spec as { validations?: unknown };
  const readable = {
    kind,
    metadata: {},
    spec: { ...spec, validations: Array.isArray(validations) ? validations : [] },
  } as unknown as ValidatingAdmissionPolicy;
  return gatedFields(readable).flatMap(({ gate, path }) => (gates[gate] ? [path.steps as Steps] : []));
}

function holderOf(object: unknown, steps: Steps): Record<string, unknown> | undefined {
  const holder = valueAt(object, steps.slice(0, -1));
  return isRecord(holder) ? (holder as Record<string, unknown>) : undefined;
}

function checked(value: unknown, steps: Steps): unknown {
  const shape = SHAPES[String(steps.at(-1))];
  const fits =
    shape === "strings"
      ? Array.isArray(value) && value.every((item) => typeof item === "string")
      : shape === "integer"
        ? Number.isSafeInteger(value)
        : typeof value === shape;
  if (fits) return value;
  const expected = shape === "strings" ? "a list of strings" : shape === "integer" ? "an integer" : `a ${shape}`;
  throw new StatusError(badRequest(`${steps.join(".")} must be ${expected}`));
}

/** The fields of all gates; a field of a gate that is off is rejected by the codec. */
interface Additions {
  readonly [field: string]: MergeType | Additions;
}

const LISTS = { namespaces: DEDUCED, excludeNamespaces: DEDUCED };
const ADDITIONS: Additions = {
  spec: {
    singletonPolicy: DEDUCED,
    validationActions: DEDUCED,
    matchConstraints: LISTS,
    matchResources: LISTS,
    validations: { name: DEDUCED, code: DEDUCED, failurePolicy: DEDUCED },
  },
};

/** The same type with the fields that gates bring, for field ownership. */
export function gatedMergeType(type: MergeType): MergeType {
  return withFields(type, ADDITIONS);
}

function withFields(type: MergeType, additions: Additions): MergeType {
  const { map, list } = type;
  if (list !== undefined && map === undefined) {
    return { ...type, list: { ...list, items: withFields(list.items, additions) } };
  }
  if (map === undefined) return type;
  const { atomic, others, deduced } = map;
  const field = (name: string): MergeField | undefined => {
    const own = map.field(name);
    const added = Object.hasOwn(additions, name) ? additions[name]! : undefined;
    if (added === undefined) return own;
    if (own === undefined) return { type: added as MergeType };
    return { ...own, type: withFields(own.type, added as Additions) };
  };
  return { ...type, map: { atomic, others, deduced, field } };
}
