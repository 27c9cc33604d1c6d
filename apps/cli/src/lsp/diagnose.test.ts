// A client sees one set at once and one after a pause, and never a set that lacks the verdicts of the one before.

import type { Diagnostic } from "@celadon/language";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type Diagnosed, Diagnoser } from "./diagnose.ts";

beforeEach(() => vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
afterEach(() => vi.useRealTimers());

const URI = "file:///pod.yaml";

/** A diagnostic at a word of the text. */
function at(text: string, word: string, code: string, source: Diagnostic["source"]): Diagnostic {
  const start = text.indexOf(word);
  return { code, severity: "error", range: { start, end: start + word.length }, message: code, source };
}

/** A workspace of one file, whose `image` is denied and whose `nmae` is unknown. */
function started(failing = false): { edit(text: string): Promise<void>; reviewed(): Promise<void>; sets: string[][] } {
  let text = "";
  const sets: string[][] = [];
  const lint = async () => (text.includes("nmae") ? [at(text, "nmae", "unknown", "lint")] : []);
  const workspace: Diagnosed = {
    file: () => ({ text }),
    files: () => [{ uri: URI, text }],
    quickDiagnostics: lint,
    diagnostics: lint,
    verdictDiagnostics: async () => {
      if (failing) throw new Error("no verdicts");
      return new Map([[URI, [at(text, "image", "denied", "verdict")]]]);
    },
    suiteDiagnostics: async () => new Map(),
  };
  const channel = {
    open: () => [URI],
    publish: (_: string, found: readonly Diagnostic[]) =>
      sets.push(found.map(({ code, range }) => `${code} at ${text.slice(range.start, range.end)}`)),
    refresh: () => {},
    log: () => {},
  };
  const diagnoser = new Diagnoser(workspace, channel, { verdicts: true, pull: false });
  const settle = async (): Promise<void> => {
    for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
  };
  const edit = async (next: string): Promise<void> => {
    text = next;
    diagnoser.changed(URI);
    await settle();
  };
  const reviewed = async (): Promise<void> => {
    vi.advanceTimersByTime(300);
    await settle();
  };
  return { edit, reviewed, sets };
}

test("one set at once, one after a pause, and verdicts move along with an edit", async () => {
  const { edit, reviewed, sets } = started();
  await edit("image: x");
  await reviewed();
  await edit("nmae: y\nimage: x");
  await reviewed();
  expect(sets).toEqual([
    [],
    ["denied at image"],
    ["unknown at nmae", "denied at image"],
    ["unknown at nmae", "denied at image"],
  ]);
});

test("the others are shown when verdicts fail", async () => {
  const { edit, reviewed, sets } = started(true);
  await edit("nmae: y");
  await reviewed();
  expect(sets.at(-1)).toEqual(["unknown at nmae"]);
});
