// kubectl, command by command, against a server that listens. Binaries come from the path and from KUBECTL (several, with a colon between
// them); without any the test is skipped.

import { execFile, execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startServer, type TestServer } from "../testing/index.ts";

interface Kubectl {
  readonly path: string;
  readonly version: string;
}

function found(): readonly Kubectl[] {
  const paths = [...(process.env.KUBECTL ?? "").split(":").filter(Boolean), "kubectl"];
  const seen = new Map<string, Kubectl>();
  for (const path of paths) {
    try {
      const out = execFileSync(path, ["version", "--client", "-o", "json"], { stdio: ["ignore", "pipe", "ignore"] });
      const { gitVersion: version } = JSON.parse(out.toString()).clientVersion as { gitVersion: string };
      if (!seen.has(version)) seen.set(version, { path, version });
    } catch {
      // Not here.
    }
  }
  return [...seen.values()];
}

const kubectls = found();
if (kubectls.length === 0) test.skip("kubectl is missing: give it in KUBECTL or on the path", () => {});

const MANIFEST = `
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, labels: {app: web}}
spec:
  replicas: 2
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: web, image: "web:1"}]}
`;
const DEFINITION = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {plural: widgets, kind: Widget, shortNames: [wd]}
  versions:
  - name: v1
    served: true
    storage: true
    additionalPrinterColumns: [{name: Size, type: integer, jsonPath: .spec.size}]
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            description: How the widget shall be.
            properties: {size: {type: integer, description: Its size.}}
            x-kubernetes-validations: [{rule: self.size < 10, message: too large}]
`;
const widget = (size: number) =>
  `{"apiVersion":"example.com/v1","kind":"Widget","metadata":{"name":"w"},"spec":{"size":${size}}}`;

// The commands, whether they succeed, their output, and the minor of kubectl that added a command late.
// biome-ignore format: one command per line
const commands: readonly (readonly [args: string, ok: boolean, output: RegExp, since?: number])[] = [
  ["version",                                                            true,  /Server Version: (version.Info)?.*1\.37/],
  ["get --raw /readyz",                                                  true,  /^ok$/],
  ["api-resources --api-group=apps",                                     true,  /deployments\s+deploy\s+apps\/v1\s+true\s+Deployment/],
  ["get ns",                                                             true,  /NAME\s+STATUS\s+AGE\ndefault\s+Active/],
  ["get ns default -o yaml",                                             true,  /kubernetes.io\/metadata.name: default/],
  ["get ns --sort-by=.metadata.name -o name",                            true,  /^namespace\/default\n/],
  ["create ns try",                                                      true,  /namespace\/try created/],
  ["create configmap c --from-literal=a=b",                              true,  /configmap\/c created/],
  ["create secret generic s --from-literal=a=b",                         true,  /secret\/s created/],
  ["create sa robot",                                                    true,  /serviceaccount\/robot created/],
  ["create token robot",                                                 true,  /^[\w-]+\.[\w-]+\.[\w-]+$/, 24],
  ["create deployment d --image=i",                                      true,  /deployment.apps\/d created/],
  ["apply --dry-run=server -f DIR/web.yaml",                             true,  /web created \(server dry run\)/],
  ["apply -f DIR/web.yaml",                                              true,  /deployment.apps\/web created/],
  ["apply -f DIR/web.yaml",                                              true,  /deployment.apps\/web unchanged/],
  ["diff -f DIR/web3.yaml",                                              false, /\+ {2}replicas: 3/],
  ["apply -f DIR/web3.yaml",                                             true,  /deployment.apps\/web configured/],
  ["apply --server-side --force-conflicts -f DIR/web.yaml",              true,  /deployment.apps\/web serverside-applied/],
  ["get deploy web",                                                     true,  /NAME\s+READY\s+UP-TO-DATE\s+AVAILABLE\s+AGE\nweb\s+0\/2/],
  ["scale deploy web --replicas=5",                                      true,  /deployment.apps\/web scaled/],
  ["label deploy web tier=front",                                        true,  /deployment.apps\/web labeled/],
  ["annotate deploy web note=x",                                         true,  /deployment.apps\/web annotated?/],
  ["get deploy -l tier=front -o name",                                   true,  /^deployment.apps\/web$/],
  ["patch deploy web --type=json -p [{\"op\":\"remove\",\"path\":\"/metadata/labels/tier\"}]", true, /deployment.apps\/web patched/],
  ["patch deploy web -p {\"spec\":{\"template\":{\"spec\":{\"containers\":[{\"name\":\"web\",\"image\":\"web:2\"}]}}}}", true, /deployment.apps\/web patched/],
  ["get deploy web -o jsonpath={.spec.replicas}/{.spec.template.spec.containers[0].image}", true, /^5\/web:2$/],
  ["describe deploy web",                                                true,  /Image:\s+web:2/],
  ["explain deployment.spec.replicas",                                   true,  /FIELD: +replicas[\s\S]*Number of desired pods/],
  ["explain crd --recursive",                                            true,  /additionalPrinterColumns/],
  ["api-versions",                                                       true,  /^apps\/v1$/m],
  ["cluster-info",                                                       true,  /is running at/],
  ["run p --image=i",                                                    true,  /pod\/p created/],
  ["get pod p -o wide",                                                  true,  /NAME +READY +STATUS +RESTARTS +AGE +IP +NODE +NOMINATED NODE +READINESS GATES\np +0\/1 +Pending +0 +\S+ +<none> +<none> +<none> +<none>/],
  ["delete pod p",                                                       true,  /pod "p" deleted/],
  ["expose deploy d --port=80",                                          true,  /service\/d exposed/],
  ["get svc d",                                                          true,  /NAME +TYPE +CLUSTER-IP +EXTERNAL-IP +PORT\(S\) +AGE\nd +ClusterIP +10\.0\.\S+ +<none> +80\/TCP/],
  ["autoscale deploy d --max=3",                                         true,  /horizontalpodautoscaler.autoscaling\/d autoscaled/],
  ["set image deploy/d i=j",                                             true,  /deployment.apps\/d image updated/],
  ["create role r --verb=get --resource=pods",                           true,  /role.rbac.authorization.k8s.io\/r created/],
  ["create rolebinding b --role=r --user=ada",                           true,  /rolebinding.rbac.authorization.k8s.io\/b created/],
  ["auth can-i get pods --as ada",                                       true,  /^yes$/],
  ["get rolebinding b -o wide",                                          true,  /b +Role\/r +\S+ +ada/],
  ["create quota q --hard=pods=5",                                       true,  /resourcequota\/q created/],
  ["create job j --image=i",                                             true,  /job.batch\/j created/],
  ["create ingress in --rule=a.b/=d:80",                                 true,  /ingress.networking.k8s.io\/in created/],
  ["get ingress in",                                                     true,  /in +<none> +a\.b +80/],
  ["create -f DIR/node.json",                                            true,  /node\/n created/],
  ["cordon n",                                                           true,  /node\/n cordoned/],
  ["get nodes",                                                          true,  /NAME +STATUS +ROLES +AGE +VERSION\nn +Unknown,SchedulingDisabled +<none>/],
  ["taint nodes n a=b:NoSchedule",                                       true,  /node\/n tainted/],
  ["drain n",                                                            true,  /node\/n drained|node\/n evicted/],
  ["delete node n",                                                      true,  /node "n" deleted/],
  ["wait --for=jsonpath={.spec.replicas}=5 deploy/web --timeout=10s",    true,  /deployment.apps\/web condition met/, 23],
  ["wait --for=delete pod/none --timeout=1s",                            true,  /^$/, 23],
  ["replace -f DIR/web.yaml",                                            true,  /deployment.apps\/web replaced/],
  ["create -f DIR/unknown.yaml",                                         false, /unknown field "spec.replcas"/],
  ["apply -f DIR/crd.yaml",                                              true,  /widgets.example.com created/],
  ["wait --for=condition=Established crd/widgets.example.com --timeout=10s", true, /condition met/],
  ["apply -f DIR/widget.json",                                           true,  /widget.example.com\/w created/],
  ["get wd",                                                             true,  /NAME\s+SIZE\nw\s+3/],
  ["explain widget.spec.size",                                           true,  /Its size\./],
  ["apply -f DIR/large.json",                                            false, /is invalid: spec: Invalid value: .*too large/],
  ["apply --server-side -f DIR/widget.json --force-conflicts",           true,  /widget.example.com\/w serverside-applied/],
  ["auth can-i create pods",                                             true,  /^yes$/],
  ["auth can-i create pods --as bob",                                    false, /^no/],
  ["auth whoami",                                                        true,  /celadon-admin/, 28],
  ["get pods --as bob",                                                  false, /User "bob" cannot list resource "pods"/],
  ["delete deploy web d",                                                true,  /deployment.apps "web" deleted/],
  ["delete --all configmap -n try",                                      true,  /./],
  ["delete ns try",                                                      true,  /namespace "try" deleted/],
  ["delete crd widgets.example.com",                                     true,  /"widgets.example.com" deleted/],
  ["get wd",                                                             false, /doesn't have a resource type|could not find the requested resource/],
];

describe.each(kubectls)("kubectl $version", ({ path, version }) => {
  const minor = Number(version.split(".")[1]);
  let server: TestServer;
  let directory: string;
  beforeAll(async () => {
    server = await startServer();
    directory = mkdtempSync(join(tmpdir(), "kubectl-"));
    const files: Readonly<Record<string, string>> = {
      "web.yaml": MANIFEST,
      "web3.yaml": MANIFEST.replace("replicas: 2", "replicas: 3"),
      "unknown.yaml": MANIFEST.replace("replicas: 2", "replcas: 2").replace("name: web,", "name: typo,"),
      "crd.yaml": DEFINITION,
      "widget.json": widget(3),
      "large.json": widget(30),
      "node.json": '{"apiVersion":"v1","kind":"Node","metadata":{"name":"n"}}',
    };
    for (const [name, text] of Object.entries(files)) writeFileSync(join(directory, name), text);
  });
  afterAll(async () => {
    await server?.close();
    rmSync(directory, { recursive: true, force: true });
  });

  const run = (args: readonly string[]): Promise<{ ok: boolean; output: string }> =>
    new Promise((done) => {
      const env = { ...process.env, KUBECONFIG: server.kubeconfigFile, HOME: directory };
      execFile(path, [...args], { env, timeout: 60_000 }, (error, out, err) => {
        done({ ok: error === null, output: `${out}${err}`.trim() });
      });
    });

  test("every command", { timeout: 300_000 }, async () => {
    for (const [line, ok, output, since = 0] of commands) {
      if (minor < since) continue;
      const result = await run(line.replaceAll("DIR", directory).split(" "));
      expect({ line, ok: result.ok, output: result.output }).toEqual({
        line,
        ok,
        output: expect.stringMatching(output),
      });
    }
  });
});
