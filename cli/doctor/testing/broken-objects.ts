import type { KubernetesObject } from '../../../shared/kubernetes/kubernetes.ts'
import { installedOne } from './good-seed.ts'

/** A status in which a controller reports a problem. */
export const failed = (type: string, reason: string, message: string) => ({
  status: { conditions: [{ type, status: 'False', reason, message }] },
})
export const withAnnotations = (object: KubernetesObject, annotations: Record<string, string>) => ({
  metadata: { ...object.metadata, annotations },
})
export const broker = installedOne('brokers', 'default')
export const trigger = installedOne('triggers', 'aws-dnsrecord')
export const service = installedOne('services', 'aws-dnsrecord')
const deployment = installedOne('deployments', 'bridge')
export const delivery = (fields: object) => ({ spec: { ...(broker.spec as object), delivery: fields } })
export const withEnvironment = (env: readonly object[]) => {
  const copy = structuredClone(deployment) as never as {
    spec: { template: { spec: { containers: { env: object[] }[] } } }
  }
  copy.spec.template.spec.containers[0]?.env.push(...env)
  return { spec: copy.spec }
}

export const record = (metadata: object = {}, type = 'aws-route53'): KubernetesObject => ({
  apiVersion: 'extensions.gardener.cloud/v1alpha1',
  kind: 'DNSRecord',
  metadata: {
    name: 'external',
    namespace: 'shoot--foo--bar',
    uid: 'u',
    generation: 1,
    creationTimestamp: '2026-11-21T10:00:00Z',
    finalizers: ['extensions.gardener.cloud/dnsrecord'],
    ...metadata,
  },
  spec: { type },
  status: {
    lastOperation: { type: 'Reconcile', state: 'Succeeded', lastUpdateTime: '2026-11-21T10:01:00Z' },
  },
})
/** An object with a failed step that is retried later. */
export const inError = (name: string, description: string): KubernetesObject => ({
  ...record({ name, annotations: step({ until: '2026-11-21T12:10:00.000Z' }) }),
  status: {
    lastOperation: { type: 'Reconcile', state: 'Error', lastUpdateTime: '2026-11-21T11:59:00Z' },
    lastError: { description, codes: ['ERR_CONFIGURATION_PROBLEM'] },
  },
})
export const step = (fields: object) => ({
  'trellis.gardener.cloud/step': JSON.stringify({
    phase: 'waiting',
    operation: 'reconcile',
    attempt: 2,
    until: '2026-11-21T11:00:00.000Z',
    durationMs: 4_000,
    event: 'e',
    request: '',
    generation: 1,
    was: '',
    ...fields,
  }),
})
export const asked = {
  'gardener.cloud/operation': 'reconcile',
  'gardener.cloud/timestamp': '2026-11-21T11:30:00Z',
}
export const goExtension = (args: readonly string[], replicas = 1): KubernetesObject => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'gardener-extension-provider-aws', namespace: 'extension-provider-aws-abcde' },
  spec: { replicas, template: { spec: { containers: [{ args }] } } },
})
export const allOfAws =
  'infrastructure,dnsrecord,backupbucket,backupentry,bastion,worker,controlplane,healthcheck'
