// Expressions that have another value, or fail, for the same object: observed on the objects of the inputs.

import type { EvaluationObserver } from "@celadon/admission/explain";
import { expressionPath } from "@celadon/admission/explain";
import type { JsonPath } from "@celadon/base";
import { type CelError, isError, type Value } from "@celadon/cel";
import type { ResourceVersion } from "@celadon/crd";
import type { RuleObserver } from "@celadon/crd/rules";
import { nameOf } from "@celadon/kube";
import type { Minor } from "@celadon/kube-cel";
import { CostWatch } from "@celadon/lint/costs";
import { rulePath } from "@celadon/simulator/explain";
import type { Manifest } from "@celadon/simulator/manifests";
import { stepsText, subjectOf } from "../../outcome/names.ts";
import type { Subject } from "../../output/answer.ts";
import { subjectText } from "../../output/subject-text.ts";
import type { VersionChange } from "./change.ts";
import { courseOf } from "./version-course.ts";

interface SeenValue {
  readonly kind: string;
  readonly name: string;
  readonly path: JsonPath;
  readonly value: string;
}

/** Watches the costs and the values of one request. */
export class ValueWatch extends CostWatch {
  readonly values: SeenValue[] = [];
  #begun = 0;

  override begin(): void {
    super.begin();
    this.#begun = this.values.length;
  }

  override restart(): void {
    super.restart();
    this.values.length = this.#begun;
  }

  override result(...[place, text, value, error, cost]: Parameters<EvaluationObserver["result"]>): void {
    super.result(place, text, value, error, cost);
    const { owner, kind, index } = place;
    if (kind === "variable") return;
    this.#saw({ kind: owner.kind, name: owner.name, path: expressionPath(kind, index, owner.webhook) }, value);
  }

  override rules(version: ResourceVersion): RuleObserver {
    const observer = super.rules(version);
    const { type } = version;
    const about = { kind: "CustomResourceDefinition", name: `${type.plural}.${type.group}` };
    const index = type.definition.spec.versions?.findIndex(({ name }) => name === version.name) ?? 0;
    return {
      ...observer,
      result: (place, rule, value, error, cost) => {
        observer.result(place, rule, value, error, cost);
        this.#saw({ ...about, path: rulePath(index, place) }, value);
      },
    };
  }

  #saw(about: Omit<SeenValue, "value">, value: Value | CelError | undefined): void {
    const text = valueText(value);
    if (text !== undefined) this.values.push({ ...about, value: text });
  }
}

/** Undefined for patches, whose effect is in the stored object. Errors differ in wording alone between releases. */
function valueText(value: Value | CelError | undefined): string | undefined {
  if (isError(value)) return "an error";
  return typeof value === "boolean" || typeof value === "string" ? JSON.stringify(value) : undefined;
}

/** Collects the changes of all objects: each once, with the first object that shows it. */
export class MeaningChanges {
  readonly #minors: readonly Minor[];
  readonly #manifests: ReadonlyMap<string, Manifest>;
  readonly #found = new Map<string, VersionChange>();

  constructor(minors: readonly Minor[], manifests: readonly Manifest[]) {
    this.#minors = minors;
    this.#manifests = new Map(
      manifests.map((manifest) => [`${String(manifest.object.kind)} ${nameOf(manifest.object)}`, manifest]),
    );
  }

  get changes(): readonly VersionChange[] {
    return [...this.#found.values()];
  }

  /** `watches` saw the same request on servers of the minors, oldest first. */
  add(subject: Subject, watches: readonly ValueWatch[]): void {
    const places = new Map(
      watches.flatMap(({ values }) => values).map((seen) => [JSON.stringify([seen.kind, seen.name, seen.path]), seen]),
    );
    for (const [key, { kind, name, path }] of places) {
      const known = watches.flatMap(({ values }, i) => {
        const own = values.filter((seen) => JSON.stringify([seen.kind, seen.name, seen.path]) === key);
        return own.length === 0 ? [] : [{ minor: this.#minors[i]!, value: own.map(({ value }) => value).join(", ") }];
      });
      const course = courseOf(
        known.map(({ minor }) => minor),
        known.map(({ value }) => value),
      );
      const manifest = this.#manifests.get(`${kind} ${name}`);
      if (course === undefined || manifest === undefined) continue;
      const { was, now, since, until } = course;
      const id = JSON.stringify([key, since, until, was, now]);
      if (this.#found.has(id)) continue;
      this.#found.set(id, {
        change: "meaning",
        manifest,
        subject: subjectOf(manifest.object),
        since,
        ...(until !== undefined && { until }),
        message: `${stepsText(path)}: ${was} → ${now}, for ${subjectText(subject)}`,
        path,
        was,
        now,
      });
    }
  }
}
