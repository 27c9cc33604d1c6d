// The clauses of the policy with their results for all objects, and changes that would turn them. Loaded when its tab is first shown.

import type { ClauseAnswer, FlipAnswer, Tone } from "../model/answer.ts";
import type { TextChange } from "../model/protocol.ts";
import { breakable, h } from "./dom.ts";
import type { Go } from "./panels.ts";

export interface ClauseEvents {
  readonly go: Go;
  readonly flip: (clause: string) => Promise<FlipAnswer | undefined>;
  /** Makes the change in the object. */
  readonly change: (changes: readonly TextChange[]) => void;
  readonly flipTests: (clause: string) => void;
}

type Truth = ClauseAnswer["results"][number]["truth"];

const TRUTHS: readonly Truth[] = ["true", "false", "error", "not reached"];
const DOTS: Readonly<Record<Truth, readonly [Tone, string]>> = {
  true: ["good", "●"],
  false: ["bad", "○"],
  error: ["bad", "✗"],
  "not reached": ["none", "·"],
};

/** Objects that a strip shows. */
const SHOWN = 40;

export function clausesContent(clauses: readonly ClauseAnswer[], events: ClauseEvents): Node[] {
  if (clauses.length === 0) return [h("p", { class: "empty" }, "No clause was evaluated for an object.")];
  const resources = [...new Set(clauses.map(({ resource }) => resource))];
  return resources.flatMap((resource) => [
    h("h3", { class: "group-title" }, resource),
    h(
      "ul",
      { class: "clauses" },
      ...clauses.filter((clause) => clause.resource === resource).map((clause) => clauseRow(clause, events)),
    ),
  ]);
}

function clauseRow({ id, what, results, spots, turns }: ClauseAnswer, events: ClauseEvents): HTMLElement {
  const answer = h("div", { class: "flip", role: "status" });
  const ask = h(
    "button",
    {
      type: "button",
      class: "quiet find",
      "aria-label": `Find the smallest change that flips ${what}`,
      click: () => void show(),
    },
    "Find the smallest change",
  );
  const show = async (): Promise<void> => {
    answer.textContent = "Searching…";
    const found = await events.flip(id);
    answer.replaceChildren(...flipContent(found, id, events));
  };
  return h(
    "li",
    { class: "clause" },
    h(
      "div",
      { class: "clause-head" },
      h("button", { type: "button", class: "linklike", click: () => events.go(spots) }, ...breakable(what)),
      turns ? ask : undefined,
    ),
    stripOf(results),
    answer,
  );
}

/** Each object is named where the pointer rests; screen readers get all of them as one sentence. */
function stripOf(results: ClauseAnswer["results"]): HTMLElement {
  const counts = TRUTHS.flatMap((truth) => {
    const count = results.filter((result) => result.truth === truth).length;
    return count === 0 ? [] : [`${count} ${truth}`];
  });
  const shown = results.slice(0, SHOWN);
  const rest = results.length - shown.length;
  return h(
    "p",
    { class: "strip" },
    h(
      "span",
      { class: "dots", "aria-hidden": "true" },
      ...shown.map(({ object, truth }) => {
        const [tone, dot] = DOTS[truth];
        return h("span", { class: `dot tone-${tone}`, title: `${object}: ${truth}` }, dot);
      }),
      rest > 0 && ` and ${rest} more`,
    ),
    h("span", { class: "soft" }, counts.join(", ")),
    h("span", { class: "hidden" }, `: ${shown.map(({ object, truth }) => `${object} ${truth}`).join(", ")}`),
  );
}

function flipContent(found: FlipAnswer | undefined, id: string, { change, flipTests }: ClauseEvents): Node[] {
  if (found?.title === undefined) {
    return [h("p", { class: "soft" }, "No change of a single field was found that flips it.")];
  }
  const { title, effect, changes } = found;
  return [
    h("p", {}, h("b", {}, ...breakable(title)), `: ${effect}.`),
    h(
      "p",
      { class: "buttons" },
      changes && h("button", { type: "button", click: () => change(changes) }, "Change the object"),
      h("button", { type: "button", click: () => flipTests(id) }, "Add tests for both sides"),
    ),
  ];
}
