// Accepts the names of a definition unless another definition of its group holds them already. Names once accepted stay accepted. Upstream:
// apiextensions-apiserver pkg/controller/status/naming_controller.go.

import { quoteGo } from "@celadon/base";
import type { CustomResourceDefinition, DefinitionNames } from "@celadon/crd";

export interface AcceptedNames {
  readonly names: DefinitionNames;
  readonly conflict?: { readonly reason: string; readonly message: string };
}

export function acceptNames(
  definition: CustomResourceDefinition,
  others: Iterable<CustomResourceDefinition>,
): AcceptedNames {
  const { group, names: wanted } = definition.spec;
  const held: DefinitionNames = acceptedOf(definition);
  const resources = new Set<string>();
  const kinds = new Set<string>();
  for (const other of others) {
    if (other.spec.group !== group || other.metadata.name === definition.metadata.name) continue;
    const { plural, singular, shortNames = [], kind, listKind } = acceptedOf(other);
    for (const name of [plural, singular, ...shortNames]) if (name) resources.add(name);
    for (const name of [kind, listKind]) if (name) kinds.add(name);
  }
  let conflict: AcceptedNames["conflict"];
  const choose = (name: string | undefined, own: string | undefined, used: ReadonlySet<string>, reason: string) => {
    if (name === own || name === undefined || !used.has(name)) return name;
    conflict = { reason, message: `${quoteGo(name)} is already in use` };
    return own;
  };
  const plural = choose(wanted.plural, held.plural, resources, "PluralConflict");
  const singular = choose(wanted.singular, held.singular, resources, "SingularConflict");
  const taken = (wanted.shortNames ?? []).filter((name) => !held.shortNames?.includes(name) && resources.has(name));
  if (taken.length > 0) conflict = { reason: "ShortNamesConflict", message: aggregate(taken) };
  const shortNames = taken.length > 0 ? held.shortNames : wanted.shortNames;
  const kind = choose(wanted.kind, held.kind, kinds, "KindConflict");
  const listKind = choose(wanted.listKind, held.listKind, kinds, "ListKindConflict");
  const names: DefinitionNames = {
    plural: plural ?? "",
    ...(singular !== undefined && { singular }),
    ...(shortNames !== undefined && { shortNames }),
    kind: kind ?? "",
    ...(listKind !== undefined && { listKind }),
    ...(wanted.categories !== undefined && { categories: wanted.categories }),
  };
  return conflict === undefined ? { names } : { names, conflict };
}

function acceptedOf({ status }: CustomResourceDefinition): DefinitionNames {
  return (status as { acceptedNames?: DefinitionNames } | undefined)?.acceptedNames ?? {};
}

function aggregate(names: readonly string[]): string {
  const texts = names.map((name) => `${quoteGo(name)} is already in use`);
  return texts.length === 1 ? texts[0]! : `[${texts.join(", ")}]`;
}

export function hasCondition({ status }: CustomResourceDefinition, type: string): boolean {
  return status?.conditions?.some((condition) => condition.type === type && condition.status === "True") ?? false;
}
