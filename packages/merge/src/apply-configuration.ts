// A mutating policy's ApplyConfiguration: a configuration merged into an object without ownership. It may not name anything atomic,
// because it could not know what else belongs there. Upstream: apiserver pkg/admission/plugin/policy/mutating/patch/smd.go.

import { Invalid, type KubeObject } from "@celadon/kube";
import { fieldElement, indexElement, type Path, pathText } from "./fieldpath/path-element.ts";
import type { MergeType } from "./schema/merge-type.ts";
import { mergeValues } from "./typed/merge.ts";
import { typeProblemsText } from "./typed/problem.ts";
import { validateValue } from "./typed/validate.ts";
import { isMap, type JsonMap } from "./value/value.ts";

/** The merged object, or why it cannot be. */
export function mergeConfiguration(type: MergeType, object: KubeObject, config: JsonMap): KubeObject | Invalid {
  const patchProblems = validateValue(type, config);
  if (patchProblems.length > 0) {
    return new Invalid(`failed to convert patch object to typed object: ${typeProblemsText(patchProblems)}`);
  }
  const atomics = [...atomicPaths(type, config, [])];
  if (atomics.length > 0) {
    const paths = atomics.map((path) => pathText(path)).join(", ");
    return new Invalid(`invalid ApplyConfiguration: may not mutate atomic arrays, maps or structs: ${paths}`);
  }
  const problems = validateValue(type, object, { allowDuplicates: true });
  if (problems.length > 0) {
    return new Invalid(`failed to convert original object to typed object: ${typeProblemsText(problems)}`);
  }
  const merged = mergeValues(type, object, config);
  if (merged.problems.length > 0) return new Invalid(`failed to merge patch: ${typeProblemsText(merged.problems)}`);
  return merged.value as KubeObject;
}

/** Where a value names something atomic. Members of free-form maps are not looked at. */
function* atomicPaths(type: MergeType, value: unknown, path: Path): Generator<Path> {
  const { map, list } = type;
  if (isMap(value) && map !== undefined) {
    if (map.atomic) yield path;
    for (const [key, item] of Object.entries(value)) {
      const field = map.field(key);
      if (field !== undefined) yield* atomicPaths(field.type, item, [...path, fieldElement(key)]);
    }
  }
  if (Array.isArray(value) && list !== undefined) {
    if (!list.associative) yield path;
    for (const [i, item] of value.entries()) yield* atomicPaths(list.items, item, [...path, indexElement(i)]);
  }
}
