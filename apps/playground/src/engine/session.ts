// The work of the page in the worker: its texts, the cluster they make, and the answer to the request. Unchanged parts are kept, so that a
// keystroke costs only the parts it touches.

import type { Operation } from "@celadon/admission";
import { nameOf } from "@celadon/kube";
import type { Minor } from "@celadon/kube-cel";
import { WORK_TEXTS, type Work, type WorkMode, type WorkRequest, type WorkText } from "@celadon/language/playground";
import { CostWatch, Measurements } from "@celadon/lint/costs";
import { type IntendedRequest, identityOf, impersonated, type Outcome, SimulatedCluster } from "@celadon/simulator";
import type { Manifest } from "@celadon/simulator/manifests";
import type { DecodedRequest, Explanation, WorkAnswer } from "../model/answer.ts";
import type { TextChange } from "../model/protocol.ts";
import { emptyAnswer, outcomeAnswer, rejectedAnswer, unreadableAnswer } from "./answers.ts";
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

  set({ mode, request, kubeVersion, ...texts }: Work): void {
    this.mode = mode;
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
    await Promise.all([loadCertificates(texts), loadDefinitions(texts)]);
  }

  /** The request to the cluster. */
  ask(): IntendedRequest {
    const { operation, user, groups, namespace, subresource, dryRun } = this.request;
    const [object, oldObject] = [this.objectManifest("object"), this.objectManifest("oldObject")];
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

  /** The first object of a text. */
  objectManifest(text: "object" | "oldObject"): Manifest | undefined {
    return this.texts.manifests(text)[0];
  }

  /** The cluster that the policy text makes, with all but the first object of the object text. */
  simulated(): SimulatedCluster {
    const manifests = [...this.texts.manifests("policy"), ...this.texts.manifests("object").slice(1)];
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
    const object = this.objectManifest("object");
    const oldObject = this.objectManifest("oldObject");
    const rejected = rejectedAnswer(this, simulated, new Places(this.texts, simulated));
    if (rejected !== undefined) return { answer: took(rejected), reviewed: { simulated, measurements } };
    if (object === undefined && oldObject === undefined) {
      return { answer: took(emptyAnswer(this)), reviewed: { simulated, measurements } };
    }
    const watch = new CostWatch();
    const outcome = await simulated.review(this.ask(), {
      everyPolicy: true,
      observer: watch,
      ruleObserver: (version) => watch.rules(version),
      certificateObserver: watch.certificates(),
    });
    watch.record(measurements, outcome, nameOf((object ?? oldObject)?.object));
    const certificate = await decodedRequest(outcome.request.object);
    const answer = { ...outcomeAnswer(this, outcome, simulated), ...(certificate && { certificate }) };
    return { answer: took(answer), reviewed: { simulated, outcome, measurements } };
  }

  /** Why it answers so; takes longer than the answer. Undefined if the answer is complete. */
  async explain({ simulated, outcome }: LastReview): Promise<Explanation | undefined> {
    return outcome && (await import("./explanation.ts")).explain(this, simulated, outcome);
  }
}
