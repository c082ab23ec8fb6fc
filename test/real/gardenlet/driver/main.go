// Command driver runs the parts of gardenlet that use extensions. It reads one JSON command per line and answers each
// with one JSON line. The garden cluster is in memory; seeds are API servers.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/go-logr/logr"
	"github.com/go-logr/logr/funcr"
	logf "sigs.k8s.io/controller-runtime/pkg/log"

	v1beta1helper "github.com/gardener/gardener/pkg/api/core/v1beta1/helper"
	gardencorev1beta1 "github.com/gardener/gardener/pkg/apis/core/v1beta1"
	gardenletfeatures "github.com/gardener/gardener/pkg/gardenlet/features"
	"github.com/gardener/gardener/pkg/utils/retry"
)

type command struct {
	Do string `json:"do"`
	// Seed is the name of a connected seed.
	Seed string `json:"seed"`
	// Kubeconfig is a file.
	Kubeconfig string `json:"kubeconfig"`
	// Address is the address of the load balancer of a seed.
	Address string `json:"address"`
	// Kind, Namespace and Name identify an object of the garden.
	Kind      string            `json:"kind"`
	Namespace string            `json:"namespace"`
	Name      string            `json:"name"`
	Objects   []json.RawMessage `json:"objects"`
	Patch     json.RawMessage   `json:"patch"`
	Exposure  *exposure         `json:"exposure"`
}

type answer struct {
	Result any                           `json:"result,omitempty"`
	Error  string                        `json:"error,omitempty"`
	Codes  []gardencorev1beta1.ErrorCode `json:"codes,omitempty"`
}

// haste divides the intervals of gardenlet's waits. A wait has as many tries as in gardenlet until an error is severe.
const haste = 10

func main() {
	log := logr.Discard()
	if os.Getenv("DRIVER_LOG") != "" {
		log = funcr.New(func(prefix, args string) { fmt.Fprintln(os.Stderr, prefix, args) }, funcr.Options{})
	}
	logf.SetLogger(log)
	hurry()
	gardenletfeatures.RegisterFeatureGates()
	if err := serve(logf.IntoContext(context.Background(), log), os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func hurry() {
	ops := retry.DefaultOps()
	retry.Until = func(ctx context.Context, interval time.Duration, f retry.Func) error {
		return ops.Until(ctx, interval/haste, f)
	}
	retry.UntilTimeout = func(ctx context.Context, interval, timeout time.Duration, f retry.Func) error {
		return ops.UntilTimeout(ctx, interval/haste, timeout, f)
	}
}

func serve(ctx context.Context, in *os.File, out *os.File) error {
	landscape, err := newLandscape()
	if err != nil {
		return err
	}
	lines := bufio.NewReader(in)
	for {
		line, err := lines.ReadBytes('\n')
		if len(line) == 0 {
			return nil
		}
		if err != nil {
			return fmt.Errorf("the last command has no end: %w", err)
		}
		var asked command
		if err := json.Unmarshal(line, &asked); err != nil {
			return fmt.Errorf("reading a command: %w", err)
		}
		if err := json.NewEncoder(out).Encode(answerTo(landscape.handle(ctx, asked))); err != nil {
			return err
		}
	}
}

func answerTo(result any, err error) answer {
	if err == nil {
		return answer{Result: result}
	}
	codes := v1beta1helper.ExtractErrorCodes(err)
	var failed *flowError
	if errors.As(err, &failed) {
		codes = failed.codes()
	}
	return answer{Result: result, Error: err.Error(), Codes: codes}
}
