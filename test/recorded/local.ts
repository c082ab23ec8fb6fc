import type { Cluster } from '../../shared/contract/objects.ts'
import type { KubernetesObject } from '../../shared/kubernetes/kubernetes.ts'
import type { localRecordings } from '../beside/beside.ts'
import { readStored } from './stored.ts'

/** A recorded life of the provider `local`. */
export interface LocalLife<O extends KubernetesObject = KubernetesObject> {
  readonly input: { readonly cluster: Cluster; readonly object: O }
  readonly steps: readonly LocalStep<O>[]
}

export interface LocalStep<O extends KubernetesObject = KubernetesObject> {
  /** `create`, `idle`, `change: …`, `migrate`, `restore`, `delete` */
  readonly action: string
  readonly patch?: object
  readonly writeCount: number
  /** Write requests in order: `patch secrets name [404]`. */
  readonly order: readonly string[]
  readonly lastOperations: readonly {
    readonly type?: string
    readonly state?: string
    readonly description?: string
  }[]
  /** The objects afterwards. */
  readonly objects: readonly RecordedObject[]
  /** Null if it is gone. */
  readonly result: O | null
}

/** An object. A Secret has only its keys, a ManagedResource has digests of the objects in its Secrets. */
export interface RecordedObject {
  readonly kind?: string
  readonly metadata: KubernetesObject['metadata']
  readonly spec?: object
  readonly keys?: readonly string[]
  readonly secrets?: readonly {
    readonly name: string
    readonly objects: Readonly<Record<string, readonly KubernetesObject[]>>
  }[]
  readonly [field: string]: unknown
}

export const localLife = <O extends KubernetesObject>(name: (typeof localRecordings)[number]): LocalLife<O> =>
  JSON.parse(JSON.stringify(readStored(`local/${name}.json`)).replaceAll('<time>', '2026-01-10T11:00:00Z'))
