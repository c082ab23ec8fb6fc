import type { OperationType } from '../../contract/constants.ts'
import type { Facts } from './facts.ts'

/** The operation type (docs/contract/lifecycle.md#operation-type): the first rule that matches. */
export const operationType = (
  facts: Pick<Facts, 'requested' | 'deletionTimestamp' | 'lastOperation'>,
): OperationType => {
  const { requested, deletionTimestamp, lastOperation } = facts
  if (requested === 'migrate') return 'Migrate'
  if (deletionTimestamp !== undefined) return 'Delete'
  if (requested === 'restore') return 'Restore'
  if (lastOperation === undefined) return 'Create'
  if (lastOperation.state !== 'Succeeded') {
    const { type } = lastOperation
    if (type === 'Create' || type === 'Migrate' || type === 'Restore') return type
  }
  return 'Reconcile'
}
