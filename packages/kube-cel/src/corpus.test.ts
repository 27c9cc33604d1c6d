// Every expression of the corpus of real policies compiles, with the few exceptions that the reference refuses too. Variables that schemas
// and other expressions would declare (`self`, `variables`) are dynamic here. Skipped where the corpus is not at hand.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { DYN } from "@celadon/cel";
import { expect, test } from "vitest";
import { CORPUS, hasCorpus } from "../../../conformance/src/corpus/corpus-directory.ts";
import { compileExpression } from "./compile.ts";
import { kubeEnv } from "./environment.ts";
import { AUTHORIZER, RESOURCE_CHECK } from "./library/authorizer.ts";

const env = kubeEnv({
  mode: "newExpressions",
  variables: {
    object: DYN,
    oldObject: DYN,
    params: DYN,
    variables: DYN,
    self: DYN,
    oldSelf: DYN,
    request: DYN,
    namespaceObject: DYN,
    anyObject: DYN,
    authorizer: AUTHORIZER,
    "authorizer.requestResource": RESOURCE_CHECK,
  },
});

const REFUSED: Readonly<Record<string, string>> = {
  "'foo' in object.spec.template.metadata.labels ? url(object.spec.template.metadata.labels['foo']).getQuery() : null":
    "1:47: found no matching overload for '_?_:_' applied to '(bool, map(string, list(string)), null)'",
  "self = 42": "1:6: Syntax error: token recognition error at: '= '",
};

interface Entry {
  readonly expression: string;
  readonly origin: string;
}
const entries = hasCorpus ? (JSON.parse(readFileSync(join(CORPUS, "expressions.json"), "utf8")) as Entry[]) : [];

test.skipIf(!hasCorpus)(`${entries.length} expressions compile, interpreted and compiled`, () => {
  const wrong: unknown[] = [];
  for (const { expression, origin } of entries) {
    const refusal = REFUSED[expression];
    for (const mode of ["interpreted", "compiled"] as const) {
      const result = compileExpression(env, expression, { mode });
      const asRecorded = result.ok ? refusal === undefined : refusal !== undefined && result.message.includes(refusal);
      if (!asRecorded) wrong.push({ expression, origin, message: result.ok ? "accepted" : result.message });
    }
  }
  expect(wrong).toEqual([]);
});
