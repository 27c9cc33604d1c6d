// Requests as cases of a test suite: the suite of the tests text with more cases unless it has the same, or a new suite.

import { type KubeObject, nameOf } from "@celadon/kube";
import type { Work } from "@celadon/language/playground";
import type { Outcome } from "@celadon/simulator";
import { Document, isMap, isSeq, parseDocument } from "yaml";
import type { Session } from "./session.ts";
import { FILE_NAMES } from "./texts.ts";

/** An object, and the API server's answer to its request. */
export interface ReviewedCase {
  readonly object: KubeObject | undefined;
  readonly outcome: Outcome;
  /** The difference from others of its name. */
  readonly note?: string;
}

/** A case as it is written. */
type TestEntry = { readonly name: string } & Readonly<Record<string, unknown>>;

const LAYOUT = { lineWidth: 0, aliasDuplicateObjects: false } as const;

/** The tests with a case for each; existing cases are not added again. */
export function withCases(session: Session, asked: readonly ReviewedCase[]): string {
  return asked.reduce((text, request) => withCase(text, caseOf(session, request)), session.texts.text("tests"));
}

function caseOf(session: Session, { object, outcome, note }: ReviewedCase): TestEntry {
  const { operation, user, groups, namespace, subresource, dryRun }: Work["request"] = session.request;
  const oldObject = session.objectManifest("oldObject")?.object;
  const subject = object ?? oldObject ?? {};
  const { status, certificate } = outcome;
  const failed = outcome.problems.some(({ by, level }) => level === "deny" && by?.error === true);
  const decided = { Approved: "approve", Denied: "deny", Unprocessed: "unprocessed", Error: "error" } as const;
  const verdict =
    certificate !== undefined
      ? decided[certificate.result]
      : status === undefined
        ? "allow"
        : failed
          ? "error"
          : "deny";
  const returned = outcome.problems.find((problem) => problem.returned && problem.system === "policy");
  return {
    name: `${verdict} ${String(subject.kind)} ${nameOf(subject)}${note === undefined ? "" : ` with ${note}`}`.trim(),
    ...(object && { object }),
    ...(oldObject && { oldObject }),
    ...(operation && { operation }),
    ...(subresource && { subresource }),
    ...(user && { user: groups === undefined ? user : { username: user, groups } }),
    ...(namespace && { namespace }),
    ...(dryRun && { dryRun }),
    expect: verdict === "deny" && returned !== undefined ? { verdict, message: returned.message } : verdict,
  };
}

function withCase(text: string, entry: TestEntry): string {
  const existing = text.trim() === "" ? undefined : parseDocument(text);
  if (existing !== undefined && existing.errors.length === 0 && isMap(existing.contents)) {
    const tests = existing.get("tests");
    const named = isSeq(tests)
      ? tests.items.map((item) => String((item as { get?: (key: string) => unknown }).get?.("name") ?? ""))
      : [];
    if (isSeq(tests) && tests.toJS(existing).some((other: object) => isSameCase(other, entry))) return text;
    const added = plain({ ...entry, name: freeName(entry.name, named) });
    if (isSeq(tests)) tests.add(existing.createNode(added));
    else existing.set("tests", existing.createNode([added]));
    return existing.toString(LAYOUT);
  }
  const suite = {
    apiVersion: "celadon.dev/v1",
    kind: "TestSuite",
    metadata: { name: "playground" },
    resources: [FILE_NAMES.policy],
    tests: [plain(entry)],
  };
  return new Document(suite, { aliasDuplicateObjects: false }).toString(LAYOUT);
}

/** Under any name, in the form written by this program. */
function isSameCase(object: object, other: object): boolean {
  const text = (entry: object): string => JSON.stringify(plain({ ...entry, name: "" }));
  return text(object) === text(other);
}

function freeName(name: string, taken: readonly string[]): string {
  for (let i = 1; ; i++) {
    const free = i === 1 ? name : `${name} (${i})`;
    if (!taken.includes(free)) return free;
  }
}

/** Numbers that are kept as they were written become numbers again. */
function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value, (_key, item: unknown) => (typeof item === "bigint" ? Number(item) : item)));
}
