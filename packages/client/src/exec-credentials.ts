// Credential plugins (client.authentication.k8s.io): a program of the user's machine that prints an ExecCredential. Its output is kept
// until it expires or the server rejects it.

import { execFile } from "node:child_process";
import { resolve } from "node:path";
import type { Credential, Credentials } from "./connection.ts";

export interface ExecConfig {
  readonly apiVersion?: string;
  readonly command?: string;
  readonly args?: readonly string[] | null;
  readonly env?: readonly { readonly name: string; readonly value: string }[] | null;
  readonly installHint?: string;
}

const TIMEOUT_MS = 60_000;
const OUTPUT_BYTES = 1024 * 1024;
/** A credential that ends within this is not started with. */
const EARLY_MS = 10_000;

export function execCredentials(config: ExecConfig, directory: string): Credentials {
  let known: { readonly credential: Credential; readonly until: number } | undefined;
  let running: Promise<Credential> | undefined;
  return {
    current: async () => {
      if (known !== undefined && Date.now() < known.until) return known.credential;
      running ??= run(config, directory)
        .then((made) => {
          known = made;
          return made.credential;
        })
        .finally(() => {
          running = undefined;
        });
      return running;
    },
    rejected: () => {
      known = undefined;
    },
  };
}

async function run(
  config: ExecConfig,
  directory: string,
): Promise<{ readonly credential: Credential; readonly until: number }> {
  const { command = "", args, env, apiVersion = "client.authentication.k8s.io/v1" } = config;
  // A command is found as kubectl finds it: a path is relative to the kubeconfig, a name is looked for in PATH.
  const program = command.includes("/") ? resolve(directory, command) : command;
  const info = JSON.stringify({ apiVersion, kind: "ExecCredential", spec: { interactive: false } });
  const extra = Object.fromEntries((env ?? []).map(({ name, value }) => [name, value]));
  const output = await new Promise<string>((done, failed) => {
    const options = {
      env: { ...process.env, ...extra, KUBERNETES_EXEC_INFO: info },
      timeout: TIMEOUT_MS,
      maxBuffer: OUTPUT_BYTES,
    };
    execFile(program, [...(args ?? [])], options, (error, stdout, stderr) => {
      if (error === null) return done(stdout);
      const hint = (error as NodeJS.ErrnoException).code === "ENOENT" ? (config.installHint ?? "") : stderr.trim();
      failed(new Error(`credential plugin "${command}" failed: ${error.message.split("\n")[0]}${hint && `: ${hint}`}`));
    });
  });
  return credentialOf(command, output);
}

function credentialOf(command: string, output: string): { readonly credential: Credential; readonly until: number } {
  let parsed: unknown;
  try {
    parsed = JSON.parse(output);
  } catch {
    throw new Error(`credential plugin "${command}" printed no JSON`);
  }
  const { status } = parsed as {
    readonly status?: {
      readonly token?: string;
      readonly clientCertificateData?: string;
      readonly clientKeyData?: string;
      readonly expirationTimestamp?: string;
    };
  };
  if (status === undefined || status === null) throw new Error(`credential plugin "${command}" printed no status`);
  const { token, clientCertificateData: cert, clientKeyData: key, expirationTimestamp } = status;
  const ends =
    expirationTimestamp === undefined ? Number.POSITIVE_INFINITY : Date.parse(expirationTimestamp) - EARLY_MS;
  return {
    credential: {
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(cert !== undefined && key !== undefined && { certificate: { cert, key } }),
    },
    until: Number.isNaN(ends) ? 0 : ends,
  };
}
