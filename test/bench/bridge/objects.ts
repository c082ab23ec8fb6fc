import { annotations } from '../../../shared/contract/constants.ts'
import { type KindName, kindNames, kinds } from '../../../shared/contract/kinds.ts'
import type { KubernetesObject } from '../../../shared/kubernetes/kubernetes.ts'
import { sampleObject } from '../../lifecycle/sample-objects.ts'

export interface BenchObject {
  readonly kind: KindName
  readonly object: KubernetesObject
}

export const shootNamespace = 'shoot--bench--rose'

/** A provider config of a size such that an object read from kube-apiserver has about 3.7 KB. */
const providerConfig = {
  apiVersion: 'aws.provider.extensions.gardener.cloud/v1alpha1',
  kind: 'InfrastructureConfig',
  networks: {
    vpc: { cidr: '10.250.0.0/16' },
    zones: Array.from({ length: 19 }, (_, index) => ({
      name: `eu-west-1${String.fromCharCode(97 + index)}`,
      workers: `10.250.${index}.0/24`,
      public: `10.250.${64 + index}.0/25`,
      internal: `10.250.${64 + index}.128/25`,
    })),
  },
}

/**
 * New objects as gardenlet writes them, of all kinds in rotation; each needs work. Their names begin with `prefix`.
 */
export const newObjects = (prefix: string, count: number): readonly BenchObject[] =>
  Array.from({ length: count }, (_, index) =>
    newObject(kindNames[index % kindNames.length] ?? 'DNSRecord', `${prefix}-${index}`),
  )

export const newObject = (kind: KindName, name: string, namespace = shootNamespace): BenchObject => {
  const sample = sampleObject(kind, { annotation: 'reconcile', namespace, spec: { providerConfig } })
  return { kind, object: { ...sample, metadata: { ...sample.metadata, name } } }
}

/** The same objects as stored in etcd, with the fields that kube-apiserver adds. */
export const storedObjects = (prefix: string, count: number): readonly BenchObject[] =>
  newObjects(prefix, count).map(stored)

/** Objects in etcd that have succeeded and need no work. */
export const completedObjects = (prefix: string, count: number): readonly BenchObject[] =>
  newObjects(prefix, count).map(completed)

const stored = ({ kind, object }: BenchObject): BenchObject => ({
  kind,
  object: {
    ...object,
    metadata: {
      ...object.metadata,
      uid: crypto.randomUUID(),
      generation: 1,
      creationTimestamp: writtenAt,
      managedFields: [{ ...writer, manager: 'gardenlet', fieldsV1: fieldsOf(object) }],
    },
  },
})

/** A new object as stored in etcd after its last operation has succeeded. */
export const completed = (added: BenchObject): BenchObject => {
  const { kind, object } = stored(added)
  const { [annotations.operation]: _, ...rest } = object.metadata.annotations ?? {}
  return {
    kind,
    object: {
      ...object,
      metadata: { ...object.metadata, annotations: rest, finalizers: [kinds[kind].finalizer('bench')] },
      status: {
        observedGeneration: 1,
        lastOperation: {
          type: 'Reconcile',
          state: 'Succeeded',
          progress: 100,
          description: 'Successfully reconciled',
          lastUpdateTime: writtenAt,
        },
      },
    },
  }
}

/** gardenlet's nth request to reconcile, as a patch. */
export const request = (nth: number): object => ({
  metadata: {
    annotations: {
      [annotations.operation]: 'reconcile',
      [annotations.timestamp]: `2026-11-21T12:00:01.${String(nth).padStart(9, '0')}Z`,
    },
  },
})

const writtenAt = '2026-11-21T12:00:00Z'
const writer = {
  operation: 'Update',
  apiVersion: 'extensions.gardener.cloud/v1alpha1',
  time: writtenAt,
  fieldsType: 'FieldsV1',
}

const fieldsOf = ({ metadata, spec }: KubernetesObject): object => ({
  'f:metadata': {
    'f:annotations': {
      '.': {},
      ...Object.fromEntries(Object.keys(metadata.annotations ?? {}).map(key => [`f:${key}`, {}])),
    },
  },
  'f:spec': Object.fromEntries(Object.keys(spec ?? {}).map(key => [`f:${key}`, {}])),
})
