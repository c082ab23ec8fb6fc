package main

import (
	"context"

	"github.com/go-logr/logr"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"

	v1beta1helper "github.com/gardener/gardener/pkg/api/core/v1beta1/helper"
	gardencorev1beta1 "github.com/gardener/gardener/pkg/apis/core/v1beta1"
	"github.com/gardener/gardener/pkg/gardenlet/operation/botanist"
	gardenerutils "github.com/gardener/gardener/pkg/utils/gardener"
	"github.com/gardener/gardener/pkg/utils/gardener/shootstate"
)

func (g *gardenlet) deleteShoot(ctx context.Context, log logr.Logger, shoot *gardencorev1beta1.Shoot) error {
	if !controllerutil.ContainsFinalizer(shoot, gardencorev1beta1.GardenerName) {
		return nil
	}
	operation := v1beta1helper.ComputeOperationType(shoot.ObjectMeta, shoot.Status.LastOperation)
	o, b, err := g.prepare(ctx, log, shoot)
	if err != nil {
		return err
	}
	if v1beta1helper.ShootNeedsForceDeletion(shoot) {
		if failed := runForceDelete(&g.Reconciler, ctx, log, o); failed != nil {
			return (&failure{failed}).in(ctx, g, shoot, operation)
		}
	} else if failure := g.runDelete(ctx, b); failure != nil {
		return failure.in(ctx, g, shoot, operation)
	}
	_, err = finalizeDeletion(&g.Reconciler, ctx, log, shoot)
	return err
}

// runDelete runs the tasks of gardenlet's flow that concern extensions, in its order.
func (g *gardenlet) runDelete(ctx context.Context, b *botanist.Botanist) *failure {
	x := b.Shoot.Components.Extensions
	if err := g.readNamespace(ctx, b); err != nil {
		return failureOf(err)
	}
	return run(ctx, b, "deletion",
		one("Deploying secrets", b.DeployControlPlaneNamespace, b.DeployCloudProviderSecret, b.InitializeSecretsManagement, b.DeployReferencedResources),
		one("Reading Infrastructure", func(ctx context.Context) error {
			_, err := x.Infrastructure.Get(ctx)
			return client.IgnoreNotFound(err)
		}),
		one("Destroying Network", x.Network.Destroy, x.Network.WaitCleanup),
		one("Destroying Worker", g.scale(b, machineController, 1), x.Worker.Destroy, x.Worker.WaitCleanup, g.remove(b, machineController)),
		one("Destroying OperatingSystemConfigs", x.OperatingSystemConfig.Destroy, x.OperatingSystemConfig.WaitCleanup),
		one("Deleting ManagedResources", retried(b.DeleteManagedResources), b.WaitUntilManagedResourcesDeleted),
		one("Deleting Extensions before kube-apiserver", retried(x.Extension.DestroyBeforeKubeAPIServer), x.Extension.WaitCleanupBeforeKubeAPIServer,
			retried(x.Extension.DeleteStaleResources), x.Extension.WaitCleanupStaleResources),
		one("Destroying ContainerRuntimes", x.ContainerRuntime.Destroy, x.ContainerRuntime.WaitCleanup),
		one("Destroying ControlPlane", x.ControlPlane.Destroy, x.ControlPlane.WaitCleanup, retried(b.WaitUntilShootManagedResourcesDeleted)),
		one("Deleting kube-apiserver", g.remove(b, apiServer)),
		one("Deleting Extensions after kube-apiserver", retried(x.Extension.DestroyAfterKubeAPIServer), x.Extension.WaitCleanupAfterKubeAPIServer, x.Extension.WaitCleanup),
		stage{
			task("Destroying ingress DNSRecord", b.DestroyIngressDNSRecord),
			task("Destroying external DNSRecord", b.DestroyExternalDNSRecord),
			task("Destroying Infrastructure", func(ctx context.Context) error {
				if err := x.Infrastructure.Destroy(ctx); err != nil {
					return err
				}
				return x.Infrastructure.WaitCleanup(ctx)
			}),
		},
		one("Destroying internal DNSRecord", b.DestroyInternalDNSRecord, retried(b.DestroyReferencedResources)),
		one("Deleting namespace", retried(b.DeleteSeedNamespace), b.WaitUntilSeedNamespaceDeleted),
		one("Deleting ShootState", func(ctx context.Context) error { return shootstate.Delete(ctx, b.GardenClient, b.Shoot.GetInfo()) }),
	)
}

func (g *gardenlet) migrateShoot(ctx context.Context, log logr.Logger, shoot *gardencorev1beta1.Shoot) error {
	o, b, err := g.prepare(ctx, log, shoot)
	if err != nil {
		return err
	}
	if failure := g.runMigrate(ctx, b); failure != nil {
		return failure.in(ctx, g, shoot, gardencorev1beta1.LastOperationTypeMigrate)
	}
	_, err = finalizeMigration(&g.Reconciler, ctx, shoot, o)
	return err
}

// runMigrate runs the tasks of gardenlet's flow that concern extensions, in its order.
func (g *gardenlet) runMigrate(ctx context.Context, b *botanist.Botanist) *failure {
	var (
		x     = b.Shoot.Components.Extensions
		c     = b.SeedClientSet.Client()
		entry = b.Shoot.Components.BackupEntry
	)
	if err := g.readNamespace(ctx, b); err != nil {
		return failureOf(err)
	}
	return run(ctx, b, "migration",
		one("Deploying secrets", b.DeployControlPlaneNamespace, b.InitializeSecretsManagement),
		one("Deleting ManagedResources", b.KeepObjectsForManagedResources, b.DeleteManagedResources, b.WaitUntilManagedResourcesDeleted),
		one("Deleting machine-controller-manager", g.remove(b, machineController)),
		one("Migrating extension resources", b.MigrateExtensionResourcesInParallel, b.WaitUntilExtensionResourcesMigrated,
			x.Extension.MigrateBeforeKubeAPIServer, x.Extension.WaitMigrateBeforeKubeAPIServer),
		one("Persisting ShootState", func(ctx context.Context) error {
			return shootstate.Deploy(ctx, g.Clock, b.GardenClient, c, b.Shoot.GetInfo(), b.Shoot.ControlPlaneNamespace, false)
		}),
		one("Deleting extension resources", b.DestroyExtensionResourcesInParallel, b.WaitUntilExtensionResourcesDeleted),
		one("Deleting machine resources", b.ShallowDeleteMachineResources, func(ctx context.Context) error {
			return gardenerutils.WaitUntilMachineResourcesDeleted(ctx, b.Logger, c, b.Shoot.ControlPlaneNamespace)
		}),
		one("Deleting Extensions before kube-apiserver", x.Extension.DestroyBeforeKubeAPIServer, x.Extension.WaitCleanupBeforeKubeAPIServer,
			x.Extension.DeleteStaleResources, x.Extension.WaitCleanupStaleResources),
		one("Migrating ControlPlane", x.ControlPlane.Migrate, x.ControlPlane.Destroy, x.ControlPlane.WaitCleanup, retried(b.WaitUntilShootManagedResourcesDeleted)),
		one("Deleting kube-apiserver", g.remove(b, apiServer)),
		stage{
			task("Migrating Extensions after kube-apiserver", func(ctx context.Context) error {
				for _, fn := range []func(context.Context) error{
					x.Extension.MigrateAfterKubeAPIServer, x.Extension.WaitMigrateAfterKubeAPIServer,
					x.Extension.DestroyAfterKubeAPIServer, x.Extension.WaitCleanupAfterKubeAPIServer, x.Extension.WaitCleanup,
				} {
					if err := fn(ctx); err != nil {
						return err
					}
				}
				return nil
			}),
			task("Migrating Infrastructure", func(ctx context.Context) error {
				for _, fn := range []func(context.Context) error{
					x.Infrastructure.Migrate, x.Infrastructure.WaitMigrate, x.Infrastructure.Destroy, x.Infrastructure.WaitCleanup,
				} {
					if err := fn(ctx); err != nil {
						return err
					}
				}
				return nil
			}),
			task("Migrating ingress DNSRecord", b.MigrateIngressDNSRecord),
			task("Migrating external DNSRecord", b.MigrateExternalDNSRecord),
			task("Migrating internal DNSRecord", b.MigrateInternalDNSRecord),
		},
		one("Deleting DNSRecords", b.DestroyDNSRecords),
		one("Migrating BackupEntry", entry.Migrate, entry.WaitMigrate),
		one("Deleting namespace", retried(b.DeleteSeedNamespace), b.WaitUntilSeedNamespaceDeleted),
	)
}

func (g *gardenlet) readNamespace(ctx context.Context, b *botanist.Botanist) error {
	b.SeedNamespaceObject = &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: b.Shoot.ControlPlaneNamespace}}
	return g.SeedClientSet.Client().Get(ctx, client.ObjectKeyFromObject(b.SeedNamespaceObject), b.SeedNamespaceObject)
}
