// Diagnostics of the workspace's policies on its objects, at the field that decided, with the clause beside it.

import type { JsonPath } from "@celadon/base";
import { nameOf } from "@celadon/kube";
import type { Problem } from "@celadon/simulator";
import type { Manifest } from "@celadon/simulator/manifests";
import type { Diagnostic, Related, Severity } from "../diagnostics/diagnostic.ts";
import type { PlacedResource } from "../document/file.ts";
import { touchesMask } from "../document/template.ts";
import { shifted } from "../text/range.ts";
import type { ObjectVerdict } from "./review-all.ts";

const LEVELS: Readonly<Record<Problem["level"], { readonly code: string; readonly severity: Severity }>> = {
  deny: { code: "denied", severity: "error" },
  warn: { code: "warned", severity: "warning" },
  audit: { code: "audited", severity: "information" },
  ignored: { code: "error_ignored", severity: "warning" },
  notice: { code: "server_warning", severity: "warning" },
};

export function verdictDiagnostics(
  { manifest, problems }: Pick<ObjectVerdict, "manifest" | "problems">,
  blame: ReadonlyMap<Problem, JsonPath>,
  placed: ReadonlyMap<Manifest, PlacedResource>,
  speakers: PlacedSources,
): readonly Diagnostic[] {
  const place = placed.get(manifest);
  if (place === undefined || place.resource.inSuite) return [];
  const { resource, start } = place;
  return problems.flatMap((problem): Diagnostic[] => {
    // A webhook that cannot be called here is not a problem of the object.
    if (problem.system === "webhook" && problem.level !== "deny") return [];
    const { code, severity } = LEVELS[problem.level];
    const path = blame.get(problem) ?? problem.path ?? ["metadata", "name"];
    const range = resource.part.nearestRange(resource, path, problem.key === true ? "key" : "value");
    if (touchesMask(resource.part.masks, range)) return [];
    const related = clauseOf(problem, speakers);
    return [
      {
        code: problem.by?.error === true ? "expression_failed" : code,
        severity,
        range: shifted(range, start),
        message: messageOf(problem),
        ...(related.length > 0 && { related }),
        source: "verdict",
      },
    ];
  });
}

function messageOf({ message, by }: Problem): string {
  return by === undefined ? message : `${message} (${by.kind} ${by.name})`;
}

/** Policies, definitions and their like, by kind and name. */
export type PlacedSources = ReadonlyMap<string, PlacedResource>;

export function placedSourcesOf(placed: Iterable<PlacedResource>): PlacedSources {
  return new Map(
    [...placed].map((resource) => [
      `${String(resource.resource.object.kind)} ${nameOf(resource.resource.object)}`,
      resource,
    ]),
  );
}

function clauseOf({ by }: Problem, speakers: PlacedSources): Related[] {
  const speaker = by && speakers.get(`${by.kind} ${by.name}`);
  if (by === undefined || speaker === undefined) return [];
  const { uri, resource, start } = speaker;
  const range = resource.part.nearestRange(resource, by.path ?? ["metadata", "name"]);
  return [
    {
      uri,
      range: shifted(range, start),
      message: by.expression === undefined ? `${by.kind} ${by.name}` : oneLine(by.expression),
    },
  ];
}

const oneLine = (text: string): string => {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length > 120 ? `${line.slice(0, 119)}…` : line;
};
