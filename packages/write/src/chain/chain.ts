// The plugins of admission in their order: each mutating plugin gets the object as the previous one left it; the first refusal of a
// validating plugin counts.

import type { AdmissionRequest } from "@celadon/admission";
import type { KubeObject } from "@celadon/kube";
import type { Steps } from "../steps.ts";
import type { AdmissionContext, AdmissionPlugin } from "./plugin.ts";

/** The two calls of a plugin, as kube-apiserver names them in its metrics. */
export type Phase = "admit" | "validate";

/** Measures the calls of one plugin in one phase. */
export interface PluginTimes {
  now(): number;
  /** Counts the time since `started`, and returns the present time. */
  took(operation: string, rejected: boolean, started: number): number;
}

interface Call {
  readonly plugin: AdmissionPlugin;
  readonly times: PluginTimes;
}

const UNMEASURED: PluginTimes = { now: () => 0, took: () => 0 };

/** The admission plugins of a host in their order. */
export class PluginChain {
  readonly #mutating: readonly Call[];
  readonly #validating: readonly Call[];

  /** `plugins` are in the order in which they run. */
  constructor(
    plugins: readonly AdmissionPlugin[],
    timesOf: (plugin: string, phase: Phase) => PluginTimes = () => UNMEASURED,
  ) {
    const calls = (asked: readonly AdmissionPlugin[], phase: Phase): readonly Call[] =>
      asked.map((plugin) => ({ plugin, times: timesOf(plugin.name, phase) }));
    this.#mutating = calls(
      plugins.filter(({ mutate }) => mutate !== undefined),
      "admit",
    );
    this.#validating = calls(
      plugins.filter(({ validate }) => validate !== undefined),
      "validate",
    );
  }

  async mutate(request: AdmissionRequest, context: AdmissionContext, steps: Steps): Promise<KubeObject | null> {
    const { operation } = request;
    let current = request;
    let started = this.#mutating[0]?.times.now() ?? 0;
    for (const { plugin, times } of this.#mutating) {
      let isRefused = false;
      try {
        const answer = plugin.mutate!(current, context);
        const object = answer instanceof Promise ? await answer : answer;
        if (object !== undefined) current = { ...current, object };
      } catch (thrown) {
        isRefused = true;
        steps.caught(thrown);
      }
      started = times.took(operation, isRefused, started);
      if (isRefused && steps.ended !== undefined) break;
    }
    return current.object ?? null;
  }

  async validate(request: AdmissionRequest, context: AdmissionContext, steps: Steps): Promise<void> {
    const { operation } = request;
    let started = this.#validating[0]?.times.now() ?? 0;
    for (const { plugin, times } of this.#validating) {
      let isRefused = false;
      try {
        const answer = plugin.validate!(request, context);
        if (answer instanceof Promise) await answer;
      } catch (thrown) {
        isRefused = true;
        steps.caught(thrown);
      }
      started = times.took(operation, isRefused, started);
      if (isRefused && steps.ended !== undefined) return;
    }
  }
}
