// The mutating dispatcher: one webhook after the other, each selected and called with the object as the previous ones left it. Upstream:
// apiserver pkg/admission/plugin/webhook/mutating/dispatcher.go, reinvocationcontext.go.

import { compareStrings, isRecord, pushAll, quoteGo, semanticEqual, thrownText } from "@celadon/base";
import type { GroupVersionKind, KubeObject } from "@celadon/kube";
import { Invalid } from "@celadon/kube/errors";
import { internalError, type Status } from "@celadon/kube/status";
import { applyJsonPatch, type PatchOperation, readJsonPatch, tooManyOperations } from "@celadon/merge";
import { headerTexts } from "../decide/warnings.ts";
import { RequestContext } from "../evaluate/context.ts";
import { answerBefore } from "../evaluate/deadline.ts";
import { compactJson } from "../json.ts";
import { type PluginRuns, Reinvocation } from "../reinvocation.ts";
import type { AdmissionRequest } from "../request.ts";
import { AuditNotes, failedOpenKey, mutationKey, patchKey } from "./audit.ts";
import { type CallOutcome, callWebhook, decodePatch } from "./call.ts";
import type { CheckedResponse } from "./response.ts";
import { type Invocation, selectWebhook, type WebhookSelection } from "./select.ts";
import type { DispatchOptions, WebhookHosts } from "./transport.ts";
import { type CallReport, type DispatchReport, isOver, statusOf, TIMED_OUT } from "./validating.ts";
import type { CompiledWebhook } from "./webhook-set.ts";

/** The object after mutating webhooks. */
export interface MutatingReport extends DispatchReport {
  /** The object after all patches; null if the request has none. */
  readonly object: KubeObject | null;
  readonly changed: boolean;
  /** For audit levels from Request on: the patches themselves. */
  readonly patchAnnotations: Readonly<Record<string, string>>;
}

const PLUGIN = "MutatingAdmissionWebhook";

/** One pass, which the caller has begun. The first refusal ends the request. */
export async function dispatchMutating(
  request: AdmissionRequest,
  webhooks: readonly CompiledWebhook[],
  hosts: WebhookHosts,
  options: DispatchOptions = {},
  reinvocation: Reinvocation = firstPass(),
): Promise<MutatingReport> {
  const runs = reinvocation.plugin(PLUGIN);
  const run = new Pass(request, hosts, options, runs);
  runs.begin(request.object ?? null);
  let status: Status | undefined;
  for (const [index, webhook] of webhooks.entries()) {
    const refusal = await run.ask(webhook, index);
    status ??= refusal;
    if (status !== undefined && !options.goOn) break;
  }
  runs.end(run.object);
  return run.report(status);
}

function firstPass(): Reinvocation {
  const reinvocation = new Reinvocation();
  reinvocation.begin();
  return reinvocation;
}

/** Both passes, for hosts without mutating plugins of their own. */
export async function admitMutating(
  request: AdmissionRequest,
  webhooks: readonly CompiledWebhook[],
  hosts: WebhookHosts,
  options: DispatchOptions = {},
): Promise<MutatingReport> {
  const reinvocation = firstPass();
  const first = await dispatchMutating(request, webhooks, hosts, options, reinvocation);
  if (!first.allowed || !reinvocation.needed) return first;
  reinvocation.begin();
  const second = await dispatchMutating({ ...request, object: first.object }, webhooks, hosts, options, reinvocation);
  return bothPasses(first, second);
}

/** The combined report of two passes over one request. */
export function bothPasses(first: MutatingReport, second: MutatingReport): MutatingReport {
  return {
    ...second,
    changed: first.changed || second.changed,
    warnings: headerTexts([...first.warnings, ...second.warnings]),
    auditAnnotations: { ...second.auditAnnotations, ...first.auditAnnotations },
    patchAnnotations: { ...second.patchAnnotations, ...first.patchAnnotations },
    selections: [...first.selections, ...second.selections],
    calls: [...first.calls, ...second.calls],
  };
}

class Pass {
  #request: AdmissionRequest;
  #context: RequestContext;
  readonly #hosts: WebhookHosts;
  readonly #options: DispatchOptions;
  readonly #runs: PluginRuns;
  readonly #selections: WebhookSelection[] = [];
  readonly #calls: CallReport[] = [];
  readonly #warnings: string[] = [];
  readonly #notes = new AuditNotes();
  readonly #patches = new AuditNotes();
  #changed = false;

  constructor(request: AdmissionRequest, hosts: WebhookHosts, options: DispatchOptions, runs: PluginRuns) {
    this.#request = request;
    this.#hosts = hosts;
    this.#options = options;
    this.#runs = runs;
    this.#context = new RequestContext(request, hosts, options);
  }

  get object(): KubeObject | null {
    return this.#request.object ?? null;
  }

  /** A Status when the request ends here. */
  async ask(webhook: CompiledWebhook, index: number): Promise<Status | undefined> {
    const selection = await selectWebhook(webhook, this.#context);
    this.#selections.push(selection);
    if (selection.outcome === "rejected") return selection.status;
    // Conditions are evaluated, and may reject, before it is decided whether this pass calls the webhook.
    if (selection.outcome === "refused" || !this.#runs.mayRun(webhook.id)) return undefined;
    if (this.#hosts.transport.knows?.(webhook) === false) return undefined;
    const { round } = this.#runs;
    const started = this.#options.now?.() ?? 0;
    const outcome = await callWebhook(this.#request, selection.invocation, this.#hosts, this.#options);
    const seconds = ((this.#options.now?.() ?? 0) - started) / 1000;
    const patched = await this.#patch(selection.invocation, outcome, round, index);
    const { configuration } = webhook;
    const { name, failurePolicy } = webhook.webhook;
    this.#notes.add(
      mutationKey(round, index),
      JSON.stringify({ configuration, webhook: name, mutated: patched.changed }),
    );
    if (patched.changed) this.#runs.changed();
    if (webhook.webhook.reinvocationPolicy === "IfNeeded") this.#runs.ran(webhook.id);
    const before = this.object;
    if (patched.object !== undefined) this.#replace(patched.object);
    if (patched.changed) this.#changed = true;

    const failedOpen = patched.outcome.outcome === "failed" && failurePolicy === "Ignore";
    const { operations } = patched;
    const after = patched.object ?? before;
    this.#calls.push({
      webhook,
      outcome: patched.outcome,
      failedOpen,
      seconds,
      ...(operations && before && after && { patched: { operations, before, after } }),
    });
    if (!failedOpen) return statusOf(patched.outcome, webhook);
    this.#notes.add(failedOpenKey(true, round, index), name);
    return isOver(this.#options) ? TIMED_OUT : undefined;
  }

  report(status: Status | undefined): MutatingReport {
    return {
      allowed: status === undefined,
      ...(status && { status }),
      warnings: headerTexts(this.#warnings),
      auditAnnotations: this.#notes.toObject(),
      patchAnnotations: this.#patches.toObject(),
      selections: this.#selections,
      calls: this.#calls,
      object: this.object,
      changed: this.#changed,
    };
  }

  #replace(object: KubeObject): void {
    this.#request = { ...this.#request, object };
    this.#context = new RequestContext(this.#request, this.#hosts, this.#options);
  }

  /** The answer's patch applied: the new object in the request's own version where it says something new. */
  async #patch(invocation: Invocation, outcome: CallOutcome, round: number, index: number): Promise<Patched> {
    if (!("answer" in outcome)) return { outcome, changed: false };
    const { answer } = outcome;
    const { configuration, webhook } = invocation.webhook;
    this.#notes.addAll(webhook.name, answer.auditAnnotations);
    pushAll(this.#warnings, answer.warnings);
    if (outcome.outcome === "denied" || answer.patch === "") return { outcome, changed: false };
    const patched = await applyAnswer(invocation, answer, this.#hosts, this.#request.kind, this.#options);
    if (patched.outcome !== undefined) return { outcome: patched.outcome, changed: false };
    if (patched.object === undefined) return { outcome, changed: false };
    const { patch, object } = patched;
    this.#patches.add(
      patchKey(round, index),
      compactJson({
        configuration,
        webhook: webhook.name,
        patch: sortedOperations(patch),
        patchType: answer.patchType,
      }),
    );
    const operations = patch as readonly PatchOperation[];
    return { outcome, changed: patched.changed, object, operations };
  }
}

interface Patched {
  readonly outcome: CallOutcome;
  readonly changed: boolean;
  readonly object?: KubeObject;
  /** The operations of an applied patch. */
  readonly operations?: readonly PatchOperation[];
}

type Applied =
  | { readonly outcome: CallOutcome }
  | { readonly outcome?: undefined; readonly object?: undefined }
  | { readonly outcome?: undefined; readonly object: KubeObject; readonly changed: boolean; readonly patch: unknown };

async function applyAnswer(
  invocation: Invocation,
  answer: CheckedResponse,
  hosts: WebhookHosts,
  own: GroupVersionKind,
  { signal }: DispatchOptions,
): Promise<Applied> {
  const decoded = decodePatch(answer.patch);
  const operations = decoded instanceof Invalid ? decoded : readOperations(decoded);
  if (decoded instanceof Invalid || operations instanceof Invalid) {
    const { message } = operations as Invalid;
    return { outcome: { outcome: "failed", reason: `received undecodable patch in webhook response: ${message}` } };
  }
  if (operations.length === 0) return {};
  const before = invocation.objects.object;
  if (before === null) {
    const name = quoteGo(invocation.webhook.webhook.name);
    const text = `admission webhook ${name} attempted to modify the object, which is not supported for this operation`;
    return { outcome: { outcome: "rejected", status: internalError(text) } };
  }
  if (answer.patchType !== "JSONPatch") {
    return { outcome: { outcome: "failed", reason: `unsupported patch type ${quoteGo(answer.patchType)}` } };
  }
  const after = applyJsonPatch(before, operations);
  if (after instanceof Invalid) return { outcome: { outcome: "rejected", status: internalError(after.message) } };
  if (!isRecord(after))
    return { outcome: { outcome: "rejected", status: internalError("the patched object is no object") } };
  try {
    const decoding = hosts.decode?.(after as KubeObject, invocation.kind);
    const read = (await answerBefore(decoding, signal)) ?? (after as KubeObject);
    const changed = !semanticEqual(before, read);
    const object = sameKind(invocation.kind, own) ? read : await answerBefore(convert(read, own, hosts), signal);
    return { object, changed, patch: decoded.value };
  } catch (thrown) {
    return { outcome: { outcome: "rejected", status: internalError(thrownText(thrown)) } };
  }
}

/** The API server counts none of webhooks'; here a patch of millions must not stop everything else. */
function readOperations({ value, text }: { value: unknown; text: string }): readonly PatchOperation[] | Invalid {
  const operations = readJsonPatch(value, text);
  return operations instanceof Invalid ? operations : (tooManyOperations(operations) ?? operations);
}

/** Operations are maps to Go: their keys are sorted, their values unchanged. */
function sortedOperations(patch: unknown): unknown {
  if (!Array.isArray(patch)) return patch;
  return patch.map((operation: object) =>
    Object.fromEntries(Object.entries(operation).sort(([a], [b]) => compareStrings(a, b))),
  );
}

function convert(
  object: KubeObject,
  to: GroupVersionKind,
  { converter }: WebhookHosts,
): Promise<KubeObject> | KubeObject {
  if (converter === undefined) throw new Error("no converter back to the version of the request");
  return converter.convert(object, to);
}

const sameKind = (a: GroupVersionKind, b: GroupVersionKind): boolean =>
  a.kind === b.kind && a.version === b.version && a.group === b.group;
