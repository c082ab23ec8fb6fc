package main

import (
	"context"

	"github.com/go-logr/logr"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"

	gardencorev1beta1 "github.com/gardener/gardener/pkg/apis/core/v1beta1"
	v1beta1constants "github.com/gardener/gardener/pkg/apis/core/v1beta1/constants"
	"github.com/gardener/gardener/pkg/controllerutils"
	"github.com/gardener/gardener/pkg/extensions"
	"github.com/gardener/gardener/pkg/gardenlet/controller/shoot/shoot/helper"
	"github.com/gardener/gardener/pkg/gardenlet/operation/botanist"
	shootpkg "github.com/gardener/gardener/pkg/gardenlet/operation/shoot"
	"github.com/gardener/gardener/pkg/utils/gardener/shootstate"
)

func (g *gardenlet) reconcileShoot(ctx context.Context, log logr.Logger, shoot *gardencorev1beta1.Shoot) error {
	operation := helper.ComputeOperationType(shoot)
	if !controllerutil.ContainsFinalizer(shoot, gardencorev1beta1.GardenerName) {
		if err := controllerutils.AddFinalizers(ctx, g.GardenClient, shoot, gardencorev1beta1.GardenerName); err != nil {
			return err
		}
	}
	o, b, err := g.prepare(ctx, log, shoot)
	if err != nil {
		return err
	}
	if failure := g.runReconcile(ctx, b, operation == gardencorev1beta1.LastOperationTypeRestore); failure != nil {
		return failure.in(ctx, g, shoot, operation)
	}
	if err := patchSuccess(&g.Reconciler, ctx, shoot, operation); err != nil {
		return err
	}
	return extensions.SyncClusterResourceToSeed(ctx, g.SeedClientSet.Client(), b.Shoot.ControlPlaneNamespace, shoot, o.Shoot.CloudProfile, o.GetSeed())
}

// runReconcile runs the tasks of gardenlet's flow that concern extensions, in its order.
func (g *gardenlet) runReconcile(ctx context.Context, b *botanist.Botanist, restores bool) *failure {
	var (
		x      = b.Shoot.Components.Extensions
		sleeps = b.Shoot.HibernationEnabled
		shoot  = b.Shoot.GetInfo()
	)
	if shoot.Spec.Networking.Nodes != nil && shoot.Status.Networking != nil {
		networks, err := shootpkg.ToNetworks(shoot, false)
		if err != nil {
			return failureOf(err)
		}
		b.Shoot.Networks = networks
	}
	if worker, err := x.Worker.Get(ctx); err == nil {
		if err := b.SetInPlaceUpdatePendingWorkers(ctx, worker); err != nil {
			return failureOf(err)
		}
	}
	copies, err := b.IsCopyOfBackupsRequired(ctx)
	if err != nil {
		return failureOf(err)
	}
	source := b.Shoot.Components.SourceBackupEntry
	entry := b.Shoot.Components.BackupEntry
	return run(ctx, b, "reconciliation",
		one("Deploying control plane namespace", b.DeployControlPlaneNamespace),
		one("Deploying secrets", b.DeployCloudProviderSecret, b.InitializeSecretsManagement, b.DeployReferencedResources),
		stage{
			task("Waiting for Infrastructure", func(ctx context.Context) error {
				if err := b.DeployInfrastructure(ctx); err != nil {
					return err
				}
				if err := b.WaitForInfrastructure(ctx); err != nil {
					return err
				}
				return b.RemoveTaskAnnotation(ctx, v1beta1constants.ShootTaskDeployInfrastructure)
			}),
			{Name: "Deploying internal DNSRecord", Fn: b.DeployOrDestroyInternalDNSRecord, SkipIf: sleeps},
			{Name: "Deploying external DNSRecord", Fn: b.DeployOrDestroyExternalDNSRecord, SkipIf: sleeps},
		},
		one("Deploying source BackupEntry", b.DeploySourceBackupEntry, source.Wait).unless(!copies),
		one("Deploying BackupEntry", b.DeployBackupEntry, entry.Wait),
		one("Destroying source BackupEntry", b.DestroySourceBackupEntry, source.WaitCleanup).unless(!restores),
		one("Deploying Extensions before kube-apiserver", retried(b.DeployExtensionsBeforeKubeAPIServer), x.Extension.WaitBeforeKubeAPIServer).unless(sleeps),
		one("Scaling up kube-apiserver", g.scale(b, apiServer, 1)).unless(sleeps),
		one("Deploying ControlPlane", b.DeployControlPlane, func(ctx context.Context) error { return x.ControlPlane.Wait(ctx) }),
		one("Deploying Extensions after kube-apiserver", retried(b.DeployExtensionsAfterKubeAPIServer), x.Extension.WaitAfterKubeAPIServer),
		stage{
			task("Deploying OperatingSystemConfigs", func(ctx context.Context) error {
				if err := b.DeployOperatingSystemConfig(ctx); err != nil {
					return err
				}
				if err := x.OperatingSystemConfig.Wait(ctx); err != nil {
					return err
				}
				return b.DeployManagedResourceForGardenerNodeAgent(ctx)
			}),
			task("Deploying Network", func(ctx context.Context) error {
				if err := b.DeployNetwork(ctx); err != nil {
					return err
				}
				return x.Network.Wait(ctx)
			}),
		},
		one("Scaling machine-controller-manager", g.scaleMachineController(b, restores)),
		one("Deploying Worker", b.DeployWorker),
		one("Waiting for MachineDeployments", func(ctx context.Context) error {
			return x.Worker.WaitUntilWorkerStatusMachineDeploymentsUpdated(ctx)
		}).unless(sleeps),
		one("Deploying Extensions after Worker", retried(b.DeployExtensionsAfterWorker), x.Extension.WaitAfterWorker),
		one("Waiting for Worker", func(ctx context.Context) error { return x.Worker.Wait(ctx) }),
		one("Deleting stale OperatingSystemConfigs", func(ctx context.Context) error {
			if err := x.OperatingSystemConfig.DeleteStaleResources(ctx); err != nil {
				return err
			}
			return x.OperatingSystemConfig.WaitCleanupStaleResources(ctx)
		}),
		one("Deploying ingress DNSRecord", func(ctx context.Context) error {
			b.SetNginxIngressAddress(g.address)
			return b.DeployOrDestroyIngressDNSRecord(ctx)
		}).unless(sleeps),
		one("Hibernating control plane", g.scale(b, machineController, 0), g.scale(b, apiServer, 0),
			retried(b.DeployExtensionsBeforeKubeAPIServer), x.Extension.WaitBeforeKubeAPIServer,
			b.DestroyIngressDNSRecord, b.DestroyExternalDNSRecord, b.DestroyInternalDNSRecord,
		).unless(!sleeps),
		one("Deleting stale Extensions", retried(x.Extension.DeleteStaleResources), x.Extension.WaitCleanupStaleResources),
		one("Deploying ContainerRuntimes", retried(b.DeployContainerRuntime), func(ctx context.Context) error {
			return x.ContainerRuntime.Wait(ctx)
		}),
		one("Deleting stale ContainerRuntimes", x.ContainerRuntime.DeleteStaleResources, x.ContainerRuntime.WaitCleanupStaleResources).unless(sleeps),
		one("Deleting unused secrets", b.SecretsManager.Cleanup),
		one("Deleting ShootState", func(ctx context.Context) error {
			return shootstate.Delete(ctx, b.GardenClient, shoot)
		}).unless(!restores),
	)
}
