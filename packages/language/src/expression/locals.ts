// Names that macros bring in where a cursor is: the element of a loop, the value of cel.bind. Each gets the types of the elements of its
// range, found in the text before the cursor.

import { DYN, type Env, INT, type Type } from "@celadon/cel";
import type { View } from "./view.ts";
import type { ExpressionText, OpenBracket } from "./written.ts";
import { assumedTypes } from "./written-types.ts";

const LOOPS: ReadonlySet<string> = new Set(["all", "exists", "exists_one", "existsOne", "map", "filter", "sortBy"]);
const TWO_NAMES: ReadonlySet<string> = new Set(["transformList", "transformMap", "transformMapEntry"]);
const OPTIONALS: ReadonlySet<string> = new Set(["optMap", "optFlatMap"]);

export interface Local {
  readonly name: string;
  readonly type: Type;
}

export interface LocalView extends View {
  /** The number of the given view from which it comes. */
  readonly nth: number;
  /** Innermost last. */
  readonly locals: readonly Local[];
}

/** Types of a range are followed one by one, up to this many views. */
const MOST_VIEWS = 12;

/** Views with the locals that macros around a place declare. */
export function localViews(views: readonly View[], written: ExpressionText, offset: number): readonly LocalView[] {
  const brackets = written.open(offset);
  let found: LocalView[] = views.map((view, nth) => ({ ...view, nth, locals: [] }));
  for (const bracket of brackets) {
    const next = found.flatMap((view) => bind(view, written, bracket));
    found = unlike(next).slice(0, MOST_VIEWS);
  }
  return found;
}

/** The locals of a macro's argument under way; the view itself where it brings nothing. */
function bind(
  view: LocalView,
  written: ExpressionText,
  { sign, name, receiver, args }: OpenBracket,
): readonly LocalView[] {
  if (sign !== "(" || receiver === undefined || args.length < 2) return [view];
  const range = written.text.slice(receiver.start, receiver.end);
  const nameAt = (nth: number): string | undefined => {
    const end = args[nth + 1];
    return end === undefined ? undefined : written.loneName(args[nth]!, end - 1);
  };
  const first = nameAt(0);
  if (first === undefined) return [view];
  if (range === "cel" && name === "bind") {
    if (args.length < 3) return [view];
    const value = written.text.slice(args[1], args[2]! - 1);
    return assumedTypes(value, view.env).map((type) => withLocals(view, [{ name: first, type }]));
  }
  if (OPTIONALS.has(name)) {
    return assumedTypes(range, view.env).map((type) =>
      withLocals(view, [{ name: first, type: type.name === "optional_type" ? (type.params[0] ?? DYN) : type }]),
    );
  }
  if (!LOOPS.has(name) && !TWO_NAMES.has(name)) return [view];
  const second = nameAt(1);
  const isTwo = TWO_NAMES.has(name) || (second !== undefined && args.length > 2 && name !== "map");
  return assumedTypes(range, view.env).map((type) => {
    const [key, element] = partsOf(type);
    if (isTwo && second !== undefined) {
      return withLocals(view, [
        { name: first, type: key },
        { name: second, type: element },
      ]);
    }
    return withLocals(view, [{ name: first, type: type.kind === "map" ? key : element }]);
  });
}

function partsOf(type: Type): readonly [key: Type, element: Type] {
  if (type.kind === "list") return [INT, type.params[0] ?? DYN];
  if (type.kind === "map") return [type.params[0] ?? DYN, type.params[1] ?? DYN];
  return [DYN, DYN];
}

function withLocals(view: LocalView, locals: readonly Local[]): LocalView {
  const variables = Object.fromEntries(locals.map(({ name, type }) => [name, type]));
  const env: Env = view.env.extend({ variables });
  return { ...view, env, locals: [...view.locals, ...locals] };
}

/** Views with the same types for all names are one. */
function unlike(views: readonly LocalView[]): LocalView[] {
  const seen = new Map<string, LocalView>();
  for (const view of views) {
    const key = `${view.nth} ${view.locals.map(({ name, type }) => `${name}:${String(type)}`)}`;
    if (!seen.has(key)) seen.set(key, view);
  }
  return [...seen.values()];
}
