module example.org/go-constants

go 1.26.0
