// A kind and a policy for each expression, and what every object of a set says about the questions: for tests of answers.

import type { ValidatingAdmissionPolicy } from "@celadon/admission/policy";
import { type CompiledPolicy, compilePolicy } from "@celadon/admission/steps";
import type { KubeObject } from "@celadon/kube";
import { SimulatedCluster } from "@celadon/simulator";
import { expect } from "vitest";
import type { ProofAnswer, Question } from "./answer.ts";
import { PolicyProver } from "./policy-question.ts";

/** A kind whose fields have every type, in a few values. */
export const DEFINITION: KubeObject = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "boxes.example.com" },
  spec: {
    group: "example.com",
    scope: "Namespaced",
    names: { plural: "boxes", singular: "box", kind: "Box", listKind: "BoxList" },
    versions: [
      {
        name: "v1",
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            type: "object",
            properties: {
              n: { type: "integer", minimum: -1, maximum: 2 },
              m: { type: "integer" },
              s: { type: "string", enum: ["", "a", "ab", "B"] },
              b: { type: "boolean" },
              l: {
                type: "array",
                maxItems: 2,
                items: { type: "object", properties: { s: { type: "string" }, n: { type: "integer" } } },
              },
              t: { type: "array", items: { type: "string" } },
              o: { type: "object", additionalProperties: { type: "string" } },
              either: { "x-kubernetes-int-or-string": true },
              p: { type: "string" },
              t2: { type: "array", items: { type: "string" } },
              o2: { type: "object", additionalProperties: { type: "string" } },
              any: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
            },
          },
        },
      },
    ],
  },
} as unknown as KubeObject;

/** The values of each field. */
const CHOICES: Readonly<Record<string, readonly unknown[]>> = {
  n: [undefined, -1, 0, 1, 2],
  m: [undefined, 0, 1],
  s: [undefined, "", "a", "ab", "B"],
  b: [undefined, true, false],
  l: [undefined, [], [{}], [{ s: "a" }], [{ n: 1 }], [{ s: "b", n: -1 }, { n: 1 }], [{ s: "a", n: 1 }, { s: "c" }]],
  t: [undefined, [], ["a"], ["a", "b"], ["b"]],
  o: [undefined, {}, { a: "x" }, { b: "x" }, { a: "y", b: "x" }],
  either: [undefined, 1, 0, "a", "1"],
};

/** Every combination of the fields that an expression reads. */
export function universe(expression: string): Record<string, unknown>[] {
  const read = Object.keys(CHOICES).filter((name) => new RegExp(`object\\.\\??${name}\\b`).test(expression));
  return read.reduce<Record<string, unknown>[]>(
    (objects, name) =>
      objects.flatMap((object) =>
        CHOICES[name]!.map((value) => (value === undefined ? object : { ...object, [name]: value })),
      ),
    [{}],
  );
}

export function policyOf(expression: string): ValidatingAdmissionPolicy {
  return {
    apiVersion: "admissionregistration.k8s.io/v1",
    kind: "ValidatingAdmissionPolicy",
    metadata: { name: "p" },
    spec: {
      matchConstraints: {
        resourceRules: [
          { apiGroups: ["example.com"], apiVersions: ["v1"], operations: ["CREATE"], resources: ["boxes"] },
        ],
      },
      validations: [{ expression }],
    },
  } as ValidatingAdmissionPolicy;
}

/** An expression with its prover. */
export interface Asked {
  readonly compiled: CompiledPolicy;
  readonly ask: (question: Question) => Promise<ProofAnswer>;
}

export function askAbout(expression: string): Asked {
  const policy = policyOf(expression);
  const compiled = compilePolicy(policy);
  expect(compiled.validations[0]?.error).toBe("");
  const prover = new PolicyProver(compiled, SimulatedCluster.of([DEFINITION, policy as unknown as KubeObject]), {
    limits: { paths: 20_000, time: 1000 },
  });
  return { compiled, ask: (question) => prover.ask(question, 0) };
}

/** Whether some of the objects answers each question by being an example. */
export function shownBy(
  { compiled }: Asked,
  objects: readonly Record<string, unknown>[],
  request: object = {},
): Readonly<Record<Question, boolean>> {
  const results = objects.map((object) => {
    const { value, error } = compiled.validations[0]!.program!.evaluate({
      object,
      oldObject: null,
      request,
      namespaceObject: null,
    });
    return error === undefined ? value === true : "error";
  });
  return {
    "never-errors": results.includes("error"),
    always: results.some((result) => result !== true),
    never: results.includes(true),
  };
}

export const QUESTIONS: readonly Question[] = ["never-errors", "always", "never"];
