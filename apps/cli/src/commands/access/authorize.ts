// `celadon authorize`: which authorizers of an AuthorizationConfiguration a SubjectAccessReview reaches.

import { acceptAuthorization } from "@celadon/kube-cel/access";
import { authorizationText } from "../../access/authorization-text.ts";
import { type AuthorizerStep, authorizerSteps } from "../../access/authorizer-steps.ts";
import { configurationOf } from "../../access/configuration-file.ts";
import { accessOf } from "../../access/reviewed-access.ts";
import { KUBE_VERSION } from "../../inputs/options.ts";
import { readOne, readText } from "../../inputs/value-file.ts";
import { writeAnswer } from "../../output/write.ts";
import { type ArgsOf, type Command, defineCommand, type Option } from "../../program/command.ts";
import { EXIT, type ExitCode, UsageError } from "../../program/exit.ts";
import type { Io } from "../../program/io.ts";
import { parseKubeVersion } from "../../sources/kube-version.ts";

// biome-ignore format: one option per line
const OPTIONS = [
  { name: "review", value: "FILE", help: "file with a SubjectAccessReview of authorization.k8s.io/v1; - for standard input", choices: "files" },
  KUBE_VERSION,
] as const satisfies readonly Option[];

export const command: Command = defineCommand({
  name: "authorize",
  summary: "show which authorizers of an AuthorizationConfiguration a SubjectAccessReview reaches",
  failure: "a match condition cannot be evaluated",
  usage: "FILE --review FILE",
  about: `Goes through the authorizers in order, evaluates the match conditions of webhooks with the review, and shows which webhooks would be
called and which are skipped, with the value and cost of every condition. Webhooks are not called, and roles are not read.

The file itself is validated by celadon check.

The exit code is 1 if a condition cannot be evaluated, so that the failure policy decides, and 2 if the file is invalid.`,
  options: OPTIONS,
  positionals: "files",
  examples: [
    { what: "show which webhooks are called", line: "celadon authorize authorization.yaml --review review.yaml" },
    { what: "print JSON", line: "celadon authorize authorization.yaml --review review.yaml -o json" },
  ],
  run: authorize,
});

async function authorize(args: ArgsOf<typeof OPTIONS>, io: Io): Promise<ExitCode> {
  const [file, ...more] = args.positionals;
  const review = args.text("review");
  if (file === undefined || more.length > 0) throw new UsageError("expected one AuthorizationConfiguration file");
  if (review === undefined) throw new UsageError("expected --review with a SubjectAccessReview");
  const kubeVersion = parseKubeVersion(args.text("kube-version"));
  const read = await configurationOf(file, "AuthorizationConfiguration", io, args);
  const { resource, status } = acceptAuthorization(read, { kubeVersion });
  if (resource === undefined || status !== undefined) {
    throw new UsageError(`${file} is invalid: ${status?.message}`, `celadon check ${file} shows all problems`);
  }
  const access = accessOf(readOne(await readText(review, io, args), io, args));
  if (access === undefined) throw new UsageError(`${review} is no SubjectAccessReview with a spec`);
  return writeAnswer(answerOf(file, authorizerSteps(resource, access)), args, io);
}

function answerOf(file: string, authorizers: readonly AuthorizerStep[]): Parameters<typeof writeAnswer>[0] {
  const hasError = authorizers.some(({ error }) => error !== undefined);
  return {
    results: authorizers.map(({ name, error }) => ({
      group: file,
      name,
      level: error === undefined ? "pass" : "fail",
      rule: `authorize/${name}`,
      message: error ?? "",
      system: "authorization",
    })),
    document: { apiVersion: "celadon.dev/v1", kind: "AuthorizationReport", file, authorizers },
    text: (paint) => authorizationText(authorizers, paint),
    table: {
      columns: ["AUTHORIZER", "TYPE", "STEP", "ERROR"],
      rows: authorizers.map(({ name, type, step, error = "" }) => [name, type, step, error]),
    },
    exit: hasError ? EXIT.failed : EXIT.ok,
  };
}
