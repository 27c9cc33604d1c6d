// The order of admission: mutating steps one after the other, a second time for webhooks when the object changed after them,
// and validating steps, of which the first refusal counts.

import type { AdmissionRequest } from "@celadon/admission";
import type { KubeObject } from "@celadon/kube";
import type { AdmissionMetrics, Phase, PluginTimes } from "../metrics/admission-metrics.ts";
import type { AdmissionContext, AdmissionPlugin } from "./plugin.ts";

interface Step {
  readonly plugin: AdmissionPlugin;
  readonly times: PluginTimes;
}

export class Chain {
  readonly #mutating: readonly Step[];
  readonly #validating: readonly Step[];

  /** In the order in which they run. */
  constructor(plugins: readonly AdmissionPlugin[], metrics: AdmissionMetrics) {
    const steps = (asked: readonly AdmissionPlugin[], phase: Phase): readonly Step[] =>
      asked.map((plugin) => ({ plugin, times: metrics.plugin(plugin.name, phase) }));
    this.#mutating = steps(
      plugins.filter(({ mutate }) => mutate !== undefined),
      "admit",
    );
    this.#validating = steps(
      plugins.filter(({ validate }) => validate !== undefined),
      "validate",
    );
  }

  async mutate(request: AdmissionRequest, context: AdmissionContext): Promise<KubeObject | null> {
    const { operation } = request;
    let current = request;
    let started = performance.now();
    for (const { plugin, times } of this.#mutating) {
      try {
        const answer = plugin.mutate!(current, context);
        const object = answer instanceof Promise ? await answer : answer;
        if (object !== undefined) current = { ...current, object };
      } catch (error) {
        times.took(operation, true, started);
        throw error;
      }
      started = times.took(operation, false, started);
    }
    return current.object ?? null;
  }

  async validate(request: AdmissionRequest, context: AdmissionContext): Promise<void> {
    const { operation } = request;
    let started = performance.now();
    for (const { plugin, times } of this.#validating) {
      try {
        const answer = plugin.validate!(request, context);
        if (answer instanceof Promise) await answer;
      } catch (error) {
        times.took(operation, true, started);
        throw error;
      }
      started = times.took(operation, false, started);
    }
  }
}
