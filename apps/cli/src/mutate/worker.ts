// A thread of mutation testing, with its own entry in the bundle. Reads the suites, then runs the tasks it receives.

import { parentPort, workerData } from "node:worker_threads";
import { thrownText } from "@celadon/base";
import { PolicyMutation } from "@celadon/testing/mutate";
import { makeArgs } from "../args/parse.ts";
import { nodeIo } from "../io-node.ts";
import { patternOf, readSuites } from "../suites/run-suites.ts";
import { planText, type Reply, type Setup, suiteKey, type Task } from "./tasks.ts";

const port = parentPort!;
const answer = (reply: Reply): void => port.postMessage(reply);

try {
  const { paths, switches, excluded, versions, names, run, seed } = workerData as Setup;
  const args = makeArgs(
    paths,
    new Map<string, readonly string[]>([...switches.map((name) => [name, [""]] as const), ["exclude", excluded]]),
  );
  const { io } = nodeIo(process, { hold: () => {}, release: () => {} }); // signals are for the main thread
  const { suites } = await readSuites(args, new Set(), { ...io, err: { ...io.err, write: () => {} } }, versions);
  const pattern = patternOf(run);
  const mutation = await PolicyMutation.of(
    suites.flatMap(({ suite }) => (names.includes(suiteKey(suite)) ? [suite] : [])),
    pattern && ((suite, testCase) => pattern.test(`${suite.name}/${testCase.name}`)),
  );
  port.on("message", async (task: Task) => {
    if (task.task === "witness") {
      return answer({ reply: "witness", index: task.index, found: await mutation.witness(task.index, { seed }) });
    }
    const fates = [];
    for (const index of task.indices) fates.push([index, await mutation.fate(index)] as const);
    answer({ reply: "fates", fates });
  });
  answer({ reply: "ready", plan: planText(mutation) });
} catch (error) {
  answer({ reply: "failed", message: thrownText(error) });
}
