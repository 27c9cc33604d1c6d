// Problems of policies and bindings together, with advice for each. If the inputs may be incomplete (policies without any binding, bindings
// without any policy, params of kinds that no input describes), it is a note.

import type { Resources } from "@celadon/admission/memory";
import { type FindingCode, type FindingSources, findProblems, type PolicyFinding } from "@celadon/admission/resources";
import { type WebhookConfiguration, webhookFindings } from "@celadon/admission/webhook";
import { nearestName, valueAt } from "@celadon/base";
import { gvkOf, type KubeObject, nameOf } from "@celadon/kube";
import { type AcceptedSetUp, meantVersion, type SimulatedCluster } from "@celadon/simulator";
import type { Manifest } from "@celadon/simulator/manifests";
import type { LintLevel } from "../codes.ts";
import { type LintProblem, problem } from "../problem.ts";
import type { MisspeltKind } from "./misspelt-kinds.ts";

export interface PolicyManifests {
  readonly policies: readonly (readonly [Manifest, AcceptedSetUp & { readonly role: "policy" | "mutatingPolicy" }])[];
  readonly bindings: readonly (readonly [Manifest, AcceptedSetUp & { readonly role: "binding" | "mutatingBinding" }])[];
}

/** Kept from one run to the next: findings that do not depend on other resources. */
export interface KnownFindings {
  readonly ofPolicies: NonNullable<FindingSources["known"]>;
  served?: { readonly resources: Resources; readonly names: ReadonlySet<string> };
}

function servedNames(resources: Resources, known: KnownFindings): ReadonlySet<string> {
  if (known.served?.resources !== resources) {
    const names = resources.served().map(({ group, version, resource }) => `${group}/${version}/${resource}`);
    known.served = { resources, names: new Set(names) };
  }
  return known.served.names;
}

/** `misspelt`: policies and bindings that the inputs have under an unknown kind. */
export async function findingProblems(
  { policies, bindings }: PolicyManifests,
  simulated: SimulatedCluster,
  misspelt: readonly MisspeltKind[] = [],
  known: KnownFindings = { ofPolicies: new WeakMap() },
): Promise<LintProblem[]> {
  const { resources, hosts } = simulated;
  const served = servedNames(resources, known);
  const set = {
    policies: policies.flatMap(([, { resource }]) => resource ?? []),
    bindings: bindings.flatMap(([, { resource }]) => resource ?? []),
  };
  const found = await findProblems(set, {
    params: hosts.params,
    hasResource: ({ group, version, resource }) => served.has(`${group}/${version}/${resource}`),
    known: known.ofPolicies,
  });
  const byName = new Map([
    ...misspelt.map(({ kind, name, problem: { manifest } }) => [`${kind} ${name}`, manifest] as const),
    ...[...policies, ...bindings].map(([manifest]) => [keyOf(manifest.object), manifest] as const),
  ]);
  const about: Inputs = {
    names: set.policies.map(nameOf),
    bound: set.bindings.length > 0,
    objects: simulated.manifests().map(({ object }) => object),
    resources,
  };
  const names = new Set(about.names);
  const dangling = set.bindings.filter(({ spec }) => !names.has(spec.policyName ?? ""));
  const meant = new Set(dangling.map(({ spec }) => nearestName(spec.policyName ?? "", about.names)));
  return found.flatMap((finding) => {
    // The binding that misspells its name is reported.
    if (finding.code === "policy_without_binding" && meant.has(finding.name)) return [];
    const manifest = byName.get(`${finding.kind} ${finding.name}`);
    const related = finding.related && byName.get(`${finding.related.kind} ${finding.related.name}`);
    // An unreadable policy exists all the same.
    if (manifest === undefined || (finding.code === "dangling_policy_name" && related !== undefined)) return [];
    const help = HELP[finding.code](finding, manifest, about);
    return [
      problem(finding.code, manifest, finding.path, finding.message, {
        ...levelOf(finding, manifest, about),
        help,
        ...(related && { related: [{ message: "the policy", manifest: related, path: ["metadata", "name"] }] }),
      }),
    ];
  });
}

/** Match conditions of webhooks that fail for requests of the webhook. */
export function webhookProblems(
  manifest: Manifest,
  configuration: WebhookConfiguration,
  { resources }: SimulatedCluster,
): LintProblem[] {
  return webhookFindings(configuration).map((finding) => {
    const { code, path, message } = finding;
    const help = HELP[code](finding, manifest, { names: [], bound: true, objects: [], resources });
    return problem(code, manifest, path, message, { help });
  });
}

const keyOf = (object: KubeObject): string => `${String(object.kind)} ${nameOf(object)}`;

interface Inputs {
  /** The names of policies. */
  readonly names: readonly string[];
  readonly bound: boolean;
  readonly objects: readonly KubeObject[];
  readonly resources: Resources;
}

/** A note if the rest may be elsewhere; an error if it never does its work; else the level of the code. */
function levelOf(
  { code, severity, related, path }: PolicyFinding,
  { object }: Manifest,
  about: Inputs,
): { level?: LintLevel } {
  const elsewhere: Partial<Record<FindingCode, () => boolean>> = {
    policy_without_binding: () => !about.bound,
    dangling_policy_name: () => about.names.length === 0,
    missing_param: () => !about.objects.some(({ kind }) => kind === related?.kind),
    unknown_param_kind: () => isElsewhere(paramGroup(object), about),
    // Definitions have dots in their groups: what "" or apps does not have, nothing adds.
    unknown_resource: () => ruleGroups(object, path).some((group) => group.includes(".")),
  };
  if (elsewhere[code]?.() === true) return { level: "note" };
  const never: Partial<Record<FindingCode, () => boolean>> = {
    dangling_policy_name: () => nearestName(String(valueAt(object, path)), about.names) !== undefined,
    no_param_ref: () => severity === "warning",
    unknown_param_kind: () => true,
    unknown_resource: () => !matchesSomething(object, about),
  };
  return never[code]?.() === true ? { level: "error" } : {};
}

/** Whether a rule of a policy names a resource that exists, or may exist. */
function matchesSomething(object: KubeObject, { resources }: Inputs): boolean {
  const rules = valueAt(object, ["spec", "matchConstraints", "resourceRules"]);
  const served = resources.served();
  return (Array.isArray(rules) ? rules : []).some((rule) => {
    const texts = (field: string): readonly unknown[] => {
      const list = valueAt(rule, [field]);
      return Array.isArray(list) ? list : [];
    };
    const fits = (field: string, text: string): boolean => texts(field).some((item) => item === "*" || item === text);
    return (
      texts("apiGroups").some((group) => String(group).includes(".")) ||
      served.some(
        ({ group, version, resource }) =>
          fits("apiGroups", group) &&
          fits("apiVersions", version) &&
          texts("resources").some((pattern) => ["*", resource].includes(String(pattern).split("/", 1)[0]!)),
      )
    );
  });
}

/** A group that neither Kubernetes nor a definition of the inputs has. */
const isElsewhere = (group: string, { resources }: Inputs): boolean =>
  group.includes(".") && !group.endsWith(".k8s.io") && !resources.served().some((resource) => resource.group === group);

const paramGroup = (object: KubeObject): string => gvkOf(Object(valueAt(object, ["spec", "paramKind"]))).group;

/** The groups of the rule that a path into its resources goes through. */
function ruleGroups(object: KubeObject, path: PolicyFinding["path"]): string[] {
  const groups = valueAt(object, [...path.slice(0, path.lastIndexOf("resources")), "apiGroups"]);
  return Array.isArray(groups) ? groups.map(String) : [];
}

const textAt = ({ object }: Manifest, ...path: readonly (string | number)[]): string =>
  String(valueAt(object, path) ?? "");

/** For a resource that exists in another group or version than the rule's. */
function groupHelp(name: string, groups: readonly string[], served: ReturnType<Resources["served"]>): string {
  const versioned = groups.find((group) => group.includes("/"));
  if (versioned !== undefined) return `apiGroups have no version: write "${versioned.split("/", 1)[0]}"`;
  const own = served.filter(({ resource }) => resource === name);
  const inGroup = own.filter(({ group }) => groups.includes(group));
  const versions = new Set(inGroup.map(({ version }) => `"${version}"`));
  if (versions.size > 0) return `${name} are in apiVersions ${[...versions].join(", ")}`;
  const meant = groups.map((group) => nearestName(group, new Set(own.map((resource) => resource.group)))).find(Boolean);
  if (meant !== undefined) return `did you mean apiGroup "${meant}"?`;
  return `${name} are in apiGroup "${own[0]?.group}"`;
}

/** Names of params that help lists. */
const SHOWN_NAMES = 5;

type Help = (finding: PolicyFinding, manifest: Manifest, about: Inputs) => string | undefined;

const HELP: Readonly<Record<FindingCode, Help>> = {
  dangling_policy_name: (_, manifest, { names }) => {
    const guess = nearestName(textAt(manifest, "spec", "policyName"), names);
    return guess === undefined ? "add the policy to the inputs, or correct the name" : `did you mean "${guess}"?`;
  },
  policy_without_binding: ({ name, kind }, manifest) => {
    const params =
      textAt(manifest, "spec", "paramKind", "kind") === ""
        ? ""
        : ", paramRef: {name: NAME, namespace: NAMESPACE, parameterNotFoundAction: Deny}";
    const actions = kind === "MutatingAdmissionPolicy" ? "" : ", validationActions: [Deny]";
    return `add a binding: {apiVersion: admissionregistration.k8s.io/v1, kind: ${kind}Binding, metadata: {name: ${name}}, spec: {policyName: ${name}${actions}${params}}}`;
  },
  unknown_param_kind: (_, manifest, about) => {
    const { resources } = about;
    const kind = textAt(manifest, "spec", "paramKind", "kind");
    const served = resources.served().find((resource) => resource.kind === kind);
    const meant = meantVersion(resources.served(), gvkOf(Object(valueAt(manifest.object, ["spec", "paramKind"]))));
    if (meant !== undefined) return `did you mean ${meant}?`;
    if (served !== undefined) {
      const { group, version } = served;
      return `${kind} has apiVersion ${group === "" ? version : `${group}/${version}`}`;
    }
    const group = paramGroup(manifest.object);
    const kinds = resources.served().filter((resource) => resource.group === group);
    const guess = nearestName(kind, [...new Set(kinds.map((resource) => resource.kind))]);
    if (guess !== undefined) return `did you mean "${guess}"?`;
    return `add the CustomResourceDefinition of ${kind} (${textAt(manifest, "spec", "paramKind", "apiVersion")}) to the inputs`;
  },
  missing_param: ({ related }, _, { objects }) => {
    const names = objects.filter(({ kind }) => kind === related?.kind).map(nameOf);
    const guess = related && nearestName(related.name, names);
    if (guess !== undefined) return `did you mean "${guess}"?`;
    const known = names.slice(0, SHOWN_NAMES).map((name) => `"${name}"`);
    const given = known.length === 0 ? "" : `; the inputs have ${known.join(", ")}`;
    return `add the params to the inputs, or correct the reference${given}`;
  },
  unused_param_ref: () => "remove paramRef, or give the policy a paramKind",
  no_param_ref: () => "add spec.paramRef with a name or selector and parameterNotFoundAction",
  invalid_param_ref: () => "remove paramRef.namespace",
  binding_never_matches: () => "widen spec.matchResources, or remove it to use the policy's own rules",
  policy_never_matches: () => "correct the rules or selectors so that they match something",
  unknown_resource: ({ path }, manifest, about) => {
    const [name = "", subresource] = textAt(manifest, ...path).split("/", 2);
    const served = about.resources.served();
    const kind = served.find((resource) => resource.kind.toLowerCase() === name.toLowerCase());
    const groups = ruleGroups(manifest.object, path);
    const near = kind?.resource ?? nearestName(name, [...new Set(served.map(({ resource }) => resource))]);
    // In a group that the inputs do not define, a similar name elsewhere proves nothing.
    const isDefined = groups.some((group) => !isElsewhere(group, about));
    const guess = isDefined || near === name ? near : undefined;
    if (guess === name) return groupHelp(name, groups, served);
    const whole = subresource === undefined ? guess : `${guess}/${subresource}`;
    return guess === undefined ? "add its CustomResourceDefinition to the inputs" : `did you mean "${whole}"?`;
  },
  message_is_expression: () => "use messageExpression instead of message",
  ephemeral_containers_not_matched: () =>
    'match pods/ephemeralcontainers too: add "pods/ephemeralcontainers" to resources, with operation UPDATE',
  old_object_read_on_create: () =>
    "write oldObject == null || …, check request.operation first, or drop CREATE from the operations",
  unguarded_key: ({ read }) => guardHelp(read),
  unguarded_field: ({ read }) => guardHelp(read),
  unused_variable: () => "remove it, or use it as variables.NAME",
  not_idempotent: () => "add a match condition that is false once the value is present",
  order_dependent: () => "let only one policy write the field, for example with a match condition",
  object_read_on_delete: () => "use oldObject, check request.operation first, or drop DELETE from the operations",
};

/** Both ways to read a field or key that may be missing, in the words of the expression. */
function guardHelp(read: PolicyFinding["read"]): string {
  const { field = "", key } = read ?? {};
  const element = /^(.*)\[\*\](?=[^*]*$)/.exec(field);
  const path = element === null ? field : `x${field.slice(element[0].length)}`;
  const optional = path.replace(/\.(?=[^.]*$)/, ".?");
  const where = element === null ? "" : `, where x is an element of ${element[1]!.replaceAll("[*]", "[…]")}`;
  // A map of an object may be missing as a whole; that of a variable may not.
  const isWhole = path === optional || path.startsWith("variables.");
  if (key === undefined) return `check it first: has(${path}) && …, or read ${optional}.orValue(…)${where}`;
  return isWhole
    ? `check it first: ${key} in ${path} && …, or read ${path}[?${key}].orValue(…)${where}`
    : `check it first: has(${path}) && ${key} in ${path} && …, or read ${optional}[?${key}].orValue(…)${where}`;
}
