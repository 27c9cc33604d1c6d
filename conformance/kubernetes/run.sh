#!/usr/bin/env bash
# Runs Kubernetes' own end-to-end tests against `celadon up`, in a network of its own (needs root and iproute2).
#
#   TESTS=DIR conformance/kubernetes/run.sh OUT [--controllers] [options of TESTS/run.sh, such as --profile api or --focus crd_]
#
# TESTS is a directory with build.sh, run.sh and alone.sh that build and run the tests (e2e.test and its helpers). With --controllers the
# real kube-controller-manager (KCM=FILE) works beside the server, whose own controllers are off but for the status of definitions.
# OUT gets the logs, the kubeconfig and results.json; `node conformance/kubernetes/record.mjs OUT…` adds them to results.json here.
set -eu
top=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
: "${TESTS:?set it to the directory of the tests}"
OUT=$(mkdir -p "$1" && cd "$1" && pwd)
shift
mode=own
if [ "${1:-}" = --controllers ]; then mode=real; shift; fi
export OUT mode top TESTS KCM="${KCM:-kube-controller-manager}" ADDRESS=198.51.100.1 PORT=16443
exec "$TESTS/alone.sh" bash -c '
set -u
off=""
if [ "$mode" = real ]; then
  for name in namespace serviceaccount root-ca-certificate-publisher clusterrole-aggregation validatingadmissionpolicy-status garbage-collector storage-protection resourcequota; do
    off="$off --without-controller $name"
  done
fi
node "$top/apps/cli/bin/celadon.mjs" up --memory --data-dir "$OUT/data" --host "$ADDRESS" --port "$PORT" \
  --kubeconfig "$OUT/kubeconfig" $off >"$OUT/server.log" 2>&1 </dev/null &
server=$!
for _ in $(seq 150); do [ -f "$OUT/kubeconfig" ] && break; sleep 0.2; done
manager=""
if [ "$mode" = real ]; then
  "$KCM" --kubeconfig "$OUT/kubeconfig" --leader-elect=false --root-ca-file "$OUT/data/pki/ca.crt" \
    --service-account-private-key-file "$OUT/data/pki/tokens.key" --cluster-signing-cert-file "$OUT/data/pki/ca.crt" \
    --cluster-signing-key-file "$OUT/data/pki/ca.key" >"$OUT/controllers.log" 2>&1 </dev/null &
  manager=$!
  sleep 5
fi
status=0
"$TESTS/run.sh" "$OUT/kubeconfig" --out "$OUT" "$@" | tee "$OUT/out.txt" || status=$?
kill $manager $server
exit $status
' alone "$@"
