package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"

	"github.com/gardener/machine-controller-manager/pkg/apis/machine/v1alpha1"
	"github.com/gardener/machine-controller-manager/pkg/util/provider/driver"
	"github.com/gardener/machine-controller-manager/pkg/util/provider/machinecodes/codes"
	"github.com/gardener/machine-controller-manager/pkg/util/provider/machinecodes/status"
	corev1 "k8s.io/api/core/v1"
)

// remoteCloud implements driver.Driver.
type remoteCloud struct{ url string }

type question struct {
	Machine      *v1alpha1.Machine      `json:"machine,omitempty"`
	MachineClass *v1alpha1.MachineClass `json:"machineClass"`
	// The data of the class's Secrets.
	Secret map[string][]byte `json:"secret"`
}

type answer struct {
	ProviderID  string            `json:"providerId"`
	NodeName    string            `json:"nodeName"`
	Initialized bool              `json:"initialized"`
	Machines    map[string]string `json:"machines"`
}

// ask sends a call. An answer other than 200 has the text of an error with its code, which MCM parses.
func (c *remoteCloud) ask(ctx context.Context, call string, machine *v1alpha1.Machine, class *v1alpha1.MachineClass, secret *corev1.Secret) (answer, error) {
	var got answer
	body, err := json.Marshal(question{machine, class, secret.Data})
	if err != nil {
		return got, err
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, c.url+"/"+call, bytes.NewReader(body))
	if err != nil {
		return got, err
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return got, status.Error(codes.Unavailable, err.Error())
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		return got, status.Error(codes.Unavailable, err.Error())
	}
	if response.StatusCode != http.StatusOK {
		problem, _ := status.FromError(errors.New(string(text)))
		return got, problem
	}
	return got, json.Unmarshal(text, &got)
}

func (c *remoteCloud) CreateMachine(ctx context.Context, r *driver.CreateMachineRequest) (*driver.CreateMachineResponse, error) {
	got, err := c.ask(ctx, "create", r.Machine, r.MachineClass, r.Secret)
	if err != nil {
		return nil, err
	}
	return &driver.CreateMachineResponse{ProviderID: got.ProviderID, NodeName: got.NodeName}, nil
}

func (c *remoteCloud) InitializeMachine(ctx context.Context, r *driver.InitializeMachineRequest) (*driver.InitializeMachineResponse, error) {
	got, err := c.ask(ctx, "initialize", r.Machine, r.MachineClass, r.Secret)
	if err != nil {
		return nil, err
	}
	return &driver.InitializeMachineResponse{ProviderID: got.ProviderID, NodeName: got.NodeName}, nil
}

func (c *remoteCloud) DeleteMachine(ctx context.Context, r *driver.DeleteMachineRequest) (*driver.DeleteMachineResponse, error) {
	if _, err := c.ask(ctx, "remove", r.Machine, r.MachineClass, r.Secret); err != nil {
		return nil, err
	}
	return &driver.DeleteMachineResponse{}, nil
}

func (c *remoteCloud) GetMachineStatus(ctx context.Context, r *driver.GetMachineStatusRequest) (*driver.GetMachineStatusResponse, error) {
	got, err := c.ask(ctx, "find", r.Machine, r.MachineClass, r.Secret)
	if err != nil {
		return nil, err
	}
	found := &driver.GetMachineStatusResponse{ProviderID: got.ProviderID, NodeName: got.NodeName}
	if !got.Initialized {
		return found, status.Error(codes.Uninitialized, "the machine is not configured")
	}
	return found, nil
}

func (c *remoteCloud) ListMachines(ctx context.Context, r *driver.ListMachinesRequest) (*driver.ListMachinesResponse, error) {
	got, err := c.ask(ctx, "list", nil, r.MachineClass, r.Secret)
	if err != nil {
		return nil, err
	}
	return &driver.ListMachinesResponse{MachineList: got.Machines}, nil
}

// GetVolumeIDs returns none: no volume is attached in these tests.
func (c *remoteCloud) GetVolumeIDs(context.Context, *driver.GetVolumeIDsRequest) (*driver.GetVolumeIDsResponse, error) {
	return &driver.GetVolumeIDsResponse{}, nil
}
