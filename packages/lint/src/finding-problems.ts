// What can be found in policies and bindings together, with what to do about each. Where the inputs cannot be everything (policies
// without any binding, bindings without any policy, params of kinds that no input describes), it is a note.

import type { Resources } from "@celadon/admission/memory";
import { type Finding, type FindingCode, findProblems } from "@celadon/admission/resources";
import { nearestName, valueAt } from "@celadon/base";
import { gvkOf, type KubeObject, nameOf } from "@celadon/kube";
import type { AcceptedSetUp, Manifest, World } from "@celadon/simulator";
import type { LintLevel } from "./codes.ts";
import { type LintProblem, problem } from "./problem.ts";

export interface PolicyManifests {
  readonly policies: readonly (readonly [Manifest, AcceptedSetUp & { readonly role: "policy" }])[];
  readonly bindings: readonly (readonly [Manifest, AcceptedSetUp & { readonly role: "binding" }])[];
}

export async function findingProblems({ policies, bindings }: PolicyManifests, world: World): Promise<LintProblem[]> {
  const { resources, hosts } = world;
  const known = new Set(resources.served().map(({ group, version, resource }) => `${group}/${version}/${resource}`));
  const set = {
    policies: policies.flatMap(([, { resource }]) => resource ?? []),
    bindings: bindings.flatMap(([, { resource }]) => resource ?? []),
  };
  const found = await findProblems(set, {
    params: hosts.params,
    hasResource: ({ group, version, resource }) => known.has(`${group}/${version}/${resource}`),
  });
  const byName = new Map([...policies, ...bindings].map(([manifest]) => [keyOf(manifest.object), manifest]));
  const about: Inputs = {
    names: set.policies.map(nameOf),
    bound: set.bindings.length > 0,
    objects: world.manifests().map(({ object }) => object),
    resources,
  };
  return found.flatMap((finding) => {
    const manifest = byName.get(`${finding.kind} ${finding.name}`);
    const related = finding.related && byName.get(`${finding.related.kind} ${finding.related.name}`);
    // A policy that cannot be read is there all the same.
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

const keyOf = (object: KubeObject): string => `${String(object.kind)} ${nameOf(object)}`;

interface Inputs {
  /** Of policies. */
  readonly names: readonly string[];
  readonly bound: boolean;
  readonly objects: readonly KubeObject[];
  readonly resources: Resources;
}

/** A note where the rest may be elsewhere; else as the code says, or the engine where it knows better. */
function levelOf({ code, related, path }: Finding, { object }: Manifest, about: Inputs): { level?: LintLevel } {
  const elsewhere: Partial<Record<FindingCode, () => boolean>> = {
    policy_without_binding: () => !about.bound,
    dangling_policy_name: () => about.names.length === 0,
    missing_param: () => !about.objects.some(({ kind }) => kind === related?.kind),
    unknown_param_kind: () => isElsewhere(paramGroup(object), about),
    // Definitions have dots in their groups: what "" or apps does not have, nothing adds.
    unknown_resource: () => ruleGroups(object, path).some((group) => group.includes(".")),
  };
  return elsewhere[code]?.() === true ? { level: "note" } : {};
}

/** A group that neither Kubernetes nor a definition of the inputs has. */
const isElsewhere = (group: string, { resources }: Inputs): boolean =>
  group.includes(".") && !group.endsWith(".k8s.io") && !resources.served().some((one) => one.group === group);

const paramGroup = (object: KubeObject): string => gvkOf(Object(valueAt(object, ["spec", "paramKind"]))).group;

/** The groups of the rule that a path into its resources goes through. */
function ruleGroups(object: KubeObject, path: Finding["path"]): string[] {
  const groups = valueAt(object, [...path.slice(0, path.lastIndexOf("resources")), "apiGroups"]);
  return Array.isArray(groups) ? groups.map(String) : [];
}

const textAt = ({ object }: Manifest, ...path: readonly (string | number)[]): string =>
  String(valueAt(object, path) ?? "");

type Help = (finding: Finding, manifest: Manifest, about: Inputs) => string | undefined;

const HELP: Readonly<Record<FindingCode, Help>> = {
  dangling_policy_name: (_, manifest, { names }) => {
    const guess = nearestName(textAt(manifest, "spec", "policyName"), names);
    return guess === undefined ? "add the policy to the inputs, or correct the name" : `did you mean "${guess}"?`;
  },
  policy_without_binding: ({ name }, manifest) => {
    const params =
      textAt(manifest, "spec", "paramKind", "kind") === ""
        ? ""
        : ", paramRef: {name: NAME, namespace: NAMESPACE, parameterNotFoundAction: Deny}";
    return `add a binding: {apiVersion: admissionregistration.k8s.io/v1, kind: ValidatingAdmissionPolicyBinding, metadata: {name: ${name}}, spec: {policyName: ${name}, validationActions: [Deny]${params}}}`;
  },
  unknown_param_kind: (_, manifest, { resources }) => {
    const kinds = [...new Set(resources.served().map(({ kind }) => kind))];
    const kind = textAt(manifest, "spec", "paramKind", "kind");
    const served = resources.served().find((one) => one.kind === kind);
    if (served !== undefined) {
      const { group, version } = served;
      return `${kind} is of apiVersion ${group === "" ? version : `${group}/${version}`}`;
    }
    const guess = nearestName(kind, kinds);
    return guess === undefined ? "add its CustomResourceDefinition to the inputs" : `did you mean "${guess}"?`;
  },
  missing_param: ({ related }, _, { objects }) => {
    const names = objects.filter(({ kind }) => kind === related?.kind).map(nameOf);
    const guess = related && nearestName(related.name, names);
    return guess === undefined ? "add the params to the inputs, or correct the reference" : `did you mean "${guess}"?`;
  },
  unused_param_ref: () => "remove paramRef, or give the policy a paramKind",
  no_param_ref: () => "add spec.paramRef with a name or selector and parameterNotFoundAction",
  invalid_param_ref: () => "remove paramRef.namespace",
  binding_never_matches: () => "widen spec.matchResources, or remove it: the policy's own rules are enough",
  policy_never_matches: () => "correct the rules or selectors: nothing is left to match",
  unknown_resource: ({ path }, manifest, { resources }) => {
    const [name = "", subresource] = textAt(manifest, ...path).split("/", 2);
    const served = resources.served();
    const kind = served.find((one) => one.kind.toLowerCase() === name.toLowerCase());
    const guess = kind?.resource ?? nearestName(name, [...new Set(served.map(({ resource }) => resource))]);
    if (guess === name) return "correct apiGroups or apiVersions, or add its CustomResourceDefinition to the inputs";
    const whole = subresource === undefined ? guess : `${guess}/${subresource}`;
    return guess === undefined ? "add its CustomResourceDefinition to the inputs" : `did you mean "${whole}"?`;
  },
  message_is_expression: () => "use messageExpression in place of message",
  ephemeral_containers_not_matched: () =>
    'match pods/ephemeralcontainers too: add "pods/ephemeralcontainers" to resources, with operation UPDATE',
  object_read_on_delete: () => "use oldObject on DELETE, or drop DELETE from the operations",
};
