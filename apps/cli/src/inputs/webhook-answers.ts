// `--webhook-answers`: recorded answers, because webhooks are not called.

import { answeringTransport, type DeclaredAnswers, declaredAnswersProblem } from "@celadon/admission/memory";
import { memberOf, nearestName } from "@celadon/base";
import { type KubeObject, nameOf } from "@celadon/kube";
import type { SimulatedClusterOptions } from "@celadon/simulator";
import { type Manifest, roleOf } from "@celadon/simulator/manifests";
import type { ArgsOf, Option } from "../program/command.ts";
import type { Io } from "../program/io.ts";
import type { SourceIssue } from "../sources/issue.ts";
import { badInput } from "./inputs.ts";
import { readOne, readText } from "./value-file.ts";

export const WEBHOOK_ANSWERS = {
  name: "webhook-answers",
  value: "FILE",
  help: "YAML or JSON file with an AdmissionReview response per webhook name; other webhooks are not called",
  choices: "files",
} as const satisfies Option;

/** `set` are the manifests that should contain each webhook with an answer. */
export async function webhookAnswersOf(
  args: ArgsOf<readonly [typeof WEBHOOK_ANSWERS]>,
  io: Io,
  set: readonly Manifest[],
): Promise<Pick<SimulatedClusterOptions, "webhooks">> {
  const file = args.text(WEBHOOK_ANSWERS.name);
  if (file === undefined) return {};
  const answers = readOne(await readText(file, io, args), io, args);
  const message = declaredAnswersProblem(answers);
  if (message !== undefined) throw badInput([{ code: "syntax", file, message }], io, args);
  const names = set.flatMap(({ object }) => webhookNamesOf(object));
  const unknown = Object.keys(answers as DeclaredAnswers).filter((name) => !names.includes(name));
  const wrong = unknown.map((name): SourceIssue => {
    const guess = nearestName(name, names);
    const help = guess === undefined ? {} : { hint: `did you mean "${guess}"?` };
    return { code: "unknown_webhook", file, message: `no webhook "${name}" in the inputs`, ...help };
  });
  if (wrong.length > 0) throw badInput(wrong, io, args);
  return { webhooks: answeringTransport(answers as DeclaredAnswers) };
}

function webhookNamesOf(object: KubeObject): readonly string[] {
  if (roleOf(object) !== "webhooks") return [];
  const { webhooks } = object as { readonly webhooks?: unknown };
  if (!Array.isArray(webhooks)) return [];
  return webhooks.flatMap((webhook: unknown) => {
    const name = memberOf(webhook, "name");
    return typeof name === "string" ? [name, `${nameOf(object)}/${name}`] : [];
  });
}
