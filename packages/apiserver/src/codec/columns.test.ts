import { expect, test } from "vitest";
import { ageOf } from "./columns/cells.ts";
import { builtinColumns, customColumns } from "./columns.ts";

const NOW = Date.parse("2026-01-10T00:00:00Z");

test("ages are short", () => {
  const cases = [
    [0, "0s"],
    [119, "119s"],
    [120, "2m"],
    [200, "3m20s"],
    [700, "11m"],
    [18_120, "5h2m"],
    [90_000, "25h"],
    [260_000, "3d"],
    [900_000, "10d"],
  ] as const;
  for (const [seconds, want] of cases) expect(ageOf(new Date(NOW - seconds * 1000).toISOString(), NOW)).toBe(want);
  expect(ageOf(undefined, NOW)).toBe("<unknown>");
});

const DEPLOYMENT = { apiVersion: "apps/v1", kind: "Deployment" };

test("columns of built-in kinds and of definitions", () => {
  const deployment = {
    metadata: { name: "web", creationTimestamp: "2026-01-09T00:00:00Z" },
    spec: { replicas: 3 },
    status: { readyReplicas: 2 },
  };
  const columns = builtinColumns(DEPLOYMENT, DEPLOYMENT);
  expect(columns.definitions.map(({ name }) => name)).toEqual([
    "Name",
    "Ready",
    "Up-to-date",
    "Available",
    "Age",
    "Containers",
    "Images",
    "Selector",
  ]);
  expect(columns.cells(deployment, NOW)).toEqual(["web", "2/3", 0, 0, "24h", "", "", ""]);
  const custom = customColumns([
    { name: "Size", type: "integer", jsonPath: ".spec.size" },
    { name: "Since", type: "date", jsonPath: ".metadata.creationTimestamp" },
    { name: "None", type: "string", jsonPath: ".spec['x']" },
  ]);
  expect(custom.cells({ ...deployment, spec: { size: 4 } }, NOW)).toEqual(["web", 4, "24h", null]);
  expect(customColumns(undefined).definitions.map(({ name }) => name)).toEqual(["Name", "Age"]);
});

test("one word says what a pod does", () => {
  const POD = { apiVersion: "v1", kind: "Pod" };
  const columns = builtinColumns(POD, POD);
  const cells = (status: object, spec: object = {}, metadata: object = {}) =>
    columns
      .cells({ metadata: { name: "p", ...metadata }, spec: { containers: [{}, {}], ...spec }, status }, NOW)
      .slice(1, 4);
  const waiting = (reason: string) => ({ state: { waiting: { reason } } });
  const ended = (exitCode: number, more: object = {}) => ({ state: { terminated: { exitCode, ...more } } });
  const running = { ready: true, state: { running: {} } };
  const restarted = { restartCount: 2, lastState: { terminated: { finishedAt: "2026-01-09T23:59:00Z" } } };
  // biome-ignore format: one status per line
  const cases: readonly (readonly [status: object, want: readonly string[], spec?: object, metadata?: object])[] = [
    [{ phase: "Pending" },                                                                 ["0/2", "Pending", "0"]],
    [{ phase: "Running", containerStatuses: [running, { ...running, ...restarted }] },     ["2/2", "Running", "2 (60s ago)"]],
    [{ phase: "Running", containerStatuses: [running, waiting("CrashLoopBackOff")] },      ["1/2", "CrashLoopBackOff", "0"]],
    [{ phase: "Failed", containerStatuses: [ended(3)] },                                   ["0/2", "ExitCode:3", "0"]],
    [{ phase: "Failed", containerStatuses: [ended(9, { signal: 9 })] },                    ["0/2", "Signal:9", "0"]],
    [{ phase: "Running", containerStatuses: [running, ended(0, { reason: "Completed" })] },["1/2", "NotReady", "0"]],
    [{ phase: "Pending", initContainerStatuses: [ended(0), waiting("PodInitializing")] },  ["0/2", "Init:1/2", "0"], { initContainers: [{ name: "a" }, { name: "b" }] }],
    [{ phase: "Pending", initContainerStatuses: [ended(1, { reason: "Error" })] },         ["0/2", "Init:Error", "0"], { initContainers: [{ name: "a" }] }],
    [{ phase: "Pending", conditions: [{ type: "PodScheduled", reason: "SchedulingGated" }] }, ["0/2", "SchedulingGated", "0"]],
    [{ phase: "Running" },                                                                 ["0/2", "Terminating", "0"], {}, { deletionTimestamp: "2026-01-01T00:00:00Z" }],
  ];
  for (const [status, want, spec, metadata] of cases) expect(cells(status, spec, metadata)).toEqual(want);
});
