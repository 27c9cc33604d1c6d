// The user of a token for people.

import type { Paint } from "../output/paint.ts";
import { unbroken } from "../output/visible.ts";
import type { AuthenticatedClaims } from "./authenticate-claims.ts";

export function authenticationText(found: AuthenticatedClaims, paint: Paint): string {
  const { user, problem = "", issuer, expressions, cost, assumptions } = found;
  const by = issuer === undefined ? "" : paint.dim(`  by ${issuer}`);
  const head =
    user === undefined ? `${paint.red("✗")} ${unbroken(problem)}${by}` : `${paint.green("✓")} ${user.username}${by}`;
  const fields =
    user === undefined
      ? []
      : [
          ["groups", user.groups.join(", ")],
          ["uid", user.uid],
          ...Object.entries(user.extra).map(([key, values]) => [key, values.join(", ")]),
        ].flatMap(([name, text]) => (text === "" ? [] : [`    ${name}: ${text}`]));
  const lines = expressions.map(({ path, expression, shown = "", error, cost: own }) => {
    const result = error === undefined ? paint.cyan(shown) : paint.red(`error: ${unbroken(error)}`);
    return `  ${paint.dim(path)}\n    ${unbroken(expression)} → ${result}${paint.dim(`   cost ${own}`)}`;
  });
  const total = expressions.length > 1 ? [paint.dim(`  cost of all expressions: ${cost}`)] : [];
  const notes = assumptions.map((text) => `note: ${text}`);
  return `${[head, ...fields, ...lines, ...total, ...notes].join("\n")}\n`;
}
