// Finds the policy or object that a line of a file belongs to.

/** An entry of the outline, as the server sends it. */
export interface Outlined {
  /** `Deployment web` */
  readonly name: string;
  readonly range: { readonly start: { readonly line: number }; readonly end: { readonly line: number } };
}

/** All objects with problems, where the line belongs to nothing that has a name. */
export function explainArguments(outline: readonly Outlined[], line: number): readonly string[] {
  const found = outline.find(({ range }) => range.start.line <= line && line <= range.end.line);
  const [kind = "", name] = found?.name.split(" ") ?? [];
  const all = ["explain", "-f", "."];
  if (name === undefined) return all;
  return /AdmissionPolicy$|^CertificateRequestPolicy$/.test(kind)
    ? [...all, "--policy", name]
    : [...all, `${kind}/${name}`];
}
