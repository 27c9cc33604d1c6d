// Every public CustomResourceDefinition of the corpus is accepted or refused as an API server did, and every object has the
// recorded verdict with the recorded causes.

import type { JsonObject } from "@celadon/base";
import { describe, expect, test } from "vitest";
import { type Admitted, admitCreate, admitDefinition, admitStatusUpdate, admitUpdate } from "./admit.ts";
import { type Cause, type CorpusCase, corpusCases, hasCorpus, type RecordedAnswer } from "./corpus.testing.ts";
import type { CustomResourceDefinition } from "./definition/definition.ts";
import { CustomResourceType } from "./resource.ts";

/** The version whose server gave the recorded answers. */
const RECORDED_WITH = "1.36";

describe.skipIf(!hasCorpus)("corpus", () => {
  for (const corpusCase of corpusCases()) {
    describe(corpusCase.name, () => {
      const types: CustomResourceType[] = [];
      const store = new Map<string, CustomResourceDefinition>();
      corpusCase.crds.forEach((crd, i) => {
        const recorded = corpusCase.recordedCrds[i]!;
        const answer = admitDefinition(crd, undefined, { kubeVersion: RECORDED_WITH });
        if (answer.allowed) {
          store.set(recorded.name ?? "", answer.object);
          types.push(new CustomResourceType(answer.object, { rules: { kubeVersion: RECORDED_WITH } }));
        }
        test(`definition ${recorded.name}`, () => expect(answerOf(answer, recorded)).toEqual(wanted(recorded)));
      });
      const files = Object.keys(corpusCase.objects).filter((file) => corpusCase.objects[file]!.by !== "other");
      if (files.length > 0) {
        test.each(files)("%s", (file) => {
          const recorded = corpusCase.objects[file]!;
          expect(answerOf(admit(corpusCase, types, file), recorded)).toEqual(wanted(recorded));
        });
      }
    });
  }
});

function admit(corpusCase: CorpusCase, types: readonly CustomResourceType[], file: string): Admitted<unknown> {
  const expected = corpusCase.expected[file] ?? {};
  const object = inNamespace(corpusCase.object(file), types);
  const version = versionOf(object, types);
  if (expected.operation !== "UPDATE") return admitCreate(version, object);
  const old = stored(
    inNamespace(expected.oldObject ? corpusCase.object(expected.oldObject) : corpusCase.object(file), types),
  );
  return expected.subresource === "status"
    ? admitStatusUpdate(version, object, old)
    : admitUpdate(version, object, old);
}

function stored(object: JsonObject): JsonObject {
  const metadata = object.metadata as JsonObject;
  return { ...object, metadata: { ...metadata, uid: "u", resourceVersion: "1", generation: 1 } };
}

function inNamespace(object: JsonObject, types: readonly CustomResourceType[]): JsonObject {
  const type = types.find(({ kind }) => kind === object.kind);
  const metadata = { ...(object.metadata as JsonObject | undefined) };
  if (type?.namespaced) metadata.namespace ??= "default";
  if (!metadata.name && metadata.generateName) metadata.name = `${metadata.generateName}abcde`;
  metadata.name ??= "unnamed";
  return { ...object, metadata };
}

function versionOf(
  object: JsonObject,
  types: readonly CustomResourceType[],
): ReturnType<CustomResourceType["version"]> & object {
  const [group, version] = String(object.apiVersion).split("/");
  const type = types.find((candidate) => candidate.group === group && candidate.kind === object.kind);
  const found = type?.version(version ?? "");
  if (found === undefined) throw new Error(`no definition of ${object.apiVersion} ${object.kind}`);
  return found;
}

interface Answer {
  readonly ok: boolean;
  readonly causes: readonly string[];
  readonly warnings: readonly string[];
}

function answerOf(answer: Admitted<unknown>, recorded: RecordedAnswer): Answer {
  const warnings = warningTexts(answer.warnings, recorded.warnings ?? []);
  if (answer.allowed) return { ok: true, causes: [], warnings };
  return { ok: false, causes: causeTexts(answer.status.details?.causes ?? []), warnings };
}

function wanted({ code = 0, causes = [], warnings = [] }: RecordedAnswer): Answer {
  return { ok: code < 300, causes: causeTexts(causes), warnings: warningTexts(warnings, warnings) };
}

/** The recording lost the quotes of warnings, and the text after the last of them. */
function warningTexts(warnings: readonly string[], recorded: readonly string[]): string[] {
  const clean = (text: string): string => text.replace(/["\\]/g, "");
  const starts = recorded.map(clean);
  const texts = warnings.map((text) => starts.find((start) => clean(text).startsWith(start)) ?? clean(text));
  return [...new Set(texts)].sort();
}

function causeTexts(causes: readonly Cause[]): string[] {
  const texts = causes.map(({ field, reason, message }) =>
    `${field} | ${reason} | ${message}`.replace(/selfType\d+/g, "selfType"),
  );
  return [...new Set(texts)].sort();
}
