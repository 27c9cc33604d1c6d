// The API server speaks of what all versions of a definition share as if it stood once above them: `spec.validation`. In the file it
// stands in each version; the first is shown.

const SHARED: readonly (readonly [RegExp, string])[] = [
  [/^spec\.validation(?=$|\.)/, "spec.versions[0].schema"],
  [/^spec\.(subresources|additionalPrinterColumns|selectableFields)(?=$|[.[])/, "spec.versions[0].$1"],
];

/** The field as it is written in the definition. Other kinds have no such fields. */
export function writtenField(field: string): string {
  for (const [pattern, written] of SHARED) if (pattern.test(field)) return field.replace(pattern, written);
  return field;
}
