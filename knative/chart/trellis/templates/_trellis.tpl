{{- /* The names of the enabled functions, as JSON. Enabling none is an error. */ -}}
{{- define "trellis.functions" -}}
{{- $names := list -}}
{{- range $name, $function := .Values.functions -}}
{{- if $function.enabled }}{{ $names = append $names $name }}{{ end -}}
{{- end -}}
{{- if not $names -}}
{{- fail "no function is enabled: set functions.<name>.enabled to true for those that this release serves" -}}
{{- end -}}
{{- toJson $names -}}
{{- end -}}

{{- /* "true" if the functions of a provider share a process. The image of the seed process has one program for each provider. */ -}}
{{- define "trellis.isCompact" -}}
{{- or .Values.compact (eq .Values.mode "seed-process") -}}
{{- end -}}

{{- /* The names of the functions of each program, as JSON. */ -}}
{{- define "trellis.programs" -}}
{{- $root := . -}}
{{- $definitions := .Files.Get "definitions.yaml" | fromYaml -}}
{{- $programs := dict -}}
{{- range $name := include "trellis.functions" . | fromJsonArray -}}
{{- $program := ternary (get $definitions.functions $name).compactProgram $name (eq (include "trellis.isCompact" $root) "true") -}}
{{- $_ := set $programs $program (append (get $programs $program | default list) $name) -}}
{{- end -}}
{{- toJson $programs -}}
{{- end -}}

{{- /* The components whose webhooks are enabled, by name, as JSON: their part of definitions.yaml. */ -}}
{{- define "trellis.components" -}}
{{- $definitions := .Files.Get "definitions.yaml" | fromYaml -}}
{{- $components := dict -}}
{{- range $name, $component := .Values.webhook.components -}}
{{- if $component.enabled }}{{ $_ := set $components $name (get $definitions.components $name) }}{{ end -}}
{{- end -}}
{{- toJson $components -}}
{{- end -}}

{{- /* gardenlet names the seed. A self-hosted shoot is its own seed, and the runtime cluster of a garden has none. */ -}}
{{- define "trellis.seed" -}}
{{- $gardener := .Values.gardener -}}
{{- $garden := ternary "garden" "" (hasKey (get $gardener "runtimeCluster" | default dict) "enabled") -}}
{{- .Values.seed
  | default (dig "seed" "name" "" $gardener)
  | default (dig "shoot" "name" "" $gardener)
  | default $garden
  | required "seed: set the name of the seed: --set seed=<name>" -}}
{{- end -}}

{{- /* The gateways of Knative Serving as peers of a network policy. */ -}}
{{- define "trellis.gateways" -}}
{{- range .Values.networkPolicies.gateways }}
- namespaceSelector:
    matchLabels:
      kubernetes.io/metadata.name: {{ .namespace | quote }}
  {{- with .labels }}
  podSelector:
    matchLabels: {{ toYaml . | nindent 6 }}
  {{- end }}
{{- end }}
{{- end -}}
