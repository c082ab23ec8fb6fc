package main

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	logf "sigs.k8s.io/controller-runtime/pkg/log"

	v1beta1constants "github.com/gardener/gardener/pkg/apis/core/v1beta1/constants"
	"github.com/gardener/gardener/pkg/component"
	"github.com/gardener/gardener/pkg/component/extensions/selfhostedshootexposure"
	gardenerutils "github.com/gardener/gardener/pkg/utils/gardener"
)

// exposure names the nodes of a control plane that runs in its own shoot.
type exposure struct {
	Name      string            `json:"name"`
	Namespace string            `json:"namespace"`
	Type      string            `json:"type"`
	Nodes     map[string]string `json:"nodes"`
}

func (g *gardenlet) exposure(ctx context.Context, asked *exposure) *selfhostedshootexposure.SelfHostedShootExposure {
	return selfhostedshootexposure.New(logf.FromContext(ctx), g.SeedClientSet.Client(), g.Clock, &selfhostedshootexposure.Values{
		Name: asked.Name, Namespace: asked.Namespace, Type: asked.Type,
		CredentialsRef: &corev1.ObjectReference{
			APIVersion: "v1", Kind: "Secret", Name: v1beta1constants.SecretNameCloudProvider, Namespace: asked.Namespace,
		},
	})
}

// expose does what gardenadm does for the nodes.
func (g *gardenlet) expose(ctx context.Context, asked *exposure) (any, error) {
	var nodes []corev1.Node
	for name, address := range asked.Nodes {
		nodes = append(nodes, corev1.Node{
			ObjectMeta: metav1.ObjectMeta{Name: name},
			Status: corev1.NodeStatus{
				Conditions: []corev1.NodeCondition{{Type: corev1.NodeReady, Status: corev1.ConditionTrue}},
				Addresses:  []corev1.NodeAddress{{Type: corev1.NodeInternalIP, Address: address}},
			},
		})
	}
	endpoints, err := gardenerutils.ControlPlaneEndpointsFromNodes(nodes)
	if err != nil {
		return nil, err
	}
	exposure := g.exposure(ctx, asked)
	exposure.Values.Endpoints = endpoints
	err = component.OpWait(exposure).Deploy(ctx)
	return exposure.Ingress, err
}

func (g *gardenlet) unexpose(ctx context.Context, asked *exposure) error {
	return component.OpDestroyAndWait(g.exposure(ctx, asked)).Destroy(ctx)
}
