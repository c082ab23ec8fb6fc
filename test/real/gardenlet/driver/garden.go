package main

import (
	"context"
	"encoding/json"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
	fakeclient "sigs.k8s.io/controller-runtime/pkg/client/fake"

	"github.com/gardener/gardener/pkg/apis/core"
	gardencorev1beta1 "github.com/gardener/gardener/pkg/apis/core/v1beta1"
	operationsv1alpha1 "github.com/gardener/gardener/pkg/apis/operations/v1alpha1"
	seedmanagementv1alpha1 "github.com/gardener/gardener/pkg/apis/seedmanagement/v1alpha1"
	"github.com/gardener/gardener/pkg/client/kubernetes"
)

// newGarden returns an empty garden cluster in memory.
func newGarden() client.Client {
	return fakeclient.NewClientBuilder().
		WithScheme(kubernetes.GardenScheme).
		WithStatusSubresource(
			&gardencorev1beta1.Shoot{},
			&gardencorev1beta1.BackupBucket{},
			&gardencorev1beta1.BackupEntry{},
			&operationsv1alpha1.Bastion{},
		).
		WithIndex(&gardencorev1beta1.ControllerInstallation{}, core.SeedRefName, func(object client.Object) []string {
			if ref := object.(*gardencorev1beta1.ControllerInstallation).Spec.SeedRef; ref != nil {
				return []string{ref.Name}
			}
			return nil
		}).
		WithIndex(&seedmanagementv1alpha1.ManagedSeed{}, "spec.shoot.name", func(object client.Object) []string {
			return []string{object.(*seedmanagementv1alpha1.ManagedSeed).Spec.Shoot.Name}
		}).
		WithIndex(&operationsv1alpha1.Bastion{}, "spec.shootRef.name", func(object client.Object) []string {
			return []string{object.(*operationsv1alpha1.Bastion).Spec.ShootRef.Name}
		}).
		Build()
}

// put creates or replaces an object of the garden, with Gardener's defaults.
func (l *landscape) put(ctx context.Context, text json.RawMessage) error {
	decoded, _, err := kubernetes.GardenCodec.UniversalDeserializer().Decode(text, nil, nil)
	if err != nil {
		return fmt.Errorf("decoding an object of the garden: %w", err)
	}
	object, ok := decoded.(client.Object)
	if !ok {
		return fmt.Errorf("%T is not an object", decoded)
	}
	kubernetes.GardenScheme.Default(object)
	err = l.garden.Create(ctx, object)
	if !apierrors.IsAlreadyExists(err) {
		return err
	}
	existing, err := l.find(ctx, object.GetObjectKind().GroupVersionKind(), client.ObjectKeyFromObject(object))
	if err != nil {
		return err
	}
	object.SetResourceVersion(existing.GetResourceVersion())
	return l.garden.Update(ctx, object)
}

func kindOf(name string) schema.GroupVersionKind {
	switch name {
	case "Bastion":
		return operationsv1alpha1.SchemeGroupVersion.WithKind(name)
	case "Secret", "ConfigMap":
		return corev1.SchemeGroupVersion.WithKind(name)
	default:
		return gardencorev1beta1.SchemeGroupVersion.WithKind(name)
	}
}

func (l *landscape) find(ctx context.Context, kind schema.GroupVersionKind, key client.ObjectKey) (client.Object, error) {
	created, err := kubernetes.GardenScheme.New(kind)
	if err != nil {
		return nil, err
	}
	object := created.(client.Object)
	return object, l.garden.Get(ctx, key, object)
}

// patch merges into an object and its status. As in Gardener's API server, a change raises the generation.
func (l *landscape) patch(ctx context.Context, kind schema.GroupVersionKind, key client.ObjectKey, patch json.RawMessage) (client.Object, error) {
	object, err := l.find(ctx, kind, key)
	if err != nil {
		return nil, err
	}
	merge := client.RawPatch(types.MergePatchType, patch)
	if err := l.garden.Patch(ctx, object, merge); err != nil {
		return nil, err
	}
	var parts struct {
		Status json.RawMessage `json:"status"`
	}
	if err := json.Unmarshal(patch, &parts); err != nil {
		return nil, err
	}
	if parts.Status != nil {
		if err := l.garden.Status().Patch(ctx, object, merge); err != nil {
			return nil, err
		}
	}
	object.SetGeneration(object.GetGeneration() + 1)
	return object, l.garden.Update(ctx, object)
}
