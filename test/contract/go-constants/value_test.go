package main

import (
	"os"
	"path/filepath"
	"testing"
)

func TestValues(t *testing.T) {
	folder := t.TempDir()
	write := func(name, source string) {
		t.Helper()
		file := filepath.Join(folder, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(source), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("keys/keys.go", "package keys\n\nconst Prefix = `gardener.cloud/`\n")
	write("a/a.go", `package a

import (
	k "example.org/m/keys"
	"example.org/elsewhere"
)

type Code string

const (
	Role      = k.Prefix + "role"
	Typed Code = "ERR_" + ("A")
	Converted = string(Typed)
	number    = 120
	unknown   = elsewhere.Name
)
`)
	write("a/a_test.go", "package a\n\nconst InTest = \"x\"\n")
	packages := map[string]*goPackage{}
	if err := parseModule(packages, "example.org/m", folder); err != nil {
		t.Fatal(err)
	}
	declared := packages["example.org/m/a"].constants
	for name, wanted := range map[string]string{"Role": "gardener.cloud/role", "Typed": "ERR_A", "Converted": "ERR_A"} {
		if value, known := valueOf(packages, declared[name].value); !known || value != wanted {
			t.Errorf("%s is %q, expected %q", name, value, wanted)
		}
	}
	for _, name := range []string{"number", "unknown"} {
		if value, known := valueOf(packages, declared[name].value); known {
			t.Errorf("%s is %q, expected no value", name, value)
		}
	}
	if declared["Typed"].typeName != "Code" {
		t.Errorf("the type of Typed is %q", declared["Typed"].typeName)
	}
	if _, exists := declared["InTest"]; exists {
		t.Error("a constant of a test was found")
	}
}
