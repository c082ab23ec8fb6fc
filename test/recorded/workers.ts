import { readFileSync } from 'node:fs'
import type { Cluster, Worker } from '../../shared/contract/objects.ts'
import type { KubernetesObject } from '../../shared/kubernetes/kubernetes.ts'
import { besidePath, type workerCases } from '../beside/beside.ts'

/*
 * What gardener-extension-provider-aws 2ff8d818 (v1.74-dev), unpatched, did for Workers against kube-apiserver 1.36. The
 * machine-controller-manager was imitated.
 */

type Json = Readonly<Record<string, unknown>>

export interface RecordedWrite {
  readonly verb: 'create' | 'patch' | 'delete' | 'deletecollection'
  /** Plural, with its subresource: `workers/status`. */
  readonly resource: string
  readonly name?: string
  /** Of creates and (merge) patches. */
  readonly body?: Json
}

export interface RecordedStep {
  readonly action: string
  /** A merge patch of the Worker before the step. */
  readonly patch?: Json
  /** What else was changed before it, by what it is of. */
  readonly before?: Json
  readonly lastOperations: readonly {
    readonly lastOperation?: Json
    readonly lastError?: { readonly description: string; readonly codes?: readonly string[] }
  }[]
  readonly writes: readonly RecordedWrite[]
  /** What is there afterwards. */
  readonly result?: {
    readonly worker: Worker | null
    readonly machineClasses: readonly KubernetesObject[]
    readonly machineClassSecrets: readonly KubernetesObject[]
    readonly machineDeployments: readonly KubernetesObject[]
  }
  readonly machineControllerManagerReplicas?: number
}

export interface RecordedWorker {
  readonly case: string
  readonly about: string
  readonly input: {
    readonly cluster: Cluster
    readonly secrets: readonly KubernetesObject[]
    readonly existing: readonly KubernetesObject[]
    readonly worker: Worker
  }
  readonly steps: readonly RecordedStep[]
}

/** An input that ended in an error, or in nothing at all. */
export interface RecordedWorkerError {
  readonly case: string
  readonly input: {
    readonly worker: Worker
    readonly cloudProfile?: Cluster['spec']['cloudProfile']
  }
  readonly lastError?: { readonly description: string; readonly codes?: readonly string[] }
  readonly outcome?: string
}

const read = (name: string): unknown =>
  JSON.parse(readFileSync(besidePath('golden', `worker/${name}.json`), 'utf8'))

export const recordedWorker = (name: (typeof workerCases)[number]): RecordedWorker =>
  (name === 'data-volumes' ? withVolumeTypes(read(name)) : read(name)) as RecordedWorker

/**
 * One recorded pool has a data volume without a type, which the admission of Gardener refuses. The machine controller takes no such
 * class, so a step refuses the pool (docs/contract/workers-aws.md#classes-that-the-machine-controller-refuses). It is compared
 * with the type gp3, and with the hash that this type gives the class.
 */
const withVolumeTypes = (recording: unknown): unknown =>
  JSON.parse(
    JSON.stringify(recording, (key, value) => {
      if (key === 'ebs') return { volumeType: 'gp3', ...value }
      if (key === 'dataVolumes' && Array.isArray(value))
        return value.map(volume => ('size' in volume ? { type: 'gp3', ...volume } : volume))
      return value
    }).replaceAll('-z1-d29f3', '-z1-84b6a'),
  )

export const recordedWorkerErrors = (): readonly RecordedWorkerError[] =>
  (read('errors') as { readonly cases: readonly RecordedWorkerError[] }).cases
