// JSON with line breaks, for human readers: on request in the query, or for programs that people use directly. Upstream: apiserver
// pkg/endpoints/handlers/negotiation, isPrettyPrint.

import { JSON_TYPE } from "./accept.ts";
import { type Answer, isStream, type Sent } from "./call.ts";

const PEOPLE = /^(?:curl|Wget|Mozilla\/5\.0)/;
const FALSE: ReadonlySet<string> = new Set(["0", "f", "F", "FALSE", "false", "False"]);
const TRUE: ReadonlySet<string> = new Set(["1", "t", "T", "TRUE", "true", "True"]);

/** The answer as the client likes to read it. */
export function prettied(answer: Answer, call: Sent, query: URLSearchParams): Answer {
  if (isStream(answer) || !answer.type.startsWith(JSON_TYPE) || !isForPeople(call, query)) return answer;
  const { body } = answer;
  return { ...answer, body: indented(typeof body === "string" ? body : Buffer.from(body).toString("utf8")) };
}

function isForPeople(call: Sent, query: URLSearchParams): boolean {
  const asked = query.size === 0 ? null : query.get("pretty");
  if (asked !== null && asked !== "") return TRUE.has(asked) && !FALSE.has(asked);
  return PEOPLE.test(call.header("user-agent") ?? "");
}

const TOKEN = /"(?:[^"\\]|\\.)*"|[{[]\s*[}\]]|[{}[\],:]|[^\s{}[\],:"]+/g;

/** The same text with two blanks a level; numbers stay as they are written. */
export function indented(json: string): string {
  let depth = 0;
  let text = "";
  const line = (): string => `\n${"  ".repeat(depth)}`;
  for (const [token] of json.matchAll(TOKEN)) {
    switch (token) {
      case "{":
      case "[":
        depth++;
        text += token + line();
        break;
      case "}":
      case "]":
        depth--;
        text += line() + token;
        break;
      case ",":
        text += token + line();
        break;
      case ":":
        text += ": ";
        break;
      default:
        text += token;
    }
  }
  return text;
}
