// CustomResourceDefinitions: a built-in kind whose defaults and schemas `@celadon/crd` reads.

import { type CustomResourceDefinition, readDefinition } from "@celadon/crd";
import type { Draft } from "@celadon/write";
import type { ServedResource } from "../kinds/resource.ts";
import { StatusError } from "../wire/status-error.ts";
import { builtinCodec } from "./builtin-codec.ts";
import type { Codec } from "./codec.ts";

export function definitionCodec(resource: ServedResource): Codec {
  const codec = builtinCodec(resource);
  return {
    ...codec,
    decodeJson: (text, decoding) => withReadSpec(codec.decodeJson(text, decoding)),
    decode: (value, decoding) => withReadSpec(codec.decode(value, decoding)),
  };
}

function withReadSpec(draft: Draft): Draft {
  const read = readDefinition(draft);
  if (!("definition" in read)) throw new StatusError(read.status);
  return { ...draft, spec: withoutEmptyWebhook(read.definition.spec) };
}

type DefinitionSpec = CustomResourceDefinition["spec"];

/** The version in which definitions are kept has no place for a webhook without anything. */
function withoutEmptyWebhook(spec: DefinitionSpec): DefinitionSpec {
  const { webhook, ...conversion } = spec.conversion ?? {};
  if (webhook === undefined || webhook.clientConfig !== undefined) return spec;
  return (webhook.conversionReviewVersions ?? []).length > 0 ? spec : { ...spec, conversion };
}
