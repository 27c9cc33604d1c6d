// The part of Helm that our chart uses: values, defaults, quotes, `if` with `and` and `gt`, `with`, `toYaml`, and `range` of an empty list.

type Context = Readonly<Record<string, unknown>>;

export function render(template: string, context: Context): string {
  // A mark that trims white space is read before it takes its whole line away.
  const text = template.replace(/^[ ]*\{\{- /gm, "{{");
  const { text: rendered, rest } = block(text, context, context);
  if (rest !== "") throw new Error(`unexpected end: ${rest.slice(0, 40)}`);
  return rendered;
}

function block(text: string, context: Context, dot: unknown): { readonly text: string; readonly rest: string } {
  let out = "";
  let rest = text;
  for (;;) {
    const found = /\{\{\s*([^}]*?)\s*\}\}\n?/.exec(rest);
    if (found === null) return { text: out + rest, rest: "" };
    const [whole, action = ""] = found;
    out += rest.slice(0, found.index);
    rest = rest.slice(found.index + whole.length);
    const [word = "", ...more] = action.split(" ");
    const newline = whole.endsWith("\n") ? "\n" : "";
    if (word === "end") return { text: out, rest };
    if (word === "if" || word === "with" || word === "range") {
      const value = word === "if" ? condition(more, context, dot) : lookUp(more[0]!, context, dot);
      const inner = block(rest, context, word === "with" ? value : dot);
      if (word === "range" && isTrue(value)) throw new Error(`not rendered here: ${action}`);
      if (isTrue(value)) out += inner.text;
      rest = inner.rest;
    } else out += `${textOf(action, context, dot)}${newline}`;
  }
}

/** `and A B`, `gt (int A) 1`, or a value. */
function condition([word = "", ...rest]: readonly string[], context: Context, dot: unknown): unknown {
  if (word === "and") return rest.every((path) => isTrue(lookUp(path, context, dot)));
  if (word !== "gt") return lookUp(word, context, dot);
  const [path = "", than] = rest.slice(1);
  return Number(lookUp(path.replace(")", ""), context, dot)) > Number(than);
}

function textOf(action: string, context: Context, dot: unknown): string {
  if (action.startsWith("toYaml . | nindent ")) return nested(dot, Number(action.split(" ").at(-1)));
  const [path = "", ...pipes] = action.split("|").map((part) => part.trim());
  let value = lookUp(path, context, dot);
  for (const pipe of pipes)
    if (pipe.startsWith("default ") && !isTrue(value)) value = lookUp(pipe.slice(8), context, dot);
  return String(value);
}

/** JSON is YAML. */
function nested(value: unknown, indent: number): string {
  return `${" ".repeat(indent)}${JSON.stringify(value)}`;
}

function lookUp(path: string, context: Context, dot: unknown): unknown {
  if (path === ".") return dot;
  return path
    .split(".")
    .slice(1)
    .reduce<unknown>((value, key) => (value as Context | undefined)?.[key], context);
}

function isTrue(value: unknown): boolean {
  if (typeof value === "object" && value !== null) return Object.keys(value).length > 0;
  return Boolean(value);
}
