package main

import (
	"context"
	"fmt"
	"time"

	"sigs.k8s.io/controller-runtime/pkg/client"
	logf "sigs.k8s.io/controller-runtime/pkg/log"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	gardencorev1beta1 "github.com/gardener/gardener/pkg/apis/core/v1beta1"
	v1beta1constants "github.com/gardener/gardener/pkg/apis/core/v1beta1/constants"
	operationsv1alpha1 "github.com/gardener/gardener/pkg/apis/operations/v1alpha1"
	"github.com/gardener/gardener/pkg/gardenlet/controller/backupbucket"
	"github.com/gardener/gardener/pkg/gardenlet/controller/backupentry"
	"github.com/gardener/gardener/pkg/gardenlet/controller/bastion"
	"github.com/gardener/gardener/pkg/utils/retry"
)

const pause = 200 * time.Millisecond

// runBackups runs gardenlet's controllers of BackupBuckets and BackupEntries for objects with work.
func (g *gardenlet) runBackups(ctx context.Context) {
	log := logf.FromContext(ctx)
	seed := g.Config.SeedConfig.Name
	grace := 0
	buckets := &backupbucket.Reconciler{
		GardenClient: g.GardenClient, SeedClient: g.SeedClientSet.Client(), Config: *g.Config.Controllers.BackupBucket,
		Clock: g.Clock, Recorder: g.Recorder, GardenNamespace: v1beta1constants.GardenNamespace, SeedName: seed,
		RateLimiter: neverLater{},
	}
	config := *g.Config.Controllers.BackupEntry
	config.DeletionGracePeriodHours = &grace
	entries := &backupentry.Reconciler{
		GardenClient: g.GardenClient, SeedClient: g.SeedClientSet.Client(), Config: config,
		Clock: g.Clock, Recorder: g.Recorder, GardenNamespace: v1beta1constants.GardenNamespace, SeedName: seed,
		RateLimiter: neverLater{},
	}
	for ctx.Err() == nil {
		bucketList, entryList := &gardencorev1beta1.BackupBucketList{}, &gardencorev1beta1.BackupEntryList{}
		if err := g.GardenClient.List(ctx, bucketList); err == nil {
			for _, b := range bucketList.Items {
				if b.Spec.SeedName != nil && *b.Spec.SeedName == seed && hasWork(&b, b.Status.LastOperation, b.Status.ObservedGeneration) {
					g.work(ctx, buckets, &b)
				}
			}
		}
		if err := g.GardenClient.List(ctx, entryList); err == nil {
			for _, e := range entryList.Items {
				if err := g.takeRequest(ctx, &e); err != nil {
					continue
				}
				moves := e.Status.SeedName != nil && e.Spec.SeedName != nil && *e.Status.SeedName != *e.Spec.SeedName
				if moves || hasWork(&e, e.Status.LastOperation, e.Status.ObservedGeneration) {
					g.work(ctx, entries, &e)
				}
			}
		}
		log.V(2).Info("Reconciled backups")
		time.Sleep(pause)
	}
}

// takeRequest does what Gardener's API server does when it stores a request to reconcile.
func (g *gardenlet) takeRequest(ctx context.Context, entry *gardencorev1beta1.BackupEntry) error {
	if entry.Annotations[v1beta1constants.GardenerOperation] != v1beta1constants.GardenerOperationReconcile {
		return nil
	}
	delete(entry.Annotations, v1beta1constants.GardenerOperation)
	entry.Generation++
	return g.GardenClient.Update(ctx, entry)
}

func hasWork(object client.Object, last *gardencorev1beta1.LastOperation, observed int64) bool {
	return object.GetDeletionTimestamp() != nil || last == nil || last.State != gardencorev1beta1.LastOperationStateSucceeded ||
		observed != object.GetGeneration() || object.GetAnnotations()[v1beta1constants.GardenerOperation] != ""
}

func (g *gardenlet) work(ctx context.Context, controller reconcile.Reconciler, object client.Object) {
	// Every failure is tried again after the pause.
	if _, err := controller.Reconcile(ctx, reconcile.Request{NamespacedName: client.ObjectKeyFromObject(object)}); err != nil {
		logf.FromContext(ctx).Info("Could not reconcile", "name", object.GetName(), "reason", err.Error())
	}
}

// neverLater is a rate limiter of controllers that always run again after the pause.
type neverLater struct{}

func (neverLater) When(reconcile.Request) time.Duration { return pause }
func (neverLater) Forget(reconcile.Request)             {}
func (neverLater) NumRequeues(reconcile.Request) int    { return 0 }

// waitForBackups waits until the BackupBuckets of the seed are ready, or deleted.
func (g *gardenlet) waitForBackups(ctx context.Context) error {
	return retry.UntilTimeout(ctx, 5*time.Second, time.Minute, func(ctx context.Context) (bool, error) {
		list := &gardencorev1beta1.BackupBucketList{}
		if err := g.GardenClient.List(ctx, list); err != nil {
			return retry.SevereError(err)
		}
		for _, b := range list.Items {
			if *b.Spec.SeedName == g.Config.SeedConfig.Name && hasWork(&b, b.Status.LastOperation, b.Status.ObservedGeneration) {
				return retry.MinorError(fmt.Errorf("BackupBucket %s is not ready: %v", b.Name, b.Status.LastError))
			}
		}
		return retry.Ok()
	})
}

// reconcileBastion runs gardenlet's controller of Bastions until this one is ready, or deleted. In gardenlet, watches of
// the objects in the garden and in the seed start it again.
func (g *gardenlet) reconcileBastion(ctx context.Context, key client.ObjectKey) (any, error) {
	controller := &bastion.Reconciler{
		GardenClient: g.GardenClient, SeedClient: g.SeedClientSet.Client(), Config: *g.Config.Controllers.Bastion,
		Clock: g.Clock, RateLimiter: neverLater{},
	}
	object := &operationsv1alpha1.Bastion{}
	err := retry.UntilTimeout(ctx, 5*time.Second, time.Minute, func(ctx context.Context) (bool, error) {
		if _, err := controller.Reconcile(ctx, reconcile.Request{NamespacedName: key}); err != nil {
			return retry.MinorError(err)
		}
		if err := g.GardenClient.Get(ctx, key, object); err != nil {
			if client.IgnoreNotFound(err) == nil {
				return retry.Ok()
			}
			return retry.SevereError(err)
		}
		observed := object.Status.ObservedGeneration
		if object.DeletionTimestamp != nil || observed == nil || *observed != object.Generation {
			return retry.MinorError(fmt.Errorf("the Bastion is not ready: %v", object.Status.Conditions))
		}
		return retry.Ok()
	})
	return object.Status, err
}
