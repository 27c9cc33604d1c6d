import { expect, test } from "vitest";
import { type Read, simulated } from "../simulation.testing.ts";
import { parseSchedule } from "./cron.ts";

// biome-ignore format: one schedule per line
const schedules = [
  ["*/15 * * * *",   undefined,          "2026-01-31T23:50:10Z", "2026-02-01T00:00:00Z"],
  ["5 4 * * sun",    undefined,          "2026-11-19T00:00:00Z", "2026-11-22T04:05:00Z"],
  ["0 0 29 2 *",     undefined,          "2026-01-01T00:00:00Z", "2028-02-29T00:00:00Z"],
  ["0 12 13 * 5",    undefined,          "2026-11-01T00:00:00Z", "2026-11-06T12:00:00Z"],
  ["@hourly",        undefined,          "2026-11-19T10:00:00Z", "2026-11-19T11:00:00Z"],
  ["@every 90s",     undefined,          "2026-11-19T10:00:00Z", "2026-11-19T10:01:30Z"],
  ["0 9 * jan-mar mon-fri", undefined,   "2026-12-31T10:00:00Z", "2027-01-01T09:00:00Z"],
  ["30 2 * * *",     "America/New_York", "2026-07-01T00:00:00Z", "2026-07-01T06:30:00Z"],
  ["0 0 * * *",      "Asia/Kolkata",     "2026-07-01T00:00:00Z", "2026-07-01T18:30:00Z"],
] as const;
test.each(schedules)("%s %s after %s", (text, zone, after, next) =>
  expect(new Date(parseSchedule(text, zone)!(Date.parse(after))!).toISOString()).toBe(next.replace("Z", ".000Z")),
);

test.each(["", "* * * *", "60 * * * *", "* * 0 * *", "a * * * *", "5-1 * * * *", "*/0 * * * *"])(
  "%j is no schedule",
  (text) => expect(parseSchedule(text, undefined)).toBeUndefined(),
);

const CRONS = "/apis/batch/v1/namespaces/default/cronjobs";
const JOBS = "/apis/batch/v1/namespaces/default/jobs";

const cron = (name: string, spec: object, annotations: object = {}): Read => ({
  metadata: { name },
  spec: {
    schedule: "* * * * *",
    jobTemplate: {
      spec: {
        template: {
          metadata: { annotations },
          spec: { restartPolicy: "Never", containers: [{ name: "c", image: "i" }] },
        },
      },
    },
    ...spec,
  },
});

test("Jobs are made as time passes, and few are kept", async () => {
  // The clock stands still between two steps: a slow machine must not reach the next minute by itself.
  const begin = Math.floor(Date.now() / 60_000) * 60_000 + 30_000;
  let ahead = 0;
  const cluster = await simulated({ now: () => begin + ahead });
  const never = { "simulation.celadon.dev/exit-after": "never" };
  await cluster.create(CRONS, cron("often", { successfulJobsHistoryLimit: 1 }));
  await cluster.create(CRONS, cron("forbid", { concurrencyPolicy: "Forbid" }, never));
  await cluster.create(CRONS, cron("replace", { concurrencyPolicy: "Replace" }, never));
  await cluster.create(CRONS, cron("off", { suspend: true }));
  const jobs = async (of: string): Promise<readonly Read[]> =>
    (await cluster.list(JOBS)).filter(({ metadata }) => metadata.ownerReferences[0].name === of);
  // A change brings the controller to look again: the clock of the test does not run its timers.
  const pass = async (): Promise<void> => {
    ahead += 60_000;
    for (const name of ["often", "forbid", "replace", "off"])
      await cluster.patch(`${CRONS}/${name}`, { metadata: { annotations: { at: `${ahead}` } } });
  };
  await pass();
  const first = await cluster.until(`${CRONS}/often`, ({ status }) => expect(status.lastSuccessfulTime).toBeDefined());
  const [job] = await jobs("often");
  expect(job.metadata.name).toBe(`often-${Date.parse(first.status.lastScheduleTime) / 60_000}`);
  expect(job.metadata.annotations["batch.kubernetes.io/cronjob-scheduled-timestamp"]).toBe(
    first.status.lastScheduleTime,
  );
  await cluster.until(`${CRONS}/forbid`, ({ status }) => expect(status.active).toHaveLength(1));
  const before = await cluster.until(`${CRONS}/replace`, ({ status }) => expect(status.active).toHaveLength(1));
  const kept = await jobs("forbid");
  await pass();
  await cluster.until(`${CRONS}/replace`, ({ status }) => {
    expect(status.active).toHaveLength(1);
    expect(status.active[0].name).not.toBe(before.status.active[0].name);
  });
  await cluster.until(`${CRONS}/often`, ({ status }) =>
    expect(status.lastScheduleTime).not.toBe(first.status.lastScheduleTime),
  );
  await cluster.until(JOBS, ({ items }) =>
    expect(items.filter((one: Read) => one.metadata.ownerReferences[0].name === "often")).toHaveLength(1),
  );
  expect(await jobs("forbid")).toHaveLength(kept.length);
  expect(await jobs("off")).toEqual([]);
  await cluster.close();
});
