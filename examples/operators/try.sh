#!/usr/bin/env bash
# Starts `celadon up` with the Website definition and the operator of one language, and waits until a Website has its ConfigMap and its status.
#   try.sh kopf|java      CELADON is the command (default: celadon), BUILD a directory for what is downloaded and compiled
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
language=${1:?kopf or java}
celadon=${CELADON:-celadon}
build=${BUILD:-${TMPDIR:-/tmp}/celadon-operators}
mkdir -p "$build"
case $language in
  kopf)
    [ -x "$build/python/bin/kopf" ] || { python3 -m venv "$build/python"; "$build/python/bin/pip" install -q kopf kubernetes; }
    operator=("$build/python/bin/kopf" run --quiet --all-namespaces "$here/kopf/operator.py") ;;
  java)
    [ -d "$build/jars" ] || mvn -q -f "$here/java/pom.xml" dependency:copy-dependencies -DoutputDirectory="$build/jars"
    operator=(java -cp "$build/jars/*" "$here/java/Websites.java") ;;
  *) echo "there is no operator for $language" >&2; exit 2 ;;
esac

dir=$(mktemp -d)
pids=()
trap 'kill "${pids[@]}" 2> /dev/null || true; wait; rm -rf "$dir"' EXIT
"$celadon" up --memory --quiet --port 0 --kubeconfig "$dir/kubeconfig" -f "$here/../go-controller/crd.yaml" > "$dir/server" 2>&1 &
pids+=($!)
until grep -qs kubectl "$dir/server"; do kill -0 "${pids[0]}" || { cat "$dir/server" >&2; exit 1; }; sleep 0.1; done
export KUBECONFIG=$dir/kubeconfig
"${operator[@]}" > "$dir/operator" 2>&1 &
pids+=($!)
kubectl apply -f "$here/website.yaml"
for _ in $(seq 600); do
  image=$(kubectl get configmap shop -o 'jsonpath={.data.image}' 2> /dev/null || true)
  status=$(kubectl get website shop -o 'jsonpath={.status}')
  if [ "$image" = shop:1 ] && [[ $status == *Deployed* ]]; then echo "$language: the Website has its ConfigMap and its status"; exit; fi
  kill -0 "${pids[1]}" 2> /dev/null || break
  sleep 0.1
done
echo "$language: the Website has no ConfigMap or status" >&2
tail -20 "$dir/operator" >&2
exit 1
