import type { Account } from '../../sandbox/providers/aws/simulator/aws.ts'
import { addHostedZone } from '../../sandbox/providers/aws/simulator/aws.ts'
import { annotations, apiVersion, labels } from '../../shared/contract/constants.ts'
import type { KubernetesObject } from '../../shared/kubernetes/kubernetes.ts'

export const namespace = 'shoot--bench--rose'
const secret = 'dnsrecord-rose-external'

/** The objects in a seed before gardenlet creates DNS records. */
export const shootObjects: readonly KubernetesObject[] = [
  { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace, labels: { [labels.role]: 'shoot' } } },
  {
    apiVersion,
    kind: 'Cluster',
    metadata: { name: namespace },
    spec: { cloudProfile: {}, seed: {}, shoot: { status: { lastOperation: { state: 'Processing' } } } },
  },
  {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: secret, namespace },
    data: { accessKeyID: btoa('AKIABENCH00000000000'), secretAccessKey: btoa('made-up-for-the-benchmark') },
  },
]

/** A DNSRecord that gardenlet has just created or changed. */
export const recordNumber = (index: number): KubernetesObject => ({
  apiVersion,
  kind: 'DNSRecord',
  metadata: { name: `record-${index}`, namespace, annotations: askedAt(0) },
  spec: {
    type: 'aws-route53',
    secretRef: { name: secret, namespace },
    name: `record-${index}.rose.example.com`,
    recordType: 'A',
    values: ['203.0.113.10'],
  },
})

/** The annotations of gardenlet's nth request. */
export const askedAt = (nth: number): Record<string, string> => ({
  [annotations.operation]: 'reconcile',
  [annotations.timestamp]: `2026-01-01T00:00:00.${String(nth).padStart(9, '0')}Z`,
})

/** Adds the zone of the records. */
export const giveZone = (account: Parameters<typeof addHostedZone>[0] & Pick<Account, 'id'>): void =>
  addHostedZone(account, { name: 'example.com', id: 'Z0BENCH0000000000000' })
