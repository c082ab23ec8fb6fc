package main

import (
	"context"
	_ "unsafe" // For go:linkname.

	"github.com/go-logr/logr"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	v1beta1helper "github.com/gardener/gardener/pkg/api/core/v1beta1/helper"
	gardencorev1beta1 "github.com/gardener/gardener/pkg/apis/core/v1beta1"
	"github.com/gardener/gardener/pkg/gardenlet/controller/shoot/care"
	shootcontroller "github.com/gardener/gardener/pkg/gardenlet/controller/shoot/shoot"
	"github.com/gardener/gardener/pkg/gardenlet/operation"
	"github.com/gardener/gardener/pkg/gardenlet/operation/botanist"
	healthchecker "github.com/gardener/gardener/pkg/utils/kubernetes/health/checker"
)

// These are gardenlet's own functions. Gardener does not export them.

//go:linkname prepareOperation github.com/gardener/gardener/pkg/gardenlet/controller/shoot/shoot.(*Reconciler).prepareOperation
func prepareOperation(r *shootcontroller.Reconciler, ctx context.Context, log logr.Logger, shoot *gardencorev1beta1.Shoot) (*operation.Operation, reconcile.Result, error)

//go:linkname patchSuccess github.com/gardener/gardener/pkg/gardenlet/controller/shoot/shoot.(*Reconciler).patchShootStatusOperationSuccess
func patchSuccess(r *shootcontroller.Reconciler, ctx context.Context, shoot *gardencorev1beta1.Shoot, operationType gardencorev1beta1.LastOperationType) error

//go:linkname patchError github.com/gardener/gardener/pkg/gardenlet/controller/shoot/shoot.(*Reconciler).patchShootStatusOperationError
func patchError(r *shootcontroller.Reconciler, ctx context.Context, shoot *gardencorev1beta1.Shoot, description string, operationType gardencorev1beta1.LastOperationType, forceRetry bool, lastErrors ...gardencorev1beta1.LastError) error

//go:linkname finalizeMigration github.com/gardener/gardener/pkg/gardenlet/controller/shoot/shoot.(*Reconciler).finalizeShootMigration
func finalizeMigration(r *shootcontroller.Reconciler, ctx context.Context, shoot *gardencorev1beta1.Shoot, o *operation.Operation) (reconcile.Result, error)

//go:linkname finalizeDeletion github.com/gardener/gardener/pkg/gardenlet/controller/shoot/shoot.(*Reconciler).finalizeShootDeletion
func finalizeDeletion(r *shootcontroller.Reconciler, ctx context.Context, log logr.Logger, shoot *gardencorev1beta1.Shoot) (reconcile.Result, error)

//go:linkname runForceDelete github.com/gardener/gardener/pkg/gardenlet/controller/shoot/shoot.(*Reconciler).runForceDeleteShootFlow
func runForceDelete(r *shootcontroller.Reconciler, ctx context.Context, log logr.Logger, o *operation.Operation) *v1beta1helper.WrappedLastErrors

//go:linkname pointDNSAtAPIServer github.com/gardener/gardener/pkg/gardenlet/operation/botanist.(*Botanist).newDNSComponentsTargetingAPIServerAddress
func pointDNSAtAPIServer(b *botanist.Botanist)

//go:linkname extensionConditions github.com/gardener/gardener/pkg/gardenlet/controller/shoot/care.(*Health).getAllExtensionConditions
func extensionConditions(h *care.Health, ctx context.Context) (controlPlane, nodes, system, observability []healthchecker.ExtensionCondition, err error)
