package main

import (
	"context"
	"errors"

	"sigs.k8s.io/controller-runtime/pkg/client"
	logf "sigs.k8s.io/controller-runtime/pkg/log"

	v1beta1helper "github.com/gardener/gardener/pkg/api/core/v1beta1/helper"
	gardencorev1beta1 "github.com/gardener/gardener/pkg/apis/core/v1beta1"
	"github.com/gardener/gardener/pkg/client/kubernetes"
	"github.com/gardener/gardener/pkg/gardenlet/controller/shoot/care"
	"github.com/gardener/gardener/pkg/gardenlet/operation"
	gardenerutils "github.com/gardener/gardener/pkg/utils/gardener"
	healthchecker "github.com/gardener/gardener/pkg/utils/kubernetes/health/checker"
)

// care returns the conditions that gardenlet's care controller derives from extensions, without those of its own
// components. A condition that no extension reports is absent.
func (g *gardenlet) care(ctx context.Context, key client.ObjectKey) ([]gardencorev1beta1.Condition, error) {
	shoot := &gardencorev1beta1.Shoot{}
	if err := g.GardenClient.Get(ctx, key, shoot); err != nil {
		return nil, err
	}
	o, err := g.initialize(ctx, shoot)
	if err != nil {
		return nil, err
	}
	noShoot := func() (kubernetes.Interface, bool, error) { return nil, false, errors.New("there is no shoot client") }
	log := logf.FromContext(ctx)
	health := care.NewHealth(log, o.Shoot, o.Seed, g.SeedClientSet, g.GardenClient, noShoot, g.Clock, &g.Config, nil)
	checker := healthchecker.NewHealthChecker(log, g.SeedClientSet.Client(), g.Clock)

	controlPlane, nodes, system, observability, err := extensionConditions(health, ctx)
	if err != nil {
		return nil, err
	}
	var conditions []gardencorev1beta1.Condition
	for _, group := range []struct {
		of    gardencorev1beta1.ConditionType
		found []healthchecker.ExtensionCondition
	}{
		{gardencorev1beta1.ShootControlPlaneHealthy, controlPlane},
		{gardencorev1beta1.ShootEveryNodeReady, nodes},
		{gardencorev1beta1.ShootSystemComponentsHealthy, system},
		{gardencorev1beta1.ShootObservabilityComponentsHealthy, observability},
	} {
		if len(group.found) == 0 {
			continue
		}
		condition := v1beta1helper.InitConditionWithClock(g.Clock, group.of)
		threshold := g.Config.Controllers.ShootCare.StaleExtensionHealthChecks.Threshold
		if failed := checker.CheckExtensionCondition(condition, group.found, threshold); failed != nil {
			conditions = append(conditions, *failed)
		} else {
			conditions = append(conditions, v1beta1helper.UpdatedConditionWithClock(g.Clock, condition, gardencorev1beta1.ConditionTrue, "ExtensionsHealthy", "All extensions are healthy."))
		}
	}
	return conditions, nil
}

func (g *gardenlet) initialize(ctx context.Context, shoot *gardencorev1beta1.Shoot) (*operation.Operation, error) {
	project, _, err := gardenerutils.ProjectAndNamespaceFromReader(ctx, g.GardenClient, shoot.Namespace)
	if err != nil {
		return nil, err
	}
	profile, err := gardenerutils.GetCloudProfile(ctx, g.GardenClient, shoot)
	if err != nil {
		return nil, err
	}
	seed := &gardencorev1beta1.Seed{}
	if err := g.GardenClient.Get(ctx, client.ObjectKey{Name: g.Config.SeedConfig.Name}, seed); err != nil {
		return nil, err
	}
	return operation.Initialize(ctx, logf.FromContext(ctx), g.GardenClient, g.SeedClientSet, g.ShootClientMap, &g.Config, g.Identity, g.GardenClusterIdentity, shoot, project, profile, seed, nil)
}
