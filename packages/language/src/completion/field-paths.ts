// Paths that a rule may name as its `fieldPath`: the fields below its schema, except inside lists.

import { isRecord, memberOf, pushAll } from "@celadon/base";

/** Deeper ones are rarely meant, and a large schema has thousands. */
const DEPTH = 4;
const MOST = 300;

/** `.spec.size`, `.metadata['my-name']`: the shortest first. */
export function fieldPaths(schema: unknown): readonly string[] {
  const found: string[] = [];
  let level: readonly (readonly [path: string, schema: unknown])[] = [["", schema]];
  for (let depth = 0; depth < DEPTH && found.length < MOST; depth++) {
    level = level.flatMap(([path, held]) => {
      const properties = memberOf(held, "properties");
      return isRecord(properties)
        ? Object.entries(properties).map(([name, inner]) => [path + step(name), inner] as const)
        : [];
    });
    pushAll(
      found,
      level.map(([path]) => path),
    );
  }
  return found.slice(0, MOST);
}

function step(name: string): string {
  return /^[A-Za-z_]\w*$/.test(name) ? `.${name}` : `['${name}']`;
}
