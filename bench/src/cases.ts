// The cases: typical checks of Kubernetes policies, each with the same check in JavaScript as a careful engineer writes it (missing fields
// answered, patterns compiled once). Documents rotate, so nothing is constant and nothing can be cached. Expressions keep to features of
// every CEL engine; `int()` stands where engines read JSON numbers as doubles.

import {
  type Deployment,
  deployment,
  type Params,
  type Pod,
  params,
  pod,
  type Random,
  random,
} from "./input/documents.ts";

export interface Vars<O = unknown> {
  object: O;
  oldObject: O | null;
  params: Params;
}

export interface Case<O = unknown> {
  readonly name: string;
  readonly expr: string;
  readonly docs: readonly Vars<O>[];
  readonly handWritten: (vars: Vars<O>) => unknown;
}

/** The number of documents that a case rotates through. */
const VARIANTS = 16;

const pods1 = documents(1, (next) => pod(next, 1));
const pods10 = documents(2, (next) => pod(next, 10));
const pods100 = documents(3, (next) => pod(next, 100));
const deployments = documents(4, (next) => deployment(next, 3));
const updates = documents(5, (next) => deployment(next, 3), changed);

const DNS_LABEL = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/;
const IMAGE = /^[a-z0-9.:-]+\/[a-z0-9/_-]+:[0-9]+\.[0-9]+\.[0-9]+$/;
const DAY = 86_400_000;

export const cases: readonly Case[] = [
  define({
    name: "compare/replicas",
    expr: `object.spec.replicas <= params.maxReplicas`,
    docs: deployments,
    handWritten: ({ object, params }) => object.spec?.replicas <= params.maxReplicas,
  }),
  define({
    name: "compare/present-and-not-empty",
    expr: `has(object.metadata.annotations) && "team" in object.metadata.annotations && object.metadata.annotations["team"] != ""`,
    docs: deployments,
    handWritten: ({ object }) => {
      const annotations = object.metadata?.annotations;
      return annotations !== undefined && Object.hasOwn(annotations, "team") && annotations.team !== "";
    },
  }),
  define({
    name: "containers/all-has-1",
    expr: `object.spec.containers.all(c, has(c.resources) && has(c.resources.limits) && has(c.resources.limits.memory))`,
    docs: pods1,
    handWritten: allLimited,
  }),
  define({
    name: "containers/all-has-10",
    expr: `object.spec.containers.all(c, has(c.resources) && has(c.resources.limits) && has(c.resources.limits.memory))`,
    docs: pods10,
    handWritten: allLimited,
  }),
  define({
    name: "containers/all-has-100",
    expr: `object.spec.containers.all(c, has(c.resources) && has(c.resources.limits) && has(c.resources.limits.memory))`,
    docs: pods100,
    handWritten: allLimited,
  }),
  define({
    name: "containers/run-as-non-root",
    expr: `(has(object.spec.securityContext) && has(object.spec.securityContext.runAsNonRoot) && object.spec.securityContext.runAsNonRoot) || object.spec.containers.all(c, has(c.securityContext) && has(c.securityContext.runAsNonRoot) && c.securityContext.runAsNonRoot)`,
    docs: pods10,
    handWritten: ({ object: { spec } }) =>
      spec?.securityContext?.runAsNonRoot === true ||
      spec.containers.every((c) => c.securityContext?.runAsNonRoot === true),
  }),
  define({
    name: "volumes/no-host-path",
    expr: `!has(object.spec.volumes) || object.spec.volumes.all(v, !has(v.hostPath))`,
    docs: pods1,
    handWritten: ({ object }) => object.spec?.volumes?.every((v) => v.hostPath === undefined) ?? true,
  }),
  define({
    name: "images/registry-allowed",
    expr: `object.spec.containers.all(c, params.registries.exists(r, c.image.startsWith(r)))`,
    docs: pods10,
    handWritten: ({ object, params }) =>
      object.spec.containers.every((c) => params.registries.some((r) => c.image?.startsWith(r))),
  }),
  define({
    name: "labels/exists-prefix",
    expr: `object.metadata.labels.exists(k, k.startsWith("example.com/"))`,
    docs: pods1,
    handWritten: ({ object }) => Object.keys(object.metadata?.labels ?? {}).some((k) => k.startsWith("example.com/")),
  }),
  define({
    name: "strings/functions",
    expr: `object.metadata.name.startsWith("web-") && object.metadata.name.endsWith("-prod") && !object.metadata.name.contains("--") && size(object.metadata.name) <= 63`,
    docs: documents(6, (next) => named(pod(next, 1), next(2) === 0 ? "web" : "api", next(4) === 0 ? "dev" : "prod")),
    handWritten: ({ object }) => {
      const name = object.metadata?.name;
      return name?.startsWith("web-") && name.endsWith("-prod") && !name.includes("--") && name.length <= 63;
    },
  }),
  define({
    name: "strings/concat",
    expr: `object.metadata.namespace + "/" + object.metadata.name + "@" + object.spec.nodeName`,
    docs: pods1,
    handWritten: ({ object: { metadata, spec } }) => `${metadata?.namespace}/${metadata?.name}@${spec?.nodeName}`,
  }),
  define({
    name: "strings/message",
    expr: `"replicas " + string(int(object.spec.replicas)) + " must be at most " + string(int(params.maxReplicas))`,
    docs: deployments,
    handWritten: ({ object, params }) => `replicas ${object.spec?.replicas} must be at most ${params.maxReplicas}`,
  }),
  define({
    name: "regex/one",
    expr: `object.metadata.name.matches("^[a-z0-9]([-a-z0-9]*[a-z0-9])?$")`,
    docs: documents(7, (next) => named(pod(next, 1), "web", next(3) === 0 ? "Prod" : "prod")),
    handWritten: ({ object }) => DNS_LABEL.test(object.metadata?.name ?? ""),
  }),
  define({
    name: "regex/ten",
    expr: String.raw`object.spec.containers.all(c, c.image.matches("^[a-z0-9.:-]+/[a-z0-9/_-]+:[0-9]+\\.[0-9]+\\.[0-9]+$"))`,
    docs: pods10,
    handWritten: ({ object }) => object.spec.containers.every((c) => IMAGE.test(c.image ?? "")),
  }),
  define({
    name: "in/literal-list",
    expr: `object.spec.strategy.type in ["RollingUpdate", "Recreate"]`,
    docs: deployments,
    handWritten: ({ object }) => ["RollingUpdate", "Recreate"].includes(object.spec?.strategy?.type),
  }),
  define({
    name: "in/params-list",
    expr: `object.spec.strategy.type in params.strategies`,
    docs: deployments,
    handWritten: ({ object, params }) => params.strategies.includes(object.spec?.strategy?.type),
  }),
  define({
    name: "lists/filter-map",
    expr: `object.spec.containers.filter(c, has(c.ports)).map(c, c.name)`,
    docs: pods10,
    handWritten: ({ object }) => object.spec.containers.filter((c) => c.ports !== undefined).map((c) => c.name),
  }),
  define({
    name: "lists/filter-map-exists",
    expr: `object.spec.containers.filter(c, has(c.ports)).map(c, c.ports[0]).exists(p, p.containerPort > 8090)`,
    docs: pods10,
    handWritten: ({ object }) =>
      object.spec.containers
        .filter((c) => c.ports !== undefined)
        .map((c) => c.ports?.[0])
        .some((p) => p !== undefined && p.containerPort > 8090),
  }),
  define({
    name: "ternary/size-class",
    expr: `object.spec.replicas > 12 ? "large" : object.spec.replicas > 4 ? "medium" : "small"`,
    docs: deployments,
    handWritten: ({ object }) => {
      const replicas = object.spec?.replicas;
      return replicas > 12 ? "large" : replicas > 4 ? "medium" : "small";
    },
  }),
  define({
    name: "update/old-versus-new",
    expr: `object.spec.replicas >= oldObject.spec.replicas && object.spec.strategy.type == oldObject.spec.strategy.type && object.metadata.generation > oldObject.metadata.generation`,
    docs: updates,
    handWritten: ({ object, oldObject }) =>
      oldObject !== null &&
      object.spec?.replicas >= oldObject.spec?.replicas &&
      object.spec.strategy?.type === oldObject.spec.strategy?.type &&
      object.metadata?.generation > oldObject.metadata?.generation,
  }),
  define({
    name: "update/deep-equality",
    expr: `object.spec.template == oldObject.spec.template`,
    docs: updates,
    handWritten: ({ object, oldObject }) => deepEqual(object.spec?.template, oldObject?.spec?.template),
  }),
  define({
    name: "time/timestamps",
    expr: `timestamp(object.metadata.creationTimestamp) - timestamp(params.notBefore) > duration("24h")`,
    docs: deployments,
    handWritten: ({ object, params }) =>
      Date.parse(object.metadata?.creationTimestamp) - Date.parse(params.notBefore) > DAY,
  }),
  define({
    name: "arithmetic/quota",
    expr: `int(object.spec.replicas) * int(params.cpuPerReplica) + int(params.reserve) <= int(params.quota) || int(object.spec.replicas) % 5 == 0`,
    docs: deployments,
    handWritten: ({ object, params }) => {
      const replicas = object.spec?.replicas ?? 0;
      return replicas * params.cpuPerReplica + params.reserve <= params.quota || replicas % 5 === 0;
    },
  }),
  define({
    name: "nested/unique-names-100x100",
    expr: `object.spec.containers.all(a, object.spec.containers.exists_one(b, a.name == b.name))`,
    docs: documents(8, (next) => repeated(pod(next, 100), next(3) === 0)),
    handWritten: ({ object: { spec } }) => {
      for (const a of spec.containers) {
        let found = 0;
        for (const b of spec.containers) if (a.name === b.name) found++;
        if (found !== 1) return false;
      }
      return true;
    },
  }),
];

function define<O>(row: Case<O>): Case {
  return row as unknown as Case;
}

function allLimited({ object }: Vars<Pod>): boolean {
  return object.spec.containers.every((c) => c.resources?.limits?.memory !== undefined);
}

/** Variants of one document with params, as if read from a request: parsed JSON, nothing shared between them. */
function documents<O>(seed: number, make: (next: Random) => O, makeOld?: (object: O, next: Random) => O): Vars<O>[] {
  const next = random(seed);
  return Array.from({ length: VARIANTS }, () => {
    const object = make(next);
    const oldObject = makeOld === undefined ? null : makeOld(structuredClone(object), next);
    return JSON.parse(JSON.stringify({ object, oldObject, params: params(next) }));
  });
}

/** The former object: half of the time only its generation differs. */
function changed(object: Deployment, next: Random): Deployment {
  const { spec, metadata } = object;
  metadata.generation -= next(4) === 0 ? 0 : 1;
  switch (next(6)) {
    case 0:
      spec.replicas += 1;
      break;
    case 1:
      spec.strategy.type = "Canary";
      break;
    case 2:
      spec.template.spec.containers.at(-1)!.securityContext!.allowPrivilegeEscalation = true;
      break;
  }
  return object;
}

function named(object: Pod, first: string, last: string): Pod {
  object.metadata.name = [first, ...object.metadata.name.split("-").slice(1, -1), last].join("-");
  return object;
}

/** The same pod; when `twice`, its last two containers bear one name. */
function repeated(object: Pod, twice: boolean): Pod {
  if (twice) object.spec.containers.at(-1)!.name = object.spec.containers.at(-2)!.name;
  return object;
}

/** Equality of plain JSON. */
function deepEqual(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  if (Array.isArray(a)) {
    return Array.isArray(b) && a.length === b.length && a.every((elem, i) => deepEqual(elem, b[i]));
  }
  if (Array.isArray(b)) return false;
  const left = a as Record<string, unknown>;
  const right = b as Record<string, unknown>;
  const keys = Object.keys(left);
  return (
    keys.length === Object.keys(right).length &&
    keys.every((key) => Object.hasOwn(right, key) && deepEqual(left[key], right[key]))
  );
}
