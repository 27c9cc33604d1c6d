// Attacks on the proofs of one policy about boxes: every object of a number is evaluated, and one that refutes a proof is sent through the
// real pipeline before it counts.

import type { ValidatingAdmissionPolicy } from "@celadon/admission/policy";
import { type CompiledPolicy, compilePolicy } from "@celadon/admission/steps";
import type { KubeObject } from "@celadon/kube";
import { PolicyProver, type Question, type SearchLimits } from "@celadon/prove";
import { SimulatedCluster } from "@celadon/simulator";
import type { Random } from "../random.ts";
import { BOXES, randomBox } from "./boxes.ts";

/** A proof that an object refutes. */
export interface WrongProof {
  readonly expression: string;
  readonly question: Question;
  readonly object: unknown;
}

export interface Attacked {
  readonly proved: number;
  readonly decided: number;
  readonly questions: number;
  readonly objects: number;
  readonly wrong: readonly WrongProof[];
}

export function boxPolicy(expression: string): ValidatingAdmissionPolicy {
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

const QUESTIONS: readonly Question[] = ["never-errors", "always", "never"];

/** Undefined for an expression that does not compile. */
export async function attackExpression(
  expression: string,
  random: Random,
  objects: number,
  limits: SearchLimits,
): Promise<Attacked | undefined> {
  const policy = boxPolicy(expression);
  const compiled = compilePolicy(policy);
  if (compiled.validations[0]?.program === undefined) return undefined;
  const cluster = SimulatedCluster.of([BOXES, policy as unknown as KubeObject]);
  const prover = new PolicyProver(compiled, cluster, { limits });
  const proved = new Set<Question>();
  let decided = 0;
  for (const question of QUESTIONS) {
    const { is } = await prover.ask(question, 0);
    if (is === "proved") proved.add(question);
    if (is !== "unknown") decided++;
  }
  const wrong: WrongProof[] = [];
  let tried = 0;
  for (; proved.size > 0 && tried < objects; tried++) {
    const object = box(randomBox(random));
    const result = resultOf(compiled, object);
    for (const question of proved)
      if (refutes(question, result) && (await isConfirmed(cluster, object, question))) {
        wrong.push({ expression, question, object });
        proved.delete(question);
      }
  }
  return { proved: proved.size + wrong.length, decided, questions: QUESTIONS.length, objects: tried, wrong };
}

type Result = boolean | "error";

function refutes(question: Question, result: Result): boolean {
  return question === "never-errors" ? result === "error" : question === "always" ? result !== true : result === true;
}

function resultOf({ validations: [validation] }: CompiledPolicy, object: KubeObject): Result {
  const { value, error } = validation!.program!.evaluate({
    object,
    oldObject: null,
    request: {},
    namespaceObject: null,
  });
  return error === undefined ? value === true : "error";
}

function box(fields: Record<string, unknown>): KubeObject {
  return { apiVersion: "example.com/v1", kind: "Box", metadata: { name: "a", namespace: "default" }, ...fields };
}

async function isConfirmed(cluster: SimulatedCluster, object: KubeObject, question: Question): Promise<boolean> {
  const outcome = await cluster.review({ operation: "CREATE", object }, { everyPolicy: true });
  if (outcome.problems.some(({ system, level }) => level === "deny" && SCHEMA.has(system))) return false;
  return outcome.policies.verdicts.policies.some(
    (verdict) =>
      verdict.outcome === "matched" &&
      verdict.bindings.some(
        (binding) =>
          binding.outcome === "evaluated" &&
          binding.evaluations.some(({ decisions }) =>
            decisions.some(
              ({ source, evaluation }) =>
                source === "validation" && refutes(question, evaluation === "error" ? "error" : evaluation === "admit"),
            ),
          ),
      ),
  );
}

const SCHEMA: ReadonlySet<string> = new Set(["schema", "validation", "rules"]);
