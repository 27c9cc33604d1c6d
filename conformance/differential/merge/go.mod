module celadon.test/differential/merge

go 1.26

require (
	gopkg.in/evanphx/json-patch.v4 v4.13.0
	k8s.io/apimachinery v0.36.4
	k8s.io/client-go v0.36.4
	k8s.io/kube-openapi v0.0.0-20260317180543-43fb72c5454a
	sigs.k8s.io/structured-merge-diff/v6 v6.3.3
)
