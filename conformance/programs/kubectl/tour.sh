#!/usr/bin/env bash
# A tour of kubectl: each command with its output and exit code, without what differs from server to server (times, ports, identifiers).
#   KUBECONFIG=… KUBECTL=… tour.sh
K=${KUBECTL:-kubectl}
D=$(mktemp -d)
trap 'rm -rf "$D"' EXIT
cd "$D" || exit 1
NS=kt

# Runs a command and prints its name, output and exit code.
r() {
  echo "### kubectl $*"
  timeout 60 "$K" "$@" 2>&1 < /dev/null | sed -E \
    -e 's/127\.0\.0\.1:[0-9]+/HOST/g' \
    -e 's/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f-]{22}/UID/g' \
    -e 's/\b[0-9]+m?[0-9]*s\b/AGE/g' \
    -e 's/resourceVersion: "[0-9]+"/resourceVersion: RV/' \
    -e 's/[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.]+Z/TIME/g' \
    -e 's/^[EWI][0-9]{4} [0-9:.]+ +[0-9]+ /KLOG /' \
    -e 's/\b10\.[0-9]+\.[0-9]+\.[0-9]+\b/IP/g' \
    -e 's#/tmp/[A-Za-z0-9./-]+#FILE#g' \
    -e 's/ {2,}/  /g' \
    -e 's/[ \t]+$//'
  echo "exit code ${PIPESTATUS[0]}"
}

r create ns $NS
$K config view --minify --raw > kc
export KUBECONFIG=$D/kc
$K config set-context --current --namespace=$NS > /dev/null
for _ in $(seq 50); do $K get sa default > /dev/null 2>&1 && break; sleep 0.1; done
cat > web.yaml <<Y
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, labels: {app: web, part: x}}
spec:
  replicas: 2
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: web, image: "web:1", ports: [{containerPort: 80}]}]}
---
apiVersion: v1
kind: Service
metadata: {name: web, labels: {part: x}}
spec: {selector: {app: web}, ports: [{port: 80}]}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: web, labels: {part: x}}
data: {a: "1"}
Y
r apply -f web.yaml
r apply -f web.yaml
sed -i 's/replicas: 2/replicas: 4/; s/a: "1"/a: "2"/' web.yaml
r diff -f web.yaml
r diff --server-side -f web.yaml
r apply -f web.yaml
EDITOR="sed -i s/web:1/web:2/" r edit deployment web
EDITOR="sed -i s/replicas:.4/replicas:-4/" r edit deployment web
KUBE_EDITOR="sed -i s/kind:.ConfigMap/kind:_Nope/" r edit cm web
r get deploy,svc,cm
r get deploy web -o wide
r get deploy web -o custom-columns=N:.metadata.name,I:.spec.template.spec.containers[*].image,G:.metadata.generation
r get deploy web -o jsonpath='{.spec.strategy}'
r get deploy -o go-template='{{range .items}}{{.metadata.name}}{{end}}'
r get deploy web -o name
r get cm --show-labels
r get cm -L part
r get cm --sort-by=.metadata.name
r get cm --field-selector metadata.name=web
r get cm --field-selector nope=web
r get nope
r get cm nope
r get cm,nope
r get pods,deploy,rs -A --chunk-size=2
r get all
r rollout status deploy/web --timeout=2s
r rollout history deploy/web
r rollout restart deploy/web
r rollout pause deploy/web
r rollout pause deploy/web
r rollout resume deploy/web
r rollout undo deploy/web
r scale deploy/web --replicas=1
r scale deploy/web --current-replicas=9 --replicas=1
r autoscale deploy/web --min=1 --max=3 --cpu=50%
r get hpa
r set image deploy/web web=web:3
r set env deploy/web A=b
r set resources deploy/web --limits=cpu=1
r set serviceaccount deploy/web default
r set selector svc/web app=other
r label deploy web a=b
r label deploy web a=c
r label deploy web a=c --overwrite
r label deploy web a-
r annotate deploy web x=y
r annotate deploy web x-
r patch cm web -p '{"data":{"p":"1"}}'
r patch cm web --type merge -p '{"data":{"p":null}}'
r patch cm web --type json -p '[{"op":"test","path":"/data/a","value":"zz"}]'
r patch cm web --type json -p '[{"op":"replace","path":"/data/zz","value":"1"}]'
r patch deploy web --subresource=status --type merge -p '{"status":{"replicas":1,"observedGeneration":1}}'
r patch deploy web --subresource=scale --type merge -p '{"spec":{"replicas":2}}'
r patch cm web -p '{"data":{"p":1}}'
r patch deploy web -p '{"spec":{"selector":{"matchLabels":{"z":"1"}}}}'
r patch deploy web -p '{"spec":{"nope":1}}'
r apply --server-side -f web.yaml
r apply --server-side --field-manager=other -f web.yaml
sed -i 's/a: "2"/a: "3"/' web.yaml
r apply --server-side --field-manager=other -f web.yaml
r apply --server-side --field-manager=other --force-conflicts -f web.yaml
r get cm web --show-managed-fields -o yaml
cat > p1.yaml <<Y
{apiVersion: v1, kind: ConfigMap, metadata: {name: pr1, labels: {pr: y}}}
---
{apiVersion: v1, kind: ConfigMap, metadata: {name: pr2, labels: {pr: y}}}
Y
r apply --prune -l pr=y --prune-allowlist=core/v1/ConfigMap -f p1.yaml
head -1 p1.yaml > p2.yaml
r apply --prune -l pr=y --prune-allowlist=core/v1/ConfigMap -f p2.yaml
r create secret generic as
KUBECTL_APPLYSET=true r apply --prune --applyset=as -f p1.yaml
KUBECTL_APPLYSET=true r apply --prune --applyset=as -f p2.yaml
r replace -f p2.yaml
r replace --force -f p2.yaml
r create -f p2.yaml
r apply view-last-applied cm pr1
r apply set-last-applied -f p2.yaml
r create cm bad --from-literal=a=b --dry-run=server -o yaml
r create cm Bad_
r create deploy x --image=x --dry-run=server -o name
r create job j --image=x
r create cronjob cj --image=x --schedule='* * * * *'
r create cronjob cj2 --image=x --schedule='bad'
r create job --from=cronjob/cj j2
r get jobs,cronjobs
r create ingress i --rule=a/b=svc:80
r create pdb pdb --selector=a=b --min-available=1
r create quota q --hard=pods=1
r create role ro --verb=get --resource=pods
r create rolebinding rb --role=ro --serviceaccount=$NS:default
r create clusterrole kt-cr --verb=get --resource=nodes
r create secret tls t --cert=/nope --key=/nope
r create svc clusterip c1 --tcp=80
r create svc nodeport c2 --tcp=80
r create svc loadbalancer c3 --tcp=80
r create svc externalname c4 --external-name=a.b
r create priorityclass kt-pc --value=10
r expose deploy web --name=ex --port=80
r get svc
r run p --image=x
r run p2 --image=x --overrides='{"spec":{"zz":1}}'
r get pod p
r describe pod p
r logs p
r logs p -c zz
r logs nope
r exec p -- ls
r exec nope -- ls
r attach p
r cp p:/a /tmp/a
r port-forward p 18080:80
r port-forward svc/web 18080:80
r debug p --image=busybox
r get pod p -o jsonpath='{.spec.ephemeralContainers}'
r top pods
r top nodes
r delete pod p --now
r run again --image=x
r run again2 --image=x
r auth whoami
r auth can-i get pods
r auth can-i get pods --as system:serviceaccount:$NS:default
r auth can-i delete pods --as system:serviceaccount:$NS:default
r auth can-i --list --as system:serviceaccount:$NS:default
r auth can-i --list --as ann
r auth can-i get nope
r auth can-i get /healthz --as ann
r get pods --as ann
r auth reconcile -f /dev/null
r explain deploy.spec.strategy
r explain pod.spec.containers.nope
r explain cm --recursive
r explain hpa --api-version=autoscaling/v2
r explain nope
$K create token default 2>&1 | cut -c1-10
r create token nope
r create token default --bound-object-kind Pod --bound-object-name nope
r create token default --duration=1m
r create token default --audience=a --duration=10h --as ann
cat > node.yaml <<Y
{apiVersion: v1, kind: Node, metadata: {name: kt-node}}
Y
r apply -f node.yaml
r cordon kt-node
r get node
r describe node kt-node
r uncordon kt-node
r taint node kt-node a=b:NoSchedule
r taint node kt-node a=b:NoSchedule-
r drain kt-node --ignore-daemonsets
r delete node kt-node
openssl req -newkey rsa:2048 -nodes -keyout k.pem -subj /CN=ann -out r.pem 2>/dev/null
cat > csr.yaml <<Y
{apiVersion: certificates.k8s.io/v1, kind: CertificateSigningRequest, metadata: {name: kt-csr}, spec: {request: $(base64 -w0 r.pem), signerName: kubernetes.io/kube-apiserver-client, usages: [client auth]}}
Y
r apply -f csr.yaml
r get csr
r certificate approve kt-csr
sleep 1
r get csr
r certificate deny kt-csr
r delete csr kt-csr
r wait deploy/web --for=condition=Available --timeout=1s
r wait cm/web --for=jsonpath='{.data.a}'=3 --timeout=2s
r wait cm/nope --for=create --timeout=1s
r wait cm/nope --for=delete --timeout=1s
r wait job/j --for=condition=complete --timeout=1s
r get events
r events
r describe deploy web
r describe svc web
r describe cm web
r describe ns $NS
r describe quota q
r cluster-info
r version -o yaml
r api-versions
r api-resources --sort-by=name -o wide
r get cs
r get --raw /readyz
r get --raw '/readyz?verbose'
r get --raw /livez
r get --raw /api
r get --raw /nope
r get --raw /apis/nope
r get --raw /api/v1/nope
r get --raw /
r get apiservices
r delete deploy web --cascade=foreground --timeout=10s
r delete cm web --cascade=orphan
r delete cm nope
r delete cm nope --ignore-not-found
r delete cm -l pr=y
r delete cm --all
r delete all --all --timeout=20s
r delete clusterrole kt-cr
r delete priorityclass kt-pc
r delete ns $NS --timeout=40s
