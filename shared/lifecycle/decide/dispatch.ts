import type { OperationType } from '../../contract/constants.ts'
import type { KindName } from '../../contract/kinds.ts'
import { isMigrated } from './due-work.ts'
import type { Facts } from './facts.ts'
import { hasOwnFinalizer } from './finalizer.ts'
import { kindRules } from './kind-rules.ts'
import { operationType } from './operation-type.ts'

/** Which branch of the backend runs, and the type that `lastOperation` shows; or why none does. */
export type Dispatch =
  | {
      readonly kind: 'run'
      readonly operation: 'reconcile' | 'delete' | 'migrate' | 'restore'
      readonly type: OperationType
    }
  | { readonly kind: 'stop'; readonly why: 'migrated' | 'nothing-to-delete' | 'nothing-to-migrate' }

/** The dispatch order (docs/contract/lifecycle.md#dispatch), with the early stops of a delete and a migrate. */
export const dispatch = (kind: KindName, facts: Facts, ownFinalizer?: string): Dispatch => {
  const rules = kindRules[kind]
  const type = operationType(facts)
  const own = hasOwnFinalizer(kind, facts.finalizers, ownFinalizer)
  if (rules.migrates) {
    if (type !== 'Migrate' && type !== 'Restore' && isMigrated(kind, facts)) {
      return { kind: 'stop', why: 'migrated' }
    }
    if (type === 'Migrate') {
      return rules.migrateNeedsFinalizer && !own
        ? { kind: 'stop', why: 'nothing-to-migrate' }
        : { kind: 'run', operation: 'migrate', type }
    }
  }
  if (facts.deletionTimestamp !== undefined) {
    if (!own) return { kind: 'stop', why: 'nothing-to-delete' }
    return { kind: 'run', operation: 'delete', type: rules.deleteType === 'computed' ? type : 'Delete' }
  }
  if (rules.migrates && type === 'Restore') return { kind: 'run', operation: 'restore', type }
  return { kind: 'run', operation: 'reconcile', type }
}
