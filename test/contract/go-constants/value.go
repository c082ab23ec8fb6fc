package main

import (
	"go/ast"
	"go/token"
	"strconv"
)

// valueOf evaluates texts, sums of texts, conversions and names of other constants. Returns false for the rest.
func valueOf(packages map[string]*goPackage, value expression) (string, bool) {
	in := func(expr ast.Expr) (string, bool) {
		return valueOf(packages, expression{expr, value.inPackage, value.imports})
	}
	named := func(packagePath, name string) (string, bool) {
		if found := packages[packagePath]; found != nil {
			if declared, exists := found.constants[name]; exists {
				return valueOf(packages, declared.value)
			}
		}
		return "", false
	}
	switch expr := value.Expr.(type) {
	case *ast.BasicLit:
		text, err := strconv.Unquote(expr.Value)
		return text, err == nil && expr.Kind == token.STRING
	case *ast.ParenExpr:
		return in(expr.X)
	case *ast.Ident:
		return named(value.inPackage, expr.Name)
	case *ast.SelectorExpr:
		if qualifier, ok := expr.X.(*ast.Ident); ok {
			return named(value.imports[qualifier.Name], expr.Sel.Name)
		}
	case *ast.CallExpr:
		// In a constant, a call with one argument is a conversion: string(corev1beta1.GardenerPurposeX).
		if len(expr.Args) == 1 {
			return in(expr.Args[0])
		}
	case *ast.BinaryExpr:
		left, knownLeft := in(expr.X)
		right, knownRight := in(expr.Y)
		return left + right, expr.Op == token.ADD && knownLeft && knownRight
	}
	return "", false
}
