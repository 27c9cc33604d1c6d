// Suites of kaptest. It evaluates expressions without bindings, so each case gets its own binding. Both the field names
// of its README and those its code reads are accepted: `params` and `param`, `allow` and `admit`, `userInfo.user` and
// `userInfo.name`.

import type { UserInfo } from "@celadon/admission";
import { type JsonPath, pushAll } from "@celadon/base";
import { gvkOf, type KubeObject, nameOf, namespaceOf } from "@celadon/kube";
import type { Manifest } from "@celadon/simulator/manifests";
import type { Verdict } from "../../suite/read/document.ts";
import type { SuiteSource } from "../../suite/read/read-suite.ts";
import { fieldsAt, get, isFields, listAt, says, textAt, textsAt } from "../foreign.ts";
import { asManifest, type DocumentLoader, Importing, type ImportReading, nameFromFile } from "../imported.ts";
import { bindingOf } from "../policies/converted.ts";
import { isPolicy, takeWith } from "./taken-policy.ts";

export async function importKaptest({ value, origin }: SuiteSource, loader: DocumentLoader): Promise<ImportReading> {
  const into = new Importing({ value, origin }, loader);
  const policies = await into.load(textsAt(value, "validatingAdmissionPolicies"));
  const pool = (await into.load(textsAt(value, "resources")))
    .filter(({ value: document }) => isFields(document))
    .map(asManifest);
  for (const document of policies) if (isPolicy(document.value)) takeWith(document, [], into);
  pushAll(
    into.resources,
    pool.filter(({ object }) => object.kind === "Namespace" && gvkOf(object).group === ""),
  );
  for (const [i, suite] of listAt(value, "testSuites").entries()) {
    for (const [j, test] of listAt(suite, "tests").entries()) {
      importCase(test, textAt(suite, "policy") ?? "", pool, ["testSuites", i, "tests", j], into);
    }
  }
  return into.done("kaptest", nameFromFile(origin.file).replace(/\.test$/, ""));
}

const VERDICTS: Readonly<Record<string, Verdict>> = {
  admit: "allow",
  allow: "allow",
  deny: "deny",
  skip: "unmatched",
  error: "error",
};

function importCase(item: unknown, policy: string, pool: readonly Manifest[], path: JsonPath, into: Importing): void {
  const wanted = { object: get(item, "object"), oldObject: get(item, "oldObject") };
  const param = [get(item, "param"), get(item, "params")].find((value) => says(value, "name"));
  const label = [wanted.oldObject, wanted.object]
    .filter((value) => says(value, "name"))
    .map(labelOf)
    .join(" -> ");
  const name = `${policy}/${label}${param === undefined ? "" : ` with ${textAt(param, "name")}`}`;
  const taken = into.policies.find(({ source }) => source.name === policy);
  const expected = textAt(item, "expect") ?? "";
  const verdict = Object.hasOwn(VERDICTS, expected) ? VERDICTS[expected] : undefined;
  const [object, oldObject] = [wanted.object, wanted.oldObject].map((value) =>
    says(value, "name") ? pool.find((it) => isMeant(it.object, value)) : undefined,
  );
  const lost = [[wanted.object, object] as const, [wanted.oldObject, oldObject] as const].find(
    ([value, found]) => says(value, "name") && found === undefined,
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
    ...(says(info, "groups") && { groups: textsAt(info, "groups") }),
    ...(says(info, "extra") && { extra: get(info, "extra") as NonNullable<UserInfo["extra"]> }),
  };
}
