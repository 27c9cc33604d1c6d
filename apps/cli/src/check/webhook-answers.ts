// `--webhook-answers`: what webhooks answer, where none can be asked.

import { answeringTransport, type DeclaredAnswers, declaredAnswersProblem } from "@celadon/admission/memory";
import type { WorldOptions } from "@celadon/simulator";
import type { Args, Option } from "../command.ts";
import { badInput } from "../inputs.ts";
import type { Io } from "../io.ts";
import { readOne, readText } from "../value-file.ts";

export const WEBHOOK_ANSWERS: Option = {
  name: "webhook-answers",
  value: "FILE",
  help: "what webhooks answer: the response of an AdmissionReview under the name of each; others are not asked",
  choices: "files",
};

export async function webhookAnswersOf(args: Args, io: Io): Promise<Pick<WorldOptions, "webhooks">> {
  const file = args.text(WEBHOOK_ANSWERS.name);
  if (file === undefined) return {};
  const answers = readOne(await readText(file, io, args), io, args);
  const message = declaredAnswersProblem(answers);
  if (message !== undefined) throw badInput([{ code: "syntax", file, message }], io, args);
  return { webhooks: answeringTransport(answers as DeclaredAnswers) };
}
