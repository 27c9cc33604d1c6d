// AuthenticationConfigurations as kube-apiserver 1.37 reads and validates them, recorded from its own functions.

import { readFileSync } from "node:fs";
import type { KubeObject } from "@celadon/kube";
import { fieldErrorText } from "@celadon/kube/errors";
import { readDocument } from "@celadon/kube/read";
import { expect, test } from "vitest";
import { acceptAuthentication } from "./index.ts";

interface Recorded {
  readonly id: string;
  readonly config: string;
  readonly disallowed?: readonly string[];
  readonly want: { readonly load?: string; readonly errors?: readonly string[] };
}

const recorded: readonly Recorded[] = readFileSync(
  new URL("../testdata/access/authentication.jsonl", import.meta.url),
  "utf8",
)
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line));

test.each(recorded)("$id", ({ config, disallowed, want }) => {
  const found = acceptAuthentication(objectOf(config), { disallowedIssuers: disallowed });
  if (want.load !== undefined) expect(found.status?.message).toBe(want.load);
  else expect(found.errors.map(fieldErrorText)).toEqual(want.errors);
});

function objectOf(text: string): KubeObject {
  const read = readDocument(text);
  if (!("value" in read)) throw new Error("not YAML");
  return read.value as KubeObject;
}
