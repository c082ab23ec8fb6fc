package main

import (
	"context"
	"fmt"

	"github.com/Masterminds/semver/v3"
	"k8s.io/client-go/tools/events"
	componentbaseconfigv1alpha1 "k8s.io/component-base/config/v1alpha1"
	"k8s.io/utils/clock"
	"sigs.k8s.io/controller-runtime/pkg/client"
	logf "sigs.k8s.io/controller-runtime/pkg/log"

	v1beta1helper "github.com/gardener/gardener/pkg/api/core/v1beta1/helper"
	gardenletconfigv1alpha1 "github.com/gardener/gardener/pkg/apis/config/gardenlet/v1alpha1"
	gardencorev1beta1 "github.com/gardener/gardener/pkg/apis/core/v1beta1"
	"github.com/gardener/gardener/pkg/client/kubernetes"
	fakeclientmap "github.com/gardener/gardener/pkg/client/kubernetes/clientmap/fake"
	"github.com/gardener/gardener/pkg/component"
	"github.com/gardener/gardener/pkg/component/etcd/etcd"
	extensioncrds "github.com/gardener/gardener/pkg/component/extensions/crds"
	"github.com/gardener/gardener/pkg/component/nodemanagement/machinecontrollermanager"
	shootcontroller "github.com/gardener/gardener/pkg/gardenlet/controller/shoot/shoot"
	"github.com/gardener/gardener/pkg/utils/flow"
)

// gardenlet acts in one seed.
type gardenlet struct {
	shootcontroller.Reconciler
	// address is where the seed's load balancer takes requests for API servers and the ingress.
	address string
}

func connect(ctx context.Context, garden client.Client, asked command) (*gardenlet, error) {
	clients, err := kubernetes.NewClientFromFile("", asked.Kubeconfig,
		kubernetes.WithClientConnectionOptions(componentbaseconfigv1alpha1.ClientConnectionConfiguration{QPS: 100, Burst: 130}),
		kubernetes.WithClientOptions(client.Options{Scheme: kubernetes.SeedScheme}),
		kubernetes.WithDisabledCachedClient(),
	)
	if err != nil {
		return nil, fmt.Errorf("connecting to seed %s: %w", asked.Seed, err)
	}
	if _, err := clients.DiscoverVersion(); err != nil {
		return nil, err
	}
	seed := &gardencorev1beta1.Seed{}
	if err := garden.Get(ctx, client.ObjectKey{Name: asked.Seed}, seed); err != nil {
		return nil, err
	}
	config := gardenletconfigv1alpha1.GardenletConfiguration{
		SeedConfig: &gardenletconfigv1alpha1.SeedConfig{SeedTemplate: gardencorev1beta1.SeedTemplate{ObjectMeta: seed.ObjectMeta, Spec: seed.Spec}},
	}
	gardenletconfigv1alpha1.SetObjectDefaults_GardenletConfiguration(&config)
	g := &gardenlet{
		address: asked.Address,
		Reconciler: shootcontroller.Reconciler{
			GardenClient:          garden,
			SeedClientSet:         clients,
			ShootClientMap:        fakeclientmap.NewClientMapBuilder().Build(),
			Config:                config,
			Recorder:              &events.FakeRecorder{},
			Identity:              seed.Status.Gardener,
			GardenClusterIdentity: "trellis",
			Clock:                 clock.RealClock{},
		},
	}
	go g.runBackups(ctx)
	go g.finalizeNamespaces(ctx)
	return g, nil
}

// define creates the CRDs of extensions, machines and etcds, with Gardener's own components.
func (g *gardenlet) define(ctx context.Context) error {
	c := g.SeedClientSet.Client()
	version, err := semver.NewVersion(g.SeedClientSet.Version())
	if err != nil {
		return err
	}
	var tasks []flow.TaskFn
	for _, deployer := range []func() (component.DeployWaiter, error){
		func() (component.DeployWaiter, error) { return extensioncrds.NewCRD(c, true, true) },
		func() (component.DeployWaiter, error) { return machinecontrollermanager.NewCRD(c) },
		func() (component.DeployWaiter, error) { return etcd.NewCRD(c, version) },
	} {
		created, err := deployer()
		if err != nil {
			return err
		}
		tasks = append(tasks, component.OpWait(created).Deploy)
	}
	return flow.Parallel(tasks...)(ctx)
}

// reconcile does what gardenlet does with a Shoot in its queue. The choice of the flow is that of its Reconciler.
func (g *gardenlet) reconcile(ctx context.Context, key client.ObjectKey) error {
	shoot := &gardencorev1beta1.Shoot{}
	if err := g.GardenClient.Get(ctx, key, shoot); err != nil {
		return client.IgnoreNotFound(err)
	}
	log := logf.FromContext(ctx)
	switch {
	case shoot.DeletionTimestamp != nil:
		return g.deleteShoot(ctx, log, shoot)
	case v1beta1helper.ShouldPrepareShootForMigration(shoot):
		return g.migrateShoot(ctx, log, shoot)
	default:
		return g.reconcileShoot(ctx, log, shoot)
	}
}
