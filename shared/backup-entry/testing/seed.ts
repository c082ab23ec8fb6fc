import { createApiServer } from '../../../sandbox/kubernetes/kubernetes.ts'
import { interceptedKubernetes, isWriteRequest } from '../../../sandbox/stepped-seed/stepped-seed.ts'
import { virtualClock } from '../../clock/clock.ts'
import type { BackupEntry } from '../../contract/objects.ts'
import { namespaces, secrets } from '../../kubernetes/core-resources.ts'
import type { KubernetesObject } from '../../kubernetes/kubernetes.ts'
import { createKubernetes } from '../../kubernetes/kubernetes.ts'
import type { StepContext } from '../../lifecycle/lifecycle.ts'

export const technicalId = 'shoot--foo--bar'
export const entryName = `${technicalId}--5a3b-77`

/** Plain text by key, in the API's encoding. */
export const encoded = (texts: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, btoa(text)]))

export const entryOf = (name = entryName): BackupEntry => ({
  apiVersion: 'extensions.gardener.cloud/v1alpha1',
  kind: 'BackupEntry',
  metadata: { name },
  spec: {
    type: 'test',
    region: 'eu-west-1',
    bucketName: 'backups',
    secretRef: { name: 'entry', namespace: 'garden' },
  },
})

export interface SeedOptions {
  /** Creates the shoot's namespace. Default: true. */
  readonly namespace?: boolean
  /** Content of the Secret of `spec.secretRef`. */
  readonly credentials?: {
    readonly labels?: Readonly<Record<string, string>>
    readonly annotations?: Readonly<Record<string, string>>
    readonly data?: Readonly<Record<string, string>>
  }
}

/** Creates a seed with the namespace of a shoot and the Secret of its backups. */
export const newSeed = async ({ namespace = true, credentials = {} }: SeedOptions = {}) => {
  const clock = virtualClock(Date.parse('2026-11-21T00:00:00Z'))
  const kubernetes = createKubernetes({ transport: createApiServer({ clock }).transport, clock })
  const makeNamespace = (name: string) =>
    kubernetes.create(namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } })
  await makeNamespace('garden')
  if (namespace) await makeNamespace(technicalId)
  const { data = encoded({ accessKeyID: 'id', secretAccessKey: 'key' }), ...meta } = credentials
  await kubernetes.create(secrets, {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 'entry', namespace: 'garden', ...meta },
    data,
  })
  const writes: string[] = []
  const watched = interceptedKubernetes(kubernetes, (request, send) => {
    if (isWriteRequest(request)) writes.push(request.verb)
    return send()
  })
  return {
    kubernetes,
    /** The verbs of all writes of the step. */
    writes,
    namespaces,
    secrets,
    secret: (name = 'etcd-backup') => kubernetes.get(secrets, { name, namespace: technicalId }),
    makeSecret: (fields: Partial<KubernetesObject>, name = 'etcd-backup') =>
      kubernetes.create(secrets, {
        apiVersion: 'v1',
        kind: 'Secret',
        ...fields,
        metadata: { ...fields.metadata, name, namespace: technicalId },
      }),
    /** The fields of a step that the flow uses. */
    stepOf: (object = entryOf(), port: StepContext['kubernetes'] = watched) =>
      ({
        object,
        kubernetes: port,
        log: { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} },
      }) as unknown as StepContext<BackupEntry>,
  }
}
