// The path to a field in a validation error: `spec.containers[0].ports[http]`. Immutable; the root prints as `<nil>`,
// as a nil *field.Path does.

export class FieldPath {
  /** No field at all. Its children are root fields. */
  static readonly root: FieldPath = new FieldPath(undefined, "", "");

  private readonly parent: FieldPath | undefined;
  private readonly name: string;
  private readonly subscript: string;

  private constructor(parent: FieldPath | undefined, name: string, subscript: string) {
    this.parent = parent;
    this.name = name;
    this.subscript = subscript;
  }

  child(...names: readonly string[]): FieldPath {
    let path: FieldPath = this;
    for (const name of names) path = new FieldPath(path, name, "");
    return path;
  }

  index(i: number): FieldPath {
    return new FieldPath(this, "", String(i));
  }

  key(key: string): FieldPath {
    return new FieldPath(this, "", key);
  }

  toString(): string {
    if (this === FieldPath.root) return "<nil>";
    let text = "";
    let path: FieldPath | undefined = this;
    while (path !== undefined && path !== FieldPath.root) {
      const isTop: boolean = path.parent === undefined || path.parent === FieldPath.root;
      const step: string = path.name === "" ? `[${path.subscript}]` : isTop ? path.name : `.${path.name}`;
      text = step + text;
      path = path.parent;
    }
    return text;
  }
}

/** A path from the root: `fieldPath("spec", "replicas")`. */
export function fieldPath(...names: readonly string[]): FieldPath {
  return FieldPath.root.child(...names);
}
