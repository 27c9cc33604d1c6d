import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { PODS, type Read, type Simulated, simulated } from "../simulation.testing.ts";
import { indexesText, readIndexes } from "./job-policy.ts";

const JOBS = "/apis/batch/v1/namespaces/default/jobs";

let cluster: Simulated;
beforeAll(async () => {
  cluster = await simulated();
});
afterAll(() => cluster.close());

const job = (name: string, spec: object, annotations: object = {}, pod: object = {}): Read => ({
  metadata: { name },
  spec: {
    template: {
      metadata: { annotations },
      spec: { restartPolicy: "Never", containers: [{ name: "c", image: "i" }], ...pod },
    },
    ...spec,
  },
});
const never = { "simulation.celadon.dev/exit-after": "never" };
const failing = { "simulation.celadon.dev/exit-code": "3" };
const is =
  (type: string) =>
  ({ status }: Read): void =>
    expect(
      status.conditions
        ?.filter((condition: Read) => condition.status === "True")
        .map((condition: Read) => condition.type),
    ).toContain(type);
const ended = async (name: string, type: string): Promise<Read> => cluster.until(`${JOBS}/${name}`, is(type));
const conditionOf = ({ status }: Read, type: string): Read => status.conditions.find((one: Read) => one.type === type);

test("as many pods as completions, a few at a time", async () => {
  await cluster.create(JOBS, job("count", { completions: 5, parallelism: 2 }));
  const done = await ended("count", "Complete");
  expect(done.status).toMatchObject({ succeeded: 5, terminating: 0, ready: 0, completionTime: expect.any(String) });
  expect(conditionOf(done, "SuccessCriteriaMet")).toMatchObject({ status: "True", reason: "CompletionsReached" });
  const pods = await cluster.list(`${PODS}?labelSelector=job-name%3Dcount`);
  expect(pods).toHaveLength(5);
  await cluster.until(`${PODS}?labelSelector=job-name%3Dcount`, ({ items }) => {
    for (const { metadata } of items) expect(metadata.finalizers).toBeUndefined();
  });
});

test("every index has a pod that knows it", async () => {
  await cluster.create(JOBS, job("indexed", { completions: 3, parallelism: 3, completionMode: "Indexed" }));
  const done = await ended("indexed", "Complete");
  expect(done.status.completedIndexes).toBe("0-2");
  const pods = await cluster.list(`${PODS}?labelSelector=job-name%3Dindexed`);
  const index = "batch.kubernetes.io/job-completion-index";
  expect(
    pods.map(({ metadata, spec }) => [metadata.annotations[index], metadata.labels[index], spec.hostname]).sort(),
  ).toEqual([
    ["0", "0", "indexed-0"],
    ["1", "1", "indexed-1"],
    ["2", "2", "indexed-2"],
  ]);
});

test("too many failures end a Job, and so does its deadline", async () => {
  await cluster.create(JOBS, job("limit", { backoffLimit: 0 }, failing));
  const failed = await ended("limit", "Failed");
  expect(failed.status.failed).toBe(1);
  expect(conditionOf(failed, "Failed")).toMatchObject({
    reason: "BackoffLimitExceeded",
    message: "Job has reached the specified backoff limit",
  });
  await cluster.create(JOBS, job("deadline", { activeDeadlineSeconds: 1 }, never));
  const late = await ended("deadline", "Failed");
  expect(conditionOf(late, "Failed").reason).toBe("DeadlineExceeded");
  await cluster.until(`${JOBS}/deadline`, ({ status }) => expect(status.active).toBeUndefined());
});

test("rules say what a failure means", async () => {
  const onExitCodes = { operator: "In", values: [3] };
  await cluster.create(
    JOBS,
    job("rule", { podFailurePolicy: { rules: [{ action: "FailJob", onExitCodes }] } }, failing),
  );
  const failed = await ended("rule", "Failed");
  expect(conditionOf(failed, "Failed").reason).toBe("PodFailurePolicy");
  expect(conditionOf(failed, "Failed").message).toMatch(
    /^Container c for pod default\/rule-\w+ failed with exit code 3 matching FailJob rule at index 0$/,
  );
  const perIndex = { completions: 2, parallelism: 2, completionMode: "Indexed", backoffLimitPerIndex: 0 };
  await cluster.create(JOBS, job("index", perIndex, failing));
  const indexes = await ended("index", "Failed");
  expect(indexes.status).toMatchObject({ failedIndexes: "0,1", failed: 2 });
  expect(conditionOf(indexes, "Failed").reason).toBe("FailedIndexes");
});

test("one index may be enough", async () => {
  const successPolicy = { rules: [{ succeededIndexes: "0", succeededCount: 1 }] };
  const spec = { completions: 2, parallelism: 1, completionMode: "Indexed", successPolicy };
  await cluster.create(JOBS, job("enough", spec));
  const done = await ended("enough", "Complete");
  expect(conditionOf(done, "Complete")).toMatchObject({ reason: "SuccessPolicy", message: "Matched rules at index 0" });
});

test("a suspended Job has no pods, and starts anew when it goes on", async () => {
  await cluster.create(JOBS, job("pause", { suspend: true, parallelism: 2 }, never));
  await ended("pause", "Suspended");
  expect((await cluster.get(`${JOBS}/pause`)).status.startTime).toBeUndefined();
  await cluster.patch(`${JOBS}/pause`, { spec: { suspend: false } });
  const going = await cluster.until(`${JOBS}/pause`, ({ status }) =>
    expect(status).toMatchObject({ active: 2, ready: 2 }),
  );
  expect(conditionOf(going, "Suspended")).toMatchObject({ status: "False", reason: "JobResumed" });
  await cluster.patch(`${JOBS}/pause`, { spec: { suspend: true } });
  await cluster.until(`${JOBS}/pause`, ({ status }) => expect(status.active).toBeUndefined());
});

test("a finished Job goes after its time", async () => {
  await cluster.create(JOBS, job("short", { ttlSecondsAfterFinished: 0 }));
  await cluster.until(`${JOBS}/short`, ({ code }) => expect(code).toBe(404));
  await cluster.until(`${PODS}?labelSelector=job-name%3Dshort`, ({ items }) => expect(items).toEqual([]));
});

describe("sets of indexes", () => {
  test.each([
    ["", []],
    ["0", [0]],
    ["0,1", [0, 1]],
    ["0-2,5,7-9", [0, 1, 2, 5, 7, 8, 9]],
  ])("%j", (text, indexes) => {
    expect([...readIndexes(text)]).toEqual(indexes);
    expect(indexesText(indexes)).toBe(text);
  });
});
