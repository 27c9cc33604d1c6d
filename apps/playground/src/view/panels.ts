// The verdict, and the tabs of the result beside the explanation.

import type { Cost, Cure, Explanation, Remedy, Spot, TextFinding, Tone, WorkAnswer } from "../model/answer.ts";
import { breakable, h, withCode } from "./dom.ts";

export type Go = (spots: readonly Spot[]) => void;

export interface VerdictEvents {
  readonly go: Go;
  /** Makes a change that mends the verdict. */
  readonly apply: (remedy: Remedy) => void;
}

export const SIGNS: Readonly<Record<Tone, string>> = { good: "✓", bad: "✗", warn: "!", none: "·" };

export function verdictContent(
  { verdict, warnings, notes, annotations, webhooks, asked }: WorkAnswer,
  { spots: decided }: Explanation,
  cure: Cure,
  { go, apply }: VerdictEvents,
): Node[] {
  const { title, detail, message, tone, remedy } = verdict;
  const spots = verdict.spots.length > 0 ? verdict.spots : decided;
  return [
    h(
      "p",
      { class: "verdict-title" },
      h("span", { class: "verdict-sign", "aria-hidden": "true" }, SIGNS[tone]),
      h("strong", {}, title),
      detail === undefined ? undefined : h("span", { class: "verdict-detail" }, detail),
      spots.length === 0
        ? undefined
        : h("button", { type: "button", class: "quiet", click: () => go(spots) }, "Show where"),
    ),
    ...(message === undefined || message === ""
      ? []
      : [h("p", { class: "verdict-message", tabindex: "0" }, ...breakable(message))]),
    ...(cure.title === undefined ? [] : [cureLine(cure, verdict.title, apply)]),
    ...(remedy === undefined
      ? []
      : [
          h(
            "p",
            { class: "buttons" },
            h("button", { type: "button", class: "primary", id: "remedy", click: () => apply(remedy) }, remedy.title),
          ),
        ]),
    ...warnings.map((text) => h("p", { class: "verdict-line tone-warn" }, h("b", {}, "Warning: "), text)),
    ...webhooks.map(({ name, text, tone: own }) =>
      h("p", { class: `verdict-line tone-${own}` }, `${SIGNS[own]} webhook `, h("b", {}, name), ` ${text}`),
    ),
    ...annotations.map(([key, value]) => h("p", { class: "verdict-line" }, h("code", {}, key), `: ${value}`)),
    ...(asked === "" ? [] : [h("p", { class: "verdict-line soft" }, asked)]),
    ...notes.map((text) => h("p", { class: "verdict-line soft" }, `Note: ${text}`)),
  ];
}

/** `Set spec.replicas to 5 → allowed` */
function cureLine({ title = "", changes }: Cure, verdict: string, apply: VerdictEvents["apply"]): HTMLElement {
  const remedy = changes && { title: "Apply", text: "object" as const, changes };
  return h(
    "p",
    { class: "cure", role: "status" },
    h(
      "span",
      { class: "cure-text" },
      ...breakable(title),
      " ",
      h("b", { class: "cure-then" }, `→ ${verdict === "Denied" ? "allowed" : "approved"}`),
    ),
    remedy && h("button", { type: "button", class: "primary", id: "cure", click: () => apply(remedy) }, "Apply"),
  );
}

/** The verdicts on several objects: a button each, which makes the rest of the result about it. */
export function objectsContent({ objects, selected }: WorkAnswer, select: (at: number) => void): Node[] {
  const denied = objects.filter(({ tone }) => tone === "bad").length;
  return [
    h(
      "span",
      { class: "objects-count" },
      denied > 0 ? `${denied} of ${objects.length} denied` : `${objects.length} objects`,
    ),
    ...objects.map(({ name, tone, title }, at) =>
      h(
        "button",
        {
          type: "button",
          class: `object-chip tone-${tone}`,
          "aria-pressed": String(at === selected),
          title,
          click: () => select(at),
        },
        h("span", { class: "sign", "aria-hidden": "true" }, SIGNS[tone]),
        ` ${name}`,
        h("span", { class: "hidden" }, `: ${title}`),
      ),
    ),
  ];
}

export function costsContent(costs: readonly Cost[], go: Go): Node[] {
  if (costs.length === 0) return [h("p", { class: "empty" }, "There are no expressions with a cost.")];
  const resources = [...new Set(costs.map(({ resource }) => resource))];
  return resources.flatMap((resource) => [
    h("h3", { class: "group-title" }, resource),
    h("ul", { class: "costs" }, ...costs.filter((cost) => cost.resource === resource).map((row) => costRow(row, go))),
  ]);
}

function costRow({ what, text, share, tone, accepted, refused, help, spots, isTotal }: Cost, go: Go): HTMLElement {
  const bar = h("span", { class: `bar-fill tone-${tone}` });
  // Every cost is visible: the scale is of roots, because costs differ by powers of ten.
  const width =
    share === undefined || share === 0 ? 0 : Math.max(1.5, Math.min(100, Math.sqrt(Math.min(share, 100)) * 10));
  bar.style.setProperty("inline-size", `${width}%`);
  const said = share === undefined ? "" : shareText(share);
  return h(
    "li",
    { class: `cost${isTotal ? " is-total" : ""}` },
    h(
      "div",
      { class: "cost-head" },
      h("button", { type: "button", class: "linklike", click: () => go(spots) }, ...breakable(what)),
      h("span", { class: "cost-share" }, said),
    ),
    h("div", { class: "meter", "aria-hidden": "true" }, bar),
    h(
      "div",
      { class: "cost-foot" },
      h("span", {}, text),
      isTotal
        ? undefined
        : h(
            "span",
            { class: "minors" },
            accepted === "" ? "not accepted by any Kubernetes version" : `Kubernetes ${accepted}`,
          ),
    ),
    ...refused.map((reason) => h("p", { class: "cost-refused" }, `✗ ${reason}`)),
    help === undefined ? undefined : h("p", { class: "cost-help" }, `help: ${help}`),
  );
}

/** Percent; where it is many times the limit, how many. */
function shareText(share: number): string {
  if (share === 0) return "0%";
  if (share < 0.01) return "<0.01%";
  return share < 1_000 ? `${share.toFixed(2)}%` : `${Math.round(share / 100).toLocaleString("en")} times the limit`;
}

export function findingsContent(findings: readonly TextFinding[], go: Go): Node[] {
  if (findings.length === 0)
    return [h("p", { class: "empty" }, "No problems found in types, bindings, names and costs.")];
  return [
    h(
      "ul",
      { class: "findings" },
      ...findings.map(({ tone, code, message, help, spot }) =>
        h(
          "li",
          { class: `finding tone-${tone}` },
          h("span", { class: "sign", "aria-hidden": "true" }, SIGNS[tone]),
          h(
            "div",
            {},
            h("button", { type: "button", class: "linklike", click: () => go([spot]) }, message),
            h("span", { class: "code-name" }, code),
            help === undefined ? undefined : h("p", { class: "finding-help" }, ...withCode(`help: ${help}`)),
          ),
        ),
      ),
    ),
  ];
}
