// The order of admission: mutating steps one after the other, a second time for webhooks when somebody changed the object after them,
// and validating steps, of which the first refusal counts.

import type { AdmissionRequest } from "@celadon/admission";
import type { KubeObject } from "@celadon/kube";
import type { AdmissionContext, AdmissionPlugin } from "./plugin.ts";

export class Chain {
  readonly #mutating: readonly AdmissionPlugin[];
  readonly #validating: readonly AdmissionPlugin[];

  /** In the order in which they are asked. */
  constructor(plugins: readonly AdmissionPlugin[]) {
    this.#mutating = plugins.filter(({ mutate }) => mutate !== undefined);
    this.#validating = plugins.filter(({ validate }) => validate !== undefined);
  }

  async mutate(request: AdmissionRequest, context: AdmissionContext): Promise<KubeObject | null> {
    let current = request;
    for (const plugin of this.#mutating) {
      const answer = plugin.mutate!(current, context);
      const object = isPromise(answer) ? await answer : answer;
      if (object !== undefined) current = { ...current, object };
    }
    return current.object ?? null;
  }

  async validate(request: AdmissionRequest, context: AdmissionContext): Promise<void> {
    for (const plugin of this.#validating) {
      const answer = plugin.validate!(request, context);
      if (isPromise(answer)) await answer;
    }
  }
}

function isPromise<T>(value: T | Promise<T>): value is Promise<T> {
  return value instanceof Promise;
}
