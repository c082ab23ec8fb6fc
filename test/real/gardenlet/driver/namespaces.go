package main

import (
	"context"
	"fmt"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	policyv1 "k8s.io/api/policy/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	logf "sigs.k8s.io/controller-runtime/pkg/log"

	extensionsv1alpha1 "github.com/gardener/gardener/pkg/apis/extensions/v1alpha1"
	resourcesv1alpha1 "github.com/gardener/gardener/pkg/apis/resources/v1alpha1"
	"github.com/gardener/gardener/pkg/controllerutils"
	machinev1alpha1 "github.com/gardener/machine-controller-manager/pkg/apis/machine/v1alpha1"
)

// held are the objects of extensions. They must be gone before their namespace.
func held() []client.ObjectList {
	return []client.ObjectList{
		&extensionsv1alpha1.BastionList{}, &extensionsv1alpha1.ContainerRuntimeList{}, &extensionsv1alpha1.ControlPlaneList{},
		&extensionsv1alpha1.DNSRecordList{}, &extensionsv1alpha1.ExtensionList{}, &extensionsv1alpha1.InfrastructureList{},
		&extensionsv1alpha1.NetworkList{}, &extensionsv1alpha1.OperatingSystemConfigList{}, &extensionsv1alpha1.WorkerList{},
		&machinev1alpha1.MachineList{}, &resourcesv1alpha1.ManagedResourceList{},
	}
}

// finalizeNamespaces does the work of kube-controller-manager, which test clusters lack: it empties namespaces in
// deletion, except for objects of extensions, and then lets them go.
func (g *gardenlet) finalizeNamespaces(ctx context.Context) {
	c := g.SeedClientSet.Client()
	for ; ctx.Err() == nil; time.Sleep(pause) {
		list := &corev1.NamespaceList{}
		if err := c.List(ctx, list); err != nil {
			logf.FromContext(ctx).Info("Could not list namespaces", "reason", err.Error())
			continue
		}
		for _, namespace := range list.Items {
			if namespace.DeletionTimestamp == nil {
				continue
			}
			if err := g.finalizeNamespace(ctx, &namespace); err != nil {
				logf.FromContext(ctx).Info("Could not finalize the namespace", "name", namespace.Name, "reason", err.Error())
			}
		}
	}
}

func (g *gardenlet) finalizeNamespace(ctx context.Context, namespace *corev1.Namespace) error {
	c := g.SeedClientSet.Client()
	// gardenlet leaves this ManagedResource to the namespace controller. Those of extensions must be gone.
	referenced := &resourcesv1alpha1.ManagedResource{ObjectMeta: metav1.ObjectMeta{Name: "referenced-resources", Namespace: namespace.Name}}
	if err := client.IgnoreNotFound(c.Delete(ctx, referenced)); err != nil {
		return err
	}
	for _, list := range held() {
		if err := c.List(ctx, list, client.InNamespace(namespace.Name), client.Limit(1)); err != nil {
			return err
		}
		if meta.LenList(list) > 0 {
			return fmt.Errorf("there is a %T", list)
		}
	}
	for _, object := range []client.Object{
		&corev1.Secret{}, &corev1.ConfigMap{}, &corev1.ServiceAccount{}, &appsv1.Deployment{}, &networkingv1.NetworkPolicy{},
		&policyv1.PodDisruptionBudget{}, &rbacv1.Role{}, &rbacv1.RoleBinding{}, &appsv1.DaemonSet{},
	} {
		if err := c.DeleteAllOf(ctx, object, client.InNamespace(namespace.Name)); err != nil {
			return err
		}
	}
	services := &corev1.ServiceList{}
	if err := c.List(ctx, services, client.InNamespace(namespace.Name)); err != nil {
		return err
	}
	for _, service := range services.Items {
		if err := client.IgnoreNotFound(c.Delete(ctx, &service)); err != nil {
			return err
		}
	}
	// gardenlet deletes the namespace in the foreground, for which the API server waits for the garbage collector.
	if err := controllerutils.RemoveAllFinalizers(ctx, c, namespace); err != nil {
		return err
	}
	namespace.Spec.Finalizers = nil
	_, err := g.SeedClientSet.Kubernetes().CoreV1().Namespaces().Finalize(ctx, namespace, metav1.UpdateOptions{})
	return client.IgnoreNotFound(err)
}
