// `celadon playground`: serves the playground's files until it is stopped.

import { spawn } from "node:child_process";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import process from "node:process";
import { say } from "../output/say.ts";
import { readSite, siteServer } from "../playground/site.ts";
import { type ArgsOf, type Command, defineCommand, type Option } from "../program/command.ts";
import { EXIT, type ExitCode, UsageError } from "../program/exit.ts";
import type { Io } from "../program/io.ts";
import { ownDirectory } from "../program/own-directory.ts";

const PORT = 7780;

// biome-ignore format: one option per line
const OPTIONS = [
  { name: "host", value: "ADDRESS", help: "address to listen on", fallback: "127.0.0.1" },
  { name: "port", value: "PORT", help: "port to listen on", fallback: `${PORT}, or a free one` },
  { name: "open", help: "open the page in the default browser" },
] as const satisfies readonly Option[];

export const command: Command = defineCommand({
  name: "playground",
  summary: "serve the playground: try policies, rules and CEL in the browser",
  usage: "[flags]",
  about: `Serves a page to try out policies, CRD rules, match conditions, certificate policies and CEL expressions while you write them.
Everything is evaluated in the browser, and nothing is sent anywhere. Once loaded, the page works offline. Ctrl-C stops the server.`,
  options: OPTIONS,
  plain: true,
  examples: [
    { what: "serve the page and open it", line: "celadon playground --open" },
    { what: "use another port", line: "celadon playground --port 9000" },
  ],
  run: playground,
});

async function playground(args: ArgsOf<typeof OPTIONS>, io: Io): Promise<ExitCode> {
  io.catchSignals();
  const port = args.number("port", { min: 0, max: 65_535 });
  const host = args.text("host") ?? "127.0.0.1";
  const files = readSite(ownDirectory("dist/site"));
  if (files === undefined) {
    throw new UsageError("the playground has not been built", "in a clone: node scripts/build-playground.mjs");
  }
  const server = siteServer(files);
  await listen(server, host, port);
  const { port: bound } = server.address() as AddressInfo;
  const url = `http://${host.includes(":") ? `[${host}]` : host}:${bound}/`;
  say(io, `Playground at ${url}`);
  if (args.on("open")) openBrowser(url);
  io.hasStarted();
  await ended(io.signal);
  server.closeAllConnections();
  await new Promise((done) => server.close(done));
  return EXIT.ok;
}

/** On the usual port, or on any free one if that is in use. */
async function listen(server: Server, host: string, port: number | undefined): Promise<void> {
  const at = (number: number): Promise<void> =>
    new Promise((done, failed) => {
      server.once("error", failed);
      server.listen(number, host, () => {
        server.off("error", failed);
        done();
      });
    });
  try {
    await at(port ?? PORT);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === "EADDRINUSE" && port === undefined) return at(0);
    if (code === "EADDRINUSE") {
      throw new UsageError(`port ${port} is in use`, "choose another --port, or omit it to use a free one");
    }
    throw new UsageError(`cannot listen on ${host}: ${message}`);
  }
}

const OPENERS: Readonly<Record<string, readonly string[]>> = {
  darwin: ["open"],
  win32: ["cmd", "/c", "start", ""],
};

/** Without a browser, the printed address is enough. */
function openBrowser(url: string): void {
  const [program, ...before] = OPENERS[process.platform] ?? ["xdg-open"];
  const opener = spawn(program!, [...before, url], { stdio: "ignore", detached: true });
  opener.on("error", () => {});
  opener.unref();
}

function ended(signal: AbortSignal): Promise<void> {
  return new Promise((done) => {
    if (signal.aborted) done();
    else signal.addEventListener("abort", () => done(), { once: true });
  });
}
