import type { Manifest } from "@celadon/simulator/manifests";
import { expect, test } from "vitest";
import { testIo } from "../io.testing.ts";
import { loadManifests } from "./load.ts";
import { ManifestCollector } from "./manifest-stream.ts";
import type { ReadPart } from "./read-source.ts";

const document = (i: number): string => `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c${i}}\n`;
const stream = Array.from({ length: 5000 }, (_, i) => document(i)).join("---\n");
const load = (budget: number, text = stream): ReturnType<typeof loadManifests> =>
  loadManifests(["-"], { passes: ({ kind }) => kind === "ConfigMap", budget }, testIo({ stdin: text }));

test("what stays in memory is bounded by the budget, not by the number of objects", async () => {
  const { stream: all, manifests } = await load(100_000);
  expect(all.length).toBe(5000);
  // Each counts as its text and 1,024 characters more.
  expect(manifests).toHaveLength(Math.floor(100_000 / (1024 + document(10).length + 4)));
  expect([...all].map(({ object }) => object.metadata?.name)).toEqual(Array.from({ length: 5000 }, (_, i) => `c${i}`));
});

test("places in parts that are read again", async () => {
  const { stream: all } = await load(0);
  const last = [...all].at(-1)!;
  expect(last.origin?.positionOf(["metadata", "name"])).toMatchObject({ file: "-", line: 4999 * 4 + 3, column: 18 });
});

test("what does not pass stays", async () => {
  const { stream: all, manifests } = await load(0, `${document(0)}---\nkind: Pod\napiVersion: v1\n---\n${document(1)}`);
  expect(manifests.map(({ object }) => object.kind)).toEqual(["Pod"]);
  expect([...all].map(({ object }) => object.kind)).toEqual(["ConfigMap", "Pod", "ConfigMap"]);
});

test("removed manifests leave no trace", () => {
  const collector = new ManifestCollector({ passes: ({ kind }) => kind === "ConfigMap", budget: 0 });
  const manifest = (kind: string): Manifest => ({ object: { apiVersion: "v1", kind, metadata: { name: kind } } });
  const read: ReadPart = () => ({ values: [], issues: [], warnings: [] });
  const part = { start: 0, end: 10 };
  collector.add(manifest("Pod"), read, part, 0);
  collector.add(manifest("ConfigMap"), read, part, 1);
  const mark = collector.mark();
  const readItem: ReadPart = () => undefined;
  collector.add(manifest("Service"), readItem, part, 0);
  collector.add(manifest("ConfigMap"), readItem, part, 0);
  collector.reset(mark);
  const { kept, length } = collector.done();
  expect({ length, kept }).toEqual({ length: 2, kept: [manifest("Pod")] });
});
