import type { KubernetesObject } from '../../shared/kubernetes/kubernetes.ts'
import type { lifeRecordings } from '../beside/beside.ts'
import { readStored } from './stored.ts'

/** A write of the Go extension. */
export interface RecordedLifeWrite {
  readonly verb: string
  /** The resource, with its subresource after a slash. */
  readonly resource: string
  readonly namespace?: string
  readonly name: string
  readonly body?: object
  /** Absent if it succeeded. */
  readonly code?: number
}

export interface RecordedLifeStep {
  readonly action: 'create' | 'idle' | 'change' | 'migrate' | 'restore' | 'delete'
  readonly patch?: object
  readonly lastOperations: readonly {
    readonly type?: string
    readonly state?: string
    readonly progress?: number
    readonly description?: string
  }[]
  /** The object afterwards, with `<time>` for times. Null if it is gone. */
  readonly result: KubernetesObject | null
  /** The updates that the name server received. */
  readonly dns?: readonly object[]
  /** Relative to `<dir>`. */
  readonly directories?: readonly string[]
}

/** The recorded life of one object. */
export interface RecordedLife<S extends RecordedLifeStep = RecordedLifeStep> {
  readonly input: {
    readonly object: KubernetesObject
    readonly cluster?: KubernetesObject
  }
  readonly steps: readonly S[]
}

export const recordedLifeOf = <S extends RecordedLifeStep = RecordedLifeStep>(
  name: (typeof lifeRecordings)[number],
): RecordedLife<S> => readStored(`${name}.json`) as RecordedLife<S>
