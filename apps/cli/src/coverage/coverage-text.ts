// Coverage for people: a row for each policy, then every point that was missed with its place.

import { type CoverageReport, type CoveredPoint, missedOf, missingText, percentOf } from "@celadon/testing/coverage";
import type { Paint } from "../output/paint.ts";
import { placeText } from "../output/place-text.ts";
import { tableText } from "../output/table.ts";
import { visible } from "../output/visible.ts";
import { cutTo } from "../output/width.ts";

/** The length of a clause's text; its place says where the rest is. */
const SHOWN = 100;

export function coverageText({ total, policies }: CoverageReport, paint: Paint): string {
  if (policies.length === 0) return "nothing to cover: no expressions in the resources\n";
  const shown = (count: typeof total): string[] => [
    `${percentOf(count).toFixed(1)}%`,
    `${count.covered}/${count.points}`,
  ];
  const rows = [
    ...policies.map((policy) => [...shown(policy), policy.kind, policy.name]),
    [...shown(total), "total", ""],
  ];
  const table = tableText({ columns: ["COVERED", "POINTS", "KIND", "NAME"], rows }, paint);
  const missed = policies.flatMap(missedOf);
  return missed.length === 0 ? table : `${table}\n${missed.map((point) => missedLine(point, paint)).join("")}`;
}

function missedLine(point: CoveredPoint, paint: Paint): string {
  const { place, text } = point;
  const where = place === undefined ? "" : `${paint.dim(placeText(place))}: `;
  const clause = cutTo(visible(text.replaceAll(/\s+/g, " ")), SHOWN);
  return `${where}${paint.yellow(missingText(point))}: ${clause}\n`;
}
