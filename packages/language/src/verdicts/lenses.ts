// Lines above policies and clauses: the number of objects a resource denies, changes or is called for, the result of each clause for the
// workspace's objects (the truth strip), the tests that evaluate it, and its cost against its budget. All in the text, so that every editor
// shows it.

import { type JsonPath, memberOf, valueAt } from "@celadon/base";
import { type KubeObject, nameOf } from "@celadon/kube";
import type { File, PlacedResource } from "../document/file.ts";
import { expressionsOfResource } from "../expression/expressions-of.ts";
import type { LargestCost } from "../hover/expression-cost.ts";
import type { SuiteRun } from "../suites/suite-runs.ts";
import { testsOf } from "../suites/tests-of.ts";
import { shifted, type TextRange } from "../text/range.ts";
import { isAbout, isDenied, type Mutated, type ObjectVerdict } from "./review-all.ts";
import { isSampleOf } from "./sample-value.ts";
import { resultsAt, type StripData } from "./strips.ts";
import type { Truth } from "./truths.ts";

/** A line shown above a place, with something to do. */
export interface Lens {
  readonly range: TextRange;
  readonly title: string;
  /** The effect of choosing it: explains the clause for an object, or nothing. */
  readonly command?: {
    readonly name: "explain" | "test";
    readonly uri: string;
    readonly policy: string;
    readonly index?: number;
  };
}

const DOTS: Readonly<Record<Truth, string>> = { true: "●", false: "○", error: "✗", "not reached": "·" };
const SHOWN = 20;

/** Estimates the greatest cost of an expression; undefined when unknown. */
export type CostOf = (
  placed: PlacedResource,
  path: readonly (string | number)[],
  text: string,
) => LargestCost | undefined;

/** Lenses are made from this, beside the file. */
export interface LensData extends StripData {
  readonly costOf: CostOf;
  /** Everything in the workspace. */
  readonly all: readonly PlacedResource[];
  readonly suites: readonly SuiteRun[];
}

export function lensesOf(file: File, data: LensData): Lens[] {
  return file.resources().flatMap((placed) => [...tallyLenses(placed, data), ...clauseLenses(placed, data)]);
}

/** Counts the effects of a resource on the objects of the workspace. */
function tallyLenses(placed: PlacedResource, data: LensData): Lens[] {
  const { resource, start, uri } = placed;
  const { object } = resource;
  const name = nameOf(object);
  const at = (path: JsonPath): TextRange => shifted(resource.part.nearestRange(resource, path), start);
  const range = at(["metadata", "name"]);
  const command = { name: "test", uri, policy: name } as const;
  const tests = (): Lens => ({ range, title: testsText(testsOf(placed, data.all)), command });
  switch (object.kind) {
    case "ValidatingAdmissionPolicy": {
      const about = data.verdicts.filter((verdict) => isAbout(verdict, name));
      return [{ range, title: deniesText(about, name, "objects it matches"), command }, tests()];
    }
    case "MutatingAdmissionPolicy": {
      const title = mutationText(data.verdicts.flatMap(({ mutations }) => mutations.get(name) ?? []));
      return [{ range, title, command }, tests()];
    }
    case "CustomResourceDefinition": {
      const about = data.verdicts.filter((verdict) => isSampleOf(object, verdict));
      return [{ range, title: deniesText(about, name, "objects it matches") }];
    }
    case "CertificateRequestPolicy": {
      const about = data.verdicts.filter(({ certificate }) => isAsked(certificate, name));
      return [{ range, title: deniesText(about, name, "requests it applies to") }];
    }
    case "ValidatingWebhookConfiguration":
    case "MutatingWebhookConfiguration":
      return webhookNames(object).map((webhook, i) => ({
        range: at(["webhooks", i, "name"]),
        title: callsText(data.verdicts, String(object.kind), name, webhook),
      }));
    default:
      return [];
  }
}

function webhookNames(configuration: KubeObject): readonly unknown[] {
  const webhooks = valueAt(configuration, ["webhooks"]);
  return Array.isArray(webhooks) ? webhooks.map((webhook) => memberOf(webhook, "name")) : [];
}

function isAsked(certificate: ObjectVerdict["certificate"], name: string): boolean {
  if (certificate === undefined || certificate.result === "Error") return false;
  return certificate.policies.some(
    ({ policy, outcome }) => policy === name && (outcome === "approves" || outcome === "denies"),
  );
}

/** Counts calls for the objects that match rules and selectors: match conditions decide about the rest. */
function callsText(verdicts: readonly ObjectVerdict[], kind: string, configuration: string, name: unknown): string {
  const about = verdicts
    .flatMap(({ webhooks }) => webhooks)
    .filter(({ webhook }) => {
      const own = webhook.mutating ? "MutatingWebhookConfiguration" : "ValidatingWebhookConfiguration";
      return own === kind && webhook.configuration === configuration && webhook.webhook.name === name;
    })
    .filter((selection) => selection.outcome !== "refused" || selection.refusal.by === "matchCondition");
  if (about.length === 0) return NO_OBJECT;
  const called = about.filter(({ outcome }) => outcome === "call").length;
  return `called for ${called} of the ${about.length} ${about.length === 1 ? "object" : "objects"} its rules match`;
}

const NO_OBJECT = "matches no object in the workspace";

function mutationText(mutations: readonly Mutated[]): string {
  if (mutations.length === 0) return NO_OBJECT;
  const [changed, failed] = (["changed", "error"] as const).map(
    (what) => mutations.filter((mutation) => mutation === what).length,
  );
  const errors = failed === 0 ? "" : `, fails for ${failed}`;
  return `changes ${changed} of the ${mutations.length} ${mutations.length === 1 ? "object" : "objects"} it matches${errors}`;
}

function testsText(tests: readonly string[]): string {
  if (tests.length === 0) return "no tests";
  const shown = tests.slice(0, 3).join(", ");
  return `${tests.length} ${tests.length === 1 ? "test" : "tests"}: ${shown}${tests.length > 3 ? ", …" : ""}`;
}

/** `what` is in the plural. */
function deniesText(about: readonly ObjectVerdict[], name: string, what: string): string {
  if (about.length === 0) return NO_OBJECT;
  const denied = about.filter((verdict) => isDenied(verdict, name)).length;
  return `denies ${denied} of the ${about.length} ${about.length === 1 ? what.replace("s ", " ") : what}`;
}

function clauseLenses(placed: PlacedResource, data: LensData): Lens[] {
  const { object } = placed.resource;
  const policy = nameOf(object);
  return expressionsOfResource(placed).flatMap(({ path, kind, scalar }): Lens[] => {
    const cost = costText(data.costOf(placed, path, scalar.text));
    const tests = coverText(coveringTests(String(object.kind), policy, path, data.suites));
    const truths = resultsAt(object, path, kind, data).map(({ truth }) => truth);
    const title = joined([stripOf(truths), countText(truths), tests, cost]);
    if (title === "") return [];
    const isExplained = kind === "validation" && object.kind === "ValidatingAdmissionPolicy";
    const command = { name: "explain", uri: placed.uri, policy, index: Number(path[2]) } as const;
    return [{ range: scalar.range, title, ...(isExplained && { command }) }];
  });
}

function stripOf(truths: readonly Truth[]): string {
  const dots = truths.slice(0, SHOWN).map((truth) => DOTS[truth]);
  return dots.join("") + (truths.length > SHOWN ? "…" : "");
}

function joined(parts: readonly (string | undefined)[]): string {
  return parts.filter((part) => part !== undefined && part !== "").join("  ");
}

/** Undefined where no suite has the resource. */
function coveringTests(
  kind: string,
  name: string,
  path: JsonPath,
  suites: readonly SuiteRun[],
): readonly string[] | undefined {
  const found = suites.map(({ covering }) => covering.of(kind, name, path)).filter((tests) => tests !== undefined);
  return found.length === 0 ? undefined : found.flat();
}

function coverText(tests: readonly string[] | undefined): string | undefined {
  if (tests === undefined) return undefined;
  if (tests.length === 0) return "no test evaluates it";
  return tests.length === 1 ? `evaluated by test ${tests[0]}` : `evaluated by ${tests.length} tests`;
}

function countText(truths: readonly Truth[]): string | undefined {
  if (truths.length === 0) return undefined;
  const count = (truth: Truth): number => truths.filter((item) => item === truth).length;
  const parts = (["true", "false", "error", "not reached"] as const).flatMap((truth) =>
    count(truth) > 0 ? [`${count(truth)} ${truth}`] : [],
  );
  return parts.join(", ");
}

function costText(largest: LargestCost | undefined): string | undefined {
  if (largest === undefined) return undefined;
  const { cost, limit } = largest;
  if (cost >= Number.MAX_SAFE_INTEGER) return "cost: unbounded, the schema sets no limit";
  const share = (cost / limit) * 100;
  const part = share < 0.1 ? "under 0.1%" : `${share < 10 ? share.toFixed(1) : Math.round(share)}%`;
  return `cost: up to ${String(cost).replace(/\B(?=(\d{3})+$)/g, ",")}, ${part} of the limit`;
}
