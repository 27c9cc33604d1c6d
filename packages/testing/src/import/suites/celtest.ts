// Suites of cel-go's celtest: sections of cases, each with inputs by variable and an output. It gets the policy as an argument; here it is
// the ValidatingAdmissionPolicy in `policy.yaml` beside the suite, whose output is the message of a denial, or none.

import type { UserInfo } from "@celadon/admission";
import type { JsonPath } from "@celadon/base";
import { type KubeObject, nameOf, namespaceOf } from "@celadon/kube";
import type { Manifest } from "@celadon/simulator/manifests";
import type { Expectation } from "../../suite/read/document.ts";
import type { SuiteSource } from "../../suite/read/read-suite.ts";
import { type Fields, fieldsAt, get, isFields, listAt, textAt, textsAt } from "../foreign.ts";
import { type DocumentLoader, Importing, type ImportReading, type NewCase, nameFromFile } from "../imported.ts";
import { bindingOf } from "../policies/converted.ts";
import { collectWithBindings, isPolicy } from "./taken-policy.ts";

/** Both spellings are read: those of its YAML and of its protobuf messages. */
const SECTIONS = ["section", "sections"] as const;
const TESTS = ["tests", "test"] as const;

export function isCeltest(value: unknown): boolean {
  if (textAt(value, "kind") !== undefined) return false;
  const tests = testsIn(value);
  return (
    tests.length > 0 && tests.every(({ test }) => isFields(get(test, "input")) && get(test, "output") !== undefined)
  );
}

function testsIn(
  value: unknown,
): readonly { readonly test: unknown; readonly section: string; readonly path: JsonPath }[] {
  return SECTIONS.flatMap((key) =>
    listAt(value, key).flatMap((section, i) =>
      TESTS.flatMap((list) =>
        listAt(section, list).map((test, j) => ({
          test,
          section: textAt(section, "name") ?? `section ${i}`,
          path: [key, i, list, j],
        })),
      ),
    ),
  );
}

export async function importCeltest({ value, origin }: SuiteSource, loader: DocumentLoader): Promise<ImportReading> {
  const into = new Importing({ value, origin }, loader);
  const documents = await into.loadIfThere([POLICY_FILE]);
  const policy = typeof documents === "string" ? undefined : documents.find((document) => isPolicy(document.value));
  if (policy !== undefined) collectWithBindings(policy, [], into);
  const missing = `celtest gets its policy as an argument: it must be a ValidatingAdmissionPolicy in ${POLICY_FILE} beside the suite`;
  const reason = policy === undefined ? missing : into.problems[0]?.message;
  const name = nameOf(policy?.value);
  for (const { test, section, path } of testsIn(value)) {
    const title = `${section}/${textAt(test, "name") ?? path.at(-1)}`;
    importCase(test, { name: title, path }, name, reason, into);
  }
  return into.done("celtest", textAt(value, "name") ?? nameFromFile(origin.file));
}

const POLICY_FILE = "policy.yaml";

function importCase(
  test: unknown,
  newCase: Pick<NewCase, "name" | "path">,
  policy: string,
  unusable: string | undefined,
  into: Importing,
): void {
  const { values, computed } = inputsOf(test);
  const [object, oldObject] = [manifestOf(values.object), manifestOf(values.oldObject)];
  const output = outputOf(get(test, "output"));
  const lost =
    object === undefined && oldObject === undefined ? "it has no object with apiVersion and kind" : undefined;
  const reason =
    unusable ?? computed ?? lost ?? (output === undefined ? "its output is not one of a policy" : undefined);
  if (reason !== undefined || output === undefined) {
    into.skip(newCase, reason ?? "");
    return;
  }
  const params = isFields(values.params) ? named(values.params, {}) : undefined;
  const binding = bindingOf(policy, ["Deny"], params && { paramRef: refTo(params) });
  const namespace = isFields(values.namespaceObject)
    ? named(values.namespaceObject, { apiVersion: "v1", kind: "Namespace" }, namespaceOf((object ?? oldObject)?.object))
    : undefined;
  const resources = [binding as unknown as KubeObject, ...(params ? [params] : []), ...(namespace ? [namespace] : [])];
  into.add(
    {
      ...newCase,
      operation: object === undefined ? "DELETE" : oldObject === undefined ? "CREATE" : "UPDATE",
      ...(object && { object }),
      ...(oldObject && { oldObject }),
      ...userOf(values.request),
      dryRun: true,
      resources: resources.map((resource) => ({ object: resource })),
      policies: [policy],
      serverDefaults: false,
      serverValidation: false,
      fieldValidation: "Ignore",
      expect: output,
    },
    { expected: textOf(get(test, "output")), because: { unmatched: "celtest does not look at what a policy matches" } },
  );
}

/** Inputs by variable; `computed` says which one is an expression. */
function inputsOf(test: unknown): { readonly values: Fields; readonly computed: string | undefined } {
  const inputs = Object.entries(fieldsAt(test, "input"));
  const computed = inputs.find(([, input]) => get(input, "expr") !== undefined)?.[0];
  return {
    values: Object.fromEntries(inputs.map(([name, input]) => [name, get(input, "value")])),
    computed: computed === undefined ? undefined : `its input ${computed} is an expression`,
  };
}

/** A policy gives the message of the denial, or nothing; a single expression gives true or false. */
function outputOf(output: unknown): Expectation | undefined {
  if (get(output, "errorSet") !== undefined || get(output, "error_set") !== undefined) return { verdict: "error" };
  const value = get(output, "value");
  if (value === true || textAt(output, "expr") === "optional.none()") return { verdict: "allow" };
  if (value === false) return { verdict: "deny" };
  return typeof value === "string" ? { verdict: "deny", message: value } : undefined;
}

const textOf = (output: unknown): string => String(get(output, "value") ?? textAt(output, "expr") ?? "an error");

/** Objects in suites need no name. */
function manifestOf(value: unknown): Manifest | undefined {
  if (textAt(value, "kind") === undefined || textAt(value, "apiVersion") === undefined) return undefined;
  return { object: named(value as Fields, {}) };
}

function named(value: Fields, defaults: Fields, name = ""): KubeObject {
  const metadata = { ...fieldsAt(value, "metadata") };
  const own = nameOf(value);
  return { ...defaults, ...value, metadata: { ...metadata, name: own === "" ? name || "object" : own } } as KubeObject;
}

function refTo(params: KubeObject): NonNullable<ReturnType<typeof bindingOf>["spec"]["paramRef"]> {
  const namespace = namespaceOf(params);
  return { name: nameOf(params), ...(namespace !== "" && { namespace }), parameterNotFoundAction: "Deny" };
}

function userOf(request: unknown): { readonly user?: UserInfo } {
  const username = textAt(request, "userInfo", "username");
  return username === undefined ? {} : { user: { username, groups: textsAt(request, "userInfo", "groups") } };
}
