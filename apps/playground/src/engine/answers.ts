// Answers to the page, from the simulator's results.

import { dataPathText } from "@celadon/cel/explain";
import { type KubeObject, nameOf, namespaceOf, unknownFieldText } from "@celadon/kube";
import { mutationsOf, mutatorText, type Outcome, type SimulatedCluster, withoutMadeUp } from "@celadon/simulator";
import { isSetUpRole, roleOf } from "@celadon/simulator/manifests";
import { stringify } from "yaml";
import type {
  Change,
  ExplainedLine,
  Mutation,
  ShownVerdict,
  Spot,
  Tone,
  WebhookCall,
  WorkAnswer,
} from "../model/answer.ts";
import type { Places } from "./places.ts";
import type { Session } from "./session.ts";
import { SYNTAX_ERROR } from "./syntax-error.ts";

type Untimed = Omit<WorkAnswer, "took">;

const NOTHING = {
  warnings: [],
  notes: [],
  annotations: [],
  webhooks: [],
  asked: "",
  objects: [],
  selected: 0,
} as const;

/** A text that cannot be read leads to no decision. */
export function unreadableAnswer(session: Session): Untimed | undefined {
  for (const text of ["policy", "object", "oldObject"] as const) {
    const [issue] = session.texts.issues(text);
    if (issue === undefined) continue;
    const { message, spot } = issue;
    const line = session.texts.text(text).slice(0, spot.from).split("\n").length;
    const detail = `${TITLES[text]}, line ${line}`;
    const verdict: ShownVerdict = {
      tone: "bad",
      title: "Cannot be read",
      detail,
      message,
      spots: [spot],
      unparsed: true,
    };
    return { ...NOTHING, mode: session.mode, verdict, lines: [] };
  }
  return undefined;
}

const TITLES = { policy: "policy", object: "object", oldObject: "old object" } as const;

/** Resources that the API server would not take are not in force: people want to know that before anything else. */
export function rejectedAnswer(session: Session, simulated: SimulatedCluster, places: Places): Untimed | undefined {
  const lines: ExplainedLine[] = [];
  let first: ShownVerdict | undefined;
  let isUnparsed = true;
  for (const manifest of session.texts.manifests("policy")) {
    if (!isSetUpRole(roleOf(manifest.object))) continue;
    const [accepted, status] = [simulated.accepted(manifest.object), simulated.rejection(manifest.object)];
    if (accepted === undefined || status === undefined) continue;
    const problems = [
      ...accepted.unknownFields.map((path) => ({ steps: path.steps, text: unknownFieldText(path) })),
      ...accepted.errors.map(({ path, detail, expression }) => ({
        steps: expression?.steps ?? path.steps,
        text: `${String(path)}: ${detail}`,
      })),
    ];
    const spots = problems.flatMap(({ steps }) => places.field(manifest, [...steps]));
    const name = `${String(manifest.object.kind)} ${nameOf(manifest.object)}`;
    lines.push({
      level: 1,
      role: "group",
      tone: "bad",
      text: name,
      note: "was rejected, so it is not enforced",
      spots,
    });
    for (const { steps, text } of problems) {
      lines.push({ level: 2, role: "message", tone: "bad", text, spots: places.field(manifest, [...steps]) });
    }
    const message = status.message ?? "";
    isUnparsed &&= problems.length > 0 && problems.every(({ text }) => SYNTAX_ERROR.test(text));
    const [problem] = problems;
    first ??= {
      tone: "bad",
      title: "Rejected",
      detail: `${status.code} ${status.reason}`,
      message,
      ...(problem && { reason: `${name} is not enforced: ${firstLine(problem.text)}${andMore(problems.length - 1)}` }),
      spots,
    };
  }
  if (first === undefined) return undefined;
  const verdict = isUnparsed ? ({ ...first, unparsed: true } as const) : first;
  return { ...NOTHING, mode: session.mode, verdict, lines };
}

/** Without the lines that draw where an expression is wrong. */
const firstLine = (text: string): string => text.split("\n", 1)[0]!.replace(/: ERROR: <input>:\d+:\d+: /, ": ");

const andMore = (count: number): string => (count > 0 ? ` (and ${count} more)` : "");

export function emptyAnswer(session: Session): Untimed {
  const strangers = session.texts.strangers("object");
  const message =
    strangers > 0
      ? "The object has no apiVersion and kind, so an API server would reject it."
      : "Write or paste an object to see how the API server would answer.";
  const verdict: ShownVerdict = {
    tone: "none",
    title: strangers > 0 ? "Not a Kubernetes object" : "No object yet",
    message,
    spots: [],
  };
  return { ...NOTHING, mode: session.mode, verdict, lines: [] };
}

/** The answer of the API server; the explanation follows later. */
export function outcomeAnswer(session: Session, outcome: Outcome, verdict: ShownVerdict): Untimed {
  const change = changeOf(session, outcome);
  return {
    mode: session.mode,
    verdict,
    warnings: outcome.warnings,
    notes: [...outcome.assumptions, ...findingsOf(outcome)],
    annotations: Object.entries(outcome.auditAnnotations),
    ...(change && { change }),
    webhooks: webhookCalls(outcome),
    objects: [],
    selected: 0,
    asked: askedText(outcome),
  };
}

/** `standing` is the verdict where nothing of the policy text decided. */
export function verdictOf(outcome: Outcome, standing: ShownVerdict | undefined): ShownVerdict {
  const { status, certificate, warnings } = outcome;
  const spots: readonly Spot[] = [];
  if (status !== undefined) {
    const detail = `${status.code} ${status.reason}`;
    const [message, reason] = [status.message ?? "", reasonOf(outcome)];
    const isShorter = reason !== undefined && reason.length < message.length;
    return { tone: "bad", title: "Denied", detail, message, ...(isShorter && { reason }), spots };
  }
  if (certificate !== undefined) {
    if (certificate.result === "Error") return { tone: "bad", title: "Not decided", message: certificate.error, spots };
    const tone = certificate.result === "Approved" ? "good" : certificate.result === "Denied" ? "bad" : "none";
    return { tone, title: certificate.result, message: certificate.message, spots };
  }
  if (standing !== undefined) return standing;
  const warned = warnings.length > 0;
  const changed =
    outcome.mutated.passes.length > 0 && mutationsOf(outcome).some((mutation) => mutation.outcome === "changed");
  const title = changed ? "Allowed, changed" : warned ? "Allowed, with warnings" : "Allowed";
  return { tone: warned ? "warn" : "good", title, spots };
}

/** The failure that the API server returned, without its lead-in: `Policy trusted-images: images must come from …`. */
function reasonOf({ problems }: Outcome): string | undefined {
  const returned = problems.filter((problem) => problem.returned);
  const [problem] = returned;
  if (problem === undefined) return undefined;
  const { by, message } = problem;
  const what = by === undefined ? "" : by.kind.endsWith("AdmissionPolicy") ? `Policy ${by.name}: ` : `${by.name}: `;
  return `${what}${firstLine(message)}${andMore(returned.length - 1)}`;
}

function findingsOf({ problems }: Outcome): string[] {
  return problems.filter(({ finding }) => finding !== undefined).map(({ message }) => message);
}

const RESULTS: Readonly<Record<string, readonly [Tone, string]>> = {
  changed: ["good", "changed the object"],
  unchanged: ["none", "changed nothing"],
  skipped: ["none", "skipped, because a test operation of the patch failed"],
  error: ["bad", "failed"],
};

const SIGNS = { add: "+", remove: "−", replace: "~" } as const;

/** The changes by mutation: shown if there are mutations, or in the mode for mutating policies. */
function changeOf(session: Session, outcome: Outcome): Change | undefined {
  const mutations = outcome.mutated.passes.length === 0 ? [] : mutationsOf(outcome);
  if (mutations.length === 0 && session.mode !== "mutating") return undefined;
  const shown = mutations.map(({ by, round, outcome: result, changes, error }): Mutation => {
    const [tone, text] = RESULTS[result]!;
    return {
      tone,
      by: mutatorText({ by, round }),
      result: error === undefined ? text : `${text}: ${error}`,
      changes: changes.map(
        ({ op, path, value }) =>
          `${SIGNS[op]} ${dataPathText({ root: "", path }).replace(/^\./, "")}${op === "remove" ? "" : `: ${short(value)}`}`,
      ),
    };
  });
  const before = outcome.received === null ? "" : yamlOf(outcome.received);
  const mutated = outcome.mutated.passes.length === 0 ? outcome.received : (outcome.request.object ?? null);
  const after =
    mutated === null
      ? ""
      : yamlOf(inOrderOf(withoutServersOwn(mutated as KubeObject, outcome.received), outcome.received));
  return { mutations: shown, before, after };
}

/** Fields that the server sets on every object are not a mutation's work. */
function withoutServersOwn(object: KubeObject, before: KubeObject | null): KubeObject {
  const given = (before?.metadata ?? {}) as Readonly<Record<string, unknown>>;
  const metadata = Object.entries(object.metadata ?? {}).filter(
    ([name]) => Object.hasOwn(given, name) || !SERVERS_OWN.has(name),
  );
  const { status: _, ...rest } = object;
  const status = before !== null && Object.hasOwn(before, "status") ? { status: before.status } : {};
  return { ...rest, ...status, metadata: Object.fromEntries(metadata) } as KubeObject;
}

const SERVERS_OWN: ReadonlySet<string> = new Set(["creationTimestamp", "generation", "uid"]);

/** Fields in the order in which another object has them, so that a comparison shows what changed and not what moved. */
function inOrderOf<T>(value: T, like: unknown): T {
  if (Array.isArray(value)) {
    const others: readonly unknown[] = Array.isArray(like) ? like : [];
    return value.map((item, i) => inOrderOf(item, others[i])) as T;
  }
  if (typeof value !== "object" || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value;
  const other = typeof like === "object" && like !== null ? (like as Readonly<Record<string, unknown>>) : {};
  const own = value as Readonly<Record<string, unknown>>;
  const names = [...Object.keys(other).filter((name) => Object.hasOwn(own, name)), ...Object.keys(own)];
  return Object.fromEntries([...new Set(names)].map((name) => [name, inOrderOf(own[name], other[name])])) as T;
}

function yamlOf(object: KubeObject): string {
  return stringify(withoutMadeUp(object), { lineWidth: 0, aliasDuplicateObjects: false });
}

function short(value: unknown): string {
  const text = JSON.stringify(value, (_key, item) => (typeof item === "bigint" ? Number(item) : item)) ?? "";
  return text.length > 120 ? `${text.slice(0, 120)}…` : text;
}

function webhookCalls({ webhooks }: Outcome): WebhookCall[] {
  return webhooks.map((selection) => {
    const { configuration, webhook } = selection.webhook;
    const called = selection.outcome === "call";
    return {
      tone: called ? "good" : selection.outcome === "refused" ? "none" : "bad",
      name: `${webhook.name} of ${configuration}`,
      text: called ? "would be called" : selection.outcome === "refused" ? "would not be called" : "fails the request",
    };
  });
}

function askedText({ request }: Outcome): string {
  const subject = (request.object ?? request.oldObject ?? {}) as KubeObject;
  const place = namespaceOf(subject) || request.namespace;
  const where = place ? `${place}/` : "";
  const sub = request.subresource ? `/${request.subresource}` : "";
  const who = request.userInfo?.username ?? "";
  return `${request.operation} ${request.kind.kind}${sub} ${where}${nameOf(subject) || (request.name ?? "")} by ${who}`;
}
