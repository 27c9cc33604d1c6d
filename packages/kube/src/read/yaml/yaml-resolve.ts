// A scalar of a document → its value by its tag and style.

import { decodeBase64, decodeUtf8Bytewise } from "@celadon/base";
import { ReadFailure } from "../issue.ts";
import type { ScalarNode } from "./yaml-node.ts";
import { resolvePlain, type YamlScalar } from "./yaml-scalar.ts";
import { isTimestamp } from "./yaml-timestamp.ts";

const PREFIX = "tag:yaml.org,2002:";

export function resolveScalar(node: ScalarNode): YamlScalar {
  const { tag, text } = node;
  if (tag === "") return node.isImplicit ? resolvePlain(text) : { kind: "str", value: text };
  const name = tag.startsWith(PREFIX) ? tag.slice(PREFIX.length) : "";
  switch (name) {
    case "int":
    case "bool":
    case "null":
      return tagged(resolvePlain(text), name, node);
    case "float": {
      const scalar = resolvePlain(text);
      const isInteger = scalar.kind === "int" && BigInt.asIntN(64, scalar.value) === scalar.value;
      return isInteger ? { kind: "float", value: Number(scalar.value) } : tagged(scalar, name, node);
    }
    case "timestamp":
      if (isTimestamp(text)) return { kind: "str", value: text };
      throw cannotDecode(resolvePlain(text).kind, name, node);
    case "binary":
      return { kind: "str", value: binaryText(text) ?? fail("!!binary value contains invalid base64 data", node) };
    default:
      return { kind: "str", value: text };
  }
}

/** The text whose bytes are written in base64. */
function binaryText(text: string): string | undefined {
  const bytes = decodeBase64(text);
  return typeof bytes === "number" ? undefined : decodeUtf8Bytewise(bytes);
}

function tagged(scalar: YamlScalar, wanted: string, node: ScalarNode): YamlScalar {
  if (scalar.kind !== wanted) throw cannotDecode(scalar.kind, wanted, node);
  return scalar;
}

function cannotDecode(kind: string, wanted: string, node: ScalarNode): ReadFailure {
  return new ReadFailure("syntax", `cannot decode !!${kind} \`${node.text}\` as a !!${wanted}`, node.start);
}

function fail(message: string, node: ScalarNode): never {
  throw new ReadFailure("syntax", message, node.start);
}
