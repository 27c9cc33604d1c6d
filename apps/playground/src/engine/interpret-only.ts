// In place of the engine's code generator in the bundle: the page's content security policy forbids generated code, so that every
// expression is interpreted. It does not test whether code generation is allowed: a test is reported as a violation.

/** No expression has a compiled form here. */
export function compile(): undefined {
  return undefined;
}

export function codeGenerationAllowed(): boolean {
  return false;
}
