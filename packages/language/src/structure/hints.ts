// Types where they are not written: of a policy's variables, and of the elements that loops go over.

import { typeText } from "../describe/type-text.ts";
import type { File } from "../document/file.ts";
import { localNames } from "../expression/bindings.ts";
import { expressionsOf } from "../expression/expressions-of.ts";
import { localViews } from "../expression/locals.ts";
import type { Sites } from "../expression/sites.ts";
import { ExpressionText } from "../expression/written.ts";
import { assumedTypes } from "../expression/written-types.ts";
import type { TextRange } from "../text/range.ts";

/** A text shown between the others. */
export interface InlayHint {
  readonly offset: number;
  readonly text: string;
}

/** Names of one expression that get hints: the type of a name follows from those around it, which takes long where very many are nested. */
const MOST_NAMES = 100;

export function inlayHints(file: File, sites: Sites, within: TextRange): InlayHint[] {
  return expressionsOf(file)
    .filter(({ scalar }) => scalar.range.start < within.end && within.start < scalar.range.end)
    .flatMap(({ placed, path, kind, scalar }): InlayHint[] => {
      const { resource, start } = placed;
      const site = sites.at(resource.object, path);
      if (site === undefined) return [];
      const hints: InlayHint[] = [];
      const name = kind === "variable" ? resource.part.rangeOf(resource, [...path.slice(0, -1), "name"]) : undefined;
      const [type] = name === undefined ? [] : assumedTypes(scalar.text, site.views[0]!.env);
      if (name !== undefined && type !== undefined && type.kind !== "dyn")
        hints.push({ offset: start + name.end, text: `: ${typeText(type)}` });
      const written = new ExpressionText(scalar.text);
      for (const local of localNames(written).slice(0, MOST_NAMES)) {
        const token = written.tokens[local.declared]!;
        // Known behind the comma that ends the name.
        const [view] = localViews(site.views, written, written.tokens[local.declared + 1]!.end);
        const found = view?.locals.findLast((item) => item.name === local.name)?.type;
        if (found !== undefined && found.kind !== "dyn")
          hints.push({ offset: scalar.toSource(token.end - 1) + 1, text: `: ${typeText(found)}` });
      }
      return hints;
    });
}
