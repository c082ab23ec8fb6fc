// Command machine-controller is the machine controller of machine-controller-manager. It has no cloud of its own: it
// forwards each call of its driver to the HTTP server of CLOUD_URL (see ../remote-cloud.ts).
package main

import (
	"fmt"
	"os"

	"github.com/gardener/machine-controller-manager/pkg/util/provider/app"
	"github.com/gardener/machine-controller-manager/pkg/util/provider/app/options"
	"github.com/spf13/pflag"
	"k8s.io/component-base/cli/flag"
	"k8s.io/component-base/logs"
)

func main() {
	s := options.NewMCServer()
	s.AddFlags(pflag.CommandLine)
	flag.InitFlags()
	logs.InitLogs()
	defer logs.FlushLogs()
	if err := app.Run(s, &remoteCloud{url: os.Getenv("CLOUD_URL")}); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
