// Cases as text: JSON is YAML.

export function toYaml(test: unknown): string {
  return `- ${JSON.stringify(test)}\n`;
}
