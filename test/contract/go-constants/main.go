// Command go-constants prints the string constants of Go modules as JSON: go-constants PATH=FOLDER...
// PATH is the import path of a module, FOLDER its sources. It only parses files, so no dependency is necessary.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"sort"
	"strings"
)

// constant is an exported or unexported string constant of a package.
type constant struct {
	Package string `json:"package"`
	Name    string `json:"name"`
	// Type is the declared type without its package, empty if the declaration has none.
	Type  string `json:"type"`
	Value string `json:"value"`
}

func main() {
	packages := map[string]*goPackage{}
	for _, argument := range os.Args[1:] {
		path, folder, found := strings.Cut(argument, "=")
		if !found {
			fail(fmt.Errorf("expected PATH=FOLDER, found %q", argument))
		}
		if err := parseModule(packages, path, folder); err != nil {
			fail(err)
		}
	}
	constants := []constant{}
	for path, declared := range packages {
		for name, declaration := range declared.constants {
			if value, known := valueOf(packages, declaration.value); known {
				constants = append(constants, constant{path, name, declaration.typeName, value})
			}
		}
	}
	sort.Slice(constants, func(i, j int) bool {
		a, b := constants[i], constants[j]
		return a.Package+"."+a.Name < b.Package+"."+b.Name
	})
	if err := json.NewEncoder(os.Stdout).Encode(constants); err != nil {
		fail(err)
	}
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}
