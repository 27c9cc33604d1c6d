// The costs and the problems. Loaded with the first of them, after the verdict.

import type { Cost, TextFinding } from "../model/answer.ts";
import { breakable, h, withCode } from "./dom.ts";
import { type Go, SIGNS } from "./panels.ts";

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
