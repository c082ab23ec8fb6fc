import { brokerTemplates } from './broker-templates.ts'
import { compactTemplates } from './compact-templates.ts'

/** `templates/_helpers.tpl`: functions that several templates use. */
export const helperTemplates = (): string => `${generalTemplates}
${brokerTemplates()}
${compactTemplates()}`

/** Functions that the admission charts also use. */
export const imageTemplates = `{{- define "trellis.image" -}}
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

{{- define "trellis.pullSecrets" -}}
{{- range .Values.image.pullSecrets }}
- name: {{ . | quote }}
{{- end -}}
{{- end -}}

`

export const environmentTemplate = `{{- define "trellis.env" -}}
{{- range $name, $value := . }}
- name: {{ $name | quote }}
  value: {{ $value | quote }}
{{- end -}}
{{- end -}}

`

export const yamlTemplate = `{{- define "trellis.yaml" -}}
{{- if . }}{{ toYaml . }}{{ end -}}
{{- end -}}
`

const generalTemplates = `{{- /* Made by make manifests. */ -}}

{{- /* What is installed: "function <name>" and "webhooks <component>". Nothing at all is a slip. */ -}}
{{- define "trellis.on" -}}
{{- $on := list -}}
{{- range $name, $function := .Values.functions -}}
{{- if $function.enabled }}{{ $on = append $on (printf "function %s" $name) }}{{ end -}}
{{- end -}}
{{- if not $on -}}
{{- fail "no function is enabled: set functions.<name>.enabled to true for those that this release serves" -}}
{{- end -}}
{{- range $name, $component := .Values.webhook.components -}}
{{- if $component.enabled }}{{ $on = append $on (printf "webhooks %s" $name) }}{{ end -}}
{{- end -}}
{{- toJson $on -}}
{{- end -}}

{{- define "trellis.seed" -}}
{{- $gardener := .Values.gardener -}}
{{- $garden := ternary "garden" "" (hasKey (get $gardener "runtimeCluster" | default dict) "enabled") -}}
{{- .Values.seed
  | default (dig "seed" "name" "" $gardener)
  | default (dig "shoot" "name" "" $gardener)
  | default $garden
  | required "seed: set the name of the seed, which no other seed has: --set seed=<name>" -}}
{{- end -}}

${imageTemplates}{{- define "trellis.extensions" -}}
{{- .Values.extensions | default (list .Release.Name) | join "," -}}
{{- end -}}

{{- define "trellis.priorityClassName" -}}
{{- dig "runtimeCluster" "priorityClassName" .Values.priorityClassName .Values.gardener -}}
{{- end -}}

{{- /* The Secret that gardenlet makes, where the ControllerDeployment asks for it. */ -}}
{{- define "trellis.gardenKubeconfig" -}}
{{- dig "garden" "genericKubeconfigSecretName" "" .Values.gardener -}}
{{- end -}}

${environmentTemplate}{{- /* Peers of network policies. */ -}}
{{- define "trellis.peers" -}}
{{- range . }}
- namespaceSelector:
    matchLabels:
      kubernetes.io/metadata.name: {{ .namespace | quote }}
{{- with .labels }}
  podSelector:
    matchLabels:
{{ toYaml . | indent 6 }}
{{- end -}}
{{- end -}}
{{- end -}}

${yamlTemplate}`
