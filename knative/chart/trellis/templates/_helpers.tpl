{{- /* Named templates of this chart and of the charts of admission. */ -}}

{{- /*
The values, as JSON. A value that is null, or that the values of a former chart lack (helm upgrade --reuse-values), has its
default. Each template sets them first.
*/ -}}
{{- define "trellis.values" -}}
{{- include "trellis.merged" (list (.Files.Get "definitions.yaml" | fromYaml).values .Values) -}}
{{- end -}}

{{- /* Maps merged key by key, as JSON. Arguments: the defaults, the given map. */ -}}
{{- define "trellis.merged" -}}
{{- $merged := deepCopy (index . 0) -}}
{{- range $key, $value := index . 1 -}}
{{- if kindIs "map" $value -}}
{{- $default := get $merged $key -}}
{{- $value = include "trellis.merged" (list (ternary $default dict (kindIs "map" $default)) $value) | fromJson -}}
{{- end -}}
{{- if not (kindIs "invalid" $value) }}{{ $_ := set $merged $key $value }}{{ end -}}
{{- end -}}
{{- toJson $merged -}}
{{- end -}}

{{- /* The image of a program. Arguments: the root, the program. */ -}}
{{- define "trellis.image" -}}
{{- $program := index . 1 -}}
{{- with index . 0 -}}
{{- if get .Values.images $program -}}
{{- get .Values.images $program -}}
{{- else -}}
{{- $registry := .Values.image.registry
  | required (printf "image.registry: set the registry of the images, or the image in images.%s: --set image.registry=registry.example.com/trellis" $program) -}}
{{- printf "%s/%s:%s" $registry $program (.Values.image.tag | default .Chart.Version) -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{- /* The dead letter sink of the Broker: the bridge. */ -}}
{{- define "trellis.undeliveredUrl" -}}
http://bridge.{{ .Release.Namespace }}.svc:8080/undelivered
{{- end -}}

{{- /* The annotation of a workload with the version of the library that generated the chart. `trellis doctor` compares them. */ -}}
{{- define "trellis.versionAnnotation" -}}
{{- $key := "trellis.gardener.cloud/version" -}}
{{ $key }}: {{ index .Chart.Annotations $key | quote }}
{{- end -}}

{{- /* Environment variables from a list of maps. A later map overrides the variables of an earlier one. */ -}}
{{- define "trellis.env" -}}
{{- $env := dict }}
{{- range . }}
{{- range $name, $value := . }}
{{- $_ := set $env $name $value }}
{{- end }}
{{- end }}
{{- range $name, $value := $env }}
- name: {{ $name | quote }}
  {{- if kindIs "map" $value }}
  valueFrom: {{ toJson $value }}
  {{- else }}
  value: {{ $value | quote }}
  {{- end }}
{{- end }}
{{- end -}}

{{- define "trellis.securityContext" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
runAsNonRoot: true
capabilities:
  drop: [ALL]
seccompProfile:
  type: RuntimeDefault
{{- end -}}

{{- /* A ClusterRole of an account, and its binding. Arguments: root, name, rules, and account and namespace if they differ. */ -}}
{{- define "trellis.clusterRole" -}}
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata:
  name: "extensions.gardener.cloud:{{ .root.Release.Name }}:{{ .name }}"
rules: {{ .rules | toYaml | nindent 2 }}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata:
  name: "extensions.gardener.cloud:{{ .root.Release.Name }}:{{ .name }}"
roleRef:
  apiGroup: rbac.authorization.k8s.io
  kind: ClusterRole
  name: "extensions.gardener.cloud:{{ .root.Release.Name }}:{{ .name }}"
subjects:
  - kind: ServiceAccount
    name: {{ .account | default .name | quote }}
    namespace: {{ .namespace | default .root.Release.Namespace | quote }}
{{- end -}}

{{- /*
The rules of the webhooks of components: their configurations, and their lookups. Arguments: the root, the components by
name. Gardener names configurations of the runtime cluster of a garden differently.
*/ -}}
{{- define "trellis.webhookRules" -}}
{{- $suffix := hasPrefix "runtime-extension-" (index . 0).Release.Namespace | ternary "-runtime" "" }}
{{- $configurations := list }}
{{- $lookups := list }}
{{- range $name, $component := index . 1 }}
{{- $configurations = concat $configurations $component.configurations }}
{{- $lookups = concat $lookups $component.rules }}
- apiGroups: [admissionregistration.k8s.io]
  resources: {{ $component.configurations | toJson }}
  resourceNames: [gardener-extension-{{ $name }}{{ $suffix }}]
  verbs: [get, patch]
{{- end }}
- apiGroups: [admissionregistration.k8s.io]
  resources: {{ $configurations | uniq | sortAlpha | toJson }}
  verbs: [create]
{{ $lookups | uniq | toYaml }}
{{- end -}}

{{- define "trellis.priorityClassName" -}}
{{- dig "runtimeCluster" "priorityClassName" .Values.priorityClassName .Values.gardener -}}
{{- end -}}
