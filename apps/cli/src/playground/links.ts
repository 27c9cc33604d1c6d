// Links into the playground for what failed: the request, the object and what decided, compressed into the link. Secrets are masked, and
// the masked places are listed.

import { deflateRawSync } from "node:zlib";
import { encodeWork, LONGEST_LINK, maskWork, type ShownRequest, workOf } from "@celadon/language/playground";
import type { CommandReport } from "../output/answer.ts";
import { piecesOf } from "../output/pieces.ts";
import { unbroken } from "../output/visible.ts";

/** Something that failed, and the request behind it. */
export interface Failed {
  readonly name: string;
  readonly asked: ShownRequest;
}

interface Link {
  readonly name: string;
  /** Absent where it would be longer than programs take. */
  readonly url?: string;
  /** `Secret db stringData.password`. */
  readonly masked: readonly string[];
}

/** More are not linked. */
const MOST = 20;

export async function withLinks(
  answer: CommandReport,
  base: string,
  failed: readonly Failed[],
): Promise<CommandReport> {
  if (failed.length === 0) return answer;
  const links: Link[] = [];
  for (const failure of failed.slice(0, MOST)) links.push(await linkTo(base, failure));
  const more = failed.length - links.length;
  return {
    ...answer,
    document: { ...answer.document, playground: links },
    *text(paint) {
      const lines = links.flatMap(({ name, url, masked }) => [
        `  ${unbroken(name)}`,
        `    ${url ?? "too large for a link"}`,
        ...(masked.length === 0 ? [] : [`    masked: ${unbroken(masked.join(", "))}`]),
      ]);
      const rest = more === 0 ? "" : `  and ${more} more\n`;
      yield* piecesOf(answer.text(paint));
      yield `\n${paint.bold("in the playground")}\n${lines.join("\n")}\n${rest}`;
    },
  };
}

async function linkTo(base: string, { name, asked }: Failed): Promise<Link> {
  const { work, masked } = maskWork(workOf(asked));
  const url = `${base}#${await encodeWork(work, (bytes) => deflateRawSync(bytes, { level: 9 }))}`;
  const list = masked.map(({ object, path }) => [object, path.join(".")].filter((part) => part !== "").join(" "));
  return { name, ...(url.length <= LONGEST_LINK && { url }), masked: list };
}
