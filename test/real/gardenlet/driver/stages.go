package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/go-logr/logr"

	v1beta1helper "github.com/gardener/gardener/pkg/api/core/v1beta1/helper"
	gardencorev1beta1 "github.com/gardener/gardener/pkg/apis/core/v1beta1"
	"github.com/gardener/gardener/pkg/gardenlet/operation"
	"github.com/gardener/gardener/pkg/gardenlet/operation/botanist"
	gardenererrors "github.com/gardener/gardener/pkg/utils/errors"
	"github.com/gardener/gardener/pkg/utils/flow"
)

// flowError is the failure of a flow, as gardenlet records it in the Shoot.
type flowError struct {
	*v1beta1helper.WrappedLastErrors
}

func (e *flowError) Error() string { return e.Description }

func (e *flowError) codes() []gardencorev1beta1.ErrorCode {
	var codes []gardencorev1beta1.ErrorCode
	for _, one := range e.LastErrors {
		codes = append(codes, one.Codes...)
	}
	return codes
}

// stage is a group of tasks that run at the same time.
type stage []flow.Task

func task(name string, fn flow.TaskFn) flow.Task { return flow.Task{Name: name, Fn: fn} }

// unless skips a stage.
func (s stage) unless(skip bool) stage {
	for i := range s {
		s[i].SkipIf = s[i].SkipIf || skip
	}
	return s
}

// one returns a stage of one task per function, in sequence.
func one(name string, fns ...flow.TaskFn) stage { return stage{task(name, flow.Sequential(fns...))} }

// retried repeats a task for as long as gardenlet does.
func retried(fn flow.TaskFn) flow.TaskFn {
	return fn.RetryUntilTimeout(5*time.Second/haste, 30*time.Second)
}

// run executes stages with Gardener's flow library, so that errors have the form that gardenlet gives them.
func run(ctx context.Context, b *botanist.Botanist, name string, stages ...stage) *failure {
	graph := flow.NewGraph(name)
	var before []flow.TaskIDer
	for _, tasks := range stages {
		var ids []flow.TaskIDer
		for _, t := range tasks {
			t.Dependencies = flow.NewTaskIDs(before...)
			ids = append(ids, graph.Add(t))
		}
		before = ids
	}
	err := graph.Compile().Run(ctx, flow.Opts{
		Log:          b.Logger,
		ErrorContext: gardenererrors.NewErrorContext(name, nil),
		ErrorCleaner: b.CleanShootTaskError,
	})
	if err == nil {
		return nil
	}
	return &failure{v1beta1helper.NewWrappedLastErrors(v1beta1helper.FormatLastErrDescription(err), flow.Errors(err))}
}

// prepare returns the operation of a Shoot, or nil if gardenlet does not act on the Shoot now.
func (g *gardenlet) prepare(ctx context.Context, log logr.Logger, shoot *gardencorev1beta1.Shoot) (*operation.Operation, *botanist.Botanist, error) {
	o, _, err := prepareOperation(&g.Reconciler, ctx, log, shoot)
	if err != nil {
		return nil, nil, err
	}
	if o == nil {
		return nil, nil, errors.New("gardenlet skips the Shoot: " + skipReason(shoot))
	}
	b, err := botanist.New(ctx, o)
	if err != nil {
		return nil, nil, fmt.Errorf("creating a botanist: %w", err)
	}
	b.APIServerAddress = g.address
	pointDNSAtAPIServer(b)
	return o, b, nil
}

func skipReason(shoot *gardencorev1beta1.Shoot) string {
	if last := shoot.Status.LastOperation; last != nil {
		return fmt.Sprintf("its last operation is %s %s", last.Type, last.State)
	}
	return "it has no last operation"
}

// failure is the result of a flow that did not succeed.
type failure struct {
	*v1beta1helper.WrappedLastErrors
}

func failureOf(err error) *failure {
	return &failure{v1beta1helper.NewWrappedLastErrors(v1beta1helper.FormatLastErrDescription(err), err)}
}

// in records the failure in the Shoot and returns it as an error.
func (f *failure) in(ctx context.Context, g *gardenlet, shoot *gardencorev1beta1.Shoot, operation gardencorev1beta1.LastOperationType) error {
	return errors.Join(
		&flowError{f.WrappedLastErrors},
		patchError(&g.Reconciler, ctx, shoot, f.Description, operation, false, f.LastErrors...),
	)
}
