// tests.json of the kubescape library: each test changes fields of a template and says whether the policy beside it lets the object
// pass. The library runs them in a cluster, so that objects get the server's defaults.

import { type KubeObject, nameOf } from "@celadon/kube";
import type { Manifest } from "@celadon/simulator/manifests";
import type { Verdict } from "../../suite/read/document.ts";
import type { SuiteSource } from "../../suite/read/read-suite.ts";
import { isFields, listAt, textAt, textsAt } from "../foreign.ts";
import { asManifest, type DocumentLoader, Importing, type ImportReading, nameFromFile } from "../imported.ts";
import type { ConvertedPolicy } from "../policies/converted.ts";
import { changeField } from "./change-field.ts";
import { collectWithBindings, isPolicy } from "./taken-policy.ts";

/** The directory in which the library keeps files shared by its tests. */
const SHARED = "../../test-resources/";

export async function importKubescape({ value, origin }: SuiteSource, loader: DocumentLoader): Promise<ImportReading> {
  const into = new Importing({ value, origin }, loader);
  const policy = (await into.load(["policy.yaml"])).find((source) => isPolicy(source.value));
  if (policy !== undefined) collectWithBindings(policy, [], into);
  const reason = policy === undefined ? "policy.yaml has no policy" : into.problems[0]?.message;
  for (const [i, test] of (value as readonly unknown[]).entries()) await importTest(test, i, policy, reason, into);
  return into.done("kubescape", nameFromFile(origin.file));
}

const VERDICTS: Readonly<Record<string, Verdict>> = { pass: "allow", fail: "deny", warn: "warn" };

async function importTest(
  test: unknown,
  index: number,
  policy: SuiteSource | undefined,
  refused: string | undefined,
  into: Importing,
): Promise<void> {
  const name = textAt(test, "name") ?? `test ${index}`;
  const skip = (reason: string): void => into.skip({ name, path: [index] }, reason);
  const expected = textAt(test, "expected") ?? "";
  const verdict = Object.hasOwn(VERDICTS, expected) ? VERDICTS[expected] : undefined;
  if (refused !== undefined || policy === undefined || verdict === undefined) {
    skip(refused ?? `expected is ${JSON.stringify(expected)}`);
    return;
  }
  const policyName = nameOf(policy.value);
  const params = `${policyName}-params`;
  const object = await patched(textAt(test, "template") ?? "", textsAt(test, "field_change_list"), into);
  const binding = await patched(
    textAt(test, "binding_template") ?? "policy-binding.yaml",
    [`spec.policyName=${policyName}`, `metadata.name=${policyName}-binding`, `spec.paramRef.name=${params}`],
    into,
  );
  const param = await patched(
    textAt(test, "param_template") ?? "default-control-configuration.yaml",
    [`metadata.name=${params}`],
    into,
  );
  const wrong = [object, binding, param].find((item) => typeof item === "string");
  if (typeof object === "string" || typeof binding === "string" || typeof param === "string") {
    skip(wrong as string);
    return;
  }
  const bound = withParams(binding, policy.value as ConvertedPolicy["policy"]);
  into.add(
    {
      name,
      path: [index],
      object,
      resources: [bound, param],
      policies: [policyName],
      expect: { verdict },
    },
    { expected, because: BECAUSE },
  );
}

const BECAUSE: Readonly<Record<string, string>> = {
  unmatched: "kubectl allows an object that the policy does not match",
  error: "kubectl denies when an expression fails",
};

/** The library's binding has params, whether or not the policy has. */
function withParams(binding: Manifest, policy: ConvertedPolicy["policy"]): Manifest {
  if (policy.spec.paramKind !== undefined) return binding;
  const { paramRef: _, ...spec } = binding.object.spec as Readonly<Record<string, unknown>>;
  return { object: { ...binding.object, spec } as KubeObject };
}

/** The object of a shared file with changed fields, or the error. */
async function patched(file: string, changes: readonly string[], into: Importing): Promise<Manifest | string> {
  const documents = (await into.load([SHARED + file])).filter(({ value }) => isFields(value)).map(asManifest);
  const [only] = documents;
  if (only === undefined || documents.length !== 1) return `${file} holds ${documents.length} objects`;
  let object: unknown = only.object;
  for (const change of changes) {
    const changed = changeField(object, change);
    if (changed === undefined) return `${JSON.stringify(change)} does not fit ${file}`;
    object = changed.value;
  }
  return changes.length === 0 ? only : { ...only, object: object as KubeObject };
}

export function isKubescapeTests(value: unknown): boolean {
  return (
    Array.isArray(value) &&
    value.length > 0 &&
    value.every((item) => ["name", "template", "expected"].every((key) => textAt(item, key) !== undefined)) &&
    value.every((item) => listAt(item, "field_change_list").every((change) => typeof change === "string"))
  );
}
