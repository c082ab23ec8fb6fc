import { mostConcurrency } from '../../knative/knative.ts'

/**
 * Template functions for a process of several functions; the arguments are the root and the names of all functions.
 */
export const compactTemplates = (): string => `
{{- define "trellis.compact.maxScale" -}}
{{- $least := 0 -}}
{{- range $name := index . 1 -}}
{{- with index (index $ 0).Values.functions $name -}}
{{- if and .enabled (or (eq $least 0) (lt (int .maxScale) $least)) }}{{ $least = int .maxScale }}{{ end -}}
{{- end -}}
{{- end -}}
{{- $least -}}
{{- end -}}

{{- /* 0: no bound. */ -}}
{{- define "trellis.compact.concurrency" -}}
{{- $sum := 0 -}}
{{- $bound := true -}}
{{- range $name := index . 1 -}}
{{- with index (index $ 0).Values.functions $name -}}
{{- if .enabled -}}
{{- $sum = add $sum .concurrency -}}
{{- if eq (int .concurrency) 0 }}{{ $bound = false }}{{ end -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- ternary (min $sum ${mostConcurrency}) 0 $bound -}}
{{- end -}}

{{- define "trellis.compact.gardenAccess" -}}
{{- if include "trellis.gardenKubeconfig" (index . 0) -}}
{{- range $name := index . 1 -}}
{{- with index (index $ 0).Values.functions $name -}}
{{- if and .enabled .gardenAccess }}true{{ end -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{- /* What single functions are given, as JSON: they share it, so that two may not be given different values. */ -}}
{{- define "trellis.compact.env" -}}
{{- $env := dict -}}
{{- range $name := index . 1 -}}
{{- with index (index $ 0).Values.functions $name -}}
{{- if .enabled -}}
{{- range $variable, $value := .env -}}
{{- if and (hasKey $env $variable) (ne (get $env $variable) $value) -}}
{{- fail (printf "functions.%s.env.%s: another function of its process has another value; with compact they share it" $name $variable) -}}
{{- end -}}
{{- $_ := set $env $variable $value -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- merge $env (index . 0).Values.functionEnv | toJson -}}
{{- end -}}
`
