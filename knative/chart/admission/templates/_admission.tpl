{{- /* Not empty if a component is enabled. */ -}}
{{- define "trellis.hasComponent" -}}
{{- range .Values.components }}{{ if .enabled }}true{{ end }}{{ end -}}
{{- end -}}

{{- /* The enabled components by name, as JSON: their part of definitions.yaml. Enabling none is an error. */ -}}
{{- define "trellis.components" -}}
{{- $definitions := .Files.Get "definitions.yaml" | fromYaml -}}
{{- $components := dict -}}
{{- range $name, $component := .Values.components -}}
{{- if $component.enabled }}{{ $_ := set $components $name (get $definitions.components $name) }}{{ end -}}
{{- end -}}
{{- if not $components -}}
{{- fail "no component is enabled: set components.<name>.enabled to true for those that this release answers for" -}}
{{- end -}}
{{- toJson $components -}}
{{- end -}}
