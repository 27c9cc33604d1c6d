// A cluster made from manifests. Immutable: `with` makes another that shares all compiled parts that did not change. Parts are
// compiled on first use, so that a simulated cluster of many objects and one policy costs no more than the policy.

import {
  type AdmissionRequest,
  createPolicySet,
  type Maybe,
  type PolicyChange,
  type PolicyResource,
  type PolicySet,
} from "@celadon/admission";
import {
  type AuthorizerOverride,
  createConverter,
  createNamespaceSource,
  createRbacAuthorizer,
  createResources,
  type Resources,
} from "@celadon/admission/memory";
import {
  createMutatingPolicySet,
  type MutatingPolicyResource,
  type MutatingPolicySet,
} from "@celadon/admission/mutating";
import type { Gates } from "@celadon/admission/proposals";
import { PolicyCompiler } from "@celadon/admission/steps";
import { type WebhookConfiguration, WebhookSet, type WebhookTransport } from "@celadon/admission/webhook";
import { compareStrings, memberOf } from "@celadon/base";
import { type CertificateRequestPolicy, Reviewer } from "@celadon/certpolicy";
import { type CustomResourceDefinition, CustomResourceType } from "@celadon/crd";
import { type GroupVersionKind, gvkOf, type KubeObject, nameOf, namespaceOf } from "@celadon/kube";
import type { Status } from "@celadon/kube/status";
import { builtinResource } from "@celadon/write";
import { asManifest, type Manifest } from "../manifest/manifest.ts";
import { type Role, roleOf } from "../manifest/roles.ts";
import { mutationHosts } from "../mutation/mutation-hosts.ts";
import type { Outcome } from "../outcome/outcome.ts";
import { asObject, type IntendedRequest } from "../request/intended-request.ts";
import { type ReviewOptions, review, reviewRequest } from "../review/review.ts";
import type { ClusterHosts, ReviewHost, ServerBehaviour } from "../review-host.ts";
import { unknownFieldFindings } from "../stages/stage.ts";
import { storedBuiltin } from "../stages/stored.ts";
import { unservedKind } from "../stages/unserved-kind.ts";
import { EVERYBODY_MAY, Strategies } from "../strategies.ts";
import { paramSource } from "./param-source.ts";
import { type AcceptedSetUp, acceptSetUp } from "./set-up.ts";

/** The behaviour of a simulated cluster's API server, and its assumptions. */
export interface SimulatedClusterOptions extends ServerBehaviour {
  /** Answers that take precedence over RBAC. */
  readonly authorizer?: readonly AuthorizerOverride[];
  /** Ideas of the proposals that are on. */
  readonly gates?: Gates;
  /** Answers for webhooks. Without it none is called, and the effect of a mutating one is unknown. */
  readonly webhooks?: WebhookTransport;
}

/** The difference of a simulated cluster from another. */
export interface SimulatedClusterChange {
  /** Added, or replacing the object of the same group, kind, namespace and name. */
  readonly put?: Iterable<Manifest | KubeObject>;
  readonly remove?: Iterable<KubeObject>;
  readonly options?: SimulatedClusterOptions;
}

type ByRole = ReadonlyMap<Role, ReadonlyMap<string, Manifest>>;

/** Manifests as a cluster. Immutable: `with` makes another that shares unchanged parts. */
export class SimulatedCluster implements ReviewHost {
  readonly options: SimulatedClusterOptions;
  readonly #byRole: ByRole;
  readonly #accepted: WeakMap<KubeObject, AcceptedSetUp>;
  readonly #reviewer: Reviewer;
  readonly #compiler: PolicyCompiler;
  readonly #cells: Cells;
  readonly #shownParams = new WeakMap<KubeObject, KubeObject>();

  private constructor(byRole: ByRole, options: SimulatedClusterOptions, shared: Shared) {
    this.#byRole = byRole;
    this.options = options;
    this.#accepted = shared.accepted;
    this.#reviewer = shared.reviewer;
    this.#compiler = shared.compiler;
    this.#cells = shared.cells;
  }

  /** A simulated cluster of manifests, or of plain objects, which have no places. */
  static of(manifests: Iterable<Manifest | KubeObject>, options: SimulatedClusterOptions = {}): SimulatedCluster {
    const shared = {
      accepted: new WeakMap(),
      reviewer: new Reviewer(),
      compiler: new PolicyCompiler(),
      cells: newCells(),
    };
    return new SimulatedCluster(new Map(), options, shared).with({ put: manifests });
  }

  with({ put = [], remove = [], options = this.options }: SimulatedClusterChange): SimulatedCluster {
    const byRole = new Map<Role, Map<string, Manifest>>();
    const roleToChange = (role: Role): Map<string, Manifest> => {
      let objects = byRole.get(role);
      if (objects === undefined) byRole.set(role, (objects = new Map(this.#byRole.get(role))));
      return objects;
    };
    for (const object of remove) roleToChange(roleOf(object)).delete(identityOf(object));
    for (const item of put) {
      const given = asManifest(item);
      const object = asObject(given.object);
      const manifest = object === given.object ? given : { ...given, object };
      roleToChange(roleOf(object)).set(identityOf(object), manifest);
    }
    const keeps = (...roles: Role[]): boolean => roles.every((role) => !byRole.has(role));
    const old = this.#cells;
    const cells = newCells();
    const sameServer = this.options.gates === options.gates && this.options.kubeVersion === options.kubeVersion;
    if (keeps("policy", "binding") && sameServer) cells.policies = old.policies;
    else if (sameServer) cells.policies = new Cell(old.policies);
    if (keeps("mutatingPolicy", "mutatingBinding") && sameServer) cells.mutatingPolicies = old.mutatingPolicies;
    if (keeps("definition") && sameServer) Object.assign(cells, { resources: old.resources, types: old.types });
    if (keeps("webhooks") && sameServer) cells.webhooks = old.webhooks;
    if (keeps("certificatePolicy")) cells.certificatePolicies = old.certificatePolicies;
    const all = new Map<Role, ReadonlyMap<string, Manifest>>([...this.#byRole, ...byRole]);
    const accepted = sameServer ? this.#accepted : new WeakMap();
    return new SimulatedCluster(all, options, { accepted, reviewer: this.#reviewer, compiler: this.#compiler, cells });
  }

  manifests(...roles: readonly Role[]): readonly Manifest[] {
    const wanted = roles.length === 0 ? [...this.#byRole.keys()] : roles;
    return wanted.flatMap((role) => [...(this.#byRole.get(role)?.values() ?? [])]);
  }

  /** The API server's answer to a new resource of the set-up; undefined for other objects. */
  accepted(object: KubeObject): AcceptedSetUp | undefined {
    const known = this.#accepted.get(object);
    if (known !== undefined) return known;
    const accepted = this.#accept(object);
    if (accepted !== undefined) this.#accepted.set(object, accepted);
    return accepted;
  }

  #accept(object: KubeObject): AcceptedSetUp | undefined {
    const { gates, kubeVersion } = this.options;
    const { rules } = this.#reviewer;
    const accepted = acceptSetUp(object, { gates, kubeVersion, rules, compiler: this.#compiler });
    const unserved = accepted && unservedKind(this, gvkOf(object))?.status;
    if (accepted === undefined || unserved === undefined) return accepted;
    // A resource of a version that is not served is not in force.
    return { role: accepted.role, status: unserved, errors: [], unknownFields: [], warnings: [] } as AcceptedSetUp;
  }

  /** The Status with which the API server rejects a resource of the set-up: errors, or unknown fields where those are rejected. */
  rejection(object: KubeObject): Status | undefined {
    const accepted = this.accepted(object);
    return accepted && (accepted.status ?? unknownFieldFindings(this, object, accepted.unknownFields).status);
  }

  /** A resource of the set-up as it is stored, if the API server accepts it. */
  inForce(object: KubeObject): AcceptedSetUp["resource"] {
    return this.rejection(object) === undefined ? this.accepted(object)?.resource : undefined;
  }

  #inForce<T>(...roles: readonly Role[]): readonly T[] {
    return this.manifests(...roles).flatMap(({ object }) => {
      const resource = this.inForce(object);
      return resource === undefined ? [] : [resource as T];
    });
  }

  /** Policies and bindings in force. */
  get policies(): PolicySet {
    const { gates, kubeVersion } = this.options;
    return this.#cells.policies.get((before) => {
      const resources = this.#inForce<PolicyResource>("policy", "binding");
      // With gates on, more than a name may tell bindings apart.
      const changed = before && gates === undefined ? changeOf(before.resources, resources) : undefined;
      const options = { ...(gates && { gates }), ...(kubeVersion && { kubeVersion }), compiler: this.#compiler };
      const set = changed === undefined ? createPolicySet(resources, options) : before!.set.with(changed);
      return { resources, set };
    }).set;
  }

  /** Mutating policies and their bindings in force. */
  get mutatingPolicies(): MutatingPolicySet {
    const { gates, kubeVersion } = this.options;
    return this.#cells.mutatingPolicies.get(() =>
      createMutatingPolicySet(this.#inForce<MutatingPolicyResource>("mutatingPolicy", "mutatingBinding"), {
        ...(gates && { gates }),
        ...(kubeVersion && { kubeVersion }),
        compiler: this.#compiler,
      }),
    );
  }

  get webhooks(): WebhookSet {
    return this.#cells.webhooks.get(() =>
      WebhookSet.of(this.#inForce<WebhookConfiguration>("webhooks"), this.options.kubeVersion, this.#compiler),
    );
  }

  /** In the order of their names, as a controller lists them; ready, as a controller would have made them. */
  get certificatePolicies(): readonly CertificateRequestPolicy[] {
    return this.#cells.certificatePolicies.get(() =>
      this.#inForce<CertificateRequestPolicy>("certificatePolicy")
        .map(withReady)
        .sort((a, b) => compareStrings(a.metadata?.name ?? "", b.metadata?.name ?? "")),
    );
  }

  get reviewer(): Reviewer {
    return this.#reviewer;
  }

  get resources(): Resources {
    return this.#cells.resources.get(() =>
      createResources({ definitions: this.#inForce<KubeObject>("definition"), more: CERT_MANAGER }),
    );
  }

  /** The type of a custom resource; undefined when no definition in force has it. */
  typeOf(group: string, kind: string): CustomResourceType | undefined {
    return this.types.get(`${group}/${kind}`);
  }

  /** Custom resources in force, by `group/kind`. */
  get types(): ReadonlyMap<string, CustomResourceType> {
    return this.#cells.types.get(() => {
      const { kubeVersion } = this.options;
      const rules = kubeVersion === undefined ? {} : { kubeVersion };
      const types = this.#inForce<CustomResourceDefinition>("definition").map(
        (definition) => new CustomResourceType(definition, { rules }),
      );
      return new Map(types.map((type) => [`${type.group}/${type.kind}`, type]));
    });
  }

  /** The name of a definition of the kind that is not in force. */
  rejectedDefinition({ group, kind }: GroupVersionKind): string | undefined {
    const defining = this.manifests("definition").find(({ object }) => {
      const names = memberOf(object.spec, "names");
      return memberOf(object.spec, "group") === group && memberOf(names, "kind") === kind;
    });
    const isRejected = defining !== undefined && this.rejection(defining.object) !== undefined;
    return isRejected ? nameOf(defining.object) : undefined;
  }

  /** The hosts of policies in a cluster. A namespace that no manifest describes exists, and has nothing but its name. */
  get hosts(): ClusterHosts {
    return this.#cells.hosts.get(() => this.#makeHosts());
  }

  #makeHosts(): ClusterHosts {
    const written = createNamespaceSource(this.manifests("namespace").map(({ object }) => object));
    const stored = new Map<string, KubeObject>();
    const resource = builtinResource("v1", "Namespace", this.options.kubeVersion)!;
    const namespace = (name: string): Maybe<KubeObject> => {
      const known = stored.get(name);
      if (known !== undefined) return known;
      const object = written.namespace(name) ?? assumedNamespace(name);
      return storedBuiltin(this, resource, object as KubeObject).then((made) => {
        stored.set(name, made);
        return made;
      });
    };
    const { authorizer, webhooks: transport } = this.options;
    return {
      ...mutationHosts(this),
      ...(transport && { transport }),
      namespaces: { namespace },
      params: paramSource({
        objects: () => this.manifests().map(({ object }) => object),
        resources: this.resources,
        typeOf: (group, kind) => this.typeOf(group, kind),
        onShown: (shown, object) => this.#shownParams.set(shown, object),
      }),
      authorizer: createRbacAuthorizer(
        this.manifests("rbac").map(({ object }) => object),
        authorizer ? { overrides: authorizer } : {},
      ),
      resources: this.resources,
      converter: createConverter(),
    };
  }

  /** The strategies of built-in kinds. */
  get strategies(): Strategies {
    return this.#cells.strategies.get(() => {
      const { gates = {} } = this.options;
      return new Strategies({
        gates,
        bindings: () => this.manifests("binding").map(({ object }) => object),
        authorizer: this.saysWhoMay ? this.hosts.authorizer : EVERYBODY_MAY,
        resourceOf: (kind) => this.resources.ofKind(kind)?.resource,
        policy: (kind, name) => this.#policyNamed(kind, name),
        compiler: this.#compiler,
      });
    });
  }

  #policyNamed(kind: string, name: string): KubeObject | undefined {
    const policies = kind === "ValidatingAdmissionPolicy" ? this.policies : this.mutatingPolicies;
    return policies.policy(name)?.policy as KubeObject | undefined;
  }

  /** The object of a manifest that policies were given as params, with defaults and in the version they ask for. */
  objectOfParams(params: KubeObject): KubeObject {
    return this.#shownParams.get(params) ?? params;
  }

  /** Without any RBAC among the manifests nothing is known of permissions. */
  get saysWhoMay(): boolean {
    return this.options.authorizer !== undefined || this.manifests("rbac").length > 0;
  }

  hasNamespace(name: string): boolean {
    return this.#byRole.get("namespace")?.has(`/Namespace/default/${name}`) ?? false;
  }

  /** The answer of the cluster. */
  review(ask: IntendedRequest, options: ReviewOptions = {}): Promise<Outcome> {
    return review(this, ask, options);
  }

  /** The same for a recorded request, such as the one of an AdmissionReview. */
  reviewRequest(request: AdmissionRequest, options: ReviewOptions = {}): Promise<Outcome> {
    return reviewRequest(this, request, options);
  }
}

/** Made on first use, and then for every simulated cluster that shares it. */
class Cell<T> {
  #made: { readonly value: T } | undefined;
  /** The simulated cluster that this one was made from: unchanged parts are shared. */
  #before: T | undefined;

  constructor(before?: Cell<T>) {
    this.#before = before === undefined ? undefined : (before.#made?.value ?? before.#before);
  }

  get(make: (before: T | undefined) => T): T {
    if (this.#made === undefined) {
      this.#made = { value: make(this.#before) };
      this.#before = undefined;
    }
    return this.#made.value;
  }
}

interface PoliciesInForce {
  readonly resources: readonly PolicyResource[];
  readonly set: PolicySet;
}

/** Undefined where names do not tell resources apart: then the last of a name counts, and order with it. */
function changeOf(before: readonly PolicyResource[], now: readonly PolicyResource[]): PolicyChange | undefined {
  const keyOf = (resource: PolicyResource): string => `${resource.kind}/${nameOf(resource)}`;
  const had = new Set(before);
  const has = new Set(now);
  const names = new Set(now.map(keyOf));
  if (names.size !== now.length || new Set(before.map(keyOf)).size !== before.length) return undefined;
  const gone = before.filter((resource) => !has.has(resource) && !names.has(keyOf(resource)));
  return {
    put: now.filter((resource) => !had.has(resource)),
    remove: gone.map((resource) => ({ kind: resource.kind, name: nameOf(resource) })),
  };
}

interface Cells {
  policies: Cell<PoliciesInForce>;
  mutatingPolicies: Cell<MutatingPolicySet>;
  webhooks: Cell<WebhookSet>;
  certificatePolicies: Cell<readonly CertificateRequestPolicy[]>;
  resources: Cell<Resources>;
  types: Cell<ReadonlyMap<string, CustomResourceType>>;
  hosts: Cell<ClusterHosts>;
  strategies: Cell<Strategies>;
}

function newCells(): Cells {
  return {
    policies: new Cell(),
    mutatingPolicies: new Cell(),
    webhooks: new Cell(),
    certificatePolicies: new Cell(),
    resources: new Cell(),
    types: new Cell(),
    hosts: new Cell(),
    strategies: new Cell(),
  };
}

interface Shared {
  readonly accepted: WeakMap<KubeObject, AcceptedSetUp>;
  readonly reviewer: Reviewer;
  readonly compiler: PolicyCompiler;
  readonly cells: Cells;
}

/** Identifies an object in all versions. Without a namespace it is in `default`, or in none if its kind is cluster-scoped. */
export function identityOf(object: KubeObject): string {
  const { group, kind } = gvkOf(object);
  return `${group}/${kind}/${namespaceOf(object) || "default"}/${nameOf(object)}`;
}

const READY = [{ type: "Ready", status: "True" }] as const;

function withReady(policy: CertificateRequestPolicy): CertificateRequestPolicy {
  return policy.status?.conditions ? policy : { ...policy, status: { ...policy.status, conditions: READY } };
}

function assumedNamespace(name: string): KubeObject {
  const labels = { "kubernetes.io/metadata.name": name };
  return { apiVersion: "v1", kind: "Namespace", metadata: { name, labels } };
}

const served = (group: string, version: string, resource: string, kind: string, namespaced: boolean) => ({
  group,
  version,
  resource,
  kind,
  namespaced,
  subresources: new Map([["status", { group, version, kind }]]),
});

/** Served wherever certificate policies are, though no definition is among the inputs. */
const CERT_MANAGER = [
  served("cert-manager.io", "v1", "certificates", "Certificate", true),
  served("cert-manager.io", "v1", "certificaterequests", "CertificateRequest", true),
  served("policy.cert-manager.io", "v1alpha1", "certificaterequestpolicies", "CertificateRequestPolicy", false),
];
