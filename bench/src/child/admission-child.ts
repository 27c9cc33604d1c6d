// One measurement of the admission benchmark in a process of its own; the result goes to standard output as JSON.

import { admit, createPolicySet, type PolicyResource } from "@celadon/admission";
import { hosts, mixedPolicies, podRequest, simplePolicies, tenantPolicies } from "../input/admission-policies.ts";

export interface Measured {
  /** Microseconds of CPU per request, the median of several samples. */
  readonly micros: number;
  /** Milliseconds of CPU to build the set, and to change one policy of it. */
  readonly build: number;
  readonly change: number;
  /** Bytes of heap per policy once the garbage is collected. */
  readonly bytesPerPolicy: number;
  readonly matched: number;
}

const [kind = "simple", countText = "3", quick = ""] = process.argv.slice(2);
const count = Number(countText);
const resources: PolicyResource[] =
  kind === "mixed" ? mixedPolicies() : kind === "tenants" ? tenantPolicies(count) : simplePolicies(count);
const policies = resources.length / 2;

// The environments that all policies share do not count as the weight of one.
createPolicySet(simplePolicies(1));
const heap = settledHeap();
let set = createPolicySet();
const build = cpuMs(() => {
  set = createPolicySet(resources);
});
const bytesPerPolicy = (settledHeap() - heap) / policies;

const changed = resources.find((resource) => resource.kind === "ValidatingAdmissionPolicy")!;
const CHANGES = 20;
let next = set;
const change = cpuMs(() => {
  for (let i = 0; i < CHANGES; i++) next = next.with({ put: [changed] });
});

const first = await admit(podRequest, set, hosts);
if (!first.allowed) throw new Error(`a wrong answer is not a fast answer: ${first.status?.message}`);
const matched = first.verdicts.policies.filter(({ outcome }) => outcome === "matched").length;

const sampleMs = quick ? 100 : 400;
let rounds = 500;
await run(5000);
let spent = await run(rounds);
while (spent < sampleMs) {
  rounds *= 2;
  spent = await run(rounds);
}
const samples: number[] = [];
for (let i = 0; i < 5; i++) samples.push(((await run(rounds)) * 1000) / rounds);
const micros = samples.toSorted((a, b) => a - b)[2]!;
const result: Measured = { micros, build, change: change / CHANGES, bytesPerPolicy, matched };
console.log(JSON.stringify(result));

/** CPU milliseconds of a number of requests, one after the other. */
async function run(times: number): Promise<number> {
  const before = process.cpuUsage();
  for (let i = 0; i < times; i++) await admit(podRequest, set, hosts);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

function cpuMs(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

function settledHeap(): number {
  for (let i = 0; i < 3; i++) globalThis.gc?.();
  return process.memoryUsage().heapUsed;
}
