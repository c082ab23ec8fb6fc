package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"path/filepath"
	"strconv"
	"strings"
)

// goPackage has the constants of a package by name.
type goPackage struct {
	constants map[string]declaration
}

type declaration struct {
	typeName string
	value    expression
}

// expression is an expression in a file. The file's imports resolve its qualified names.
type expression struct {
	ast.Expr
	inPackage string
	imports   map[string]string
}

// parseModule adds the packages of a module. Skips tests, test data and modules inside it.
func parseModule(packages map[string]*goPackage, modulePath, folder string) error {
	return filepath.WalkDir(folder, func(file string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := entry.Name()
		if entry.IsDir() {
			if file != folder && (name == "vendor" || name == "testdata" || name == "node_modules") {
				return filepath.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			return nil
		}
		relative, err := filepath.Rel(folder, filepath.Dir(file))
		if err != nil {
			return err
		}
		return parseFile(packages, path.Join(modulePath, filepath.ToSlash(relative)), file)
	})
}

func parseFile(packages map[string]*goPackage, packagePath, file string) error {
	parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
	if err != nil {
		return err
	}
	imports := map[string]string{}
	for _, spec := range parsed.Imports {
		imported, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			return err
		}
		name := path.Base(imported)
		if spec.Name != nil {
			name = spec.Name.Name
		}
		imports[name] = imported
	}
	if packages[packagePath] == nil {
		packages[packagePath] = &goPackage{map[string]declaration{}}
	}
	for _, decl := range parsed.Decls {
		if group, ok := decl.(*ast.GenDecl); ok && group.Tok == token.CONST {
			addConstants(packages[packagePath], packagePath, imports, group)
		}
	}
	return nil
}

// addConstants adds the constants of a const block that have a value of their own. Others repeat an iota.
func addConstants(to *goPackage, packagePath string, imports map[string]string, group *ast.GenDecl) {
	for _, spec := range group.Specs {
		values, ok := spec.(*ast.ValueSpec)
		if !ok {
			continue
		}
		for at, name := range values.Names {
			if at < len(values.Values) && name.Name != "_" {
				value := expression{values.Values[at], packagePath, imports}
				to.constants[name.Name] = declaration{typeNameOf(values.Type), value}
			}
		}
	}
}

func typeNameOf(expr ast.Expr) string {
	switch typed := expr.(type) {
	case *ast.Ident:
		return typed.Name
	case *ast.SelectorExpr:
		return typed.Sel.Name
	}
	return ""
}
