// The work of the page in the worker: its texts, the cluster they make, and the answer to the request. Unchanged parts are kept, so that a
// keystroke costs only the parts it touches.

import type { Operation } from "@celadon/admission";
import { valueAt } from "@celadon/base";
import { nameOf } from "@celadon/kube";
import type { Minor } from "@celadon/kube-cel";
import {
  bindingEdit,
  WORK_TEXTS,
  type Work,
  type WorkMode,
  type WorkRequest,
  type WorkText,
} from "@celadon/language/playground";
import { CostWatch, Measurements } from "@celadon/lint/costs";
import { type IntendedRequest, identityOf, impersonated, type Outcome, SimulatedCluster } from "@celadon/simulator";
import { isSetUp, type Manifest } from "@celadon/simulator/manifests";
import type { DecodedRequest, Explanation, ObjectVerdict, ShownVerdict, Tone, WorkAnswer } from "../model/answer.ts";
import type { TextChange } from "../model/protocol.ts";
import { loadAccess } from "./access-on-demand.ts";
import { emptyAnswer, outcomeAnswer, rejectedAnswer, unreadableAnswer, verdictOf } from "./answers.ts";
import { loadCertificates } from "./certpolicy-on-demand.ts";
import { loadDefinitions } from "./crd-on-demand.ts";
import { reviewExpression } from "./expression-review.ts";
import { Places } from "./places.ts";
import { Texts } from "./texts.ts";

/** The content of a CertificateRequest. */
async function decodedRequest(object: Outcome["request"]["object"]): Promise<DecodedRequest | undefined> {
  if (object?.kind !== "CertificateRequest") return undefined;
  return (await import("./certificate-view.ts")).decodedRequest(object);
}

/** Objects that are reviewed with each answer. */
const REVIEWED = 30;

interface Reviewed {
  readonly outcome: Outcome;
  readonly watch: CostWatch;
  readonly verdict: ShownVerdict;
}

const GRAVITY: Readonly<Record<Tone, number>> = { bad: 3, warn: 2, good: 1, none: 0 };

/** The first with the worst verdict. */
function worstOf(all: readonly Reviewed[]): number {
  const most = Math.max(...all.map(({ verdict }) => GRAVITY[verdict.tone]));
  return all.findIndex(({ verdict }) => GRAVITY[verdict.tone] === most);
}

function objectVerdict({ object }: Manifest, { tone, title }: ShownVerdict): ObjectVerdict {
  return { name: `${String(object.kind)} ${nameOf(object)}`.trimEnd(), tone, title };
}

/** The last review, for requests of more detail. */
export interface LastReview {
  readonly simulated: SimulatedCluster;
  readonly outcome?: Outcome;
  readonly measurements: Measurements<string>;
}

export class Session {
  readonly texts: Texts = new Texts();
  mode: WorkMode = "validating";
  request: WorkRequest = {};
  kubeVersion: Minor | undefined;
  #simulated: SimulatedCluster = SimulatedCluster.of([]);
  #inCluster: readonly Manifest[] = [];
  #at = 0;
  #chosen: number | undefined;

  set({ mode, request, kubeVersion, ...texts }: Work): void {
    this.mode = mode;
    this.#at = 0;
    this.#chosen = undefined;
    this.texts.set({ mode, request, ...texts });
    this.setRequest(request, kubeVersion);
  }

  setRequest(request: WorkRequest, kubeVersion: string | undefined): void {
    this.request = request;
    this.kubeVersion = kubeVersion as Minor | undefined;
  }

  change(text: WorkText, changes: readonly TextChange[]): void {
    this.texts.change(text, changes);
  }

  /** Loads parts that the texts need and most work does not. */
  async loadParts(): Promise<void> {
    const texts = WORK_TEXTS.map((name) => this.texts.text(name));
    await Promise.all([loadCertificates(texts), loadDefinitions(texts), loadAccess(texts)]);
  }

  /** The request to the cluster about one of the objects. */
  ask(at: number = this.#at): IntendedRequest {
    const { operation, user, groups, namespace, subresource, dryRun } = this.request;
    const objects = this.texts.manifests("object");
    const [object, oldObject] = [objects[at], this.#oldOf(at)];
    return {
      ...(object && { object: object.object }),
      ...(oldObject && { oldObject: oldObject.object }),
      ...(operation && { operation: operation as Operation }),
      ...((user || groups) && { user: impersonated(user ?? "kubernetes-admin", groups ?? []) }),
      ...(namespace && { namespace }),
      ...(subresource && { subresource }),
      ...(dryRun && { dryRun }),
    };
  }

  /** The old object belongs to the object of its name, or else to the first. */
  #oldOf(at: number): Manifest | undefined {
    const [old] = this.texts.manifests("oldObject");
    if (old === undefined) return undefined;
    const name = identityOf(old.object);
    const same = this.texts.manifests("object").findIndex(({ object }) => identityOf(object) === name);
    return at === Math.max(same, 0) ? old : undefined;
  }

  /** The object of the request, or its old state. */
  objectManifest(text: "object" | "oldObject"): Manifest | undefined {
    return text === "object" ? this.texts.manifests("object")[this.#at] : this.#oldOf(this.#at);
  }

  /** The position of the object of the request among the objects of the text. */
  get at(): number {
    return this.#at;
  }

  /** Chooses the object that the answer is about; without a choice it is the first with the worst verdict. */
  select(at: number | undefined): void {
    this.#chosen = at;
  }

  /** A binding for a policy of the policy text, as a change of that. */
  bindingFor(policy: Manifest): TextChange | undefined {
    const file = this.texts.file("policy");
    const placed = file.resources().find(({ resource }) => resource.manifest === policy);
    if (placed === undefined) return undefined;
    const kind = valueAt(policy.object, ["spec", "paramKind", "kind"]);
    const params = this.texts.manifests("policy").find(({ object }) => object.kind === kind)?.object;
    const { range, text } = bindingEdit(file, placed, params);
    return { from: range.start, to: range.end, insert: text };
  }

  /** The cluster that the policy text makes, with the objects of the object text beside the one of the request. */
  simulated(): SimulatedCluster {
    const objects = this.texts.manifests("object");
    // All of several exist while each is reviewed. The first policy of the object text is a subject.
    const beside = objects.filter(({ object }, i) => i > 0 || (objects.length > 1 && !isSetUp(object)));
    const manifests = [...this.texts.manifests("policy"), ...beside];
    const { kubeVersion } = this;
    const options = kubeVersion === undefined ? {} : { kubeVersion };
    if (this.#simulated.options.kubeVersion !== kubeVersion) this.#simulated = this.#simulated.with({ options });
    const before = new Set(this.#inCluster);
    const put = manifests.filter((manifest) => !before.has(manifest));
    const kept = new Set(manifests);
    const gone = this.#inCluster.filter((manifest) => !kept.has(manifest));
    if (put.length === 0 && gone.length === 0) return this.#simulated;
    // Written twice, an object is still there when one of them goes.
    const names = new Set(gone.map(({ object }) => identityOf(object)));
    const others = manifests.filter((manifest) => before.has(manifest) && names.has(identityOf(manifest.object)));
    this.#simulated = this.#simulated.with({ put: [...others, ...put], remove: gone.map(({ object }) => object) });
    this.#inCluster = manifests;
    return this.#simulated;
  }

  /** The answer of the API server. */
  async review(now: () => number): Promise<{ readonly answer: WorkAnswer; readonly reviewed: LastReview }> {
    const started = now();
    const took = (answer: Omit<WorkAnswer, "took">): WorkAnswer => ({ ...answer, took: now() - started });
    const measurements = new Measurements<string>();
    if (this.mode === "cel") {
      return { answer: took(reviewExpression(this)), reviewed: { simulated: this.#simulated, measurements } };
    }
    await this.loadParts();
    const simulated = this.simulated();
    const unreadable = unreadableAnswer(this);
    if (unreadable !== undefined) return { answer: took(unreadable), reviewed: { simulated, measurements } };
    const rejected = rejectedAnswer(this, simulated, new Places(this.texts, simulated));
    if (rejected !== undefined) return { answer: took(rejected), reviewed: { simulated, measurements } };
    const objects = this.texts.manifests("object").slice(0, REVIEWED);
    if (objects.length === 0 && this.texts.manifests("oldObject").length === 0) {
      return { answer: took(emptyAnswer(this)), reviewed: { simulated, measurements } };
    }
    const all: Reviewed[] = [];
    // A request without an object is one, too.
    for (let at = 0; at < Math.max(1, objects.length); at++) all.push(await this.#reviewAt(at, simulated));
    this.#at = this.#chosen !== undefined && this.#chosen < all.length ? this.#chosen : worstOf(all);
    const { outcome, watch, verdict } = all[this.#at]!;
    watch.record(
      measurements,
      outcome,
      nameOf((this.objectManifest("object") ?? this.objectManifest("oldObject"))?.object),
    );
    const certificate = await decodedRequest(outcome.request.object);
    const answer = {
      ...outcomeAnswer(this, outcome, verdict),
      ...(certificate && { certificate }),
      ...(objects.length > 1 && { objects: all.map((reviewed, at) => objectVerdict(objects[at]!, reviewed.verdict)) }),
      selected: this.#at,
    };
    return { answer: took(answer), reviewed: { simulated, outcome, measurements } };
  }

  async #reviewAt(at: number, simulated: SimulatedCluster): Promise<Reviewed> {
    const watch = new CostWatch();
    const outcome = await simulated.review(this.ask(at), {
      everyPolicy: true,
      observer: watch,
      ruleObserver: (version) => watch.rules(version),
      certificateObserver: watch.certificates(),
    });
    const isDecided = outcome.status !== undefined || outcome.certificate !== undefined;
    // Loaded when it is first needed.
    const standing = isDecided ? undefined : (await import("./standing.ts")).standingOf(this, simulated, outcome);
    return { outcome, watch, verdict: verdictOf(outcome, standing) };
  }

  /** Why it answers so; takes longer than the answer. Undefined if the answer is complete. */
  async explain({ simulated, outcome }: LastReview): Promise<Explanation | undefined> {
    return outcome && (await import("./explanation.ts")).explain(this, simulated, outcome);
  }
}
