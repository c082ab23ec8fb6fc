import type { Clock, Timestamp } from '../../../shared/clock/clock.ts'
import { annotations } from '../../../shared/contract/constants.ts'
import type { KindName } from '../../../shared/contract/kinds.ts'
import { unknownOperationOf, unknownOperationText } from '../../../shared/lifecycle/lifecycle.ts'
import { idOf } from '../../core/core.ts'
import type { BridgeObserver, ObserveBridge } from '../bridge-event.ts'

interface UnknownOperation {
  readonly kind: KindName
  readonly object: string
  readonly uid: string
  readonly value: string
  readonly since: Timestamp
}

/**
 * Reports objects with an unknown value of `gardener.cloud/operation`. Gardener's contract ignores such a value
 * (docs/contract/lifecycle.md#when-work-is-due), so without a report a user with a typo would wait forever.
 */
export const createUnknownOperations = ({
  clock,
  leading,
  observe,
}: {
  readonly clock: Pick<Clock, 'now'>
  readonly leading: () => boolean
  readonly observe: ObserveBridge
}): BridgeObserver => {
  const all = new Map<string, UnknownOperation>()

  const report = ({ kind, object, uid, value }: UnknownOperation) =>
    observe({ type: 'unknown operation', ...{ kind, object, uid }, why: unknownOperationText(value) })

  return {
    objectSeen: ({ kind, object, facts: { uid }, decision }) => {
      const id = idOf(kind, object.metadata)
      const value = unknownOperationOf(object)
      if (value === undefined || decision === undefined) return void all.delete(id)
      const known = all.get(id)
      if (known?.uid === uid && known.value === value) return
      const found = { kind, object: id.slice(kind.length + 1), uid, value, since: clock.now() }
      all.set(id, found)
      if (leading()) report(found)
    },
    objectDeleted: (kind, key) => void all.delete(idOf(kind, key)),
    // An earlier leader may not have reported them.
    event: event => {
      if (event.type === 'leadership' && event.leading) for (const found of all.values()) report(found)
    },
    waiting: () =>
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
