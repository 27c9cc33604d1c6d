// The simulated clusters of a suite's cases. Cases with the same resources share one, and all share compiled policies.

import { answeringTransport } from "@celadon/admission/memory";
import { type KubeObject, nameOf } from "@celadon/kube";
import { SimulatedCluster, type SimulatedClusterOptions } from "@celadon/simulator";
import type { Manifest, Role } from "@celadon/simulator/manifests";
import type { Case, Suite } from "./suite.ts";

/** Replaces resources before they are used, to run a suite against changed policies. */
export type Replace = (manifests: readonly Manifest[]) => readonly Manifest[];

/** Kinds that `policy` chooses among. Definitions stay: without them objects of their kinds cannot be read. */
const CHOSEN: readonly Role[] = ["policy", "mutatingPolicy", "webhooks", "certificatePolicy"];

export class SimulatedClusters {
  readonly #base: SimulatedCluster;
  readonly #replace: Replace;
  readonly #clusters = new Map<string, SimulatedCluster>();
  readonly #ids = new Map<unknown, number>();

  /** `base` is the simulated cluster of the suite's resources where there is one already that shares more. */
  constructor(
    { resources, kubeVersion }: Pick<Suite, "resources" | "kubeVersion">,
    replace: Replace = (manifests) => manifests,
    base?: SimulatedCluster,
  ) {
    this.#replace = replace;
    this.#base = base ?? SimulatedCluster.of(replace(resources), kubeVersion && { kubeVersion });
  }

  get base(): SimulatedCluster {
    return this.#base;
  }

  of(testCase: Case): SimulatedCluster {
    const {
      resources,
      authorizer,
      webhookAnswers,
      policies,
      bindings,
      serverDefaults,
      serverValidation,
      fieldValidation,
    } = testCase;
    const ids = [...resources.map(({ object }) => this.#id(object)), "a", ...authorizer.map((rule) => this.#id(rule))];
    const answers = webhookAnswers && this.#id(webhookAnswers);
    const key = JSON.stringify([ids, answers, policies, bindings, serverDefaults, serverValidation, fieldValidation]);
    let simulated = this.#clusters.get(key);
    if (simulated === undefined) {
      const options: SimulatedClusterOptions = {
        ...this.#base.options,
        serverDefaults,
        builtinValidation: serverValidation,
        ...(fieldValidation !== undefined && { fieldValidation }),
        ...(authorizer.length > 0 && { authorizer }),
        ...(webhookAnswers && { webhooks: answeringTransport(webhookAnswers) }),
      };
      simulated = this.#base.with({ put: this.#replace(resources), options });
      const remove = [
        ...unnamed(simulated, policies, CHOSEN),
        ...unnamed(simulated, bindings, ["binding", "mutatingBinding"]),
      ];
      if (remove.length > 0) simulated = simulated.with({ remove });
      this.#clusters.set(key, simulated);
    }
    return simulated;
  }

  #id(value: unknown): number {
    let id = this.#ids.get(value);
    if (id === undefined) this.#ids.set(value, (id = this.#ids.size));
    return id;
  }
}

function unnamed(
  simulated: SimulatedCluster,
  names: readonly string[] | undefined,
  roles: readonly Role[],
): readonly KubeObject[] {
  if (names === undefined) return [];
  const objects = simulated.manifests(...roles).map(({ object }) => object);
  return objects.filter((object) => !names.includes(nameOf(object)));
}
