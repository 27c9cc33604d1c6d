// Suites of `kyverno test`: kyverno-test.yaml. Objects are taken as written: its command line has no server that fills in defaults.

import type { Operation, UserInfo } from "@celadon/admission";
import { WORKLOAD_KINDS } from "@celadon/admission/autogen";
import type { JsonPath } from "@celadon/base";
import { guessResource, gvkOf, type KubeObject, nameOf, namespaceOf } from "@celadon/kube";
import { builtinResources } from "@celadon/kube/builtin";
import type { Manifest } from "@celadon/simulator";
import type { Expectation } from "../../suite/document.ts";
import type { SuiteSource } from "../../suite/read-suite.ts";
import type { Case } from "../../suite/suite.ts";
import { fieldsAt, get, isFields, labelsAt, listAt, says, textAt, textsAt } from "../foreign.ts";
import { asManifest, type DocumentLoader, Importing, type ImportReading, nameFromFile } from "../imported.ts";
import type { ConvertedPolicy } from "../policies/converted.ts";
import { convertPolicy } from "../policies/index.ts";
import type { KnownKind } from "../policies/kyverno-kinds.ts";
import { isPolicy, takePolicy } from "./taken-policy.ts";

export async function importKyverno({ value, origin }: SuiteSource, loader: DocumentLoader): Promise<ImportReading> {
  const into = new Importing(origin, loader);
  const policies = await into.load(textsAt(value, "policies"));
  const resources = (await into.load(textsAt(value, "resources")))
    .filter(({ value: one }) => isFields(one))
    .map(asManifest);
  const params = (await into.load(textsAt(value, "paramResources"))).map(asManifest);
  const values = await valuesOf(value, into);
  const user = await userOf(value, into);

  const known = kindsOf([...resources, ...params]);
  for (const document of policies) convertDocument(document, policies, known, into);
  into.resources.push(...paramsAmong([...resources, ...params], into.policies), ...values.namespaces);

  const reader = new Reader(into, resources, values, user, says(value, "exceptions"));
  for (const [i, result] of listAt(value, "results").entries()) reader.result(result, ["results", i]);
  return into.done("kyverno", textAt(value, "metadata", "name") ?? textAt(value, "name") ?? nameFromFile(origin.file));
}

/** Kinds of the objects that Kubernetes does not have. */
function kindsOf(manifests: readonly Manifest[]): readonly KnownKind[] {
  const builtin = new Set(builtinResources().map(({ group, kind }) => `${group}/${kind}`));
  const kinds = new Map<string, KnownKind>();
  for (const { object } of manifests) {
    const { group, kind } = gvkOf(object);
    if (!builtin.has(`${group}/${kind}`)) kinds.set(`${group}/${kind}`, { group, kind, resource: guessResource(kind) });
  }
  return [...kinds.values()];
}

function convertDocument(
  document: SuiteSource,
  all: readonly SuiteSource[],
  known: readonly KnownKind[],
  into: Importing,
): void {
  if (!isFields(document.value)) return;
  const object = document.value as KubeObject;
  const made = convertPolicy(object, known);
  if (made !== undefined) into.convert(made, document.origin);
  // Kyverno judges by a policy that nothing binds, too.
  else if (isPolicy(object)) takePolicy(document, all, into);
}

/** What policies have for params may stand among the resources. */
function paramsAmong(manifests: readonly Manifest[], policies: readonly ConvertedPolicy[]): readonly Manifest[] {
  const kinds = policies.flatMap(({ policy }) => (policy.spec.paramKind ? [gvkOf(policy.spec.paramKind)] : []));
  return manifests.filter(({ object }) => {
    const { group, kind } = gvkOf(object);
    return kinds.some((one) => one.group === group && one.kind === kind);
  });
}

interface Values {
  readonly operation: Operation | undefined;
  /** `policy/resource` → operation. */
  readonly operations: ReadonlyMap<string, Operation>;
  readonly namespaces: readonly Manifest[];
}

async function valuesOf(test: unknown, into: Importing): Promise<Values> {
  const file = textAt(test, "variables");
  const documents = file === undefined || file === "" ? [] : await into.load([file]);
  const all = [get(test, "values"), ...documents.map(({ value }) => value)].filter(isFields);
  const operations = new Map<string, Operation>();
  const namespaces: Manifest[] = [];
  let operation: Operation | undefined;
  for (const values of all) {
    operation = operationOf(get(values, "globalValues", "request.operation")) ?? operation;
    for (const policy of listAt(values, "policies")) {
      for (const resource of listAt(policy, "resources")) {
        const own = operationOf(get(resource, "values", "request.operation"));
        if (own) operations.set(`${textAt(policy, "name")}/${textAt(resource, "name")}`, own);
      }
    }
    for (const one of listAt(values, "namespaceSelector")) {
      namespaces.push(namespaceManifest(textAt(one, "name") ?? "", labelsAt(one, "labels")));
    }
    for (const one of listAt(values, "namespaces")) {
      namespaces.push(namespaceManifest(textAt(one, "metadata", "name") ?? "", labelsAt(one, "metadata", "labels")));
    }
  }
  return { operation, operations, namespaces };
}

const operationOf = (value: unknown): Operation | undefined =>
  value === "CREATE" || value === "UPDATE" || value === "DELETE" ? value : undefined;

function namespaceManifest(name: string, own: Readonly<Record<string, string>>): Manifest {
  const labels = { "kubernetes.io/metadata.name": name, ...own };
  return { object: { apiVersion: "v1", kind: "Namespace", metadata: { name, labels }, status: { phase: "Active" } } };
}

async function userOf(test: unknown, into: Importing): Promise<UserInfo> {
  const file = textAt(test, "userinfo");
  const [document] = file === undefined || file === "" ? [] : await into.load([file]);
  const info = fieldsAt(document?.value, "userInfo");
  return { username: textAt(info, "username") ?? "", ...(says(info, "groups") && { groups: textsAt(info, "groups") }) };
}

/** Results that are about something else than validation. */
const OTHER_POLICIES: Readonly<Record<string, string>> = {
  isMutatingPolicy: "mutations are not imported",
  isMutatingAdmissionPolicy: "mutations are not imported",
  isGeneratingPolicy: "generated objects are not imported",
  isDeletingPolicy: "deletions are not imported",
  isImageValidatingPolicy: "verifying images is not CEL of the API server",
};

class Reader {
  readonly #into: Importing;
  readonly #resources: readonly Manifest[];
  readonly #values: Values;
  readonly #user: UserInfo;
  readonly #exceptions: boolean;

  constructor(into: Importing, resources: readonly Manifest[], values: Values, user: UserInfo, exceptions: boolean) {
    this.#into = into;
    this.#resources = resources;
    this.#values = values;
    this.#user = user;
    this.#exceptions = exceptions;
  }

  result(result: unknown, path: JsonPath): void {
    const policy = (textAt(result, "policy") ?? "").split("/").at(-1)!;
    const rule = textAt(result, "rule");
    const label = [policy, ...(rule === undefined ? [] : [rule])].join("/");
    const objects = this.#objects(result);
    if (objects.length === 0) {
      const names = textsAt(result, "resources").join(", ");
      this.#into.skip(
        { name: label, path },
        `none of the resources is ${textAt(result, "kind") ?? ""} ${names}`.trim(),
      );
    }
    for (const object of objects) this.#case(result, policy, rule, label, object, path);
  }

  /** By name, or namespace and name; of the kind that is said if any is. */
  #objects(result: unknown): readonly Manifest[] {
    const wanted = [
      ...textsAt(result, "resources"),
      ...listAt(result, "resourceSpecs").map((one) =>
        [textAt(one, "namespace"), textAt(one, "name")].filter((part) => part !== undefined && part !== "").join("/"),
      ),
      ...[textAt(result, "resource")].filter((one): one is string => one !== undefined),
    ];
    const named = this.#resources.filter(({ object }) => {
      const name = nameOf(object);
      const namespace = namespaceOf(object) || "default";
      return wanted.length === 0 || wanted.some((one) => one === name || one === `${namespace}/${name}`);
    });
    const kind = textAt(result, "kind")?.split("/").at(-1);
    const ofKind = named.filter(({ object }) => object.kind === kind);
    return ofKind.length > 0 ? ofKind : named;
  }

  #case(
    result: unknown,
    policy: string,
    rule: string | undefined,
    label: string,
    object: Manifest,
    path: JsonPath,
  ): void {
    const namespace = namespaceOf(object.object);
    const where = namespace === "" ? nameOf(object.object) : `${namespace}/${nameOf(object.object)}`;
    const name = `${label}/${String(object.object.kind)}/${where}`;
    const about = concerned(
      this.#into.policies.filter(({ source }) => isOf(source, policy, rule)),
      String(object.object.kind),
    );
    const expected = textAt(result, "result") ?? textAt(result, "status") ?? "";
    const expect = expectationOf(expected, about);
    const reason =
      this.#refusal(result, policy, rule, object) ??
      (about.length === 0 ? `no policy ${JSON.stringify(label)} is there` : undefined);
    if (reason !== undefined || expect === undefined) {
      this.#into.skip({ name, path, object }, reason ?? `the result is ${JSON.stringify(expected)}`);
      return;
    }
    this.#into.add(
      {
        name,
        path,
        ...this.#request(result, policy, object),
        user: this.#user,
        policies: about.map((one) => one.policy.metadata.name ?? ""),
        serverDefaults: false,
        serverValidation: true,
        expect,
      },
      { expected, because: BECAUSE },
    );
  }

  /** Why the case cannot be run. */
  #refusal(result: unknown, policy: string, rule: string | undefined, { object }: Manifest): string | undefined {
    const other = Object.keys(OTHER_POLICIES).find((key) => get(result, key) === true);
    if (other !== undefined) return OTHER_POLICIES[other];
    if (this.#exceptions) return "PolicyExceptions are Kyverno's own";
    const kind = String(object.kind);
    const problems = this.#into.problems.filter(({ source }) => isOf(source, policy, rule));
    return problems.find(({ kinds }) => kinds === undefined || kinds.includes(kind))?.message;
  }

  #request(
    result: unknown,
    policy: string,
    object: Manifest,
  ): Pick<Case, "operation" | "object"> & { oldObject?: Manifest } {
    const { operation: all, operations } = this.#values;
    const own = operationOf(get(result, "operation"));
    const operation = own ?? operations.get(`${policy}/${nameOf(object.object)}`) ?? all ?? "CREATE";
    return { operation, object, ...(operation === "UPDATE" && { oldObject: object }) };
  }
}

const BECAUSE: Readonly<Record<string, string>> = {
  unmatched: "kyverno passes a resource that no rule is about, whatever is expected of it",
  error: "kyverno takes an expression that fails for one that is false",
};

function isOf(source: ConvertedPolicy["source"], policy: string, rule: string | undefined): boolean {
  return (
    source.name === policy &&
    (rule === undefined || rule === "" || source.rule === undefined || plain(rule) === source.rule)
  );
}

/** A policy for pods is about pods, and what is derived from it about workloads. */
function concerned(about: readonly ConvertedPolicy[], kind: string): readonly ConvertedPolicy[] {
  if (!about.some(({ derived }) => derived)) return about;
  if (kind !== "Pod" && !WORKLOAD_KINDS.some((one) => one === kind)) return about;
  return about.filter(({ derived, policy }) => derived !== (kind === "Pod") && (!derived || namesKind(policy, kind)));
}

function namesKind({ spec }: ConvertedPolicy["policy"], kind: string): boolean {
  const resource = guessResource(kind);
  return (spec.matchConstraints?.resourceRules ?? []).some(({ resources = [] }) => resources.includes(resource));
}

/** Rules that Kyverno derives are called after the one they come from. */
const plain = (rule: string): string => rule.replace(/^autogen-(?:cronjob-)?/, "");

/** `fail` says that the rule failed, and its binding what becomes of that. */
function expectationOf(result: string, about: readonly ConvertedPolicy[]): Expectation | undefined {
  const actions = about.flatMap(({ bindings }) => bindings.flatMap(({ spec }) => spec.validationActions ?? []));
  switch (result) {
    case "pass":
      return { verdict: "allow" };
    case "fail":
      return { verdict: actions.includes("Deny") ? "deny" : actions.includes("Warn") ? "warn" : "audit" };
    case "skip":
      return { verdict: "unmatched" };
    case "warn":
      return { verdict: "warn" };
    case "error":
      return { verdict: "error" };
    default:
      return undefined;
  }
}
