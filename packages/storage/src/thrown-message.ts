// The message of a thrown value, which may be anything. This package imports no other.

export function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}
