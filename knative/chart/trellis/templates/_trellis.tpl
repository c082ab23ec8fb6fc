{{- /* The names of the enabled functions, as JSON. Enabling none is an error. */ -}}
{{- define "trellis.functions" -}}
{{- $definitions := .Files.Get "definitions.yaml" | fromYaml -}}
{{- $names := list -}}
{{- range $name, $function := .Values.functions -}}
{{- if $function.enabled -}}
{{- if include "trellis.served" (list $ (get $definitions.functions $name)) }}{{ $names = append $names $name }}{{ end -}}
{{- end -}}
{{- end -}}
{{- if not $names -}}
{{- fail "no function is enabled: set functions.<name>.enabled to true for those that this release serves" -}}
{{- end -}}
{{- toJson $names -}}
{{- end -}}

{{- /* "true" in the runtime cluster of a garden. */ -}}
{{- define "trellis.isRuntime" -}}
{{- if hasKey (get .Values.gardener "runtimeCluster" | default dict) "enabled" }}true{{ end -}}
{{- end -}}

{{- /* The objects of a function for the bridge: of class garden only in the runtime cluster, which may also be a seed. */ -}}
{{- define "trellis.served" -}}
{{- $root := index . 0 -}}
{{- $served := (index . 1).served -}}
{{- if include "trellis.isRuntime" $root -}}
{{- if contains "garden" (regexReplaceAll "[^,/]+/[^,/]+/?([^,/]*)" $served "${1}") }}{{ regexReplaceAll "(shoot|seed)\\+|\\+(shoot|seed)" $served "" }}{{ end -}}
{{- else if dig "seed" "name" "" $root.Values.gardener -}}
{{- regexReplaceAll "(/[^,/]+)/shoot(,|$)" (regexReplaceAll "garden\\+|\\+garden" $served "") "${1}${2}" -}}
{{- else -}}
{{- $served -}}
{{- end -}}
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
{{- $garden := ternary "garden" "" (eq (include "trellis.isRuntime" .) "true") -}}
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
