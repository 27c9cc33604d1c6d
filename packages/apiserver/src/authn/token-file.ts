// A file of bearer tokens as kube-apiserver's --token-auth-file has it: CSV with token, user name, uid and, optionally, groups in one quoted
// field. Upstream: apiserver pkg/authentication/token/tokenfile.

import type { UserInfo } from "@celadon/admission";

/** Users by token, or the problem of the file. */
export function readTokenFile(text: string): ReadonlyMap<string, UserInfo> | { readonly problem: string } {
  const users = new Map<string, UserInfo>();
  for (const [at, line] of text.split(/\r?\n/).entries()) {
    if (line === "") continue;
    const fields = csvFields(line);
    if (fields === undefined) return { problem: `line ${at + 1}: unbalanced quotes` };
    if (fields.length < 3) {
      return { problem: `line ${at + 1}: expected at least 3 columns (token, user name, uid), found ${fields.length}` };
    }
    const [token = "", username = "", uid = "", groups = ""] = fields;
    if (token === "") return { problem: `line ${at + 1}: empty token` };
    if (users.has(token))
      return { problem: `line ${at + 1}: the token is already that of ${users.get(token)?.username}` };
    users.set(token, { username, uid, ...(groups !== "" && { groups: groups.split(",").map((name) => name.trim()) }) });
  }
  return users;
}

const FIELD = /\s*(?:"((?:[^"]|"")*)"|([^",]*))\s*(?:,|$)/y;

/** The fields of one record; undefined when its quotes do not match. */
function csvFields(line: string): readonly string[] | undefined {
  const fields: string[] = [];
  FIELD.lastIndex = 0;
  for (;;) {
    const found = FIELD.exec(line);
    if (found === null) return undefined;
    fields.push(found[1]?.replaceAll('""', '"') ?? found[2] ?? "");
    if (FIELD.lastIndex >= line.length) {
      if (found[0].endsWith(",")) fields.push("");
      return fields;
    }
  }
}
