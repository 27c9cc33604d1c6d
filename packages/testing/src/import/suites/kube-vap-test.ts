// Suites of kube-vap-test: objects of kind ValidatingAdmissionPolicyTest. Its paths are relative to the working directory.

import type { Operation } from "@celadon/admission";
import type { JsonPath } from "@celadon/base";
import { gvkOf, type KubeObject } from "@celadon/kube";
import type { Manifest } from "@celadon/simulator/manifests";
import type { Expectation } from "../../suite/read/document.ts";
import type { SuiteSource } from "../../suite/read/read-suite.ts";
import { get, hasText, isFields, listAt, textAt, textsAt } from "../foreign.ts";
import { asManifest, type DocumentLoader, Importing, type ImportReading, nameFromFile } from "../imported.ts";
import { collectPolicy, isPolicy } from "./taken-policy.ts";

export async function importVapTest({ value, origin }: SuiteSource, loader: DocumentLoader): Promise<ImportReading> {
  const into = new Importing({ value, origin }, loader);
  const cluster = textAt(value, "spec", "source", "type") === "cluster";
  const documents = cluster ? [] : await into.load(textsAt(value, "spec", "source", "files"), true);
  for (const document of documents) if (isPolicy(document.value)) collectPolicy(document, documents, into);
  const kinds = into.policies.flatMap(({ policy }) => (policy.spec.paramKind ? [gvkOf(policy.spec.paramKind)] : []));
  const isUsed = ({ object }: Manifest): boolean => {
    const { group, kind } = gvkOf(object);
    return (
      (group === "" && kind === "Namespace") ||
      kinds.some((groupVersionKind) => groupVersionKind.group === group && groupVersionKind.kind === kind)
    );
  };
  into.resources.push(
    ...documents
      .filter(({ value: document }) => isFields(document))
      .map(asManifest)
      .filter(isUsed),
  );
  const reason = cluster ? "it takes policies from a cluster" : into.problems[0]?.message;
  for (const [i, testCase] of listAt(value, "spec", "testCases").entries()) {
    await importCase(testCase, ["spec", "testCases", i], reason, into);
  }
  return into.done("kube-vap-test", textAt(value, "metadata", "name") ?? nameFromFile(origin.file));
}

async function importCase(value: unknown, path: JsonPath, reason: string | undefined, into: Importing): Promise<void> {
  const name = textAt(value, "name") ?? `case ${path.at(-1)}`;
  const object = await objectOf(value, "object", into);
  const oldObject = await objectOf(value, "oldObject", into);
  const operation = (textAt(value, "operation") ?? "CREATE") as Operation;
  const deleted = operation === "DELETE" ? (oldObject ?? object) : oldObject;
  const missing = (operation === "DELETE" ? deleted : object) === undefined ? "it has no object" : undefined;
  const before = operation === "UPDATE" ? (oldObject ?? object) : deleted;
  if ((reason ?? missing) !== undefined) {
    into.skip({ name, path }, reason ?? missing!);
    return;
  }
  into.add(
    {
      name,
      path,
      operation,
      ...(object && operation !== "DELETE" && { object }),
      ...(before && operation !== "CREATE" && { oldObject: before }),
      serverDefaults: false,
      expect: expectationOf(get(value, "expected")),
    },
    { expected: get(value, "expected", "allowed") === true ? "allowed" : "not allowed", because: BECAUSE },
  );
}

const BECAUSE: Readonly<Record<string, string>> = {
  unmatched: "kube-vap-test allows objects that no policy matches",
  error: "kube-vap-test takes an expression that fails for a denial",
};

/** In place, or in a file of its own. */
async function objectOf(value: unknown, key: "object" | "oldObject", into: Importing): Promise<Manifest | undefined> {
  const own = get(value, key);
  if (isFields(own) && hasText(value, key)) return { object: own as KubeObject };
  const file = textAt(value, `${key}File`);
  const [document] = file === undefined || file === "" ? [] : await into.load([file], true);
  return document && asManifest(document);
}

function expectationOf(expected: unknown): Expectation {
  if (get(expected, "allowed") === true) return { verdict: "allow" };
  const message = textAt(expected, "message");
  const part = textAt(expected, "messageContains");
  const reason = textAt(expected, "reason");
  return {
    verdict: "deny",
    ...(message ? { message } : part ? { message: { contains: part } } : {}),
    ...(reason && { reason }),
  };
}
