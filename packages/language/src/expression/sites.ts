// The places of expressions, and the names that each may use. One answer for every system: policies that validate or mutate, webhooks, CRD
// rules, certificate policies, files of an API server. An object may be broken or half written: absent parts are merely unknown.

import type { Schemas } from "@celadon/admission/memory";
import { isRecord, type JsonPath, memberOf, valueAt } from "@celadon/base";
import { BOOL, DYN, type Env, listOf, optionalOf, STRING, struct, type Type } from "@celadon/cel";
import type { TypeProvider } from "@celadon/cel/types";
import { RULE_ENVIRONMENT } from "@celadon/certpolicy";
import { gvkOf, type KubeObject, parseGroupVersion } from "@celadon/kube";
import { Invalid } from "@celadon/kube/errors";
import { readSchema } from "@celadon/kube/schemas";
import {
  admissionTypes,
  admissionVariables,
  declaredType,
  JSON_PATCH,
  kubeEnv,
  mutationTypes,
  OBJECT,
} from "@celadon/kube-cel";
import { authenticationEnvironment, authorizationEnvironment, CONFIGURATION_GROUP } from "@celadon/kube-cel/access";
import { jsonPatchLibrary } from "@celadon/kube-cel/library";
import { matchedKinds } from "./matched-kinds.ts";
import { type Declared, declareSchema, joinProviders, type View } from "./view.ts";
import { assumedTypes } from "./written-types.ts";

/** The system an expression belongs to. */
export type SiteSystem =
  | "policy"
  | "mutation"
  | "webhook"
  | "definition"
  | "certificate"
  | "claims"
  | "user"
  | "authorization";

/** An expression in a resource. */
export interface Site {
  readonly system: SiteSystem;
  readonly object: KubeObject;
  readonly path: JsonPath;
  /** The types that the expression may have; any of them. Empty for anything. */
  readonly wanted: readonly Type[];
  /** One for each kind of object it may meet; at least one. */
  readonly views: readonly View[];
}

const POLICY_FIELDS: Readonly<Record<string, readonly Type[]>> = {
  matchConditions: [BOOL],
  variables: [],
  validations: [BOOL],
  auditAnnotations: [STRING],
  mutations: [],
};

/** The systems a place in an object belongs to, by its path alone; undefined where no expression stands. */
export function siteSystem(object: object, path: JsonPath): SiteSystem | undefined {
  const { group, kind } = gvkOf(object);
  const last = path.at(-1);
  if (group === "admissionregistration.k8s.io") {
    if (kind === "ValidatingAdmissionPolicy" || kind === "MutatingAdmissionPolicy") {
      if (path[0] !== "spec" || typeof path[2] !== "number" || !Object.hasOwn(POLICY_FIELDS, String(path[1])))
        return undefined;
      const isExpression = last === "expression" || last === "messageExpression" || last === "valueExpression";
      if (!isExpression) return undefined;
      return kind === "MutatingAdmissionPolicy" ? "mutation" : "policy";
    }
    const isCondition = path[0] === "webhooks" && path[2] === "matchConditions" && last === "expression";
    return isCondition && kind.endsWith("WebhookConfiguration") ? "webhook" : undefined;
  }
  if (group === "apiextensions.k8s.io" && kind === "CustomResourceDefinition") {
    const isRule = path.includes("x-kubernetes-validations") && (last === "rule" || last === "messageExpression");
    return isRule ? "definition" : undefined;
  }
  if (group === "policy.cert-manager.io" && kind === "CertificateRequestPolicy") {
    return path[1] === "allowed" && path.includes("validations") && last === "rule" ? "certificate" : undefined;
  }
  return group === CONFIGURATION_GROUP ? configurationSystem(kind, path) : undefined;
}

/** Files of an API server's configuration. */
function configurationSystem(kind: string, path: JsonPath): SiteSystem | undefined {
  const last = path.at(-1);
  if (kind === "AuthorizationConfiguration") {
    return path.includes("matchConditions") && last === "expression" ? "authorization" : undefined;
  }
  if (kind !== "AuthenticationConfiguration" || path[0] !== "jwt") return undefined;
  if (last !== "expression" && last !== "valueExpression") return undefined;
  return path[2] === "userValidationRules" ? "user" : "claims";
}

/** Makes sites against one set of schemas, and caches their common parts. */
export class Sites {
  readonly schemas: Schemas;
  readonly #base: Env = kubeEnv({ mode: "storedExpressions" });
  readonly #patchBase: Env = kubeEnv({ mode: "storedExpressions", engine: { libraries: [jsonPatchLibrary] } });
  readonly #declared = new Map<string, Declared>();
  readonly #policyViews = new WeakMap<object, Map<string, readonly View[]>>();

  constructor(schemas: Schemas) {
    this.schemas = schemas;
  }

  at(object: KubeObject, path: JsonPath): Site | undefined {
    const system = siteSystem(object, path);
    if (system === undefined) return undefined;
    const site = { system, object, path };
    switch (system) {
      case "policy":
      case "mutation":
        return { ...site, wanted: policyResult(object, path), views: this.#ofPolicy(object, path) };
      case "webhook":
        return { ...site, wanted: [BOOL], views: this.#ofWebhook(object, path) };
      case "definition":
        return { ...site, wanted: [path.at(-1) === "rule" ? BOOL : STRING], views: [this.#ofRule(object, path)] };
      case "certificate":
        return { ...site, wanted: [BOOL], views: [{ env: RULE_ENVIRONMENT, roots: new Map() }] };
      case "claims":
      case "user": {
        const isRule = path[2] === "userValidationRules" || path[2] === "claimValidationRules";
        const env = authenticationEnvironment(system);
        return { ...site, wanted: isRule ? [BOOL] : [], views: [{ env, roots: new Map() }] };
      }
      case "authorization":
        return { ...site, wanted: [BOOL], views: [{ env: authorizationEnvironment(), roots: new Map() }] };
    }
  }

  #ofPolicy(object: KubeObject, path: JsonPath): readonly View[] {
    const [, list, index] = path;
    const isMutation = list === "mutations";
    // Only the variables before it; match conditions come before all.
    const count = list === "variables" ? Number(index) : list === "matchConditions" ? 0 : Number.POSITIVE_INFINITY;
    const variables = memberOf(object.spec, "variables");
    const before = Array.isArray(variables) ? variables.slice(0, count) : [];
    const key = `${isMutation} ${list === "matchConditions"} ${before.length}`;
    let known = this.#policyViews.get(object);
    if (known === undefined) this.#policyViews.set(object, (known = new Map()));
    let views = known.get(key);
    if (views === undefined) {
      views = this.#policyBase(object, isMutation).flatMap((view) =>
        list === "matchConditions" ? [view] : withVariables(view, before),
      );
      known.set(key, views);
    }
    return views;
  }

  /** Without variables. */
  #policyBase(object: KubeObject, isMutation: boolean): readonly View[] {
    const constraints = memberOf(object.spec, "matchConstraints");
    const kinds = matchedKinds(memberOf(constraints, "resourceRules"), this.schemas);
    const params = this.#params(memberOf(object.spec, "paramKind"));
    return this.#admissionViews(kinds, params, isMutation);
  }

  #ofWebhook(object: KubeObject, path: JsonPath): readonly View[] {
    const rules = valueAt(object, [...path.slice(0, 2), "rules"]);
    return this.#admissionViews(matchedKinds(rules, this.schemas), undefined, false);
  }

  #admissionViews(
    kinds: ReturnType<typeof matchedKinds>,
    params: Declared | undefined,
    patches: boolean,
  ): readonly View[] {
    const make = (kind?: (typeof kinds)[number]): View => {
      const object = kind === undefined ? UNKNOWN : this.#kind(kind, `${kind.kind}Type`);
      const provider = joinProviders([
        patches ? patchTypes(object) : undefined,
        admissionTypes,
        object.provider,
        params?.provider,
      ]);
      const env = (patches ? this.#patchBase : this.#base).extend({
        provider,
        variables: {
          ...admissionVariables({ params: params !== undefined, authorizer: true }),
          object: object.type,
          oldObject: object.type,
          ...(params && { params: params.type }),
        },
      });
      return { env, ...(kind && { kind }), roots: new Map([...object.root, ...(params?.root ?? [])]) };
    };
    return kinds.length === 0 ? [make()] : kinds.map(make);
  }

  #params(paramKind: unknown): Declared | undefined {
    if (!isRecord(paramKind)) return undefined;
    const gv = parseGroupVersion(String(memberOf(paramKind, "apiVersion") ?? ""));
    const kind = String(memberOf(paramKind, "kind") ?? "");
    return gv instanceof Invalid ? UNKNOWN : this.#kind({ ...gv, kind }, `${kind}ParamsType`);
  }

  #kind(kind: { readonly group: string; readonly version: string; readonly kind: string }, name: string): Declared {
    const key = `${kind.group}/${kind.version}/${kind.kind} ${name}`;
    let declared = this.#declared.get(key);
    if (declared === undefined) {
      declared = declareSchema(this.schemas.schema(kind), name, true);
      this.#declared.set(key, declared);
    }
    return declared;
  }

  #ofRule(object: KubeObject, path: JsonPath): View {
    const rules = path.lastIndexOf("x-kubernetes-validations");
    const node = path.slice(0, rules);
    const rule = valueAt(object, path.slice(0, rules + 2));
    const self = declareSchema(readSchema(valueAt(object, node)), SELF_TYPE, path[rules - 1] === "openAPIV3Schema");
    const old = memberOf(rule, "optionalOldSelf") === true ? optionalOf(self.type) : self.type;
    const provider = joinProviders([self.provider]);
    return {
      env: this.#base.extend({ provider, variables: { self: self.type, oldSelf: old } }),
      roots: new Map(self.root),
    };
  }
}

/** Not `self`: a type's name is looked up before a field's. */
const SELF_TYPE = "selfType";

const UNKNOWN: Declared = { type: DYN, provider: undefined, root: [] };

/** `Object.spec.template` has the fields of the object there. */
function patchTypes(object: Declared): TypeProvider {
  const root = object.type.name;
  return {
    ...mutationTypes,
    findStruct(name) {
      const made = mutationTypes.findStruct(name);
      if (made === undefined || !name.startsWith("Object")) return made;
      const like = object.provider?.findStruct(root + name.slice("Object".length));
      return like === undefined ? made : { ...made, fieldNames: () => like.fieldNames() };
    },
  };
}

/** Types that one variable may have are checked apart, up to this many. */
const MOST_TYPES = 3;

function withVariables(view: View, variables: readonly unknown[]): readonly View[] {
  let several = 1;
  const views: View[] = [];
  for (let nth = 0; nth < several; nth++) {
    const types: Record<string, Type> = {};
    let env = extended(view.env, types);
    for (const variable of variables) {
      const [name, expression] = [memberOf(variable, "name"), memberOf(variable, "expression")];
      if (typeof name !== "string" || name === "") continue;
      const found = typeof expression === "string" ? assumedTypes(expression, env) : [DYN];
      several = Math.min(MOST_TYPES, Math.max(several, found.length));
      types[name] = found[nth] ?? found[0]!;
      env = extended(view.env, types);
    }
    views.push({ ...view, env });
  }
  return views;
}

/** Unlike the API server's, these variables keep the types of their values. */
function extended(env: Env, types: Readonly<Record<string, Type>>): Env {
  const declared = declaredType("kubernetes.variables", types);
  return env.extend({
    variables: { variables: struct("kubernetes.variables") },
    provider: {
      findStruct: (name) => (name === "kubernetes.variables" ? declared : undefined),
      findIdent: () => undefined,
      hasPrefix: (first) => first === "kubernetes",
    },
  });
}

function policyResult(object: KubeObject, path: JsonPath): readonly Type[] {
  const [, list, index] = path;
  if (path.at(-1) === "messageExpression") return [STRING];
  if (list !== "mutations") return POLICY_FIELDS[String(list)] ?? [];
  const patchType = valueAt(object, ["spec", "mutations", index as number, "patchType"]);
  return path.at(-2) === "jsonPatch" || patchType === "JSONPatch" ? [listOf(JSON_PATCH)] : [OBJECT];
}
