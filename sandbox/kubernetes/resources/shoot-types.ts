import type { KubernetesObject } from '../../../shared/kubernetes/kubernetes.ts'
import { expressionFault } from '../admission/webhooks/match-conditions.ts'
import type { StatusCause } from '../requests/api-error.ts'
import { isRecord } from '../schema/structural-schema.ts'
import { between, builtIn, column } from './core-types.ts'
import type { ResourceDefinition } from './resource-definition.ts'

const admission = (plural: string, kind: string): ResourceDefinition =>
  builtIn({
    group: 'admissionregistration.k8s.io',
    plural,
    kind,
    namespaced: false,
    countsGenerations: true,
  })

/** Unsupported fields are refused, so they are never silently ignored. */
const webhookFaults = ({ webhooks }: KubernetesObject): readonly StatusCause[] =>
  (Array.isArray(webhooks) ? webhooks : []).flatMap((webhook, index) => {
    const { clientConfig, matchConditions, admissionReviewVersions } = Object(webhook)
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
        ? [forbidden('admissionReviewVersions', 'the sandbox only sends reviews of v1')]
        : []),
      ...servicePathFaults(
        String(Object(Object(clientConfig).service).path ?? ''),
        `webhooks[${index}].clientConfig.service.path`,
      ),
    ]
  })

const subdomain = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/

/** Each segment must be a subdomain (`ValidateWebhookService` of k8s.io/apiserver). Paths of URLs have no such rule. */
const servicePathFaults = (path: string, field: string): readonly StatusCause[] =>
  path
    .replace(/^\//, '')
    .replace(/\/$/, '')
    .split('/')
    .flatMap((segment, at) =>
      path === '' || path === '/' || (segment.length <= 253 && subdomain.test(segment))
        ? []
        : [
            {
              reason: 'FieldValueInvalid',
              message: `Invalid value: ${JSON.stringify(path)}: segment[${at}]: a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')`,
              field,
            },
          ],
    )

const specText = ({ spec }: KubernetesObject, name: string): string => {
  const value = isRecord(spec) ? spec[name] : undefined
  return Array.isArray(value) ? value.join(',') : String(value ?? '')
}

/** The sandbox provisions no volumes. A claim stays Pending, as with a class that waits for the first pod. */
const persistentVolumeClaims = builtIn({
  plural: 'persistentvolumeclaims',
  kind: 'PersistentVolumeClaim',
  namespaced: true,
  shortNames: ['pvc'],
  hasStatus: true,
  prepare: object => ({ ...object, status: object.status ?? { phase: 'Pending' } }),
  columns: between(
    column('Status', ({ status }) => (isRecord(status) ? String(status.phase ?? '') : '')),
    column('Volume', object => specText(object, 'volumeName')),
    column('Access Modes', object => specText(object, 'accessModes')),
    column('StorageClass', object => specText(object, 'storageClassName')),
  ),
})

/** Objects of control planes in shoots. Stored like any object: no pods run and no volumes are created. */
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
  persistentVolumeClaims,
  builtIn({
    group: 'scheduling.k8s.io',
    plural: 'priorityclasses',
    kind: 'PriorityClass',
    namespaced: false,
    shortNames: ['pc'],
    columns: between(
      column('Value', object => String(object.value ?? 0)),
      column('Global-Default', object => String(object.globalDefault ?? false)),
    ),
  }),
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
