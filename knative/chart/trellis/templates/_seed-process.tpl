{{- /*
The programs that the seed process starts, as JSON: their functions, variables and memory limits. The seed process itself sets
the address of a process and the target of its metrics. A process writes its fatal report into a file of its own, because all of
them share a pod.
*/ -}}
{{- define "trellis.seedPrograms" -}}
{{- $root := . -}}
{{- $definitions := .Files.Get "definitions.yaml" | fromYaml -}}
{{- $gardenKubeconfig := dig "garden" "genericKubeconfigSecretName" "" .Values.gardener -}}
{{- $all := list -}}
{{- range $program, $names := include "trellis.programs" . | fromJson -}}
  {{- $process := include "trellis.functionProcess" (list $root $names) | fromJson -}}
  {{- $env := dict "TRELLIS_LOG_LEVEL" $root.Values.logLevel -}}
  {{- if and $process.gardenAccess $gardenKubeconfig -}}
    {{- $_ := set $env "GARDEN_KUBECONFIG" (printf "%s/kubeconfig" (include "trellis.gardenFolder" $root)) -}}
  {{- end -}}
  {{- range list $process.env $root.Values.functionEnv $process.givenEnv -}}
    {{- range $variable, $value := . }}{{ $_ := set $env $variable $value }}{{ end -}}
  {{- end -}}
  {{- $env = omit $env "TRELLIS_REPORT_TO" "TRELLIS_PORT" "TRELLIS_ADDRESS" -}}
  {{- $report := printf "trellis-fatal-%s.json" $program -}}
  {{- $_ := set $env "NODE_OPTIONS" (get $env "NODE_OPTIONS" | replace "trellis-fatal.json" $report) -}}
  {{- $functions := list -}}
  {{- range $name := $names -}}
    {{- $definition := get $definitions.functions $name -}}
    {{- $functions = append $functions (dict
      "concurrency" (get $root.Values.functions $name).concurrency
      "kind" $definition.kind
      "name" $name
      "types" $definition.types) -}}
  {{- end -}}
  {{- $all = append $all (dict "env" $env "functions" $functions "memory" $process.memory.limit "name" $program) -}}
{{- end -}}
{{- toRawJson $all -}}
{{- end -}}
