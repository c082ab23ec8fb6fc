import type { Clock } from '../../../shared/clock/clock.ts'
import type { Kubernetes, KubernetesObject, ListQueue } from '../../../shared/kubernetes/kubernetes.ts'
import type { RecordedKind } from '../recorded-kinds.ts'
import type { Recorder } from '../recorder.ts'

export interface FollowedKind extends RecordedKind {
  /** Default: all namespaces. */
  readonly namespace?: string
  readonly fieldSelector?: string
}

export interface FollowOptions {
  readonly kubernetes: Pick<Kubernetes, 'list' | 'watch'>
  readonly clock: Clock
  readonly recorder: Pick<Recorder, 'object' | 'gone' | 'listed' | 'gap'>
  /** Returns true if the object belongs to the recording. */
  readonly isSelected: (object: KubernetesObject) => boolean
  /** Interval of lists without a permission to watch, in milliseconds. */
  readonly pollMs: number
  readonly listQueue?: ListQueue
  /** Called after each complete list of a kind: from then on, its objects are known. */
  readonly listed?: (kind: string) => void
}

/** Returns a function that selects the ids of this kind and namespace. */
export const isIdOf =
  ({ kind, namespace, fieldSelector }: FollowedKind) =>
  (id: string): boolean => {
    if (namespace !== undefined) return id.startsWith(`${kind} ${namespace}/`)
    return fieldSelector === undefined
      ? id.startsWith(`${kind} `)
      : id === `${kind} ${fieldSelector.replace('metadata.name=', '')}`
  }
