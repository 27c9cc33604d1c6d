// The configuration file of Celadon: its format, its schema and its mistakes.

export {
  CONFIGURATION_FILE,
  CONFIGURATION_KIND,
  type ConfigurationOverride,
  type ConfigurationText,
  configurationIssues,
  configurationSchema,
  isConfiguration,
} from "./format.ts";
