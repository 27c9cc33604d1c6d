// The same inputs on servers of several versions: every object is sent to each of them, and different answers are kept.

import { pushAll } from "@celadon/base";
import type { Minor } from "@celadon/kube-cel";
import { costRows, Measurements } from "@celadon/lint/costs";
import { type Outcome, SimulatedCluster, type SimulatedClusterOptions } from "@celadon/simulator";
import type { Manifest } from "@celadon/simulator/manifests";
import { requestSubject } from "../../outcome/names.ts";
import type { Subject } from "../../output/answer.ts";
import { reviewSubject } from "../../review/ask.ts";
import type { ReviewSubject } from "../../review/subjects.ts";
import { VERSION_CHANGES, type VersionChange } from "./change.ts";
import { costChanges } from "./cost-changes.ts";
import { MeaningChanges, ValueWatch } from "./meaning-changes.ts";
import { objectChanges } from "./object-changes.ts";

export interface ComparedVersions {
  readonly minors: readonly Minor[];
  /** Objects and resources of the inputs, changed or not. */
  readonly objects: number;
  readonly changes: readonly VersionChange[];
}

export interface CompareVersionsOptions {
  readonly signal: AbortSignal;
  readonly server: SimulatedClusterOptions;
  onProgress(done: number, all: number): void;
}

const PAUSE_EVERY = 64;

export async function compareVersions(
  manifests: readonly Manifest[],
  asked: readonly ReviewSubject[],
  minors: readonly Minor[],
  { signal, server, onProgress }: CompareVersionsOptions,
): Promise<ComparedVersions> {
  const servers = minors.map((kubeVersion) => ({
    simulated: SimulatedCluster.of(manifests, { ...server, kubeVersion }),
    measured: new Measurements<Subject>(),
  }));
  const changes: VersionChange[] = [];
  const meanings = new MeaningChanges(minors, manifests);
  for (const [i, item] of asked.entries()) {
    const outcomes: Outcome[] = [];
    const watches = [];
    for (const { simulated, measured } of servers) {
      const watch = new ValueWatch();
      const outcome = await reviewSubject(simulated, item, {
        observer: watch,
        ruleObserver: (version) => watch.rules(version),
        certificateObserver: watch.certificates(),
      });
      watch.record(measured, outcome, requestSubject(outcome.request));
      outcomes.push(outcome);
      watches.push(watch);
    }
    meanings.add(requestSubject(outcomes[0]!.request), watches);
    // A version that rejects the definition of a kind cannot have its objects.
    const defined = servers.flatMap(({ simulated }, at) =>
      simulated.rejectedDefinition(outcomes[at]!.request.kind) === undefined ? [at] : [],
    );
    const answers = defined.map((at) => outcomes[at]!);
    if (defined.length > 1)
      pushAll(
        changes,
        objectChanges(
          item.manifest,
          defined.map((at) => minors[at]!),
          answers,
        ),
      );
    if (i % PAUSE_EVERY !== PAUSE_EVERY - 1) continue;
    onProgress(i + 1, asked.length);
    await new Promise((resolve) => setImmediate(resolve));
    signal.throwIfAborted();
  }
  const rows = [];
  for (const [i, { measured }] of servers.entries()) rows.push(await costRows(manifests, [minors[i]!], measured));
  pushAll(changes, meanings.changes);
  pushAll(changes, costChanges(minors, rows));
  const order = new Map(VERSION_CHANGES.map((change, i) => [change, i]));
  return {
    minors,
    objects: asked.length,
    changes: changes.sort((a, b) => order.get(a.change)! - order.get(b.change)!),
  };
}
