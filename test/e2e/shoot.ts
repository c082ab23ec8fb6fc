import { annotations, apiVersion, labels } from '../../shared/contract/constants.ts'
import { clusterKind } from '../../shared/contract/kinds.ts'
import { namespaces } from '../../shared/kubernetes/core-resources.ts'
import type { GroupVersionResource, KubernetesObject } from '../../shared/kubernetes/kubernetes.ts'

export const namespace = 'shoot--garden--rose'
export const secretName = 'dnsrecord-rose-external'

export const secrets: GroupVersionResource = { group: '', version: 'v1', plural: 'secrets', namespaced: true }

/** The data that gardenlet writes to a DNS Secret, before base64. */
export type SecretData = Readonly<Record<string, string>>

export const accessKey: SecretData = {
  AWS_ACCESS_KEY_ID: 'AKIAEXAMPLEROSE00001',
  AWS_SECRET_ACCESS_KEY: 'planted/secret+access-key=of-rose-0001',
}

export const secretOf = (data: SecretData, name = secretName): KubernetesObject => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name, namespace },
  type: 'Opaque',
  data: Object.fromEntries(Object.entries(data).map(([key, value]) => [key, btoa(value)])),
})

/** The objects in a seed before gardenlet creates DNS records. */
export const shootObjects = (
  secret: SecretData,
): readonly (readonly [GroupVersionResource, KubernetesObject])[] => [
  [
    namespaces,
    {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name: namespace, labels: { [labels.role]: 'shoot' } },
    },
  ],
  [
    clusterKind.resource,
    {
      apiVersion,
      kind: 'Cluster',
      metadata: { name: namespace },
      spec: {
        cloudProfile: {},
        seed: {},
        shoot: { metadata: { name: 'rose' }, status: { lastOperation: { state: 'Processing' } } },
      },
    },
  ],
  [secrets, secretOf(secret)],
]

export interface RecordSpec {
  readonly name?: string
  readonly recordType?: string
  readonly values?: readonly unknown[]
  readonly ttl?: unknown
  readonly zone?: string
  readonly secret?: string
  readonly type?: string
}

/** Returns a DNSRecord in gardenlet's form: an A record of `<name>.rose.example.com`, with the overrides of a test. */
export const recordOf = (
  name: string,
  timestamp: string,
  { secret = secretName, ...spec }: RecordSpec = {},
  extra: Readonly<Record<string, string>> = {},
): KubernetesObject => ({
  apiVersion,
  kind: 'DNSRecord',
  metadata: {
    name,
    namespace,
    annotations: {
      [annotations.operation]: 'reconcile',
      [annotations.timestamp]: timestamp,
      ...extra,
    },
  },
  spec: {
    type: 'aws-route53',
    secretRef: { name: secret, namespace },
    name: `${name}.rose.example.com`,
    recordType: 'A',
    values: ['203.0.113.10'],
    ...spec,
  },
})
