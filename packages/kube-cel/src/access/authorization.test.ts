// AuthorizationConfigurations as kube-apiserver 1.37 reads and validates them, and the match conditions of their webhooks, recorded from its
// own functions.

import { readFileSync } from "node:fs";
import type { KubeObject } from "@celadon/kube";
import { fieldErrorText } from "@celadon/kube/errors";
import { describe, expect, test } from "vitest";
import { acceptAuthorization, matchConditions, type ReviewedAccess } from "./index.ts";

interface Recorded {
  readonly id: string;
  readonly config: string;
  readonly review?: { readonly spec: ReviewedAccess };
  readonly want: {
    readonly load?: string;
    readonly errors?: readonly string[];
    readonly matches?: readonly (boolean | string)[];
  };
}

const recorded: readonly Recorded[] = readFileSync(
  new URL("../testdata/access/authorization.jsonl", import.meta.url),
  "utf8",
)
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line));

const FILES: ReadonlyMap<string, string | undefined> = new Map([
  ["/nonexistent/x", "error loading file: stat /nonexistent/x: no such file or directory"],
  ["/etc", "must be a regular file"],
]);

test.each(recorded)("$id", ({ config, want }) => {
  const file: KubeObject = JSON.parse(config);
  const found = acceptAuthorization(file, { fileProblem: (path) => FILES.get(path) });
  // The recorded function does not check the names of types, which kube-apiserver does after it.
  const errors = found.errors.map(fieldErrorText).filter((text) => !text.includes(": expected name "));
  if (want.load !== undefined) expect(found.status?.message).toBe(want.load);
  else expect(errors).toEqual(want.errors);
});

const reviewed = recorded.filter(({ review, want }) => review !== undefined && want.errors?.length === 0);

test.each(reviewed)("$id: the review", ({ config, review, want }) => {
  const { resource } = acceptAuthorization(JSON.parse(config));
  const found = resource?.authorizers.flatMap(({ webhook }) => {
    if (webhook === undefined) return [];
    const { matches, error } = matchConditions(webhook.conditions, review!.spec);
    return [error ?? matches];
  });
  expect(found).toEqual(want.matches);
});

describe("names of types", () => {
  const file = (name: string): KubeObject =>
    ({
      apiVersion: "apiserver.config.k8s.io/v1",
      kind: "AuthorizationConfiguration",
      authorizers: [{ type: "RBAC", name }],
    }) as KubeObject;

  test("are those of kube-apiserver", () => {
    expect(acceptAuthorization(file("rbac")).status).toBeUndefined();
    const { status, errors } = acceptAuthorization(file("roles"));
    expect(status?.message).toBe("expected name rbac for authorizer RBAC instead of roles");
    expect(errors.map(({ path }) => String(path))).toEqual(["authorizers[0].name"]);
  });
});
