package main

import (
	"context"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	v1beta1constants "github.com/gardener/gardener/pkg/apis/core/v1beta1/constants"
	"github.com/gardener/gardener/pkg/controllerutils"
	"github.com/gardener/gardener/pkg/gardenlet/operation/botanist"
	"github.com/gardener/gardener/pkg/utils/flow"
)

const (
	apiServer         = v1beta1constants.DeploymentNameKubeAPIServer
	machineController = v1beta1constants.DeploymentNameMachineControllerManager
)

// scale writes a Deployment of gardenlet that extensions read. Nothing runs it.
func (g *gardenlet) scale(b *botanist.Botanist, name string, replicas int32) flow.TaskFn {
	labels := map[string]string{"app": name}
	return func(ctx context.Context) error {
		deployment := &appsv1.Deployment{ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: b.Shoot.ControlPlaneNamespace}}
		_, err := controllerutils.GetAndCreateOrMergePatch(ctx, g.SeedClientSet.Client(), deployment, func() error {
			deployment.Spec.Replicas = &replicas
			deployment.Spec.Selector = &metav1.LabelSelector{MatchLabels: labels}
			deployment.Spec.Template.Labels = labels
			deployment.Spec.Template.Spec.Containers = []corev1.Container{{Name: name, Image: name}}
			return nil
		})
		return err
	}
}

// scaleMachineController stops the machine controller for a restoration, which the Worker then ends.
func (g *gardenlet) scaleMachineController(b *botanist.Botanist, restores bool) flow.TaskFn {
	if restores {
		return g.scale(b, machineController, 0)
	}
	if b.Shoot.HibernationEnabled && b.Shoot.GetInfo().Status.IsHibernated {
		return func(context.Context) error { return nil }
	}
	return g.scale(b, machineController, 1)
}

func (g *gardenlet) remove(b *botanist.Botanist, name string) flow.TaskFn {
	return func(ctx context.Context) error {
		deployment := &appsv1.Deployment{ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: b.Shoot.ControlPlaneNamespace}}
		return client.IgnoreNotFound(g.SeedClientSet.Client().Delete(ctx, deployment))
	}
}
