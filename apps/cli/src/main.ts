// The command's start: with io-node.ts and program/, all that touches `process`. It imports next to nothing by itself: `celadon --version`
// must cost little more than Node alone, and a command loads its own modules.

import { wordOf } from "./program/word.ts";

/** Put in by scripts/bundle-command.mjs: from package.json, and where the files with all verbs and with `up` are if there are some, and what starts them. */
declare const CELADON_VERSION: string;
declare const CELADON_FILE: string;
declare const CELADON_UP: string;
declare const CELADON_START: string | undefined;

const argv = process.argv.slice(2);
const word = wordOf(argv);
if (argv.length === 1 && (argv[0] === "--version" || argv[0] === "-V")) {
  process.stdout.write(`celadon ${CELADON_VERSION}\n`);
} else if (word !== undefined && CELADON_START !== undefined) {
  const require = process.getBuiltinModule("node:module").createRequire(import.meta.url);
  const { startCompiled } = require(CELADON_START) as typeof import("./start-compiled.ts");
  await startCompiled(new URL(word === "up" ? CELADON_UP : CELADON_FILE, import.meta.url), word, process, argv);
} else {
  const { default: module } = await import("node:module");
  // Since Node 22.1: compiled code is kept between runs.
  (module as { enableCompileCache?: () => unknown }).enableCompileCache?.();
  // V8 optimises a function after twice as much work as it would, until a server has started: docs/decisions/0021-optimise-later.md.
  const { optimiseLater } = await import("./program/v8.ts");
  optimiseLater();
  const { start } = await import("./start.ts");
  await start(process, argv);
}
