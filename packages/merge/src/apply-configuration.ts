// A mutating policy's ApplyConfiguration: a configuration merged into an object without ownership. It may not name anything atomic,
// because it could not know what else belongs there. Upstream: apiserver pkg/admission/plugin/policy/mutating/patch/smd.go.

import type { KubeObject } from "@celadon/kube";
import { Invalid } from "@celadon/kube/errors";
import { fieldElement, indexElement, type Path, pathText } from "./fieldpath/path-element.ts";
import type { MergeType } from "./schema/merge-type.ts";
import { mergeValues } from "./typed/merge.ts";
import { typeProblemsText } from "./typed/problem.ts";
import { validateStored, validateValue } from "./typed/validate.ts";
import { withinStack } from "./value/depth.ts";
import { isMap, isNilList, type JsonMap, setOwn } from "./value/value.ts";

/** The merged object, or why it cannot be. */
export function mergeConfiguration(type: MergeType, object: KubeObject, config: JsonMap): KubeObject | Invalid {
  return withinStack<KubeObject | Invalid>(
    [object, config],
    () => merged(type, object, config),
    (message) => new Invalid(message),
  );
}

function merged(type: MergeType, object: KubeObject, config: JsonMap): KubeObject | Invalid {
  const patchProblems = validateValue(type, config);
  if (patchProblems.length > 0) {
    return new Invalid(`failed to convert patch object to typed object: ${typeProblemsText(patchProblems)}`);
  }
  const atomics = [...atomicPaths(type, config, [])];
  if (atomics.length > 0) {
    const paths = atomics.map((path) => pathText(path)).join(", ");
    return new Invalid(`invalid ApplyConfiguration: may not mutate atomic arrays, maps or structs: ${paths}`);
  }
  const problems = validateStored(type, object);
  if (problems.length > 0) {
    return new Invalid(`failed to convert original object to typed object: ${typeProblemsText(problems)}`);
  }
  const both = mergeValues(type, object, config);
  if (both.problems.length > 0) return new Invalid(`failed to merge patch: ${typeProblemsText(both.problems)}`);
  return (hasNilList(config) ? withoutNilLists(both.value) : both.value) as KubeObject;
}

function hasNilList(value: unknown): boolean {
  if (Array.isArray(value)) return isNilList(value) || value.some(hasNilList);
  return isMap(value) && Object.values(value).some(hasNilList);
}

/** Lists that were nil and are taken as they are end as null. */
function withoutNilLists(value: unknown): unknown {
  if (Array.isArray(value)) return isNilList(value) ? null : value.map(withoutNilLists);
  if (!isMap(value)) return value;
  const members: Record<string, unknown> = {};
  for (const [name, item] of Object.entries(value)) setOwn(members, name, withoutNilLists(item));
  return members;
}

/** The fields of a configuration that make it invalid, because they are atomic: `.spec.nodeSelector`. */
export function atomicFields(type: MergeType, configuration: JsonMap): readonly string[] {
  return [...atomicPaths(type, configuration, [])].map((path) => pathText(path));
}

/** Finds the paths of a value that point into something atomic. Members of free-form maps are not checked. */
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
