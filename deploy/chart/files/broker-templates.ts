import { functionService } from '../../../shared/runtime/runtime.ts'
import {
  deploymentOf,
  type ProfileName,
  profileNames,
  rabbitmqParallelism,
  withProfile,
} from '../../knative/knative.ts'
import { expression, jsonText } from '../template/placeholder.ts'

/** The content of a profile as data: `withProfile` in a template. */
const profileData = (name: ProfileName): string => {
  const { broker } = withProfile(deploymentOf({ namespace: expression('.Release.Namespace') }), name)
  const [channel] = (broker.configObjects ?? []).flatMap(({ object }) =>
    object.kind === 'ConfigMap'
      ? Object.values((object as unknown as { readonly data: Readonly<Record<string, string>> }).data)
      : [],
  )
  return jsonText({ class: broker.class, config: broker.config, channel })
}

const kafkaAnnotations = (): string =>
  Object.entries(withProfile(deploymentOf(), 'kafka').broker.triggerAnnotations?.(functionService({})) ?? {})
    .map(([key, value]) => `${key}: ${JSON.stringify(value)}`)
    .join('\n')

/** Template functions for the Broker and its profile. */
export const brokerTemplates = (): string => `
{{- /* Class, config and channel of the profile, as JSON. */ -}}
{{- define "trellis.brokerProfile" -}}
{{- if and .Values.broker.profile .Values.broker.class -}}
{{- fail "broker.class: a profile sets the class: remove class or profile" -}}
{{- end -}}
${profileNames
  .map(
    (name, index) => `{{- ${index === 0 ? '' : 'else '}if eq .Values.broker.profile "${name}" -}}
${profileData(name)}
`,
  )
  .join('')}{{- else -}}
{}
{{- end -}}
{{- end -}}

{{- define "trellis.brokerClass" -}}
{{- get (include "trellis.brokerProfile" . | fromJson) "class" | default .Values.broker.class -}}
{{- end -}}

{{- define "trellis.brokerConfig" -}}
{{- with .Values.broker.config | default (get (include "trellis.brokerProfile" . | fromJson) "config") }}{{ toYaml . }}{{ end -}}
{{- end -}}

{{- define "trellis.brokerChannel" -}}
{{- get (include "trellis.brokerProfile" . | fromJson) "channel" -}}
{{- end -}}

{{- /* What the class asks of a Trigger: of the places of a pod of its function, and of how many pods there may be. */ -}}
{{- define "trellis.triggerAnnotations" -}}
{{- $places := mul (index . 1) (index . 2) -}}
{{- with index . 0 -}}
{{- if eq .Values.broker.profile "rabbitmq" -}}
${rabbitmqParallelism.annotation}: {{ min ${rabbitmqParallelism.most} (max 1 $places) | quote }}
{{- else if eq .Values.broker.profile "kafka" -}}
${kafkaAnnotations()}
{{- end -}}
{{- end -}}
{{- end -}}
`
