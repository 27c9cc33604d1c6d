// npm run fuzz -- [--seconds 60] [--seed n] [--failures 1]
// The campaign runs in a worker; this side watches that no input takes for ever or all the memory, and knows which one it was.

import { inspect, parseArgs } from "node:util";
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";
import { type Found, type Report, runCampaign } from "./campaign.ts";

/** Seconds one input may take. The slowest honest ones, at the cost limit, take far less. */
const PATIENCE = 10;
const LONGEST = 16_384;

/** A report as text: hostile data cannot be sent between threads. */
interface Summary extends Omit<Report, "found"> {
  readonly found: readonly (Omit<Found, "input"> & { readonly input: string; readonly data: string })[];
}

if (isMainThread) watch();
else work();

function watch(): void {
  const { values } = parseArgs({
    options: {
      seconds: { type: "string", default: "60" },
      seed: { type: "string" },
      failures: { type: "string", default: "1" },
    },
  });
  const seconds = Number(values.seconds);
  const seed = values.seed === undefined ? Date.now() % 2 ** 31 : Number(values.seed);
  console.log(`fuzz: seed ${seed}, ${seconds} s`);

  // Shared with the worker: how many inputs were begun, the length of the current one, its UTF-16 units.
  const counts = new Int32Array(new SharedArrayBuffer(8));
  const units = new Uint16Array(new SharedArrayBuffer(2 * LONGEST));
  const current = (): string => String.fromCharCode(...units.subarray(0, counts[1]));

  const worker = new Worker(new URL(import.meta.url), {
    workerData: { seed, seconds, failures: Number(values.failures), counts, units },
    resourceLimits: { maxOldGenerationSizeMb: 1024 },
  });
  let last = -1;
  let since = Date.now();
  const watchdog = setInterval(() => {
    if (counts[0] !== last) {
      last = counts[0]!;
      since = Date.now();
    } else if (Date.now() - since > PATIENCE * 1000) {
      fail(`an input takes more than ${PATIENCE} s`, current());
    }
  }, 500);
  worker.on("error", (error) => fail(`the worker died: ${error.message}`, current()));
  worker.on("message", (report: Summary) => {
    clearInterval(watchdog);
    const { inputs, reached, found } = report;
    console.log(
      `fuzz: ${inputs} inputs: ${Object.entries(reached)
        .map(([how, n]) => `${n} ${how}`)
        .join(", ")}`,
    );
    if (found.length === 0) return console.log("fuzz: nothing found");
    for (const { stage, problem, original, input, data } of found) {
      console.log(`\n${stage}: ${problem}`);
      console.log(`input: ${JSON.stringify(input)}`);
      console.log(`shrunk from: ${JSON.stringify(original)}, data: ${data}`);
    }
    process.exit(1);
  });
}

function fail(reason: string, text: string): never {
  console.log(`\nfuzz: found: ${reason}\ninput: ${JSON.stringify(text)}`);
  process.exit(1);
}

function work(): void {
  const { seed, seconds, failures, counts, units } = workerData as {
    seed: number;
    seconds: number;
    failures: number;
    counts: Int32Array;
    units: Uint16Array;
  };
  const announce = (text: string): void => {
    for (let i = 0; i < text.length && i < LONGEST; i++) units[i] = text.charCodeAt(i);
    counts[1] = Math.min(text.length, LONGEST);
    counts[0]!++;
  };
  const { inputs, reached, found } = runCampaign({ seed, seconds, failures, announce });
  const shown = found.map(({ input, ...rest }) => ({
    ...rest,
    input: input.text,
    data: inspect(input.data, { depth: 5, breakLength: Number.POSITIVE_INFINITY }).slice(0, 1000),
  }));
  parentPort!.postMessage({ inputs, reached, found: shown } satisfies Summary);
}
