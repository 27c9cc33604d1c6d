// The worker: takes the work and its changes, answers with the newest first. Between the steps of an answer it checks for new orders, so
// that outdated answers are not finished.

import { thrownText } from "@celadon/base";
import { maskWork } from "@celadon/language/playground";
import type { Order, Question, Replies, WorkerMessage } from "../model/protocol.ts";
import { Slate } from "../model/slate.ts";
import type { Help } from "./help.ts";
import { type LastReview, Session } from "./session.ts";

/** The part of a worker's global scope that is used here. */
interface Scope {
  onmessage: ((event: { readonly data: Order }) => void) | null;
  postMessage(report: WorkerMessage): void;
}

const scope = globalThis as Scope;
const session = new Session();
let slate: Slate | undefined;
let version = 0;
let running = false;
let reviewed: LastReview | undefined;
let help: Promise<Help> | undefined;
/** Ends the wait for the page to draw. */
let interrupt: () => void = () => {};

const say = (report: WorkerMessage): void => scope.postMessage(report);

scope.onmessage = ({ data }) => {
  switch (data.is) {
    case "slate":
      slate = new Slate(data.buffer);
      return;
    case "work":
      session.set(data.work);
      break;
    case "change":
      session.change(data.text, data.changes);
      break;
    case "request":
      session.setRequest(data.request, data.kubeVersion);
      break;
    case "select":
      session.select(data.object);
      break;
    case "ask":
      void reply(data.number, data.version, data);
      return;
  }
  version = data.version;
  interrupt();
  void run();
};

async function run(): Promise<void> {
  if (running) return;
  running = true;
  let done = 0;
  while (done < version) {
    const current = version;
    try {
      for (const step of STEPS) {
        const report = await step(current);
        if (report !== undefined) say(report);
        await (report?.is === "answer" && version === current ? whenDrawn() : pause());
        if (version !== current) break;
      }
    } catch (error) {
      const message = thrownText(error);
      // The page ends this worker then, and starts another.
      if (isUnloaded(message)) say({ is: "unloaded" });
      else say({ is: "failed", version: current, message });
    }
    if (version === current) say({ is: "done", version: current });
    done = current;
  }
  running = false;
}

const STEPS: readonly ((version: number) => Promise<WorkerMessage | undefined>)[] = [
  async (current) => {
    const found = await session.review(() => performance.now());
    reviewed = found.reviewed;
    slate?.write(current, found.answer);
    return { is: "answer", version: current, answer: found.answer };
  },
  async (current) => {
    const explanation = reviewed && (await session.explain(reviewed));
    return explanation && { is: "explanation", version: current, explanation };
  },
  async (current) => ({
    is: "suite",
    version: current,
    suite:
      session.texts.text("tests").trim() === ""
        ? NO_SUITE
        : await (await import("./suite-run.ts")).suiteAnswer(session),
  }),
  async (current) => ({
    is: "costs",
    version: current,
    costs: reviewed === undefined ? [] : await (await import("./cost-view.ts")).costsOf(session, reviewed),
  }),
  async (current) => ({ is: "findings", version: current, findings: await (await helper()).findings() }),
  async (current) => {
    const { outcome } = reviewed ?? {};
    const isDenied = outcome?.status !== undefined || outcome?.certificate?.result === "Denied";
    if (!isDenied) return undefined;
    // The search tries many objects: a newer version ends it.
    const goOn = async (): Promise<void> => {
      await pause();
      if (version !== current) throw new Outdated();
    };
    try {
      return {
        is: "cure",
        version: current,
        cure: await (await whatIf()).cure(session, (await helper()).current(), goOn),
      };
    } catch (error) {
      if (error instanceof Outdated) return undefined;
      throw error;
    }
  },
];

/** There is a newer version. */
class Outdated extends Error {}

/** Whether a part that is imported on demand did not come: in the words of Chromium, Firefox and Safari. */
function isUnloaded(message: string): boolean {
  return /dynamically imported module|importing a module script failed/i.test(message);
}

const NO_SUITE = { problems: [], cases: [], coverage: [] };

function helper(): Promise<Help> {
  help ??= import("./help.ts").then(
    (loaded) => new loaded.Help(session),
    (error: unknown) => {
      help = undefined;
      throw error;
    },
  );
  return help;
}

async function reply(number: number, asked: number, question: Question): Promise<void> {
  let answer: Replies[keyof Replies];
  try {
    const service = await helper();
    // Places of texts that have changed meanwhile mean nothing.
    answer = asked === version ? await replyTo(question, service) : undefined;
  } catch {
    answer = undefined;
  }
  say({ is: "reply", number, reply: answer });
}

const whatIf = (): Promise<typeof import("./what-if.ts")> => import("./what-if.ts");

async function replyTo(question: Question, service: Help): Promise<Replies[keyof Replies]> {
  switch (question.what) {
    case "complete":
      return service.complete(question.text, question.offset);
    case "hover":
      return service.hover(question.text, question.offset);
    case "fixes":
      return service.fixes(question.text, question.from, question.to);
    case "format":
      return service.format(question.text);
    case "mask":
      return maskWork(question.work);
    case "sort":
      return (await import("./sort-sources.ts")).sortSources(question.sources, question.work);
    case "test": {
      const { outcome } = reviewed ?? {};
      const object = session.objectManifest("object")?.object;
      return outcome === undefined ? "" : (await import("./test-case.ts")).withCases(session, [{ object, outcome }]);
    }
    case "clauses":
      return (await whatIf()).clauses(session, service.current());
    case "flip":
      return (await whatIf()).flip(session, service.current(), question.clause);
    case "flipTests":
      return reviewed === undefined
        ? ""
        : (await whatIf()).flipTests(session, service.current(), reviewed, question.clause);
  }
}

/**
 * The page draws the verdict meanwhile. On a machine with two cores, the steps that follow would take the time of the browser's other
 * threads, which draw it. A newer order ends the wait.
 */
const DRAWING_MS = 40;
function whenDrawn(): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, DRAWING_MS);
    interrupt = () => {
      clearTimeout(timer);
      resolve();
    };
  });
}

/** A turn of the event loop: messages that wait are taken. */
const channel = new MessageChannel();
const waiting: (() => void)[] = [];
channel.port1.onmessage = () => waiting.shift()?.();
function pause(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve);
    channel.port2.postMessage(0);
  });
}

say({ is: "ready" });
