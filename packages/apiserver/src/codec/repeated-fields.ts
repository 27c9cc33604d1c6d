// Fields that a JSON text has twice in one object, by their paths: `data.a`, `[0].op`. The text is known to be JSON.

const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g;

/** The number of repeated fields that Go's decoder reports. */
const MAX_REPEATED = 100;

interface Level {
  readonly path: string;
  /** The fields of an object; undefined for an array. */
  readonly fields: Set<string> | undefined;
  index: number;
  /** The field or element that is being read. */
  at: string;
  expectsKey: boolean;
}

export function repeatedFields(text: string): readonly string[] {
  const repeated = new Set<string>();
  const levels: Level[] = [];
  for (const [token] of text.matchAll(TOKEN)) {
    const level = levels.at(-1);
    switch (token) {
      case "{":
      case "[": {
        const path = level === undefined ? "" : placeIn(level);
        const fields = token === "{" ? new Set<string>() : undefined;
        levels.push({ path, fields, index: 0, at: "", expectsKey: fields !== undefined });
        break;
      }
      case "}":
      case "]":
        levels.pop();
        break;
      case ",":
        if (level !== undefined) {
          level.index++;
          level.expectsKey = level.fields !== undefined;
        }
        break;
      case ":":
        break;
      default:
        if (level?.expectsKey) {
          level.at = JSON.parse(token) as string;
          level.expectsKey = false;
          if (level.fields?.has(level.at)) repeated.add(placeIn(level));
          if (repeated.size === MAX_REPEATED) return [...repeated];
          level.fields?.add(level.at);
        }
    }
  }
  return [...repeated];
}

function placeIn({ path, fields, index, at }: Level): string {
  if (fields === undefined) return `${path}[${index}]`;
  return path === "" ? at : `${path}.${at}`;
}
