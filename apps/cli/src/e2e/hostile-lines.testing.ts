// Command lines of every command over the files of hostile-files.testing.ts, with hostile text in arguments and flags.

import { file } from "./hostile-files.testing.ts";
import { EVIL_LITERAL, EVIL_WORD } from "./hostile-text.testing.ts";

/** Lines of every command; the first one ends soon with any added flag. */
// biome-ignore format: one command line each
export const LINES: Readonly<Record<string, readonly (readonly string[])[]>> = {
  eval: [
    ["eval", `object == ${EVIL_LITERAL}`, "--var", `object=${EVIL_WORD}`],
    ["eval", EVIL_WORD],
    ["eval", `[${EVIL_LITERAL}, {${EVIL_LITERAL}: b'\\x1b'}]`],
    ["eval", `{"a": 1}[${EVIL_LITERAL}]`],
    ["eval", `"a".matches(${EVIL_LITERAL} + "(")`],
    ["eval", "--batch", "batch.jsonl"],
  ],
  check: [
    ["check", "-f", file, "--as", EVIL_WORD, "--as-group", EVIL_WORD],
    ["check", "-f", "plain.json"],
    ["check", "-f", "broken.yaml"],
    ["check", "-f", EVIL_WORD],
    ["check", "-f", "plain.json", `--${EVIL_WORD}`],
    ["check", "-f", "custom.json"],
    ["check", "-f", "mutating.json"],
    ["check", "-f", "certificates.json"],
    ["check", "-f", "pods.json", "--autogen"],
  ],
  mutate: [["mutate", "-f", "plain.json", "--as", EVIL_WORD], ["mutate", "-f", "mutating.json"]],
  test: [
    ["test", "suite.yaml"],
    ["test", "suite.yaml", "--run", EVIL_WORD],
    ["test", "suite.yaml", "--coverage"],
    ["test", "passing.yaml", "-v", "--coverage", "--coverage-min", "100"],
    ["test", "suite.yaml", "--playground", "http://127.0.0.1:1/"],
    ["test", "passing.yaml", "--mutate", "--mutate-sample", "4"],
    ["test", "odd-suite.yaml"],
    ["test", "foreign.yaml"],
    ["test", "--init", `dir${file}`],
    ["test", "--init", "plain.json"],
    ["test", `dir${file}`, "--update"],
  ],
  explain: [["explain", "-f", "custom.json"], ["explain", "-f", "plain.json", "--as", EVIL_WORD], ["explain", "-f", "certificates.json"], ["explain", "-f", "mutating.json"]],
  cost: [["cost", "-f", "custom.json"], ["cost", "-f", "plain.json"], ["cost", "-f", "mutating.json"]],
  lint: [["lint", "-f", "custom.json"], ["lint", "-f", file], ["lint", "-f", "mutating.json"], ["lint", "-f", "certificates.json"]],
  fuzz: [["fuzz", "-f", "plain.json", "--runs", "2"], ["fuzz", "-f", "mutating.json", "--runs", "20"]],
  authenticate: [["authenticate", file, "--claims", EVIL_WORD], ["authenticate", "plain.json", "--claims", "plain.json"], ["authenticate", EVIL_WORD, "--token", file]],
  authorize: [["authorize", file, "--review", EVIL_WORD], ["authorize", "plain.json", "--review", "plain.json"]],
  devices: [["devices", "-f", "plain.json"], ["devices", EVIL_WORD], ["devices", file]],
  prove: [["prove", "-f", "plain.json", "--time", "200"], ["prove", "-f", "mutating.json"]],
  fmt: [["fmt", "--check", file, "plain.json"], ["fmt", file, "broken.yaml"], ["fmt", "--check", "broken-expression.yaml"]],
  config: [["config", file]],
  "envtest-assets": [["envtest-assets", file]],
  init: [["init"], ["init", EVIL_WORD], ["init", "no-latest-tag", "-d", EVIL_WORD]],
  mcp: [["mcp", `--${EVIL_WORD}`]],
  autogen: [["autogen", "-f", "plain.json"], ["autogen", "-f", "pods.json"]],
  diff: [
    ["diff", "plain.json", file, "-f", "plain.json"],
    ["diff", "plain.json", "denying.json", "-f", "plain.json", "--all"],
    ...["namespace", "owner", "kind"].map((what) => ["diff", "plain.json", "denying.json", "-f", "plain.json", "--group-by", what]),
    ["diff", "denying.json", "pods.json", "-f", "pods.json"],
  ],
  convert: [["convert", "plain.json"], ["convert", file, "-o", EVIL_WORD], ["convert", "foreign.yaml"], ["convert", "kyverno.json"], ["convert", "kyverno.json", "-o", EVIL_WORD]],
  "crd upgrade": [["crd", "upgrade", "plain.json", "plain.json"], ["crd", "upgrade", "custom.json", "custom-new.json"]],
  up: [["up", "--memory", "--audit-policy", EVIL_WORD]],
  "store backup": [["store", "backup", EVIL_WORD, "--data-dir", EVIL_WORD]],
  "store restore": [["store", "restore", EVIL_WORD, "--data-dir", EVIL_WORD]],
  "store check": [["store", "check", EVIL_WORD]],
  audit: [["audit", "--kubeconfig", EVIL_WORD, "--context", EVIL_WORD]],
  why: [["why", EVIL_WORD], ["why", "pod/a", "--kubeconfig", EVIL_WORD, "--context", EVIL_WORD]],
  lsp: [["lsp", `--${EVIL_WORD}`]],
  playground: [["playground", "--host", EVIL_WORD]],
  webhook: [["webhook", "--kubeconfig", EVIL_WORD, "--listen", EVIL_WORD], ["webhook", "--kubeconfig", EVIL_WORD]],
  approver: [["approver", "--kubeconfig", EVIL_WORD]],
  "manifests webhook": [["manifests", "webhook", "--namespace", EVIL_WORD, "--image", EVIL_WORD, "--arg", EVIL_WORD, "--param-resource", EVIL_WORD]],
  "manifests approver": [["manifests", "approver", "--namespace", EVIL_WORD, "--image", EVIL_WORD]],
  "manifests audit": [["manifests", "audit", "--namespace", EVIL_WORD, "--image", EVIL_WORD]],
  "manifests chart": [["manifests", "chart", EVIL_WORD]],
  completion: [["completion", EVIL_WORD]],
  help: [["help", EVIL_WORD]],
  version: [["version", EVIL_WORD]],
};

/** Not of one command. */
export const ODD_LINES: readonly (readonly string[])[] = [
  [EVIL_WORD],
  ["crd", EVIL_WORD],
  [`--${EVIL_WORD}`],
  ["check", "-o", EVIL_WORD],
];
