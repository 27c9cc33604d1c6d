// A controller for the definition in crd.yaml, on controller-runtime: every Website gets a Deployment that it owns, and a status. It is an
// ordinary manager with leader election, events, an index and a cache, and knows nothing of Celadon: KUBECONFIG says which server it works for.
package main

import (
	"context"
	"fmt"
	"os"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/tools/events"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/log/zap"
	"sigs.k8s.io/controller-runtime/pkg/metrics/server"
)

const finalizer = "websites.example.com/goodbye"

// Website is what users write.
type Website struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              WebsiteSpec   `json:"spec"`
	Status            WebsiteStatus `json:"status,omitempty"`
}

type WebsiteSpec struct {
	Image    string `json:"image"`
	Replicas int32  `json:"replicas,omitempty"`
}

type WebsiteStatus struct {
	ObservedGeneration int64              `json:"observedGeneration,omitempty"`
	Conditions         []metav1.Condition `json:"conditions,omitempty"`
}

type WebsiteList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []Website `json:"items"`
}

func (in *Website) DeepCopyObject() runtime.Object {
	out := *in
	out.ObjectMeta = *in.ObjectMeta.DeepCopy()
	out.Status.Conditions = append([]metav1.Condition(nil), in.Status.Conditions...)
	return &out
}

func (in *WebsiteList) DeepCopyObject() runtime.Object {
	out := WebsiteList{TypeMeta: in.TypeMeta, ListMeta: *in.ListMeta.DeepCopy()}
	for i := range in.Items {
		out.Items = append(out.Items, *in.Items[i].DeepCopyObject().(*Website))
	}
	return &out
}

type reconciler struct {
	client.Client
	recorder events.EventRecorder
}

func (r *reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var site Website
	if err := r.Get(ctx, req.NamespacedName, &site); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if !site.DeletionTimestamp.IsZero() {
		controllerutil.RemoveFinalizer(&site, finalizer)
		return ctrl.Result{}, client.IgnoreNotFound(r.Update(ctx, &site))
	}
	if controllerutil.AddFinalizer(&site, finalizer) {
		if err := r.Update(ctx, &site); err != nil {
			return retry(err)
		}
	}
	deployment := &appsv1.Deployment{ObjectMeta: metav1.ObjectMeta{Name: site.Name, Namespace: site.Namespace}}
	outcome, err := controllerutil.CreateOrUpdate(ctx, r.Client, deployment, func() error {
		labels := map[string]string{"website": site.Name}
		deployment.Spec.Replicas = &site.Spec.Replicas
		deployment.Spec.Selector = &metav1.LabelSelector{MatchLabels: labels}
		deployment.Spec.Template.Labels = labels
		deployment.Spec.Template.Spec.Containers = []corev1.Container{{Name: "web", Image: site.Spec.Image}}
		return controllerutil.SetControllerReference(&site, deployment, r.Scheme())
	})
	condition := metav1.Condition{Type: "Deployed", Status: metav1.ConditionTrue, Reason: "Done", Message: "the deployment is up to date"}
	if err != nil {
		condition = metav1.Condition{Type: "Deployed", Status: metav1.ConditionFalse, Reason: "Rejected", Message: err.Error()}
	} else if outcome != controllerutil.OperationResultNone {
		r.recorder.Eventf(&site, deployment, corev1.EventTypeNormal, "Deployed", "Deploy", "deployment %s", outcome)
	}
	condition.ObservedGeneration = site.Generation
	changed := meta.SetStatusCondition(&site.Status.Conditions, condition)
	if changed || site.Status.ObservedGeneration != site.Generation {
		site.Status.ObservedGeneration = site.Generation
		if err := r.Status().Update(ctx, &site); err != nil {
			return retry(err)
		}
	}
	// What admission denies is denied again: the status says so, and a change of the Website tries again.
	if apierrors.IsInvalid(err) || apierrors.IsForbidden(err) {
		return ctrl.Result{}, nil
	}
	return retry(err)
}

func retry(err error) (ctrl.Result, error) {
	if apierrors.IsConflict(err) {
		return ctrl.Result{Requeue: true}, nil
	}
	return ctrl.Result{}, err
}

func run() error {
	ctrl.SetLogger(zap.New())
	scheme := runtime.NewScheme()
	if err := clientgoscheme.AddToScheme(scheme); err != nil {
		return err
	}
	version := schema.GroupVersion{Group: "example.com", Version: "v1"}
	scheme.AddKnownTypes(version, &Website{}, &WebsiteList{})
	metav1.AddToGroupVersion(scheme, version)
	manager, err := ctrl.NewManager(ctrl.GetConfigOrDie(), ctrl.Options{
		Scheme:                        scheme,
		LeaderElection:                true,
		LeaderElectionID:              "websites",
		LeaderElectionNamespace:       "default",
		LeaderElectionReleaseOnCancel: true,
		HealthProbeBindAddress:        "0",
		Metrics:                       server.Options{BindAddress: "0"},
	})
	if err != nil {
		return err
	}
	err = ctrl.NewControllerManagedBy(manager).For(&Website{}).Owns(&appsv1.Deployment{}).
		Complete(&reconciler{Client: manager.GetClient(), recorder: manager.GetEventRecorder("websites")})
	if err != nil {
		return err
	}
	return manager.Start(ctrl.SetupSignalHandler())
}

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
