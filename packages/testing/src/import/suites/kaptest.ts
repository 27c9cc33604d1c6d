// Suites of kaptest, in the format before v0.2 (`validatingAdmissionPolicies`, `testSuites`) and since (`policies`, `vapTestSuites`,
// `mapTestSuites`). It evaluates expressions without bindings, so each case gets its own binding. Both the field names
// of its README and those its code reads are accepted: `params` and `param`, `allow` and `admit`, `userInfo.user` and
// `userInfo.name`.

import type { UserInfo } from "@celadon/admission";
import { type JsonPath, pushAll } from "@celadon/base";
import { gvkOf, type KubeObject, nameOf, namespaceOf } from "@celadon/kube";
import type { Manifest } from "@celadon/simulator/manifests";
import type { Verdict } from "../../suite/read/document.ts";
import type { SuiteSource } from "../../suite/read/read-suite.ts";
import { fieldsAt, get, hasText, isFields, listAt, textAt, textsAt } from "../foreign.ts";
import { asManifest, type DocumentLoader, Importing, type ImportReading, nameFromFile } from "../imported.ts";
import { bindingOf } from "../policies/converted.ts";
import { collectWithBindings, isPolicy } from "./taken-policy.ts";

export async function importKaptest({ value, origin }: SuiteSource, loader: DocumentLoader): Promise<ImportReading> {
  const into = new Importing({ value, origin }, loader);
  const paths = ["validatingAdmissionPolicies", "policies"].flatMap((key) => textsAt(value, key));
  const policies = await into.load(paths);
  const pool = (await into.load(textsAt(value, "resources")))
    .filter(({ value: document }) => isFields(document))
    .map(asManifest);
  for (const document of policies) {
    if (isPolicy(document.value)) collectWithBindings(document, [], into);
    else if (isMutatingPolicy(document.value)) into.resources.push(asManifest(document));
  }
  pushAll(
    into.resources,
    pool.filter(({ object }) => object.kind === "Namespace" && gvkOf(object).group === ""),
  );
  for (const key of ["testSuites", "vapTestSuites"]) {
    for (const { test, policy, path } of testsIn(value, key)) importCase(test, policy, pool, path, into);
  }
  for (const { test, policy, path } of testsIn(value, "mapTestSuites")) importMutation(test, policy, pool, path, into);
  return into.done("kaptest", nameFromFile(origin.file).replace(/\.test$/, ""));
}

interface Test {
  readonly test: unknown;
  readonly policy: string;
  readonly path: JsonPath;
}

function testsIn(value: unknown, key: string): Test[] {
  return listAt(value, key).flatMap((suite, i) =>
    listAt(suite, "tests").map((test, j) => ({
      test,
      policy: textAt(suite, "policy") ?? "",
      path: [key, i, "tests", j],
    })),
  );
}

function isMutatingPolicy(value: unknown): boolean {
  return (
    textAt(value, "kind") === "MutatingAdmissionPolicy" &&
    (textAt(value, "apiVersion") ?? "").startsWith("admissionregistration.k8s.io/")
  );
}

const VERDICTS: Readonly<Record<string, Verdict>> = {
  admit: "allow",
  allow: "allow",
  deny: "deny",
  skip: "unmatched",
  error: "error",
};

const MUTATION_VERDICTS: Readonly<Record<string, Verdict>> = { mutate: "allow", skip: "unmatched", error: "error" };

/** A case of a mutating policy: the object that is expected is among the resources, under another name unless it says otherwise. */
function importMutation(
  item: unknown,
  policy: string,
  pool: readonly Manifest[],
  path: JsonPath,
  into: Importing,
): void {
  const [object, oldObject, mutated] = ["object", "oldObject", "expectObject"].map((key) => {
    const wanted = get(item, key);
    return hasText(wanted, "name") ? (pool.find((it) => isMeant(it.object, wanted)) ?? null) : undefined;
  });
  const name = `${policy}/${labelOf(get(item, "object"))}`;
  const expected = textAt(item, "expect") ?? "";
  const verdict = Object.hasOwn(MUTATION_VERDICTS, expected) ? MUTATION_VERDICTS[expected] : undefined;
  const found = into.resources.find(({ object: it }) => it.kind === "MutatingAdmissionPolicy" && nameOf(it) === policy);
  const param = get(item, "param");
  const params = hasText(param, "name")
    ? pool.find(({ object: it }) => isParam(it, param, get(found?.object, "spec", "paramKind")))
    : undefined;
  const reason =
    found === undefined
      ? `policy ${JSON.stringify(policy)} does not exist`
      : verdict === undefined
        ? `expect is ${JSON.stringify(expected)}`
        : object === undefined
          ? "it names no object"
          : [object, oldObject, mutated].includes(null)
            ? "an object that it names is not among the resources"
            : hasText(param, "name") && params === undefined
              ? `none of the resources is the param ${textAt(param, "name")}`
              : undefined;
  if (reason !== undefined || verdict === undefined || !object) {
    into.skip({ name, path }, reason ?? "");
    return;
  }
  const user = userOf(item);
  const keepsName = get(item, "disableNameOverwrite") === true;
  into.add(
    {
      name,
      path,
      operation: oldObject ? "UPDATE" : "CREATE",
      object,
      ...(oldObject && { oldObject }),
      ...(user && { user }),
      dryRun: true,
      resources: [{ object: mutatingBindingOf(policy, params?.object) }, ...(params ? [params] : [])],
      policies: [policy],
      serverDefaults: false,
      expect: { verdict, ...(mutated && { object: expectedObject(mutated.object, object.object, keepsName) }) },
    },
    { expected, because: { unmatched: "kaptest does not look at what a policy matches" } },
  );
}

function mutatingBindingOf(policyName: string, params: KubeObject | undefined): KubeObject {
  return {
    apiVersion: "admissionregistration.k8s.io/v1",
    kind: "MutatingAdmissionPolicyBinding",
    metadata: { name: policyName },
    spec: { policyName, ...(params && { paramRef: refTo(params) }) },
  } as unknown as KubeObject;
}

/** The part that the object must have. The name of the resource tells it from the object itself, so it is not compared. */
function expectedObject(
  mutated: KubeObject,
  object: KubeObject,
  keepsName: boolean,
): Readonly<Record<string, unknown>> {
  const { apiVersion: _, kind: __, ...rest } = mutated;
  return keepsName ? rest : { ...rest, metadata: { ...mutated.metadata, name: nameOf(object) } };
}

function importCase(item: unknown, policy: string, pool: readonly Manifest[], path: JsonPath, into: Importing): void {
  const wanted = { object: get(item, "object"), oldObject: get(item, "oldObject") };
  const param = [get(item, "param"), get(item, "params")].find((value) => hasText(value, "name"));
  const label = [wanted.oldObject, wanted.object]
    .filter((value) => hasText(value, "name"))
    .map(labelOf)
    .join(" -> ");
  const name = `${policy}/${label}${param === undefined ? "" : ` with ${textAt(param, "name")}`}`;
  const taken = into.policies.find(({ source }) => source.name === policy);
  const expected = textAt(item, "expect") ?? "";
  const verdict = Object.hasOwn(VERDICTS, expected) ? VERDICTS[expected] : undefined;
  const [object, oldObject] = [wanted.object, wanted.oldObject].map((value) =>
    hasText(value, "name") ? pool.find((it) => isMeant(it.object, value)) : undefined,
  );
  const lost = [[wanted.object, object] as const, [wanted.oldObject, oldObject] as const].find(
    ([value, found]) => hasText(value, "name") && found === undefined,
  );
  const params =
    param === undefined ? undefined : pool.find(({ object: it }) => isParam(it, param, taken?.policy.spec.paramKind));
  const reason =
    taken === undefined
      ? (into.problems.find(({ source }) => source.name === policy)?.message ??
        `no policy ${JSON.stringify(policy)} exists`)
      : verdict === undefined
        ? `expect is ${JSON.stringify(expected)}`
        : lost !== undefined
          ? `none of the resources is ${labelOf(lost[0])}`
          : object === undefined && oldObject === undefined
            ? "it names no object"
            : param !== undefined && params === undefined
              ? `none of the resources is the param ${textAt(param, "name")}`
              : undefined;
  if (reason !== undefined || verdict === undefined) {
    into.skip({ name, path }, reason ?? "");
    return;
  }
  const binding = bindingOf(policy, ["Deny"], params === undefined ? {} : { paramRef: refTo(params.object) });
  const user = userOf(item);
  into.add(
    {
      name,
      path,
      operation: object === undefined ? "DELETE" : oldObject === undefined ? "CREATE" : "UPDATE",
      ...(object && { object }),
      ...(oldObject && { oldObject }),
      ...(user && { user }),
      dryRun: true,
      resources: [{ object: binding as unknown as KubeObject }, ...(params ? [params] : [])],
      policies: [policy],
      serverDefaults: false,
      expect: { verdict },
    },
    { expected, because: { unmatched: "kaptest does not look at what a policy matches" } },
  );
}

function labelOf(value: unknown): string {
  const parts = [textAt(value, "kind"), textAt(value, "namespace"), textAt(value, "name")];
  return parts.filter((part) => part !== undefined && part !== "").join("/");
}

/** Absent fields match everything. */
function isMeant(object: KubeObject, wanted: unknown): boolean {
  const { group, version, kind } = gvkOf(object);
  const fits = (key: string, own: string): boolean => [undefined, "", own].includes(textAt(wanted, key));
  return (
    textAt(wanted, "kind") === kind &&
    textAt(wanted, "name") === nameOf(object) &&
    fits("namespace", namespaceOf(object)) &&
    fits("group", group) &&
    fits("version", version)
  );
}

function isParam(object: KubeObject, wanted: unknown, paramKind: unknown): boolean {
  const { group, kind } = gvkOf(object);
  const of = gvkOf(fieldsAt({ paramKind }, "paramKind"));
  const namespace = textAt(wanted, "namespace") ?? "";
  return (
    of.kind === kind &&
    of.group === group &&
    textAt(wanted, "name") === nameOf(object) &&
    (namespace === "" || namespace === namespaceOf(object))
  );
}

function refTo(param: KubeObject): NonNullable<ReturnType<typeof bindingOf>["spec"]["paramRef"]> {
  const namespace = namespaceOf(param);
  return { name: nameOf(param), ...(namespace !== "" && { namespace }), parameterNotFoundAction: "Deny" };
}

function userOf(value: unknown): UserInfo | undefined {
  const info = get(value, "userInfo");
  if (!isFields(info) || Object.keys(info).length === 0) return undefined;
  const uid = textAt(info, "uid");
  return {
    username: textAt(info, "user") ?? textAt(info, "name") ?? textAt(info, "username") ?? "",
    ...(uid !== undefined && { uid }),
    ...(hasText(info, "groups") && { groups: textsAt(info, "groups") }),
    ...(hasText(info, "extra") && { extra: get(info, "extra") as NonNullable<UserInfo["extra"]> }),
  };
}
