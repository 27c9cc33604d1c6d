// Paths that a suite names, against the files of a workspace.

/** Whether a path, named in the file `from`, is a file: itself, in a folder, or by a glob. */
export function isNamed(path: string, from: string, uri: string): boolean {
  return matches(resolve(from, path), uri);
}

/** A path beside a file, with its `..` followed. */
function resolve(from: string, path: string): string {
  const steps = [...from.split("/").slice(0, -1), ...path.split("/")];
  const found: string[] = [];
  for (const step of steps) {
    if (step === "..") found.pop();
    else if (step !== ".") found.push(step);
  }
  return found.join("/").replace(/\/$/, "");
}

function matches(path: string, uri: string): boolean {
  if (!path.includes("*")) return uri === path || uri.startsWith(`${path}/`) || (path === "" && !uri.includes("/"));
  const pattern = path
    .split(/(\*\*\/?|\*)/)
    .map((part) => (part.startsWith("**") ? ".*" : part === "*" ? "[^/]*" : part.replace(/[.+?^${}()|[\]\\]/g, "\\$&")))
    .join("");
  return new RegExp(`^${pattern}$`).test(uri);
}
