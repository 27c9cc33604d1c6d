// Suites of `kyverno test`: kyverno-test.yaml. Objects are used as written: its command line has no server that applies
// defaults.

import type { UserInfo } from "@celadon/admission";
import { WORKLOAD_KINDS } from "@celadon/admission/autogen";
import { type JsonPath, pushAll } from "@celadon/base";
import { guessResource, gvkOf, type KubeObject, nameOf, namespaceOf } from "@celadon/kube";
import { builtinResources } from "@celadon/kube/builtin";
import type { Manifest } from "@celadon/simulator/manifests";
import type { Expectation } from "../../suite/read/document.ts";
import type { SuiteSource } from "../../suite/read/read-suite.ts";
import type { Case } from "../../suite/suite.ts";
import { get, hasText, isFields, listAt, textAt, textsAt } from "../foreign.ts";
import { asManifest, type DocumentLoader, Importing, type ImportReading, nameFromFile } from "../imported.ts";
import type { ConvertedPolicy } from "../policies/converted.ts";
import { convertPolicy } from "../policies/index.ts";
import type { KnownKind } from "../policies/kyverno-kinds.ts";
import { type ConvertedMutations, convertMutatingPolicy, namesResource } from "../policies/kyverno-mutating-policy.ts";
import { clusterOf, operationOf, userOf, type Values, valuesOf } from "./kyverno-setting.ts";
import { collectPolicy, isPolicy } from "./taken-policy.ts";

export async function importKyverno({ value, origin }: SuiteSource, loader: DocumentLoader): Promise<ImportReading> {
  const into = new Importing({ value, origin }, loader);
  const policies = await into.load(textsAt(value, "policies"));
  const resources = (await into.load(textsAt(value, "resources")))
    .filter(({ value: document }) => isFields(document))
    .map(asManifest);
  const params = (await into.load(textsAt(value, "paramResources"))).map(asManifest);
  const values = await valuesOf(value, into);
  const user = await userOf(value, into);

  const known = kindsOf([...resources, ...params]);
  for (const document of policies) convertDocument(document, policies, known, into);
  pushAll(into.resources, paramsAmong([...resources, ...params], into.policies), values.namespaces);
  pushAll(into.resources, await clusterOf(value, into));

  const reader = new Reader(into, resources, values, user, hasText(value, "exceptions"));
  for (const [i, result] of listAt(value, "results").entries()) {
    const patched = await patchedOf(result, into);
    reader.result(result, ["results", i], patched);
  }
  return into.done("kyverno", textAt(value, "metadata", "name") ?? textAt(value, "name") ?? nameFromFile(origin.file));
}

/** The objects that a result expects after mutation, none if it has no expectation; a text if their file cannot be read. */
type Patched = readonly KubeObject[] | string;

async function patchedOf(result: unknown, into: Importing): Promise<Patched> {
  const files = [textAt(result, "patchedResources") ?? "", textAt(result, "patchedResource") ?? ""];
  const documents = await into.loadIfThere(files.filter((file) => file !== ""));
  if (typeof documents === "string") return documents;
  return documents.flatMap(({ value }) => (isFields(value) ? [value as KubeObject] : []));
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
  const mutating = convertMutatingPolicy(object);
  if (made !== undefined) into.convert(made, document.origin);
  else if (mutating !== undefined) takeMutations(mutating, document.origin, into);
  // Kyverno judges by a policy that nothing binds, too.
  else if (isPolicy(object)) collectPolicy(document, all, into);
}

function takeMutations(converted: ConvertedMutations, origin: SuiteSource["origin"], into: Importing): void {
  const { made, problem } = converted;
  into.mutating.push(converted);
  if (problem !== undefined) into.convert({ policies: [], problems: [problem] }, origin);
  for (const object of made === undefined ? [] : [made.policy, made.binding])
    into.resources.push({ object: object as unknown as KubeObject, origin });
}

/** Params of policies may stand among the resources. */
function paramsAmong(manifests: readonly Manifest[], policies: readonly ConvertedPolicy[]): readonly Manifest[] {
  const kinds = policies.flatMap(({ policy }) => (policy.spec.paramKind ? [gvkOf(policy.spec.paramKind)] : []));
  return manifests.filter(({ object }) => {
    const { group, kind } = gvkOf(object);
    return kinds.some((groupVersionKind) => groupVersionKind.group === group && groupVersionKind.kind === kind);
  });
}

/** Results that are about something else than validation. */
const OTHER_POLICIES: Readonly<Record<string, string>> = {
  isGeneratingPolicy: "generating policies are not supported",
  isDeletingPolicy: "deleting policies are not supported",
  isImageValidatingPolicy: "API servers cannot verify images",
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

  result(result: unknown, path: JsonPath, patched: Patched): void {
    const policy = (textAt(result, "policy") ?? "").split("/").at(-1)!;
    const mutations = this.#into.mutating.find(({ source }) => source.name === policy);
    const rule = textAt(result, "rule");
    const label = [policy, ...(rule === undefined ? [] : [rule])].join("/");
    const objects = this.#objects(result);
    if (objects.length === 0) {
      const names = textsAt(result, "resources").join(", ");
      const absent = `no resource is ${textAt(result, "kind") ?? ""} ${names}`.trim();
      this.#into.skip({ name: label, path }, mutations?.problem?.message ?? absent);
    }
    for (const object of objects) {
      if (mutations !== undefined) this.#mutation(result, mutations, object, path, patched);
      else this.#case(result, policy, rule, label, object, path);
    }
  }

  #mutation(
    result: unknown,
    { source, made, problem }: ConvertedMutations,
    object: Manifest,
    path: JsonPath,
    patched: Patched,
  ): void {
    const kind = String(object.object.kind);
    const name = `${source.name}/${kind}/${nameOf(object.object)}`;
    const expected = textAt(result, "result") ?? "";
    const after = typeof patched === "string" ? [] : patched;
    const wanted = after.find((kubeObject) => kubeObject.kind === kind && nameOf(kubeObject) === nameOf(object.object));
    const expect = mutationExpectation(expected, wanted);
    const resource = this.#values.subresources.get(kind) ?? guessResource(kind);
    const isDerived = made !== undefined && !namesResource(made.policy, resource);
    const reason =
      problem?.message ??
      (this.#exceptions ? "API servers have no PolicyExceptions" : undefined) ??
      (typeof patched === "string" ? patched : undefined) ??
      (expected === "fail" && after.length > 0 ? "the result fails after the expected patch" : undefined) ??
      (isDerived && expected !== "skip" ? `Kyverno derives a policy for ${kind} from the one for pods` : undefined);
    if (reason !== undefined || expect === undefined) {
      this.#into.skip({ name, path, object }, reason ?? `the result is ${JSON.stringify(expected)}`);
      return;
    }
    this.#into.add(
      {
        name,
        path,
        ...this.#request(result, source.name, object),
        user: this.#user,
        policies: [source.name],
        serverDefaults: false,
        serverValidation: false,
        expect,
      },
      { expected, because: MUTATION_BECAUSE },
    );
  }

  /** By name, or namespace and name; and by kind if one is given. */
  #objects(result: unknown): readonly Manifest[] {
    const wanted = [
      ...textsAt(result, "resources"),
      ...listAt(result, "resourceSpecs").map((resourceSpec) =>
        [textAt(resourceSpec, "namespace"), textAt(resourceSpec, "name")]
          .filter((part) => part !== undefined && part !== "")
          .join("/"),
      ),
      ...[textAt(result, "resource")].filter((text): text is string => text !== undefined),
    ];
    const named = this.#resources.filter(({ object }) => {
      const name = nameOf(object);
      const namespace = namespaceOf(object) || "default";
      return wanted.length === 0 || wanted.some((text) => text === name || text === `${namespace}/${name}`);
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
      (about.length === 0 ? `no policy ${JSON.stringify(label)}` : undefined);
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
        policies: about.map((convertedPolicy) => convertedPolicy.policy.metadata.name ?? ""),
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
    if (this.#exceptions) return "API servers have no PolicyExceptions";
    const kind = String(object.kind);
    const problems = this.#into.problems.filter(({ source }) => isOf(source, policy, rule));
    return problems.find(({ kinds }) => kinds === undefined || kinds.includes(kind))?.message;
  }

  #request(
    result: unknown,
    policy: string,
    object: Manifest,
  ): Pick<Case, "operation" | "object"> & Partial<Pick<Case, "oldObject" | "resource" | "subresource">> {
    const { operation: all, operations, subresources } = this.#values;
    const own = operationOf(get(result, "operation"));
    const operation = own ?? operations.get(`${policy}/${nameOf(object.object)}`) ?? all ?? "CREATE";
    const [resource, subresource] = subresources.get(String(object.object.kind))?.split("/") ?? [];
    return {
      operation,
      object,
      ...(operation === "UPDATE" && { oldObject: object }),
      ...(resource !== undefined && subresource !== undefined && { resource, subresource }),
    };
  }
}

const BECAUSE: Readonly<Record<string, string>> = {
  unmatched: "kyverno passes a resource that no rule matches, whatever is expected",
  error: "kyverno treats an expression that fails as false",
};

const MUTATION_BECAUSE: Readonly<Record<string, string>> = {
  error: "kyverno creates missing parents of a patched field, where an API server rejects the patch",
};

function isOf(source: ConvertedPolicy["source"], policy: string, rule: string | undefined): boolean {
  return (
    source.name === policy &&
    (rule === undefined || rule === "" || source.rule === undefined || plain(rule) === source.rule)
  );
}

/** A policy for pods is about pods, and the derived ones about workloads. */
function concerned(about: readonly ConvertedPolicy[], kind: string): readonly ConvertedPolicy[] {
  if (!about.some(({ derived }) => derived)) return about;
  if (kind !== "Pod" && !WORKLOAD_KINDS.some((workloadKind) => workloadKind === kind)) return about;
  return about.filter(({ derived, policy }) => derived !== (kind === "Pod") && (!derived || namesKind(policy, kind)));
}

function namesKind({ spec }: ConvertedPolicy["policy"], kind: string): boolean {
  const resource = guessResource(kind);
  return (spec.matchConstraints?.resourceRules ?? []).some(({ resources = [] }) => resources.includes(resource));
}

/** Rules that Kyverno derives are called after the one they come from. */
const plain = (rule: string): string => rule.replace(/^autogen-(?:cronjob-)?/, "");

/** The object that a passing mutation leaves; one that is skipped changes nothing. */
function mutationExpectation(result: string, patched: KubeObject | undefined): Expectation | undefined {
  switch (result) {
    case "pass":
      return { verdict: "allow", ...(patched && { object: patched as Readonly<Record<string, unknown>> }) };
    case "skip":
      return { matched: false, mutations: 0 };
    case "fail":
    case "error":
      return { allowed: false };
    default:
      return undefined;
  }
}

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
