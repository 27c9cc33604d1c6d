// Rules for a pod's name resolution.

import { utf8Length } from "@celadon/base";
import type { HostAlias, PodDNSConfig, PodSpec } from "../../../api/generated/core-v1.ts";
import { checkDns1123Subdomain } from "../../../names.ts";
import { legacyIp } from "../../checks/ip.ts";
import { checkSubdomainWithUnderscores } from "../../checks/texts.ts";
import type { ValidatedField } from "../../field.ts";

const MAX_NAMESERVERS = 3;
const MAX_SEARCHES = 32;
const MAX_SEARCH_CHARACTERS = 2048;

export function dnsConfig(spec: PodSpec, at: ValidatedField): void {
  const config = spec.dnsConfig;
  if (spec.dnsPolicy === "None") {
    if (config === undefined) {
      at.required("must provide `dnsConfig` when `dnsPolicy` is None");
      return;
    }
    if (!config.nameservers?.length) {
      at.child("nameservers").required("must provide at least one DNS nameserver when `dnsPolicy` is None");
      return;
    }
  }
  if (config === undefined) return;
  nameservers(config, at.child("nameservers"));
  searches(config.searches ?? [], at.child("searches"));
  at.child("options").each(config.options, (option, each) => {
    if (!option.name) each.required("must not be empty");
  });
}

function nameservers(config: PodDNSConfig, at: ValidatedField): void {
  const servers = config.nameservers ?? [];
  if (servers.length > MAX_NAMESERVERS) {
    at.invalid(servers, `must not have more than ${MAX_NAMESERVERS} nameservers`);
  }
  at.each(servers, (server, each) => void legacyIp(server, each));
}

function searches(given: readonly string[], at: ValidatedField): void {
  if (given.length > MAX_SEARCHES) at.invalid(given, `must not have more than ${MAX_SEARCHES} search paths`);
  if (utf8Length(given.join(" ")) > MAX_SEARCH_CHARACTERS) {
    at.invalid(
      given,
      `must not have more than ${MAX_SEARCH_CHARACTERS} characters (including spaces) in the search list`,
    );
  }
  at.each(given, (search, each) => {
    if (search !== "." || at.by.before(33))
      each.check(
        search.endsWith(".") ? search.slice(0, -1) : search,
        at.by.before(33) ? checkDns1123Subdomain : checkSubdomainWithUnderscores,
      );
  });
}

export function hostAliases(aliases: readonly HostAlias[] | undefined, at: ValidatedField): void {
  at.each(aliases, (alias, each) => {
    legacyIp(alias.ip, each.child("ip"));
    each.child("hostnames").each(alias.hostnames, (name, place) => place.check(name, checkDns1123Subdomain));
  });
}
