// The path of every write, in kube-apiserver's order. No other place knows this order:
//
//   decode → metadata rules and field ownership → mutate → rights that depend on the object → prepare → validate → admit
//
// `begin` goes as far as mutation and `finish` from there on, because a host may try the second half again: with another generated name, or
// as a change of another object. Clock, names, identities and plugins are arguments. Upstream: apiserver pkg/endpoints/handlers/create.go and
// update.go, pkg/registry/rest/create.go and update.go.

import type { Maybe } from "@celadon/admission";
import { isRecord } from "@celadon/base";
import type { KubeObject } from "@celadon/kube";
import { reportedErrors } from "@celadon/kube/errors";
import { invalidObject } from "@celadon/kube/status";
import type { ServiceNetwork } from "@celadon/kube/validation";
import { emulationOf } from "@celadon/kube/versions";
import type { PluginChain } from "./chain/chain.ts";
import type { AdmissionContext } from "./chain/plugin.ts";
import { type Draft, draftOf, objectOf } from "./draft.ts";
import {
  afterMutation,
  checkName,
  dedupeOwners,
  generatedName,
  matchNamespace,
  metadataErrors,
  wipeSystemFields,
} from "./metadata.ts";
import { type AdmissionSubject, admissionRequest, type WriteRequest } from "./request.ts";
import { type Refused, Steps } from "./steps.ts";
import type { Strategy, Validated, WriteContext } from "./strategy/strategy.ts";

/** The host of a write. */
export interface WriteHosts {
  readonly chain: PluginChain;
  /** The present time, as the API writes it. */
  now(): string;
  uid(): string;
  /** Completes a generated name. */
  nameSuffix(): string;
  /** Addresses and ports for services. */
  network(dryRun: boolean): ServiceNetwork;
  namespaceLabels(namespace: string): Readonly<Record<string, string>>;
}

/**
 * The kind of body that a client sent: a new object, an object in place of another, a patch of one, or an action such as a Binding, which
 * is answered and not stored.
 */
export type Sent = "new" | "replacement" | "patch" | "action";

/** The first half of a write. */
export interface Beginning {
  readonly sent: Sent;
  /** Throws a StatusError for an unreadable body. */
  decode(): Maybe<Draft>;
  /** Field ownership: the draft with the managed fields that the write leaves. */
  own?(draft: Draft): Draft;
  /** The object as it is, where the write changes one. */
  readonly old?: KubeObject | undefined;
}

/** The second half of a write. */
export interface Ending {
  readonly strategy: Strategy;
  readonly old?: KubeObject | undefined;
  /** Checks rights that depend on the object, or the version it was changed from. Throws a StatusError to refuse. */
  confirm?(draft: Draft): Maybe<void>;
  /** The other kind in which the object is written, such as a Scale. */
  readonly form?: Form | undefined;
}

/** The kind in which an object is written and admitted, and the way back. */
export interface Form {
  present(object: KubeObject): KubeObject;
  /** The object after a client or a mutation changed its other form. Throws a StatusError for an invalid result. */
  merge(old: KubeObject, draft: Draft): Promise<Draft>;
}

/** One request on the path of a write. */
export class WritePath {
  readonly steps: Steps;
  readonly #hosts: WriteHosts;
  readonly #request: WriteRequest;
  readonly #context: AdmissionContext;
  /** The name of the URL or of the sent object: admission sees it, even if a mutation changes it. */
  #asked: string;

  /** With `goOn`, a refusal does not end the write, so that every step reports its findings. */
  constructor(hosts: WriteHosts, request: WriteRequest, context: AdmissionContext, goOn = false) {
    this.#hosts = hosts;
    this.#request = request;
    this.#context = context;
    this.#asked = request.name;
    this.steps = new Steps(({ text }) => context.notes.warn(text), goOn);
  }

  /** decode → mutate. A StatusError that decoding throws ends the write in any case, because there is no object. */
  async begin({ sent, decode, own, old }: Beginning): Promise<Draft | Refused> {
    const { steps } = this;
    steps.enter("decode");
    try {
      const decoded = await decode();
      steps.result(() => this.#checkMetadata(decoded, sent), undefined);
      if (steps.ended !== undefined) return steps.ended;
      const draft = own?.(decoded) ?? decoded;
      if (this.#asked === "") this.#asked = draft.metadata.name ?? "";
      steps.enter("mutate");
      const mutated = await this.#hosts.chain.mutate(this.#admission(draft, old), this.#context, steps);
      if (steps.ended !== undefined) return steps.ended;
      return afterMutation(mutated, draft, (warning) => steps.warn(warning));
    } catch (thrown) {
      return steps.caught(thrown);
    }
  }

  /** The object that `finish` would validate, for hosts that need no more. */
  prepare(given: Draft, ending: Ending): Maybe<Draft> {
    return this.#prepared(given, ending, this.#strategyContext());
  }

  #prepared(given: Draft, ending: Ending, context: WriteContext): Maybe<Draft> {
    const { steps } = this;
    const { old, form } = ending;
    steps.enter("prepare");
    const confirm = (draft: Draft): Maybe<Draft> => {
      const prepare = (): Maybe<Draft> => steps.result(() => this.#prepare(draft, ending, context), draft);
      const confirmed = steps.result(() => ending.confirm?.(draft), undefined);
      return confirmed instanceof Promise ? confirmed.then(prepare) : prepare();
    };
    if (old === undefined) return confirm(this.#named(given));
    if (form === undefined) return confirm(given);
    const merged = steps.result(() => form.merge(old, given), draftOf(old));
    return merged instanceof Promise ? merged.then(confirm) : confirm(merged);
  }

  /** prepare → validate → admit. */
  async finish(given: Draft, ending: Ending): Promise<Draft | Refused> {
    const { steps } = this;
    try {
      const context = this.#strategyContext();
      const preparing = this.#prepared(given, ending, context);
      const prepared = preparing instanceof Promise ? await preparing : preparing;
      steps.enter("validate");
      const validating = this.#validate(prepared, ending, context);
      if (validating !== undefined) await validating;
      if (steps.ended !== undefined) return steps.ended;
      await this.#admit(prepared, ending);
      return steps.ended ?? prepared;
    } catch (thrown) {
      return steps.caught(thrown);
    }
  }

  /**
   * An existing object as a server holds it, if the host knows only the written manifest: prepared like a new one, with its own metadata
   * and status if it has any.
   */
  async stored(object: KubeObject, strategy: Strategy): Promise<KubeObject> {
    const made = await this.prepare(draftOf(object), { strategy });
    const given = Object.entries(object.metadata ?? {}).filter(([, value]) => value);
    const metadata = { resourceVersion: "1", ...made.metadata, ...Object.fromEntries(given) };
    const hasStatus = isRecord(object.status) && Object.keys(object.status).length > 0;
    return objectOf({ ...made, metadata, ...(hasStatus && { status: object.status }) });
  }

  /** decode → mutate → act → admit: for objects that are answered and not stored. `act` returns what validating admission sees. */
  async act(beginning: Beginning, act: (draft: Draft) => Maybe<Draft>): Promise<Draft | Refused> {
    const begun = await this.begin(beginning);
    const { steps } = this;
    if (steps.ended !== undefined) return steps.ended;
    steps.enter("validate");
    try {
      const acted = await steps.result(() => act(begun as Draft), begun as Draft);
      if (steps.ended !== undefined) return steps.ended;
      await this.#admit(acted, {});
      return steps.ended ?? acted;
    } catch (thrown) {
      return steps.caught(thrown);
    }
  }

  /** mutate → admit: a request that carries no object to be prepared, such as a deletion or a connection. */
  async pass(subject: AdmissionSubject): Promise<Refused | undefined> {
    const { steps } = this;
    const { chain } = this.#hosts;
    const request = admissionRequest(this.#request, subject);
    steps.enter("mutate");
    await chain.mutate(request, this.#context, steps);
    if (steps.ended !== undefined) return steps.ended;
    steps.enter("admit");
    await chain.validate(request, this.#context, steps);
    return steps.ended;
  }

  #checkMetadata(draft: Draft, sent: Sent): void {
    const { resource, namespace, name } = this.#request;
    if (sent === "new") wipeSystemFields(draft.metadata);
    matchNamespace(draft, resource, namespace);
    if (sent === "replacement" || sent === "patch") checkName(draft, name);
    if (sent !== "patch") dedupeOwners(draft, (warning) => this.steps.warn(warning), false);
  }

  #admission(draft: Draft, old: KubeObject | undefined): ReturnType<typeof admissionRequest> {
    return admissionRequest(this.#request, {
      operation: old === undefined ? "CREATE" : "UPDATE",
      name: this.#asked,
      object: objectOf(draft),
      oldObject: old ?? null,
    });
  }

  #named(draft: Draft): Draft {
    const { generateName: base = "", name = "" } = draft.metadata;
    if (base === "" || name !== "") return draft;
    const named = draftOf(objectOf(draft));
    named.metadata.name = generatedName(base, this.#hosts.nameSuffix());
    return named;
  }

  #prepare(draft: Draft, { strategy, old }: Ending, context: WriteContext): Maybe<Draft> {
    const { metadata } = draft;
    if (old === undefined) {
      metadata.creationTimestamp = context.now;
      metadata.uid = this.#hosts.uid();
    }
    // Mutation may have changed the namespace, or taken it away.
    const { resource, namespace } = this.#request;
    this.steps.result(() => matchNamespace(draft, resource, namespace), undefined);
    if (old === undefined) return strategy.prepareCreate(draft, context);
    const before = old.metadata ?? {};
    if (before.generation === undefined) delete metadata.generation;
    else metadata.generation = before.generation;
    const prepared = strategy.prepareUpdate(draft, old, context);
    if (prepared instanceof Promise) return prepared.then((made) => withSystemFields(made, before));
    return withSystemFields(prepared, before);
  }

  #validate(draft: Draft, { strategy, old }: Ending, context: WriteContext): Promise<void> | undefined {
    const asked =
      old === undefined ? strategy.validateCreate(draft, context) : strategy.validateUpdate(draft, old, context);
    const check = (found: Validated): void => {
      if (found.ratcheted !== undefined) this.steps.ratchet(found.ratcheted);
      this.#refuseInvalid(draft, old, found);
      if (this.steps.isRefused) return;
      for (const warning of strategy.warnings(draft, old, context)) this.steps.warn(warning);
    };
    if (asked instanceof Promise) return asked.then(check);
    check(asked);
    return undefined;
  }

  /** A create reports errors of metadata only where the kind has none of its own; an update reports both. */
  #refuseInvalid(draft: Draft, old: KubeObject | undefined, { status, errors, isWhole }: Validated): void {
    const { resource } = this.#request;
    if (status !== undefined) {
      this.steps.refuse(status, errors);
      return;
    }
    const by = emulationOf(resource.minor);
    const common = (): typeof errors => metadataErrors(objectOf(draft), old, resource, by);
    const isBuiltIn = !resource.storage.custom && resource.group !== "apiextensions.k8s.io";
    let all = errors;
    if (!isWhole) {
      const found = old === undefined ? (errors.length > 0 ? errors : common()) : [...common(), ...errors];
      all = isBuiltIn ? reportedErrors(found, by) : found;
    }
    if (all.length === 0) return;
    // Events of both groups are the same objects, and errors name the group they are stored in.
    const kind = { group: resource.storage.group, kind: resource.kind };
    this.steps.refuse(invalidObject(kind, draft.metadata.name ?? "", all), all);
  }

  async #admit(draft: Draft, { old, form }: Pick<Ending, "old" | "form">): Promise<void> {
    const present = (object: KubeObject): KubeObject => form?.present(object) ?? object;
    this.steps.enter("admit");
    const request = admissionRequest(this.#request, {
      operation: old === undefined ? "CREATE" : "UPDATE",
      name: this.#asked || (draft.metadata.name ?? ""),
      object: present(objectOf(draft)),
      oldObject: old === undefined ? null : present(old),
    });
    await this.#hosts.chain.validate(request, this.#context, this.steps);
  }

  #strategyContext(): WriteContext {
    const { resource, subresource, namespace, user, dryRun } = this.#request;
    const hosts = this.#hosts;
    return {
      resource,
      subresource,
      namespace,
      user,
      dryRun,
      now: hosts.now(),
      services: (isDryRun) => hosts.network(isDryRun),
      namespaceLabels: () => hosts.namespaceLabels(namespace),
      warn: (warning) => this.steps.warn(warning),
    };
  }
}

/** Metadata that an update leaves out and the server fills in. */
function withSystemFields(draft: Draft, before: NonNullable<KubeObject["metadata"]>): Draft {
  const { metadata } = draft;
  if (!metadata.uid && before.uid !== undefined) metadata.uid = before.uid;
  if (before.creationTimestamp) metadata.creationTimestamp = before.creationTimestamp;
  if (before.deletionTimestamp) metadata.deletionTimestamp = before.deletionTimestamp;
  if (before.deletionGracePeriodSeconds !== undefined) {
    metadata.deletionGracePeriodSeconds ??= before.deletionGracePeriodSeconds;
  }
  return draft;
}
