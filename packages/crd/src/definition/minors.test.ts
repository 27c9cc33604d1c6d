// Definitions and objects as API servers of other minors answer them: one small definition per difference.

import { readFileSync } from "node:fs";
import type { JsonObject } from "@celadon/base";
import type { Status } from "@celadon/kube/status";
import { type Minor, minorsBetween } from "@celadon/kube-cel";
import { describe, expect, test } from "vitest";
import { type Admitted, admitCreate, admitDefinition, admitUpdate } from "../admit.ts";
import { CustomResourceType } from "../resource.ts";

interface Case {
  readonly id: string;
  readonly crd: JsonObject;
  readonly objects?: readonly { readonly name: string; readonly object: JsonObject; readonly old?: JsonObject }[];
}

interface Refusal {
  readonly message?: string;
  readonly reason?: string;
  readonly causes?: unknown;
}

interface Answer {
  readonly id: string;
  readonly crd: Refusal | null;
  readonly objects?: Readonly<Record<string, { readonly status: Refusal | null }>>;
  readonly warnings?: readonly string[];
}

const directory = new URL("../testdata/minors/", import.meta.url);

function rowsOf<T>(name: string): T[] {
  const lines = readFileSync(new URL(`${name}.jsonl`, directory), "utf8").split("\n");
  return lines.filter((line) => line !== "").map((line) => JSON.parse(line) as T);
}

const cases = rowsOf<Case>("cases");

/** Answers that are not emulated yet, with the reason. */
const KNOWN: Readonly<Partial<Record<Minor, Readonly<Record<string, string>>>>> = {
  "1.28": {
    optionalOldSelf: "the field does not exist there, and is here",
    first: "a second error about a call that is not declared",
    "sum-estimate": "estimates of nested `map` were higher",
  },
  "1.29": {
    optionalOldSelf: "the field is dropped there, and kept here",
    "sum-estimate": "estimates of nested `map` were higher",
  },
};

describe.each(minorsBetween("1.28", "1.36"))("%s", (kubeVersion) => {
  const answers = new Map(rowsOf<Answer>(kubeVersion).map((answer) => [answer.id, answer]));
  test.each(cases)("$id", (given) => {
    const got = answerOf(given, kubeVersion);
    const want = wanted(answers.get(given.id)!);
    if (KNOWN[kubeVersion]?.[given.id] === undefined) expect(got).toEqual(want);
    else expect(got).not.toEqual(want);
  });
});

/** The recording has answers about objects of rejected definitions too. */
function wanted({ id, crd, objects = {}, warnings }: Answer): Answer {
  return { id, crd, objects: crd === null ? objects : {}, ...(warnings && { warnings }) };
}

function answerOf({ id, crd, objects = [] }: Case, kubeVersion: Minor): Answer {
  const accepted = admitDefinition(crd, undefined, { kubeVersion });
  const answer = {
    id,
    crd: refusalOf(accepted),
    ...(accepted.warnings.length > 0 && { warnings: accepted.warnings }),
  };
  if (!accepted.allowed) return { ...answer, objects: {} };
  const version = new CustomResourceType(accepted.object, { rules: { kubeVersion } }).version("v1")!;
  const admitted = objects.map(({ name, object, old }) => {
    const result = old === undefined ? admitCreate(version, object) : admitUpdate(version, object, old);
    return [name, { status: refusalOf(result) }] as const;
  });
  return { ...answer, objects: Object.fromEntries(admitted) };
}

function refusalOf(admitted: Admitted<unknown>): Refusal | null {
  if (admitted.allowed) return null;
  const { message, reason, details }: Status = admitted.status;
  const causes = details?.causes?.map(({ field, message: text, reason: type }) => ({ field, message: text, type }));
  return { ...(causes && { causes }), ...(message && { message }), ...(reason && { reason }) };
}
