import type { Clock, Timestamp } from '../../../shared/clock/clock.ts'
import { annotations } from '../../../shared/contract/constants.ts'
import type { KindName } from '../../../shared/contract/kinds.ts'
import type { KubernetesObject } from '../../../shared/kubernetes/kubernetes.ts'
import { factsOf, unknownOperationOf, unknownOperationText } from '../../../shared/lifecycle/lifecycle.ts'
import type { Observe } from '../../core/bridge-event.ts'
import { idOf } from '../../core/objects/pending-object.ts'
import { isSelected, type Selection } from '../../core/objects/selection.ts'
import type { WaitingRow } from '../../core/objects/waiting.ts'

/**
 * Reports objects with an unknown value of `gardener.cloud/operation`. Gardener's contract ignores such a value
 * (docs/contract/lifecycle.md#when-work-is-due), so without a report a user with a typo would wait forever.
 */
export interface UnknownOperations {
  upsert(kind: KindName, object: KubernetesObject): void
  forget(id: string): void
  /** Called when this bridge starts to send. Reports the objects that an earlier bridge may not have reported. */
  leads(): void
  rows(): readonly WaitingRow[]
}

interface UnknownOperation {
  readonly kind: KindName
  readonly object: string
  readonly uid: string
  readonly apiVersion: string
  readonly value: string
  readonly since: Timestamp
}

export const createUnknownOperations = ({
  selection,
  clock,
  leading,
  observe,
}: {
  readonly selection: Selection
  readonly clock: Pick<Clock, 'now'>
  readonly leading: () => boolean
  readonly observe: Observe
}): UnknownOperations => {
  const all = new Map<string, UnknownOperation>()

  const report = ({ kind, object, uid, apiVersion, value }: UnknownOperation) =>
    observe({
      type: 'unknown operation',
      ...{ kind, object, uid, apiVersion },
      why: unknownOperationText(value),
    })

  return {
    upsert: (kind, object) => {
      const id = idOf(kind, object.metadata)
      const value = unknownOperationOf(object)
      const { uid = '', namespace } = object.metadata
      if (value === undefined || !isSelected(selection, kind, factsOf(object), namespace))
        return void all.delete(id)
      const known = all.get(id)
      if (known?.uid === uid && known.value === value) return
      const found = {
        kind,
        object: id.slice(kind.length + 1),
        uid,
        apiVersion: object.apiVersion ?? '',
        value,
        since: clock.now(),
      }
      all.set(id, found)
      if (leading()) report(found)
    },
    forget: id => void all.delete(id),
    leads: () => {
      for (const found of all.values()) report(found)
    },
    rows: () =>
      [...all].map(([id, { kind, object, value, since }]) => ({
        kind,
        object,
        state: 'ignored',
        why: unknownOperationText(value),
        operation: '',
        reason: annotations.operation,
        attempt: 0,
        id,
        since,
        at: undefined,
        lastError: '',
      })),
  }
}
