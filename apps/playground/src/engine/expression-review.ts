// One expression by itself: value, type, cost, and the steps to its value. `object` and `self` are the object text, `oldObject` and
// `oldSelf` the old one; a request is made as the API server would make it.

import { requestValue } from "@celadon/admission";
import { formatValue } from "@celadon/cel/values";
import type { KubeObject } from "@celadon/kube";
import { CURRENT, PerCallLimit } from "@celadon/kube-cel";
import { Evaluator, requestOf, SimulatedCluster } from "@celadon/simulator";
import { oneLine, treeLines } from "@celadon/simulator/explain";
import type { ExplainedLine, ShownVerdict, Spot, WorkAnswer } from "../model/answer.ts";
import { percent } from "./numbers.ts";
import type { Session } from "./session.ts";
import { SYNTAX_ERROR } from "./syntax-error.ts";

/** Beside the variables of admission: those of definitions' rules. */
export const EXTRA_VARIABLES: readonly string[] = ["self", "oldSelf"];

export function reviewExpression(session: Session): Omit<WorkAnswer, "took"> {
  const text = session.texts.text("policy");
  const whole: Spot = { text: "policy", from: 0, to: text.length };
  const answer = (verdict: ShownVerdict, lines: readonly ExplainedLine[] = []): Omit<WorkAnswer, "took"> => ({
    mode: "cel",
    verdict,
    lines,
    warnings: [],
    notes: [],
    annotations: [],
    webhooks: [],
    objects: [],
    selected: 0,
    asked: "",
  });
  if (text.trim() === "") {
    return answer({ tone: "none", title: "No expression yet", message: "Write a CEL expression.", spots: [] });
  }
  const variables = expressionVariables(session);
  const evaluator = new Evaluator(session.kubeVersion ?? CURRENT, {}, EXTRA_VARIABLES);
  const evaluated = evaluator.evaluate(text, variables);
  if ("compileError" in evaluated) {
    const spots = evaluated.issues.flatMap(({ span }) =>
      span === undefined ? [] : [{ ...whole, from: span.start, to: span.end }],
    );
    const message = evaluated.compileError;
    const unparsed = SYNTAX_ERROR.test(message) && ({ unparsed: true } as const);
    return answer({ tone: "bad", title: "Does not compile", message, spots, ...unparsed });
  }
  const { type, cost } = evaluated;
  const share = `cost ${cost.toLocaleString("en")}, ${percent(cost / PerCallLimit)} of the limit`;
  const detail = `${type} · ${share}`;
  const tree = evaluator.explain(text, variables);
  const failed = "error" in evaluated;
  const value = failed ? `error: ${evaluated.error}` : formatValue(evaluated.value);
  const roots = { object: "object", self: "object", oldObject: "oldObject", oldSelf: "oldObject" } as const;
  const lines: ExplainedLine[] = [
    {
      level: 1,
      role: "expression",
      tone: failed || value === "false" ? "bad" : value === "true" ? "good" : "none",
      text: oneLine(text.trim()),
      value,
      note: share,
      spots: [whole],
    },
    ...(tree === undefined ? [] : treeLines(tree)).map((line): ExplainedLine => {
      const { depth, role, text: part, shown, error, passedOn, dataPath, start, end } = line;
      const own = error === undefined ? shown : passedOn ? "error" : `error: ${error}`;
      const root = dataPath && roots[dataPath.root as keyof typeof roots];
      const manifest = root && session.objectManifest(root);
      const data = manifest && dataPath.path.length > 0 ? session.texts.spotOf(manifest, dataPath.path) : undefined;
      return {
        level: depth + 2,
        role: role === "part" ? "part" : role === "deciding" ? "deciding" : "aside",
        tone: error !== undefined || shown === "false" ? "bad" : shown === "true" ? "good" : "none",
        text: role === "deciding" ? `decided by ${part}` : part,
        ...(own !== undefined && { value: own }),
        ...(role === "unevaluated" && { note: "not evaluated" }),
        spots: [...(role === "deciding" ? [] : [{ ...whole, from: start, to: end }]), ...(data ? [data] : [])],
      };
    }),
  ];
  const tone = failed ? "bad" : value === "false" ? "bad" : value === "true" ? "good" : "none";
  return answer(
    { tone, title: failed ? "Error" : value, detail, ...(failed && { message: evaluated.error }), spots: [] },
    lines,
  );
}

/** The variables an expression is evaluated with. */
export function expressionVariables(session: Session): Record<string, unknown> {
  const [object, oldObject] = [valueIn(session, "object"), valueIn(session, "oldObject")];
  const variables: Record<string, unknown> = { object, self: object, oldObject, oldSelf: oldObject };
  const subject = [object, oldObject].some(
    (value) => typeof value === "object" && value !== null && Object.hasOwn(value, "kind"),
  );
  if (subject) {
    const made = requestOf(session.ask(), SimulatedCluster.of([]).resources).request;
    variables.request = requestValue(made, made.resource, made.kind);
  }
  return variables;
}

/** The value in a text, whether or not it is a Kubernetes object. */
function valueIn(session: Session, text: "object" | "oldObject"): unknown {
  const manifest = session.objectManifest(text);
  if (manifest !== undefined) return manifest.object as KubeObject;
  return session.texts.file(text).parts[0]?.part.documents[0]?.value ?? null;
}
