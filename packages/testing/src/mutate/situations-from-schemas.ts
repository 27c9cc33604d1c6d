// Situations made from schemas, guided by the reads of the changed resource: for kinds and fields that a suite's own objects lack.

import { createSchemas, type MatchedTarget, type Schemas, targetsOf } from "@celadon/admission/memory";
import type { ValidatingAdmissionPolicy, ValidatingAdmissionPolicyBinding } from "@celadon/admission/policy";
import { type CompiledBinding, type CompiledPolicy, compileBinding, compilePolicy } from "@celadon/admission/steps";
import { isRecord, type JsonPath, valueAt } from "@celadon/base";
import { type KubeObject, nameOf } from "@celadon/kube";
import type { LabelSelectorObject } from "@celadon/kube/selectors";
import type { SimulatedCluster } from "@celadon/simulator";
import { type Role, roleOf } from "@celadon/simulator/manifests";
import { type Input, inputsOf } from "../fuzz/inputs.ts";
import { interestsOf, ruleInterests } from "../fuzz/interests.ts";
import { policyRecipe, ruleRecipe } from "../fuzz/recipes.ts";
import type { Focus } from "../generate/focus.ts";
import { Random } from "../generate/random.ts";
import type { Clues } from "./neighbours.ts";
import type { Situation } from "./situation.ts";

export interface Source {
  readonly clues: Clues;
  /** Never ends by itself. Empty where nothing can be generated. */
  situations(seed: number): Iterable<Situation>;
}

const KINDS = 8;
/** Large objects are slow, and what tells mutants apart is small. */
const ROOM = 2000;

/** Guidance for finding what tells a changed resource from the original. `path` is where the change is. */
export function sourceFor(
  original: KubeObject,
  changed: KubeObject | undefined,
  path: JsonPath,
  simulated: SimulatedCluster,
): Source {
  const texts = simulated
    .manifests("object")
    .flatMap(({ object }) => textsIn(object))
    .slice(0, 20);
  const schemas = createSchemas({ definitions: simulated.manifests("definition").map(({ object }) => object) });
  const role: Role = roleOf(original);
  if (role === "definition") return definitionSource(original, changed, path, texts, simulated);
  const parts = policiesFor(original, role, simulated);
  if (parts.length === 0) return { clues: { texts, namespaceLabels: [], asksAuthorizer: false }, situations: () => [] };
  return policySource(parts, texts, schemas, simulated);
}

interface Bound {
  readonly policy: CompiledPolicy;
  readonly bindings: readonly CompiledBinding[];
}

/** Webhooks match as policies do, so that one can stand for the other. */
function policiesFor(object: KubeObject, role: Role, simulated: SimulatedCluster): readonly Bound[] {
  const named = (name: unknown): readonly Bound[] =>
    simulated.policies.entries().filter(({ policy }) => policy.name === name);
  if (role === "policy") return named(nameOf(object));
  if (role === "binding") return named((object.spec as { policyName?: unknown } | undefined)?.policyName);
  if (role !== "webhooks" || !Array.isArray(object.webhooks)) return [];
  return (object.webhooks as readonly Readonly<Record<string, unknown>>[]).map((webhook) => {
    const { rules, namespaceSelector, objectSelector, matchConditions } = webhook;
    const matchConstraints = { resourceRules: rules, namespaceSelector, objectSelector };
    const apiVersion = "admissionregistration.k8s.io/v1";
    const spec = { matchConstraints, matchConditions, validations: [{ expression: "true" }] };
    const policy = { apiVersion, kind: "ValidatingAdmissionPolicy", metadata: { name: "a" }, spec };
    const bound = { policyName: "a", validationActions: ["Deny"] };
    const binding = { apiVersion, kind: "ValidatingAdmissionPolicyBinding", metadata: { name: "a" }, spec: bound };
    return {
      policy: compilePolicy(policy as ValidatingAdmissionPolicy),
      bindings: [compileBinding(binding as ValidatingAdmissionPolicyBinding)],
    };
  });
}

function policySource(
  parts: readonly Bound[],
  texts: readonly string[],
  schemas: Schemas,
  simulated: SimulatedCluster,
): Source {
  const [{ policy, bindings }] = parts as [Bound];
  const params = simulated.manifests("object").map(({ object }) => object);
  const interests = interestsOf(policy, params);
  const matches = [policy.policy.spec.matchConstraints, ...bindings.map(({ binding }) => binding.spec.matchResources)];
  const labels = interests.object.child("metadata").child("labels");
  for (const [key, values] of labelsOf(matches.map((match) => match?.objectSelector))) {
    for (const value of values) labels.child(key).texts.add(value);
  }
  const namespaceLabels = [...labelsOf(matches.map((match) => match?.namespaceSelector)).keys()];
  const expressions = parts.flatMap((part) => [
    ...part.policy.conditions,
    ...part.policy.validations,
    ...part.policy.variables.expressions,
  ]);
  return {
    clues: {
      object: interests.object,
      request: interests.request,
      texts,
      namespaceLabels,
      asksAuthorizer: expressions.some(({ text }) => /\bauthorizer\b/.test(text)),
    },
    *situations(seed) {
      const queues = parts.flatMap(({ policy: compiledPolicy, bindings: bound }) =>
        targetsOf(compiledPolicy.policy, schemas, KINDS).targets.map((target) => {
          const options = { bindings: bound, params, serverDefaults: true };
          const recipe = { ...policyRecipe(compiledPolicy, target, interests, schemas, options), room: ROOM };
          const given = recipe.params?.given !== undefined;
          const inputs = inputsOf(recipe, new Random(seed));
          return (): Situation => situationOf(inputs.next().value, target, given ? undefined : bound[0]);
        }),
      );
      while (queues.length > 0) for (const next of queues) yield next();
    },
  };
}

function situationOf(input: Input, { subresource }: MatchedTarget, binding: CompiledBinding | undefined): Situation {
  const { operation, object, oldObject, params, namespaceObject, request } = input;
  const user = request?.userInfo as Situation["user"];
  const named = binding && params && paramsFor(binding, params as KubeObject);
  const resources = [...(namespaceObject ? [namespaceObject as KubeObject] : []), ...(named ? [named] : [])];
  const authorized = request?.authorized;
  const subject = operation === "DELETE" ? oldObject : object;
  return {
    operation,
    ...(subject && { object: subject as KubeObject }),
    ...(operation === "UPDATE" && oldObject && { oldObject: oldObject as KubeObject }),
    ...(user && { user }),
    ...(resources.length > 0 && { resources }),
    ...(typeof authorized === "boolean" && { authorizer: [{ decision: authorized ? "allow" : "noOpinion" }] }),
    ...(subresource !== "" && { subresource }),
  };
}

/** Params with the name that a binding refers to. */
function paramsFor({ binding }: CompiledBinding, params: KubeObject): KubeObject {
  const { name = "a", namespace = "default" } = binding.spec.paramRef ?? {};
  return { ...params, metadata: { ...params.metadata, name, namespace } };
}

function labelsOf(selectors: readonly (LabelSelectorObject | undefined)[]): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, readonly string[]>();
  for (const { matchLabels, matchExpressions } of selectors.flatMap((selector) => selector ?? [])) {
    for (const [key, value] of Object.entries(matchLabels ?? {})) found.set(key, [value]);
    for (const { key, values } of matchExpressions ?? [])
      found.set(key, [...(found.get(key) ?? []), ...(values ?? [])]);
  }
  return found;
}

/** Objects of the original's schema, and of the changed one's: the search is for one that only one of them allows. */
function definitionSource(
  original: KubeObject,
  changed: KubeObject | undefined,
  path: JsonPath,
  texts: readonly string[],
  simulated: SimulatedCluster,
): Source {
  const { group, names } = original.spec as { group?: string; names?: { kind?: string } };
  const type = simulated.typeOf(group ?? "", names?.kind ?? "");
  const version = type?.version(versionAt(original, path));
  const focus = ruleInterests(version?.rules);
  focusAt(focus, path, valueAt(original, path));
  const clues: Clues = { object: focus, texts, namespaceLabels: [], asksAuthorizer: false };
  if (type === undefined || version === undefined) return { clues, situations: () => [] };
  const kind = { group: type.group, version: version.name, kind: type.kind };
  const recipes = [original, changed ?? original].flatMap((definition) => {
    const schema = createSchemas({ definitions: [definition] }).schema(kind);
    if (schema === undefined) return [];
    const target: MatchedTarget = {
      kind,
      resource: { group: type.group, version: version.name, resource: type.plural },
      subresource: "",
      namespaced: type.namespaced,
      schema,
      hasStatus: version.hasStatus,
      operations: ["CREATE", "UPDATE"],
      name: "a",
    };
    return [{ target, recipe: { ...ruleRecipe(target, focus), room: ROOM } }];
  });
  return {
    clues,
    *situations(seed) {
      const queues = recipes.map(({ target, recipe }) => ({ target, inputs: inputsOf(recipe, new Random(seed)) }));
      while (queues.length > 0) {
        for (const { target, inputs } of queues) yield situationOf(inputs.next().value, target, undefined);
      }
    },
  };
}

function versionAt({ spec }: KubeObject, [, , index]: JsonPath): string {
  const { versions } = spec as { versions?: readonly { name?: string }[] };
  return versions?.[Number(index)]?.name ?? "";
}

/** The field whose schema stands at a path of a definition. */
function focusAt(root: Focus, path: JsonPath, value: unknown): void {
  const steps = path.slice(path.indexOf("openAPIV3Schema") + 1);
  let focus = root;
  for (let i = 0; i < steps.length; i++) {
    if (steps[i] === "properties") focus = focus.child(String(steps[++i]));
    else if (steps[i] === "items" || steps[i] === "additionalProperties") focus = focus.items;
    else break;
  }
  const required = path.includes("required") ? [value].flat() : [];
  for (const name of required) focus.child(String(name));
}

function textsIn(value: unknown, depth = 0): readonly string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null || depth > 6) return [];
  const members = isRecord(value) ? Object.entries(value).filter(([key]) => !NAMES.has(key)) : Object.entries(value);
  return members.flatMap(([, item]) => textsIn(item, depth + 1));
}

const NAMES = new Set(["apiVersion", "kind", "metadata"]);
