{{- /*
The properties of a process that hosts functions, as JSON. Arguments: the root, the names of its functions. Most processes host
one; functions that share a process have the minimum of maxScale, because each process limits their rates by itself, and the sum
of concurrency, up to the limit of Knative. 0 is no limit.
*/ -}}
{{- define "trellis.functionProcess" -}}
{{- $root := index . 0 -}}
{{- $compact := eq (include "trellis.isCompact" $root) "true" -}}
{{- $definitions := $root.Files.Get "definitions.yaml" | fromYaml -}}
{{- $maxScale := 0 -}}
{{- $concurrency := 0 -}}
{{- $bounded := true -}}
{{- $gardenAccess := false -}}
{{- $imageVector := false -}}
{{- $cpu := "100m" -}}
{{- $memory := dict "request" "144Mi" "limit" "384Mi" -}}
{{- $podLabels := dict -}}
{{- $rules := list -}}
{{- $own := dict -}}
{{- $given := dict -}}
{{- range $name := index . 1 -}}
  {{- $definition := get $definitions.functions $name -}}
  {{- $function := get $root.Values.functions $name -}}
  {{- $maxScale = ternary $function.maxScale (min $maxScale $function.maxScale) (eq (int $maxScale) 0) -}}
  {{- $concurrency = min 1000 (add $concurrency $function.concurrency) -}}
  {{- $bounded = and $bounded (ne (int $function.concurrency) 0) -}}
  {{- $gardenAccess = or $gardenAccess $function.gardenAccess -}}
  {{- if not $compact }}{{ $cpu = $function.cpu }}{{ $memory = $function.memory }}{{ end -}}
  {{- $podLabels = merge $podLabels ($definition.podLabels | default dict) -}}
  {{- $rules = concat $rules $definition.rules -}}
  {{- if $definition.webhooksNamespace -}}
    {{- $_ := set $own "TRELLIS_WEBHOOKS_NAMESPACE" $root.Release.Namespace -}}
  {{- end -}}
  {{- if and $definition.choosesImages $root.Values.imageVectorOverwrite -}}
    {{- $imageVector = true -}}
    {{- $_ := set $own "TRELLIS_IMAGEVECTOR_OVERWRITE" (include "trellis.imageVectorFile" $root) -}}
  {{- end -}}
  {{- range $variable, $value := $definition.env }}{{ $_ := set $own $variable $value }}{{ end -}}
  {{- range $variable, $value := $function.env -}}
    {{- if and (hasKey $given $variable) (ne (get $given $variable) $value) -}}
      {{- fail (printf "functions.%s.env.%s: another function of its process has another value; they share it" $name $variable) -}}
    {{- end -}}
    {{- $_ := set $given $variable $value -}}
  {{- end -}}
{{- end -}}
{{- /* The memory settings of a shared process override those of its functions. */ -}}
{{- $environment := $definitions.environment -}}
{{- $env := dict -}}
{{- range ternary (list $own $environment.compact) (list $environment.function $own) $compact -}}
  {{- range $variable, $value := . }}{{ $_ := set $env $variable $value }}{{ end -}}
{{- end -}}
{{- dict
  "maxScale" $maxScale
  "concurrency" (ternary $concurrency 0 $bounded)
  "gardenAccess" $gardenAccess
  "imageVector" $imageVector
  "cpu" $cpu
  "memory" $memory
  "podLabels" $podLabels
  "rules" (uniq $rules)
  "env" $env
  "givenEnv" $given | toJson -}}
{{- end -}}
