// Times as the API writes them: UTC, whole seconds.

let second = 0;
let text = "";

/** A time in milliseconds as the API writes it. */
export function timestamp(milliseconds: number): string {
  const current = Math.floor(milliseconds / 1000);
  if (current !== second) {
    second = current;
    text = `${new Date(current * 1000).toISOString().slice(0, 19)}Z`;
  }
  return text;
}
