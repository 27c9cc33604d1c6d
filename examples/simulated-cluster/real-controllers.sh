#!/usr/bin/env bash
# A simulated cluster with Kubernetes' own controllers: kube-controller-manager and kube-scheduler work on `celadon up`, whose stand-ins for them
# are off; nodes and pods are those of kwok where it is installed, and celadon's otherwise.
#   real-controllers.sh DIR       starts everything, prints the KUBECONFIG, and stops with Ctrl-C
# CELADON is the command (default: celadon), KWOK_CONFIG a file of stages for kwok (its releases have one: stage/fast).
set -euo pipefail
dir=${1:?a directory for data, keys and logs}
celadon=${CELADON:-celadon}
mkdir -p "$dir"
dir=$(cd "$dir" && pwd)

have() { command -v "$1" > /dev/null; }
have kube-controller-manager || { echo "kube-controller-manager is not installed; 'celadon up --simulate' needs nothing" >&2; exit 2; }

off=(namespace serviceaccount root-ca-certificate-publisher garbage-collector resourcequota clusterrole-aggregation storage-protection
  validatingadmissionpolicy-status replicaset replicationcontroller deployment statefulset daemonset job cronjob endpointslice endpoints disruption
  persistentvolume-binder)
if have kube-scheduler; then off+=(simulated-scheduler); fi
simulate=(--simulate)
if have kwok && [ -n "${KWOK_CONFIG:-}" ]; then off+=(simulated-nodes simulated-kubelet); kwok=yes; else kwok=no; fi

pids=()
trap 'kill "${pids[@]}" 2> /dev/null || true; wait' EXIT
start() { local name=$1; shift; "$@" > "$dir/$name.log" 2>&1 & pids+=($!); }

start celadon "$celadon" up "${simulate[@]}" --data-dir "$dir/data" --port 0 --kubeconfig "$dir/kubeconfig" "${off[@]/#/--without-controller=}"
until grep -qs kubectl "$dir/celadon.log"; do kill -0 "${pids[0]}" || { cat "$dir/celadon.log" >&2; exit 1; }; sleep 0.1; done

export KUBECONFIG=$dir/kubeconfig
pki=$dir/data/pki
start kube-controller-manager kube-controller-manager --kubeconfig "$KUBECONFIG" --leader-elect=false --controllers='*' \
  --bind-address 127.0.0.1 --secure-port 0 --use-service-account-credentials \
  --root-ca-file "$pki/ca.crt" --cluster-signing-cert-file "$pki/ca.crt" --cluster-signing-key-file "$pki/ca.key"
if have kube-scheduler; then
  start kube-scheduler kube-scheduler --kubeconfig "$KUBECONFIG" --leader-elect=false --bind-address 127.0.0.1 --secure-port 0
fi
if [ "$kwok" = yes ]; then
  start kwok kwok --kubeconfig "$KUBECONFIG" --manage-all-nodes=true --config "$KWOK_CONFIG" --node-lease-duration-seconds 40
fi
echo "export KUBECONFIG=$KUBECONFIG"
wait "${pids[0]}"
