package main

import (
	"context"
	"fmt"

	"sigs.k8s.io/controller-runtime/pkg/client"

	gardencorev1beta1 "github.com/gardener/gardener/pkg/apis/core/v1beta1"
	gardenerutils "github.com/gardener/gardener/pkg/utils/gardener"
)

// landscape is a garden with the gardenlets of its seeds.
type landscape struct {
	garden client.Client
	seeds  map[string]*gardenlet
}

func newLandscape() (*landscape, error) {
	return &landscape{garden: newGarden(), seeds: map[string]*gardenlet{}}, nil
}

func (l *landscape) handle(ctx context.Context, asked command) (any, error) {
	key := client.ObjectKey{Namespace: asked.Namespace, Name: asked.Name}
	switch asked.Do {
	case "put":
		for _, object := range asked.Objects {
			if err := l.put(ctx, object); err != nil {
				return nil, err
			}
		}
		return nil, nil
	case "get":
		object, err := l.find(ctx, kindOf(asked.Kind), key)
		if err != nil {
			return nil, client.IgnoreNotFound(err)
		}
		return object, nil
	case "patch":
		return l.patch(ctx, kindOf(asked.Kind), key, asked.Patch)
	case "delete":
		object, err := l.find(ctx, kindOf(asked.Kind), key)
		if err != nil {
			return nil, err
		}
		if err := gardenerutils.ConfirmDeletion(ctx, l.garden, object); err != nil {
			return nil, err
		}
		return nil, l.garden.Delete(ctx, object)
	case "connect":
		seed, err := connect(ctx, l.garden, asked)
		if err == nil {
			l.seeds[asked.Seed] = seed
		}
		return nil, err
	}
	seed, ok := l.seeds[asked.Seed]
	if !ok {
		return nil, fmt.Errorf("%s: seed %q is not connected", asked.Do, asked.Seed)
	}
	switch asked.Do {
	case "readdress":
		seed.address = asked.Address
		return nil, nil
	case "define":
		return nil, seed.define(ctx)
	case "reconcile":
		err := seed.reconcile(ctx, key)
		shoot := &gardencorev1beta1.Shoot{}
		if l.garden.Get(ctx, key, shoot) != nil {
			return nil, err
		}
		return shoot.Status, err
	case "care":
		return seed.care(ctx, key)
	case "backups":
		return nil, seed.waitForBackups(ctx)
	case "bastion":
		return seed.reconcileBastion(ctx, key)
	case "expose":
		return seed.expose(ctx, asked.Exposure)
	case "unexpose":
		return nil, seed.unexpose(ctx, asked.Exposure)
	default:
		return nil, fmt.Errorf("unknown command %q", asked.Do)
	}
}
