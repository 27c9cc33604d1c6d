// The changes of mutations, or the content of a certificate request. Loaded when there is one to show.

import type { Change, DecodedRequest } from "../model/answer.ts";
import { diffLines } from "./diff.ts";
import { breakable, h } from "./dom.ts";
import { SIGNS } from "./panels.ts";

export function changeContent({ mutations, before, after }: Change): Node[] {
  const lines = diffLines(before, after);
  return [
    ...(mutations.length === 0 ? [h("p", { class: "empty" }, "No mutation changed the object.")] : []),
    h(
      "ul",
      { class: "mutations" },
      ...mutations.map(({ tone, by, result, changes }) =>
        h(
          "li",
          { class: `tone-${tone}` },
          h("p", {}, h("span", { class: "sign", "aria-hidden": "true" }, SIGNS[tone]), h("b", {}, by), ` ${result}`),
          ...changes.map((text) =>
            h(
              "code",
              { class: `change change-${text[0] === "+" ? "add" : text[0] === "~" ? "set" : "cut"}` },
              ...breakable(text),
            ),
          ),
        ),
      ),
    ),
    lines === undefined
      ? h("p", { class: "empty" }, "The object is too large to compare.")
      : h(
          "div",
          { class: "diff", role: "region", "aria-label": "Before and after", tabindex: "0" },
          ...lines.map(({ is, text }) =>
            is === "gap"
              ? h("div", { class: "diff-gap" }, text)
              : h(
                  "div",
                  { class: `diff-line diff-${is}` },
                  h("span", { class: "diff-sign" }, is === "same" ? " " : is === "add" ? "+" : "−"),
                  text,
                ),
          ),
        ),
  ];
}

export function certificateContent({ problem, rows }: DecodedRequest): Node[] {
  if (problem !== undefined) return [h("p", { class: "empty tone-bad" }, `The request cannot be decoded: ${problem}`)];
  return [
    h(
      "dl",
      { class: "decoded" },
      ...rows.flatMap(({ name, values }) => [
        h("dt", {}, name),
        ...values.map((value) => h("dd", {}, h("code", {}, ...breakable(value)))),
      ]),
    ),
  ];
}
