// Damaged files for the embedded store: a check finds all damage that matters, opening the store fails cleanly or works, and no program crashes.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startChild } from "@celadon/storage/testing";
import { type CampaignOptions, type CampaignReport, Findings } from "../campaign.ts";
import { fillStore, type Tried } from "./damage.ts";

export interface DamageOptions extends CampaignOptions {
  /** The JavaScript file of the worker. */
  readonly worker: string;
  readonly times: number;
}

export interface DamageReport extends CampaignReport {
  readonly files: number;
  readonly foundByCheck: number;
  readonly refused: number;
  /** Usable although a check finds damage: in a value, or in a part that was not read. */
  readonly usedThoughDamaged: number;
  readonly deaths: number;
}

export async function damageCampaign(options: DamageOptions): Promise<DamageReport> {
  const folder = mkdtempSync(join(tmpdir(), "celadon-damage-"));
  const findings = new Findings();
  const tried: Tried[] = [];
  let deaths = 0;
  try {
    await fillStore(join(folder, "source"));
    while (tried.length + deaths < options.times && findings.isSound && !options.signal?.aborted) {
      const from = tried.length + deaths;
      const { lines, death } = await work(options, folder, from, Math.min(from + 100, options.times));
      tried.push(...lines);
      if (death !== undefined) {
        deaths += 1;
        findings.problem(`file ${from + lines.length}: the program ended with ${death}`);
      }
      options.progress?.(`${tried.length + deaths} files`);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  for (const [i, { check, use }] of tried.entries()) {
    for (const said of [check, use]) if (said.startsWith("problem")) findings.problem(`file ${i}: ${said}`);
  }
  return {
    files: tried.length + deaths,
    foundByCheck: tried.filter(({ check }) => check === "damaged").length,
    refused: tried.filter(({ use }) => use === "refused").length,
    usedThoughDamaged: tried.filter(({ check, use }) => check === "damaged" && use === "read").length,
    deaths,
    problems: findings.problems,
  };
}

/** Runs some cases in one process until it exits or crashes. */
async function work({ worker, seed }: DamageOptions, folder: string, from: number, to: number) {
  const args = [worker, join(folder, "source"), join(folder, "cases"), String(seed), String(from), String(to)];
  const child = startChild(process.execPath, args, { stdio: ["ignore", "pipe", "ignore"] });
  let text = "";
  child.stdout!.setEncoding("utf8").on("data", (part: string) => (text += part));
  const death = await new Promise<string | undefined>((resolve) => {
    child.once("close", (code, signal) => resolve(code === 0 ? undefined : (signal ?? `code ${code}`)));
  });
  const lines = text.split("\n").filter((line) => line !== "");
  return { lines: lines.map((line) => JSON.parse(line) as Tried), death };
}
