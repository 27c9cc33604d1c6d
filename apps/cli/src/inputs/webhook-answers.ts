// `--webhook-answers`: recorded answers, because webhooks are not called.

import { answeringTransport, type DeclaredAnswers, declaredAnswersProblem } from "@celadon/admission/memory";
import type { SimulatedClusterOptions } from "@celadon/simulator";
import type { ArgsOf, Option } from "../program/command.ts";
import type { Io } from "../program/io.ts";
import { badInput } from "./inputs.ts";
import { readOne, readText } from "./value-file.ts";

export const WEBHOOK_ANSWERS = {
  name: "webhook-answers",
  value: "FILE",
  help: "YAML or JSON file with an AdmissionReview response per webhook name; other webhooks are not called",
  choices: "files",
} as const satisfies Option;

export async function webhookAnswersOf(
  args: ArgsOf<readonly [typeof WEBHOOK_ANSWERS]>,
  io: Io,
): Promise<Pick<SimulatedClusterOptions, "webhooks">> {
  const file = args.text(WEBHOOK_ANSWERS.name);
  if (file === undefined) return {};
  const answers = readOne(await readText(file, io, args), io, args);
  const message = declaredAnswersProblem(answers);
  if (message !== undefined) throw badInput([{ code: "syntax", file, message }], io, args);
  return { webhooks: answeringTransport(answers as DeclaredAnswers) };
}
