import type { Cluster, Worker } from '../../shared/contract/objects.ts'
import type { KubernetesObject } from '../../shared/kubernetes/kubernetes.ts'
import type { workerCases } from '../beside/beside.ts'
import { readStored } from './stored.ts'

/*
 * The results of the unpatched gardener-extension-provider-aws 2ff8d818 (v1.74-dev) for Workers, with kube-apiserver
 * 1.36 and an imitated machine-controller-manager.
 */

type Json = Readonly<Record<string, unknown>>

export interface RecordedWrite {
  readonly verb: 'create' | 'patch' | 'delete' | 'deletecollection'
  /** The plural, with its subresource: `workers/status`. */
  readonly resource: string
  readonly name?: string
  /** Only creates and (merge) patches have it. */
  readonly body?: Json
}

export interface RecordedStep {
  readonly action: string
  /** A merge patch of the Worker before the step. */
  readonly patch?: Json
  /** Other changes before the step, by their subject. */
  readonly before?: Json
  readonly lastOperations: readonly {
    readonly lastOperation?: Json
    readonly lastError?: { readonly description: string; readonly codes?: readonly string[] }
  }[]
  readonly writes: readonly RecordedWrite[]
  /** The objects afterwards. */
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
  readonly input: {
    readonly cluster: Cluster
    readonly secrets: readonly KubernetesObject[]
    readonly existing: readonly KubernetesObject[]
    readonly worker: Worker
  }
  readonly steps: readonly RecordedStep[]
}

/** An input that caused an error, or no result. */
export interface RecordedWorkerError {
  readonly case: string
  readonly input: {
    readonly worker: Worker
    readonly cloudProfile?: Cluster['spec']['cloudProfile']
  }
  readonly lastError?: { readonly description: string; readonly codes?: readonly string[] }
  readonly outcome?: string
}

const read = (name: string): unknown => readStored(`worker/${name}.json`)

export const recordedWorker = (name: (typeof workerCases)[number]): RecordedWorker =>
  (name === 'data-volumes' ? withVolumeTypes(read(name)) : read(name)) as RecordedWorker

/**
 * One recorded pool has a data volume without a type, which Gardener's admission refuses. The machine controller
 * refuses such a class, so a step refuses the pool
 * (docs/contract/workers-aws.md#classes-that-the-machine-controller-refuses). It is compared with the type gp3, and
 * with the resulting hash of the class.
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
