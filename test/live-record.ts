import { parseTimestamp } from '../shared/clock/clock.ts'
import { annotations } from '../shared/contract/constants.ts'
import type { KubernetesObject } from '../shared/kubernetes/kubernetes.ts'

/** An object of any kind in the API server. */
export interface LiveRecord extends KubernetesObject {
  readonly spec: Readonly<Record<string, unknown>>
  readonly status?: {
    readonly lastOperation?: {
      readonly type: string
      readonly state: string
      readonly progress: number
      readonly description: string
      readonly lastUpdateTime: string
    }
    readonly lastError?: {
      readonly description: string
      readonly codes?: readonly string[]
    } | null
    readonly observedGeneration?: number
    readonly zone?: string
    readonly [field: string]: unknown
  }
}

/** Returns true if gardenlet considers the object ready (docs/contract/lifecycle.md#when-an-object-is-ready). */
export const isReady = ({ metadata, status }: LiveRecord): boolean => {
  const { lastOperation } = status ?? {}
  const asked = parseTimestamp(metadata.annotations?.[annotations.timestamp])
  const updated = parseTimestamp(lastOperation?.lastUpdateTime)
  return (
    !status?.lastError &&
    status?.observedGeneration === metadata.generation &&
    metadata.annotations?.[annotations.operation] === undefined &&
    lastOperation?.state === 'Succeeded' &&
    updated !== undefined &&
    (asked === undefined || Math.floor(asked / 1000) * 1000 <= updated)
  )
}

/** Returns true if its last step has ended and recorded the time of the next one. */
export const isWaiting = ({ metadata }: LiveRecord): boolean =>
  metadata.annotations?.[annotations.step]?.includes('"waiting"') ?? false
