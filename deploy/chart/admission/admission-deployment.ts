import type { WebhookDefinition } from '../../../shared/webhooks/admission/admission.ts'
import { type Deployment, deploymentOf } from '../../knative/knative.ts'
import { type Release, textAt, usualImage, variablesOf } from '../deployment-of-values.ts'
import { blockExpression, expression, numberExpression } from '../template/placeholder.ts'
import { componentItem } from '../template-deployment.ts'
import type { AdmissionValues } from './admission-values.ts'

/** Returns the objects that releases of the charts with these values install: its `admissionParts`. */
export const admissionDeployment = (
  values: AdmissionValues,
  webhooks: readonly WebhookDefinition[],
  { name, namespace, version }: Release,
): Deployment => {
  const { image, images, virtualGarden, gardener } = values
  const account = (field: string) => textAt(gardener, ['virtualCluster', 'serviceAccount', field])
  const ownerNamespace = textAt(gardener, ['virtualCluster', 'namespace'])
  return deploymentOf({
    name,
    namespace,
    image: program => images.webhook ?? usualImage(image, program, version),
    imagePullSecrets: image.pullSecrets,
    webhooks: webhooks.filter(({ component }) => values.components[component]?.enabled),
    webhook: { replicas: values.replicas, resources: values.resources, env: variablesOf(values.env) },
    gardenAdmission: {
      name: admissionName(name),
      account: {
        name: account('name') ?? virtualGarden.account.name,
        namespace: account('namespace') ?? virtualGarden.account.namespace,
      },
      ...(virtualGarden.kubeconfigSecret && { kubeconfigSecret: virtualGarden.kubeconfigSecret }),
      ...(ownerNamespace !== undefined && { ownerNamespace }),
    },
    verticalScaling: values.verticalPodAutoscaler.enabled,
    logLevel: values.logLevel,
    podLabels: values.podLabels,
  })
}

/** The name of the workload, from the name of its release, which Helm limits to 53 characters. */
const admissionName = (release: string): string => `${release}-admission`

/** The switches that values control in the admission objects, as template expressions. */
export const admissionSwitches = {
  pullSecrets: '.Values.image.pullSecrets',
  podLabels: '.Values.podLabels',
  kubeconfigSecret: '.Values.virtualGarden.kubeconfigSecret',
  ownerNamespace: '(include "trellis.ownerNamespace" .)',
  verticalScaling: '.Values.verticalPodAutoscaler.enabled',
} as const

export type AdmissionSwitch = keyof typeof admissionSwitches

/** Returns the deployment for the templates of both charts: `admissionDeployment` with expressions. */
export const admissionTemplateDeployment = (
  webhooks: readonly WebhookDefinition[],
  isThere: (item: string) => boolean,
  isOn: (name: AdmissionSwitch) => boolean,
): Deployment =>
  deploymentOf({
    name: expression('.Release.Name'),
    namespace: expression('.Release.Namespace'),
    image: program => expression(`include "trellis.image" (list $ "${program}")`),
    imagePullSecrets: isOn('pullSecrets') ? [blockExpression('include "trellis.pullSecrets" .')] : [],
    webhooks: webhooks.filter(({ component }) => isThere(componentItem(component))),
    webhook: {
      replicas: numberExpression('.Values.replicas'),
      resources: {
        cpu: expression('.Values.resources.cpu'),
        memory: expression('.Values.resources.memory'),
        memoryLimit: expression('.Values.resources.memoryLimit'),
      },
      env: [{ name: blockExpression('include "trellis.env" $env'), value: '' }],
    },
    gardenAdmission: {
      name: admissionName(expression('.Release.Name')),
      account: {
        name: expression('include "trellis.account" (list . "name")'),
        namespace: expression('include "trellis.account" (list . "namespace")'),
      },
      ...(isOn('kubeconfigSecret') && {
        kubeconfigSecret: expression('.Values.virtualGarden.kubeconfigSecret'),
      }),
      ...(isOn('ownerNamespace') && { ownerNamespace: expression('include "trellis.ownerNamespace" .') }),
    },
    verticalScaling: isOn('verticalScaling'),
    logLevel: expression('.Values.logLevel'),
    podLabels: isOn('podLabels') ? { [blockExpression('include "trellis.yaml" .Values.podLabels')]: '' } : {},
  })

/** The template functions that only the admission charts need. */
export const admissionTemplates = `{{- define "trellis.on" -}}
{{- $on := list -}}
{{- range $name, $component := .Values.components -}}
{{- if $component.enabled }}{{ $on = append $on (printf "webhooks %s" $name) }}{{ end -}}
{{- end -}}
{{- if not $on -}}
{{- fail "no component is enabled: set components.<name>.enabled to true for those that this release serves" -}}
{{- end -}}
{{- toJson $on -}}
{{- end -}}

{{- define "trellis.ownerNamespace" -}}
{{- dig "virtualCluster" "namespace" "" .Values.gardener -}}
{{- end -}}

{{- /* Of the account in the virtual garden. */ -}}
{{- define "trellis.account" -}}
{{- $field := index . 1 -}}
{{- with index . 0 -}}
{{- dig "virtualCluster" "serviceAccount" $field (get .Values.virtualGarden.account $field) .Values.gardener -}}
{{- end -}}
{{- end -}}
`
