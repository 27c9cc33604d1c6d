// The reference readers, called through a program that reads lines of `{"mode","text"}`, the text in base64, and answers each with a line
// of `{"documents","error","undefined"}`.

import { spawn } from "node:child_process";
import type { YamlAnswer, YamlCase } from "./answers.ts";

export function askReference(program: string, cases: readonly YamlCase[]): Promise<readonly YamlAnswer[]> {
  const child = spawn(program, { stdio: ["pipe", "pipe", "inherit"] });
  const parts: string[] = [];
  child.stdout.setEncoding("utf8").on("data", (text: string) => parts.push(text));
  child.stdin.end(cases.map(lineOf).join(""));
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => {
      const lines = parts.join("").split("\n").slice(0, -1);
      if (code !== 0 || lines.length !== cases.length) {
        reject(new Error(`the reference ended with ${code} after ${lines.length} of ${cases.length} answers`));
      } else resolve(lines.map((line) => answerOf(JSON.parse(line))));
    });
  });
}

function lineOf({ mode, text }: YamlCase): string {
  return `${JSON.stringify({ mode, text: Buffer.from(text).toString("base64") })}\n`;
}

/** Go writes a list without elements as null. */
function answerOf(
  answer: Omit<YamlAnswer, "documents"> & { readonly documents: readonly string[] | null },
): YamlAnswer {
  return { ...answer, documents: answer.documents ?? [] };
}
