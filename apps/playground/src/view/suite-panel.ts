// The tests of the work and their coverage. Loaded with the first result of a suite, which comes after the verdict.

import type { SuiteAnswer } from "../model/answer.ts";
import { h } from "./dom.ts";
import type { Go } from "./panels.ts";

const MARKS = { pass: ["good", "✓"], fail: ["bad", "✗"], error: ["bad", "!"], skip: ["none", "–"] } as const;

export function suiteContent({ problems, cases, percent, coverage }: SuiteAnswer, make: () => void, go: Go): Node[] {
  const missing = coverage.filter(({ covered }) => covered !== "all");
  return [
    h(
      "p",
      { class: "suite-head" },
      h("button", { type: "button", class: "primary", click: make }, "Make it a test"),
      percent === undefined ? undefined : h("span", { class: "coverage" }, `Coverage ${percent}%`),
    ),
    cases.length === 0 && problems.length === 0
      ? h(
          "p",
          { class: "empty" },
          "A test records the current result, and fails when a change to the policy changes it.",
        )
      : undefined,
    ...problems.map(({ message, spot }) =>
      h(
        "p",
        { class: "finding tone-bad" },
        h("button", { type: "button", class: "linklike", click: () => spot && go([spot]) }, message),
      ),
    ),
    h(
      "ul",
      { class: "cases" },
      ...cases.map(({ name, result, details, spot }) => {
        const [tone, sign] = MARKS[result];
        return h(
          "li",
          { class: `tone-${tone}` },
          h("span", { class: "sign", "aria-hidden": "true" }, sign),
          h("button", { type: "button", class: "linklike", click: () => spot && go([spot]) }, name),
          h("span", { class: "hidden" }, ` ${result}`),
          ...details.map((text) => h("p", { class: "case-detail" }, text)),
        );
      }),
    ),
    missing.length === 0 ? undefined : h("h3", { class: "group-title" }, "Not covered yet"),
    h(
      "ul",
      { class: "missing" },
      ...missing.map(({ spot, what, missing: texts }) =>
        h(
          "li",
          {},
          h("button", { type: "button", class: "linklike", click: () => go([spot]) }, what),
          ...texts.map((text) => h("p", { class: "missing-detail" }, text)),
        ),
      ),
    ),
  ].filter((item) => item !== undefined);
}
