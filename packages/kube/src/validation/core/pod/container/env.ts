// Environment variables of containers.

import type {
  ConfigMapKeySelector,
  EnvFromSource,
  EnvVar,
  EnvVarSource,
  FileKeySelector,
} from "../../../../api/generated/core-v1.ts";
import { asPrefixCheck, checkConfigMapKey, checkDns1123Label, checkDns1123Subdomain } from "../../../../names.ts";
import { noBacksteps } from "../../../checks/paths.ts";
import { checkEnvVarName } from "../../../checks/texts.ts";
import type { ValidatedField } from "../../../field.ts";
import { containerResource, ENV_FIELDS, podField } from "../../shown-fields.ts";

export function environment(vars: readonly EnvVar[] | undefined, at: ValidatedField): void {
  at.each(vars, (env, each) => {
    each.child("name").mustBe(env.name, checkEnvVarName);
    if (env.valueFrom !== undefined) valueFrom(env.valueFrom, env.value, each.child("valueFrom"));
  });
}

function valueFrom(source: EnvVarSource, value: string | undefined, at: ValidatedField): void {
  const { fieldRef, resourceFieldRef, configMapKeyRef, secretKeyRef, fileKeyRef } = source;
  if (fieldRef) podField(fieldRef, ENV_FIELDS, at.child("fieldRef"));
  if (resourceFieldRef) containerResource(resourceFieldRef, at.child("resourceFieldRef"), false);
  if (configMapKeyRef) keyOf(configMapKeyRef, at.child("configMapKeyRef"));
  if (secretKeyRef) keyOf(secretKeyRef, at.child("secretKeyRef"));
  if (fileKeyRef) keyOfFile(fileKeyRef, at.child("fileKeyRef"));
  const sources = [fieldRef, resourceFieldRef, configMapKeyRef, secretKeyRef, fileKeyRef].filter(Boolean).length;
  if (sources === 0) {
    const last = at.by.enables("EnvFiles") ? ", `secretKeyRef` or `fileKeyRef`" : " or `secretKeyRef`";
    at.invalid("", `must specify one of: \`fieldRef\`, \`resourceFieldRef\`, \`configMapKeyRef\`${last}`);
  } else if (value) at.invalid("", "may not be specified when `value` is not empty");
  else if (sources > 1) at.invalid("", "may not have more than one field specified at a time");
}

function keyOf(ref: ConfigMapKeySelector, at: ValidatedField): void {
  at.child("name").check(ref.name, checkDns1123Subdomain);
  at.child("key").mustBe(ref.key, checkConfigMapKey);
}

function keyOfFile(ref: FileKeySelector, at: ValidatedField): void {
  at.child("key").mustBe(ref.key, checkEnvVarName);
  at.child("volumeName").mustBe(ref.volumeName, checkDns1123Label);
  if (ref.path) noBacksteps(ref.path, at.child("path"));
  else at.child("path").required();
}

export function environmentFrom(sources: readonly EnvFromSource[] | undefined, at: ValidatedField): void {
  at.each(sources, (source, each) => {
    each.child("prefix").mayBe(source.prefix, checkEnvVarName);
    const { configMapRef, secretRef } = source;
    if (configMapRef)
      each.child("configMapRef", "name").mustBe(configMapRef.name, asPrefixCheck(checkDns1123Subdomain));
    if (secretRef) each.child("secretRef", "name").mustBe(secretRef.name, asPrefixCheck(checkDns1123Subdomain));
    if (!configMapRef && !secretRef) at.invalid("", "must specify one of: `configMapRef` or `secretRef`");
    else if (configMapRef && secretRef) at.invalid("", "may not have more than one field specified at a time");
  });
}
