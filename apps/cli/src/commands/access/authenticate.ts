// `celadon authenticate`: the user that an AuthenticationConfiguration makes of a token's claims.

import type { Claims } from "@celadon/kube-cel/access";
import { acceptAuthentication } from "@celadon/kube-cel/access";
import { type AuthenticatedClaims, authenticateClaims, completeClaims } from "../../access/authenticate-claims.ts";
import { authenticationText } from "../../access/authentication-text.ts";
import { configurationOf } from "../../access/configuration-file.ts";
import { claimsOfToken } from "../../access/token-claims.ts";
import { KUBE_VERSION } from "../../inputs/options.ts";
import { readOne, readText, readTextFile } from "../../inputs/value-file.ts";
import { writeAnswer } from "../../output/write.ts";
import { type ArgsOf, type Command, defineCommand, type Option } from "../../program/command.ts";
import { EXIT, type ExitCode, UsageError } from "../../program/exit.ts";
import type { Io } from "../../program/io.ts";
import { parseKubeVersion } from "../../sources/kube-version.ts";

// biome-ignore format: one option per line
const OPTIONS = [
  { name: "claims", value: "FILE", help: "claims of a token, as JSON or YAML; - for standard input", choices: "files" },
  { name: "token",  value: "FILE", help: "file with a token, whose signature is not verified; - for standard input", choices: "files" },
  KUBE_VERSION,
] as const satisfies readonly Option[];

export const command: Command = defineCommand({
  name: "authenticate",
  summary: "show the user that an AuthenticationConfiguration makes of a token's claims",
  failure: "the token is not accepted",
  usage: "FILE --claims FILE | --token FILE",
  about: `Finds the authenticator for the issuer of the token, evaluates its claim mappings, claim validation rules and user validation rules,
and shows the user with the value and cost of every expression, or the reason why kube-apiserver would not accept the token.

Signatures are not verified, and no issuer is asked. With --claims, iss, aud and exp that are missing are assumed to fit the first
authenticator. celadon check validates the file itself; celadon up --authentication-config uses it.

The exit code is 1 if the token is not accepted and 2 if the file is invalid.`,
  options: OPTIONS,
  positionals: "files",
  examples: [
    { what: "show the user of some claims", line: "celadon authenticate authentication.yaml --claims jane.json" },
    { what: "show the user of a token", line: "celadon authenticate authentication.yaml --token token.jwt -o json" },
  ],
  run: authenticate,
});

async function authenticate(args: ArgsOf<typeof OPTIONS>, io: Io): Promise<ExitCode> {
  const [file, ...more] = args.positionals;
  if (file === undefined || more.length > 0) throw new UsageError("expected one AuthenticationConfiguration file");
  const kubeVersion = parseKubeVersion(args.text("kube-version"));
  const read = await configurationOf(file, "AuthenticationConfiguration", io, args);
  const { resource, status } = acceptAuthentication(read, { kubeVersion });
  if (resource === undefined || status !== undefined) {
    throw new UsageError(`${file} is invalid: ${status?.message}`, `celadon check ${file} shows all problems`);
  }
  const given = await claimsOf(args, io);
  const now = Math.floor(Date.now() / 1000);
  const { claims, assumed } =
    args.text("token") === undefined ? completeClaims(given, resource, now) : { claims: given, assumed: [] };
  return writeAnswer(answerOf(file, authenticateClaims(resource, claims, assumed, now)), args, io);
}

async function claimsOf(args: ArgsOf<typeof OPTIONS>, io: Io): Promise<Claims> {
  const [claims, token] = [args.text("claims"), args.text("token")];
  if ((claims === undefined) === (token === undefined)) {
    throw new UsageError(
      "expected --claims or --token",
      "celadon authenticate authentication.yaml --claims claims.json",
    );
  }
  const found =
    token === undefined
      ? readOne(await readText(claims!, io, args), io, args)
      : claimsOfToken(await readTextFile(token, io, args));
  if (typeof found === "object" && found !== null && !Array.isArray(found)) return found as Claims;
  throw new UsageError(
    token === undefined ? `${claims} has no claims: expected an object` : `${token} has no JSON web token`,
  );
}

function answerOf(file: string, found: AuthenticatedClaims): Parameters<typeof writeAnswer>[0] {
  const { user, problem } = found;
  const message = problem ?? "";
  return {
    results: [
      {
        group: file,
        name: found.issuer ?? "token",
        level: user === undefined ? "fail" : "pass",
        rule: "authenticate",
        message,
        system: "authentication",
      },
    ],
    document: { apiVersion: "celadon.dev/v1", kind: "AuthenticationReport", file, ...found },
    text: (paint) => authenticationText(found, paint),
    table: {
      columns: ["USER", "GROUPS", "PROBLEM"],
      rows: [[user?.username ?? "", user?.groups.join(",") ?? "", message]],
    },
    exit: user === undefined ? EXIT.failed : EXIT.ok,
  };
}
