import { describe, expect, it } from 'vitest'
import type { OperationType } from '../../contract/constants.ts'
import type { Facts, LastOperationFacts } from './facts.ts'
import { operationType } from './operation-type.ts'

const last = (type: string, state: string): LastOperationFacts => ({
  type,
  state,
  lastUpdateTime: '2026-11-21T00:00:00Z',
})
const deleted = '2026-11-21T00:00:00Z'

interface Row {
  readonly rule: string
  readonly requested?: Facts['requested']
  readonly deletionTimestamp?: string
  readonly lastOperation?: LastOperationFacts
  readonly type: OperationType
}

const rows: readonly Row[] = [
  { rule: '1 migrate', requested: 'migrate', lastOperation: last('Reconcile', 'Succeeded'), type: 'Migrate' },
  { rule: '1 beats 2', requested: 'migrate', deletionTimestamp: deleted, type: 'Migrate' },
  {
    rule: '2 deletion',
    deletionTimestamp: deleted,
    lastOperation: last('Reconcile', 'Error'),
    type: 'Delete',
  },
  { rule: '2 beats 3', requested: 'restore', deletionTimestamp: deleted, type: 'Delete' },
  { rule: '2 beats 4', deletionTimestamp: deleted, type: 'Delete' },
  {
    rule: '2 resumes a failed delete',
    deletionTimestamp: deleted,
    lastOperation: last('Delete', 'Error'),
    type: 'Delete',
  },
  { rule: '3 restore', requested: 'restore', lastOperation: last('Migrate', 'Succeeded'), type: 'Restore' },
  { rule: '3 beats 4', requested: 'restore', type: 'Restore' },
  { rule: '4 no last operation', type: 'Create' },
  { rule: '4 with reconcile annotation', requested: 'reconcile', type: 'Create' },
  { rule: '5 Create in Error', lastOperation: last('Create', 'Error'), type: 'Create' },
  { rule: '5 Create in Processing', lastOperation: last('Create', 'Processing'), type: 'Create' },
  { rule: '6 Migrate in Error', lastOperation: last('Migrate', 'Error'), type: 'Migrate' },
  {
    rule: '6 Migrate in Processing',
    requested: 'reconcile',
    lastOperation: last('Migrate', 'Processing'),
    type: 'Migrate',
  },
  { rule: '7 Restore in Error', lastOperation: last('Restore', 'Error'), type: 'Restore' },
  { rule: '7 Restore in Processing', lastOperation: last('Restore', 'Processing'), type: 'Restore' },
  { rule: '8 Create succeeded', lastOperation: last('Create', 'Succeeded'), type: 'Reconcile' },
  { rule: '8 Reconcile in Error', lastOperation: last('Reconcile', 'Error'), type: 'Reconcile' },
  { rule: '8 Migrate succeeded', lastOperation: last('Migrate', 'Succeeded'), type: 'Reconcile' },
  { rule: '8 Restore succeeded', lastOperation: last('Restore', 'Succeeded'), type: 'Reconcile' },
  { rule: '8 failed Delete without deletion', lastOperation: last('Delete', 'Error'), type: 'Reconcile' },
  {
    rule: '8 wait-for-state is no operation',
    requested: 'wait-for-state',
    lastOperation: last('Reconcile', 'Succeeded'),
    type: 'Reconcile',
  },
]

describe('the operation type', () => {
  it.each(rows)('follows rule $rule', ({ requested, deletionTimestamp, lastOperation, type }) => {
    expect(operationType({ requested, deletionTimestamp, lastOperation })).toBe(type)
  })
})
