// Resources a cluster would not take, told where they are wrong: the field, and of expressions the character. Without them the
// tests would say nothing.

import type { JsonPath } from "@celadon/base";
import { fieldErrorBody, type KubeObject, nameOf, type Status } from "@celadon/kube";
import type { Position } from "@celadon/kube/read";
import { CURRENT } from "@celadon/kube-cel";
import { fieldPathIn, type Manifest, type Origin, valueAt, type World } from "@celadon/simulator";
import { issueAt, issueAtPlace, placeOf, type SuiteIssue } from "./issue.ts";
import { knownMinor, versionErrors } from "./kube-version.ts";
import type { Suite } from "./suite.ts";

export function resourceIssues(suite: Suite, world: World): SuiteIssue[] {
  const more = suite.cases.flatMap(({ resources }) => resources);
  const all = [...new Set([...world.manifests(), ...more])];
  return all.flatMap((manifest) => issuesOf(manifest, suite, world));
}

function issuesOf({ object, origin: own }: Manifest, suite: Suite, world: World): SuiteIssue[] {
  const origin = own ?? suite.origin;
  const { resource, status, unknownFields = [] } = world.accepted(object) ?? {};
  const what = `${String(object.kind)} ${JSON.stringify(nameOf(object))}`;
  const issues = unknownFields.map((field) => {
    const path = fieldPathIn(field, object);
    return issueAt(origin, path, "bad_resource", `${what}: unknown field "${field}"`, { part: "key" });
  });
  for (const { field, message } of status === undefined ? [] : causesOf(status)) {
    issues.push(...issuesAt(origin, object, field, `${what}: `, message));
  }
  const minor = suite.kubeVersion === undefined ? undefined : knownMinor(suite.kubeVersion);
  if (resource !== undefined && minor !== undefined && minor !== CURRENT) {
    for (const error of versionErrors(object, resource, minor)) {
      const lead = `${what}: refused by Kubernetes ${minor}: `;
      issues.push(...issuesAt(origin, object, error.path.toString(), lead, fieldErrorBody(error)));
    }
  }
  return issues;
}

function causesOf({ message = "", details }: Status): readonly { field: string; message: string }[] {
  const causes = details?.causes ?? [];
  if (causes.length === 0) return [{ field: "", message }];
  return causes.map(({ field = "", message = "" }) => ({ field, message }));
}

/** `ERROR: <input>:1:26: undeclared reference to 'x' (in container '')`, followed by the line and a caret. */
const IN_EXPRESSION = /^(?:.*?)ERROR: <input>:(\d+):(\d+): (.*)$/gm;

function issuesAt(origin: Origin, object: KubeObject, field: string, lead: string, message: string): SuiteIssue[] {
  const path = fieldPathIn(field, object);
  const text = valueAt(object, path);
  const errors = typeof text === "string" ? [...message.matchAll(IN_EXPRESSION)] : [];
  if (errors.length === 0) {
    return [issueAt(origin, path, "bad_resource", `${lead}${field === "" ? "" : `${field}: `}${message}`)];
  }
  return errors.map(([, line, column, words]) => {
    const place = placeIn(origin, path, text as string, Number(line), Number(column));
    return issueAtPlace(origin, place, "bad_resource", `${lead}${words}`);
  });
}

/** Columns count code points from 1. */
function placeIn(origin: Origin, path: JsonPath, text: string, line: number, column: number): Position | undefined {
  const lines = text.split("\n");
  const before = lines.slice(0, line - 1).reduce((sum, one) => sum + one.length + 1, 0);
  const inLine = [...(lines[line - 1] ?? "")].slice(0, column - 1).join("").length;
  return origin.positionIn(path, before + inLine) ?? placeOf(origin, path);
}
