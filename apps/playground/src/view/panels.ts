// The verdict, and those on several objects.

import type { Cure, Explanation, Remedy, ShownVerdict, Spot, Tone, WorkAnswer } from "../model/answer.ts";
import { breakable, h } from "./dom.ts";

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
  cure: ShownCure,
  { go, apply }: VerdictEvents,
): Node[] {
  const { title, detail, message, reason, tone, remedy } = verdict;
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
    ...(reason === undefined ? [] : [h("p", { class: "verdict-reason" }, ...breakable(reason))]),
    ...(message === undefined || message === "" ? [] : [messageOf(message, reason !== undefined)]),
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

/** The message of the API server; folded where a sentence before it says the same. */
function messageOf(message: string, isFolded: boolean): HTMLElement {
  const text = h("p", { class: "verdict-message", tabindex: "0" }, ...breakable(message));
  return isFolded
    ? h("details", { class: "verdict-server" }, h("summary", {}, "Message of the API server"), text)
    : text;
}

/** Laid over a verdict that stays while a text does not parse, so that nothing moves. */
export function unparsedNote({ title, detail, message, spots }: ShownVerdict, go: Go): HTMLElement {
  const said = title === "Cannot be read" ? `${detail}: cannot be read yet` : "Does not parse yet";
  return h(
    "button",
    { type: "button", class: "unparsed", title: message, click: () => go(spots) },
    h("span", { "aria-hidden": "true" }, "… "),
    said,
  );
}

/** A cure; `isPast` if it is of the answer before. */
export type ShownCure = Cure & { readonly isPast: boolean };

/** `Set spec.replicas to 5 → allowed` */
function cureLine(
  { title = "", changes, isPast }: ShownCure,
  verdict: string,
  apply: VerdictEvents["apply"],
): HTMLElement {
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
    remedy &&
      h(
        "button",
        { type: "button", class: "primary", id: "cure", disabled: isPast, click: () => apply(remedy) },
        "Apply",
      ),
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
