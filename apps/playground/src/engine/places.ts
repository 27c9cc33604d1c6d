// The places in the texts that an explanation refers to: data of the objects, expressions of policies, definitions and
// certificate policies.

import type { JsonPath } from "@celadon/base";
import type { DataPath } from "@celadon/cel/explain";
import { nameOf } from "@celadon/kube";
import type { SimulatedCluster } from "@celadon/simulator";
import { type ExplainedPolicyKind, type RuleInSchema, rulePath } from "@celadon/simulator/explain";
import type { Manifest, Role } from "@celadon/simulator/manifests";
import type { Spot } from "../model/answer.ts";
import type { Texts } from "./texts.ts";

/** The manifests behind the variables of expressions. */
export type Roots = Readonly<Record<string, Manifest | undefined>>;

const ROLES: Readonly<Record<string, Role>> = {
  ValidatingAdmissionPolicy: "policy",
  MutatingAdmissionPolicy: "mutatingPolicy",
  CertificateRequestPolicy: "certificatePolicy",
  CustomResourceDefinition: "definition",
  ValidatingWebhookConfiguration: "webhooks",
  MutatingWebhookConfiguration: "webhooks",
};

export class Places {
  readonly #texts: Texts;
  readonly #simulated: SimulatedCluster;

  constructor(texts: Texts, simulated: SimulatedCluster) {
    this.#texts = texts;
    this.#simulated = simulated;
  }

  /** Data that no text holds has no place: the request, defaults, computed values. */
  data(path: DataPath | undefined, roots: Roots): readonly Spot[] {
    const manifest = path && roots[path.root];
    if (manifest === undefined || path!.path.length === 0) return [];
    const written = manifest.origin?.positionOf(path!.path);
    const spot = written && this.#texts.spotOf(manifest, path!.path);
    return spot === undefined ? [] : [spot];
  }

  /** The place, or the nearest part of the object that is written down. */
  field(manifest: Manifest | undefined, path: JsonPath): readonly Spot[] {
    const spot = manifest && this.#texts.spotOf(manifest, path);
    return spot === undefined ? [] : [spot];
  }

  /** Some units of an expression of a resource, or all of it. */
  expression(
    kind: string,
    name: string,
    path: JsonPath,
    start = 0,
    end: number = Number.POSITIVE_INFINITY,
  ): readonly Spot[] {
    const manifest = this.resource(kind, name);
    if (manifest === undefined) return [];
    const spot =
      end === Number.POSITIVE_INFINITY
        ? this.#texts.spotOf(manifest, path)
        : this.#texts.spotIn(manifest, path, start, end);
    return spot === undefined ? [] : [spot];
  }

  rule(definition: string, version: string, place: RuleInSchema, start?: number, end?: number): readonly Spot[] {
    return this.expression(
      "CustomResourceDefinition",
      definition,
      this.rulePath(definition, version, place),
      start,
      end,
    );
  }

  rulePath(definition: string, version: string, place: RuleInSchema): JsonPath {
    const spec = this.resource("CustomResourceDefinition", definition)?.object.spec as
      | { versions?: readonly { name?: string }[] }
      | undefined;
    const index = spec?.versions?.findIndex(({ name }) => name === version) ?? -1;
    return rulePath(Math.max(index, 0), place);
  }

  resource(kind: string, name: string): Manifest | undefined {
    const role = ROLES[kind as ExplainedPolicyKind];
    if (role === undefined) return undefined;
    return this.#simulated.manifests(role).find(({ object }) => object.kind === kind && nameOf(object) === name);
  }
}
