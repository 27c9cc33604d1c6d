// The worlds of a suite's cases. Cases with the same resources share one, and all share what is compiled.

import { answeringTransport } from "@celadon/admission/memory";
import { type KubeObject, nameOf } from "@celadon/kube";
import { World, type WorldOptions } from "@celadon/simulator";
import type { Manifest, Role } from "@celadon/simulator/manifests";
import type { Case, Suite } from "./suite.ts";

/** Replaces resources before they are used, to run a suite against changed policies. */
export type Replace = (manifests: readonly Manifest[]) => readonly Manifest[];

/** Kinds that `policy` chooses among. Definitions stay: without them objects of their kinds cannot be read. */
const CHOSEN: readonly Role[] = ["policy", "mutatingPolicy", "webhooks", "certificatePolicy"];

export class Worlds {
  readonly #base: World;
  readonly #replace: Replace;
  readonly #worlds = new Map<string, World>();
  readonly #ids = new Map<unknown, number>();

  /** `base` is the world of the suite's resources where there is one already that shares more. */
  constructor(suite: Pick<Suite, "resources">, replace: Replace = (manifests) => manifests, base?: World) {
    this.#replace = replace;
    this.#base = base ?? World.of(replace(suite.resources));
  }

  get base(): World {
    return this.#base;
  }

  of(testCase: Case): World {
    const { resources, authorizer, webhookAnswers, policies, bindings, serverDefaults, serverValidation } = testCase;
    const ids = [...resources.map(({ object }) => this.#id(object)), "a", ...authorizer.map((rule) => this.#id(rule))];
    const answers = webhookAnswers && this.#id(webhookAnswers);
    const key = JSON.stringify([ids, answers, policies, bindings, serverDefaults, serverValidation]);
    let world = this.#worlds.get(key);
    if (world === undefined) {
      const options: WorldOptions = {
        ...this.#base.options,
        serverDefaults,
        builtinValidation: serverValidation,
        ...(authorizer.length > 0 && { authorizer }),
        ...(webhookAnswers && { webhooks: answeringTransport(webhookAnswers) }),
      };
      world = this.#base.with({ put: this.#replace(resources), options });
      const remove = [...unnamed(world, policies, CHOSEN), ...unnamed(world, bindings, ["binding", "mutatingBinding"])];
      if (remove.length > 0) world = world.with({ remove });
      this.#worlds.set(key, world);
    }
    return world;
  }

  #id(value: unknown): number {
    let id = this.#ids.get(value);
    if (id === undefined) this.#ids.set(value, (id = this.#ids.size));
    return id;
  }
}

function unnamed(world: World, names: readonly string[] | undefined, roles: readonly Role[]): readonly KubeObject[] {
  if (names === undefined) return [];
  const objects = world.manifests(...roles).map(({ object }) => object);
  return objects.filter((object) => !names.includes(nameOf(object)));
}
