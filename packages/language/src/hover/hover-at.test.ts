import { expect, test } from "vitest";
import { marked, policy, validation, WIDGETS } from "../marked.testing.ts";

const hover = (text: string): { text: string; word: string } | undefined => {
  const { workspace, uri, text: plain, offset } = marked(text);
  const found = workspace.hover(uri, offset);
  return found && { text: found.text, word: plain.slice(found.range.start, found.range.end) };
};

const mutation = (expression: string): string => `apiVersion: admissionregistration.k8s.io/v1
kind: MutatingAdmissionPolicy
metadata: { name: m }
spec:
  matchConstraints:
    resourceRules:
    - { apiGroups: [apps], apiVersions: [v1], resources: [deployments], operations: [CREATE] }
  mutations:
  - patchType: ApplyConfiguration
    applyConfiguration: { expression: "${expression}" }
`;

// biome-ignore format: one case per line
test.each([
  { at: validation("object.spec.rep¦licas <= 5"),                             word: "replicas",   want: /object\.spec\.replicas: int/ },
  { at: validation("ob¦ject.spec.replicas <= 5"),                             word: "object",     want: /The object of the request/ },
  { at: validation("object.spec.template.spec.containers.all(c, c.im¦age != '')"), word: "image", want: /c\.image: string/ },
  { at: validation("object.metadata.name.starts¦With('a')"),                  word: "startsWith", want: /string\.startsWith\(string\) -> bool[\s\S]*Cost:/ },
  { at: validation("object.spec.template.spec.containers.a¦ll(c, true)"),     word: "all",        want: /every element/ },
  { at: validation("sets.con¦tains([1], [2])"),                               word: "contains",   want: /all elements of the second/ },
  { at: validation("object.spec.replicas <¦= 5"),                             word: "<=",         want: /Estimated cost/ },
  { at: WIDGETS.replace("RULE", "self.si¦ze > 0"),                            word: "size",       want: /self\.size: int[\s\S]*How large it is\.[\s\S]*value ≤ 10/ },
  { at: policy("  fail¦urePolicy: Fail\n"),                                   word: "failurePolicy", want: /spec\.failurePolicy/ },
  { at: mutation("Object{spec: Object.spec{rep¦licas: 3}}"),                  word: "replicas",   want: /Object\.spec\.replicas: int[\s\S]*int32/ },
  { at: mutation("Object{sp¦ec: Object.spec{replicas: 3}}"),                  word: "spec",       want: /Object\.spec: object/ },
  { at: mutation("Object{spec: Object.spec{template: Object.spec.template{spec: Object.spec.template.spec{containers: [Object.spec.template.spec.containers{im¦age: 'a'}]}}}}"), word: "image", want: /containers\.image: string/ },
])("$at", ({ at, word, want }) => {
  const found = hover(at);
  expect(found?.word).toBe(word);
  expect(found?.text).toMatch(want);
});

test("no hover for unknown names", () => {
  expect(hover(validation("true // no¦te"))).toBeUndefined();
  expect(hover("# com¦ment\nkind: Pod\n")).toBeUndefined();
});
