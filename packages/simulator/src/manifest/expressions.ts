// All expressions of a manifest, of whichever system.

import { expressionFields, type WrittenExpression } from "@celadon/admission/resources";
import { policyRuleFields, type WrittenPolicyRule } from "@celadon/certpolicy";
import { ruleFields, type WrittenRule } from "@celadon/crd/rules";

/** An expression of a manifest, of any system. */
export type ManifestExpression = WrittenExpression | WrittenRule | WrittenPolicyRule;

/** The expressions in a manifest, or in the manifests of a List. */
export function expressionsIn(manifest: unknown): readonly ManifestExpression[] {
  if (typeof manifest !== "object" || manifest === null) return [];
  const items = isList(manifest) ? manifest.items : [];
  return [
    ...expressionFields(manifest),
    ...ruleFields(manifest),
    ...policyRuleFields(manifest),
    ...items.flatMap((item, i) =>
      expressionsIn(item).map(
        (expression): ManifestExpression => ({ ...expression, path: ["items", i, ...expression.path] }),
      ),
    ),
  ];
}

function isList(manifest: object): manifest is { readonly items: readonly unknown[] } {
  if (!Object.hasOwn(manifest, "kind") || !Object.hasOwn(manifest, "items")) return false;
  const { kind, items } = manifest as { kind: unknown; items: unknown };
  return typeof kind === "string" && kind.endsWith("List") && Array.isArray(items);
}
