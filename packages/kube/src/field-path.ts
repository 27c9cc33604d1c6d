// The path to a field in a validation error. It is two things at once: a text, `spec.containers[0].ports[http]`, as apimachinery's
// field.Path prints it, and the steps that lead to the field in the object as it was written. They differ if the API server validates
// another form of the object than the written one, so both can be given. Immutable; the root prints as `<nil>`, as a nil *field.Path does.

import type { JsonPath } from "@celadon/base";

/** A path to a field: steps, and the text that Go's API server writes for them. */
export class FieldPath {
  /** No field at all. Its children are root fields. */
  static readonly root: FieldPath = new FieldPath(undefined, "");

  private readonly parent: FieldPath | undefined;
  private readonly name: string;
  /** In brackets, if there is no name. */
  private readonly subscript: string | number | undefined;
  /** Given apart: then there is no parent. */
  private readonly given: { readonly steps: JsonPath; readonly text: string } | undefined;

  private constructor(
    parent: FieldPath | undefined,
    name: string,
    subscript?: string | number,
    given?: { readonly steps: JsonPath; readonly text: string },
  ) {
    this.parent = parent;
    this.name = name;
    this.subscript = subscript;
    this.given = given;
  }

  /** The path with these steps that prints as this text. */
  static of(steps: JsonPath, text: string): FieldPath {
    return new FieldPath(undefined, "", undefined, { steps, text });
  }

  child(...names: readonly string[]): FieldPath {
    let path: FieldPath = this;
    for (const name of names) path = new FieldPath(path, name);
    return path;
  }

  index(i: number): FieldPath {
    return new FieldPath(this, "", i);
  }

  key(key: string): FieldPath {
    return new FieldPath(this, "", key);
  }

  /** The other path, from here on. Its text counts as one name: a dot is put before it. */
  below(path: FieldPath): FieldPath {
    const text = path.text();
    return FieldPath.of([...this.steps, ...path.steps], text === "" ? this.text() : this.child(text).text());
  }

  /** The same text for a field that stands elsewhere in the object as written. Paths below it are moved too. */
  standingAt(steps: JsonPath): FieldPath {
    return FieldPath.of(steps, this.text());
  }

  /** Names of members and indexes of elements that lead to the field in the object. */
  get steps(): JsonPath {
    const steps: (string | number)[] = [];
    let path: FieldPath = this;
    for (; path.parent !== undefined; path = path.parent) steps.push(path.subscript ?? path.name);
    return [...(path.given?.steps ?? []), ...steps.reverse()];
  }

  toString(): string {
    return this.text() || "<nil>";
  }

  /** For JSON.stringify: paths in documents are texts. */
  toJSON(): string {
    return this.toString();
  }

  /** The text of where it stands, where that is elsewhere than the path says. */
  writtenText(): string {
    if (this.parent !== undefined) return appended(this.parent.writtenText(), this.name, this.subscript);
    return (this.given?.steps ?? []).reduce<string>(
      (text, step) => (typeof step === "number" ? appended(text, "", step) : appended(text, step, undefined)),
      "",
    );
  }

  /** The text without the indexes of lists, as Go's decoder names fields; empty for the root. */
  withoutIndexes(): string {
    if (this.parent === undefined) return this.given?.text ?? "";
    const above = this.parent.withoutIndexes();
    return typeof this.subscript === "number" ? above : appended(above, this.name, this.subscript);
  }

  /** Empty for the root. */
  private text(): string {
    if (this.parent === undefined) return this.given?.text ?? "";
    return appended(this.parent.text(), this.name, this.subscript);
  }
}

function appended(above: string, name: string, subscript: string | number | undefined): string {
  if (name === "") return `${above}[${subscript ?? ""}]`;
  return above === "" ? name : `${above}.${name}`;
}

/** A path from the root: `fieldPath("spec", "replicas")`. */
export function fieldPath(...names: readonly string[]): FieldPath {
  return FieldPath.root.child(...names);
}
