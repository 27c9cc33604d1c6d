// Large bodies against `celadon up`, one after the other, while another client gets an object all the time. Its latency and the memory of the server
// are measured; every body must be answered with a success or a Status, and neither the answer nor the memory may be out of proportion.

import type { CampaignOptions, CampaignReport } from "../campaign.ts";
import { Client } from "../server/client.ts";
import { UpProcess } from "../server/up-process.ts";
import { CASES } from "./cases/index.ts";
import { Getter } from "./getter.ts";
import type { Sample } from "./samples.ts";
import { setUp } from "./set-up.ts";

export interface BodiesOptions extends CampaignOptions {
  /** The JavaScript of the command. */
  readonly command: string;
  /** About how large each body is. */
  readonly bytes: number;
  /** Only cases whose name contains this. */
  readonly only?: string;
  /** Only one case of so many. */
  readonly every?: number;
  /** Milliseconds within which 99 of 100 gets are answered; absent where the machine has other work. */
  readonly limit?: number;
}

interface CaseFigures {
  readonly bytes: number;
  readonly code: number;
  readonly answerBytes: number;
  readonly seconds: number;
  readonly getP99Ms: number;
  readonly getLongestMs: number;
  /** The most the server grew while it answered, per byte of the body. */
  readonly memoryPerByte: number;
}

export interface BodiesReport extends CampaignReport {
  readonly bodies: number;
  readonly gets: number;
  readonly getP50Ms: number;
  readonly getP99Ms: number;
  readonly getLongestMs: number;
  readonly mostMemoryMB: number;
  readonly worst: Readonly<Record<string, CaseFigures>>;
}

/** Beside a list of errors that ends. Defaults of a schema, for items of three bytes each, are the largest that an answer owes its body. */
const ANSWER_PER_BYTE = 200;
const ANSWER_BYTES = 4_000_000;
/**
 * Bytes of memory for each byte of a body, beyond the allowance of every request. The most is taken by lists whose items are three bytes
 * long and become objects with all their defaults.
 */
const MEMORY_PER_BYTE = 300;
const MEMORY_BYTES = 96 * 2 ** 20;
/** The number of worst cases that are kept with the results. */
const KEPT = 15;

export async function bodiesCampaign(options: BodiesOptions): Promise<BodiesReport> {
  const { bytes, only = "", every = 1, limit, progress, signal } = options;
  const server = new UpProcess(options.command, ["--memory"]);
  try {
    const outcome = await server.start();
    if (outcome !== "ready") throw new Error(`the server did not start: ${server.log}`);
    const client = new Client(server.pki, () => server.port);
    const getter = new Getter(new Client(server.pki, () => server.port));
    await setUp(client);
    const problems: string[] = [];
    const figures: Record<string, CaseFigures> = {};
    let mostMemory = 0;
    for (const [i, [name, make]] of Object.entries(CASES).entries()) {
      if (signal?.aborted || !name.includes(only) || i % every !== 0) continue;
      const sample = make(bytes);
      const before = server.residentBytes();
      let most = before;
      const timer = setInterval(() => (most = Math.max(most, server.residentBytes())), 50);
      await getter.take();
      try {
        const { code, answerBytes, seconds, problem } = await send(client, sample);
        const size = sample.body === undefined ? 0 : Buffer.byteLength(sample.body);
        if (problem !== undefined) problems.push(`${name}: ${problem}`);
        if (answerBytes > ANSWER_PER_BYTE * size + ANSWER_BYTES)
          problems.push(`${name}: an answer of ${answerBytes} bytes to ${size}`);
        const { p99, longest } = await getter.take();
        const grown = most - before;
        if (grown > MEMORY_PER_BYTE * size + MEMORY_BYTES)
          problems.push(`${name}: ${Math.round(grown / 2 ** 20)} MB of memory for ${size} bytes`);
        const memoryPerByte = size === 0 ? 0 : Math.round(grown / size);
        figures[name] = {
          bytes: size,
          code,
          answerBytes,
          seconds,
          getP99Ms: p99,
          getLongestMs: longest,
          memoryPerByte,
        };
        progress?.(`${name}: ${JSON.stringify(figures[name])}`);
      } catch (error) {
        problems.push(`${name}: ${String(error)} ${server.log}`);
        break;
      } finally {
        clearInterval(timer);
        mostMemory = Math.max(mostMemory, most);
      }
    }
    const { gets, p50, p99, longest, failed } = await getter.stop();
    problems.push(...failed);
    if (limit !== undefined && p99 > limit) problems.push(`99 of 100 gets took up to ${p99} ms`);
    client.close();
    return {
      bodies: Object.keys(figures).length,
      gets,
      getP50Ms: p50,
      getP99Ms: p99,
      getLongestMs: longest,
      mostMemoryMB: Math.round(mostMemory / 2 ** 20),
      worst: worstOf(figures),
      problems,
    };
  } finally {
    await server.remove();
  }
}

/** Sends a body. The fault of the answer, if it is neither a success nor a Status about the request. */
async function send(client: Client, { method, path, body, type }: Sample) {
  const started = performance.now();
  const { code, body: answer, bytes } = await client.call(method, path, body, type, 120_000);
  const seconds = Math.round(performance.now() - started) / 1_000;
  const isStatus = answer?.kind === "Status" && answer.code === code;
  const isRight = code < 300 || (isStatus && (code < 500 || EXPECTED.test(answer.message)));
  const problem = isRight ? undefined : `${code} ${JSON.stringify(answer).slice(0, 300)}`;
  return { code, answerBytes: bytes, seconds, problem };
}

/** Answers of kube-apiserver that are internal errors there too. */
const EXPECTED = /^failed to create typed|^The order in patch list|request is too large/;

function worstOf(figures: Readonly<Record<string, CaseFigures>>): Record<string, CaseFigures> {
  const by = (key: "seconds" | "getLongestMs" | "memoryPerByte"): readonly [string, CaseFigures][] =>
    Object.entries(figures)
      .sort(([, a], [, b]) => b[key] - a[key])
      .slice(0, KEPT / 3);
  return Object.fromEntries([...by("seconds"), ...by("getLongestMs"), ...by("memoryPerByte")]);
}
