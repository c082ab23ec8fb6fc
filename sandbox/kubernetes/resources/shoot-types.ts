import type { KubernetesObject } from '../../../shared/kubernetes/kubernetes.ts'
import { expressionFault } from '../admission/webhooks/match-conditions.ts'
import type { StatusCause } from '../requests/api-error.ts'
import { builtIn } from './core-types.ts'
import type { ResourceDefinition } from './resource-definition.ts'

const admission = (plural: string, kind: string): ResourceDefinition =>
  builtIn({
    group: 'admissionregistration.k8s.io',
    plural,
    kind,
    namespaced: false,
    countsGenerations: true,
  })

/** What is not built is refused, so that nobody takes it for obeyed. */
const webhookFaults = ({ webhooks }: KubernetesObject): readonly StatusCause[] =>
  (Array.isArray(webhooks) ? webhooks : []).flatMap((webhook, index) => {
    const { matchConditions, admissionReviewVersions } = Object(webhook)
    const forbidden = (field: string, why: string) => ({
      reason: 'FieldValueForbidden',
      message: `Forbidden: ${why}`,
      field: `webhooks[${index}].${field}`,
    })
    return [
      ...(Array.isArray(matchConditions) ? matchConditions : []).flatMap((condition, at) => {
        const fault = expressionFault(String(Object(condition).expression ?? ''))
        return fault === undefined
          ? []
          : [forbidden(`matchConditions[${at}].expression`, `the sandbox cannot evaluate it: ${fault}`)]
      }),
      ...(Array.isArray(admissionReviewVersions) && !admissionReviewVersions.includes('v1')
        ? [forbidden('admissionReviewVersions', 'the sandbox sends reviews of v1 alone')]
        : []),
    ]
  })

/** What control planes have in shoots. Stored like any object: nobody runs a pod or makes a volume. */
export const shootTypes: readonly ResourceDefinition[] = [
  builtIn({
    group: 'apps',
    plural: 'daemonsets',
    kind: 'DaemonSet',
    namespaced: true,
    shortNames: ['ds'],
    categories: ['all'],
    hasStatus: true,
    countsGenerations: true,
  }),
  builtIn({ plural: 'nodes', kind: 'Node', namespaced: false, shortNames: ['no'], hasStatus: true }),
  builtIn({
    group: 'storage.k8s.io',
    plural: 'storageclasses',
    kind: 'StorageClass',
    namespaced: false,
    shortNames: ['sc'],
  }),
  builtIn({ group: 'storage.k8s.io', plural: 'csidrivers', kind: 'CSIDriver', namespaced: false }),
  builtIn({ group: 'node.k8s.io', plural: 'runtimeclasses', kind: 'RuntimeClass', namespaced: false }),
  admission('mutatingadmissionpolicies', 'MutatingAdmissionPolicy'),
  admission('mutatingadmissionpolicybindings', 'MutatingAdmissionPolicyBinding'),
  { ...admission('mutatingwebhookconfigurations', 'MutatingWebhookConfiguration'), check: webhookFaults },
  { ...admission('validatingwebhookconfigurations', 'ValidatingWebhookConfiguration'), check: webhookFaults },
]
