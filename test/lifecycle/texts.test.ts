import { describe, expect, it } from 'vitest'
import { type KindName, kinds } from '../../shared/contract/kinds.ts'
import { kindRules } from '../../shared/lifecycle/kind-rules.ts'
import { type Harness, harness } from './harness.ts'

type Operation = 'reconcile' | 'delete' | 'migrate' | 'restore'
type Row = readonly [KindName, Operation, processing: string, errorPrefix: string, success: string]

/** Contract, lifecycle §6.8, written out. */
const rows: readonly Row[] = [
  [
    'Infrastructure',
    'reconcile',
    'Reconciling the infrastructure',
    'Error reconciling infrastructure',
    'Successfully reconciled infrastructure',
  ],
  [
    'Infrastructure',
    'delete',
    'Deleting the Infrastructure',
    'Error deleting Infrastructure',
    'Successfully deleted Infrastructure',
  ],
  [
    'Infrastructure',
    'migrate',
    'Starting migration of the Infrastructure',
    'Error migrating Infrastructure',
    'Successfully migrated Infrastructure',
  ],
  [
    'Infrastructure',
    'restore',
    'Restoring the Infrastructure',
    'Error restoring Infrastructure',
    'Successfully restored Infrastructure',
  ],
  ...(
    [
      'DNSRecord',
      'BackupEntry',
      'Network',
      'ControlPlane',
      'ContainerRuntime',
      'OperatingSystemConfig',
    ] as const
  ).flatMap((kind): readonly Row[] => [
    [
      kind,
      'reconcile',
      `Reconciling the ${kind}`,
      `Error reconciling ${kind}`,
      `Successfully reconciled ${kind}`,
    ],
    [kind, 'delete', `Deleting the ${kind}`, `Error deleting ${kind}`, `Successfully deleted ${kind}`],
    [kind, 'migrate', `Migrating the ${kind}`, `Error migrating ${kind}`, `Successfully migrated ${kind}`],
    [kind, 'restore', `Restoring the ${kind}`, `Error restoring ${kind}`, `Successfully restored ${kind}`],
  ]),
  [
    'BackupBucket',
    'reconcile',
    'Reconciling the backupbucket',
    'Error reconciling backupbucket',
    'Successfully reconciled backupbucket',
  ],
  [
    'BackupBucket',
    'delete',
    'Deleting the BackupBucket',
    'Error deleting BackupBucket',
    'Successfully deleted BackupBucket',
  ],
  [
    'Bastion',
    'reconcile',
    'Reconciling the Bastion',
    'Error reconciling Bastion',
    'Successfully reconciled Bastion',
  ],
  ['Bastion', 'delete', 'Deleting the Bastion', 'Error deleting Bastion', 'Successfully reconciled Bastion'],
  [
    'SelfHostedShootExposure',
    'reconcile',
    'Reconciling the SelfHostedShootExposure',
    'Error reconciling SelfHostedShootExposure',
    'Successfully reconciled SelfHostedShootExposure',
  ],
  [
    'SelfHostedShootExposure',
    'delete',
    'Deleting the SelfHostedShootExposure',
    'Error deleting SelfHostedShootExposure',
    'Successfully reconciled SelfHostedShootExposure',
  ],
  [
    'Worker',
    'reconcile',
    'Reconciling the Worker',
    'Error reconciling Worker',
    'Successfully reconciled Worker',
  ],
  ['Worker', 'delete', 'Deleting the Worker', 'Error deleting Worker', 'Successfully deleted Worker'],
  [
    'Worker',
    'migrate',
    'Starting migration of the Worker',
    'Error migrating Worker',
    'Successfully migrated Worker',
  ],
  ['Worker', 'restore', 'Restoring the Worker', 'Error restoring Worker', 'Successfully reconciled Worker'],
  [
    'Extension',
    'reconcile',
    'Reconciling the Extension',
    'Error reconciling Extension',
    'Successfully reconciled Extension',
  ],
  [
    'Extension',
    'delete',
    'Deleting the Extension',
    'Error deleting the Extension',
    'Successfully deleted the Extension',
  ],
  [
    'Extension',
    'migrate',
    'Migrate Extension resource.',
    'Error migrating Extension resource',
    'Successfully migrated Extension resource',
  ],
  [
    'Extension',
    'restore',
    'Restoring Extension resource',
    'Unable to restore Extension resource',
    'Successfully restored Extension resource',
  ],
]

const types = { reconcile: 'Create', delete: 'Delete', migrate: 'Migrate', restore: 'Restore' } as const

/** Puts the object into the state in which the operation is due. */
const ask = async (seed: Harness, kind: KindName, operation: Operation): Promise<void> => {
  const own = kinds[kind].finalizer(kind === 'Extension' ? 'test' : undefined)
  const finalizers = operation === 'delete' || operation === 'migrate' ? [own] : []
  await seed.create({ finalizers, ...(operation === 'delete' ? {} : { annotation: operation }) })
  if (operation === 'delete') await seed.remove()
}

/** `lastOperation` of each status write of the step. */
const written = (seed: Harness): readonly unknown[] =>
  seed.requests.flatMap(({ verb, patch = {} }) =>
    verb === 'patch status' ? [(patch.status as { readonly lastOperation?: unknown }).lastOperation] : [],
  )

describe('the status of a step', () => {
  it('is tested for every kind and operation', () => {
    const expected = Object.entries(kindRules).flatMap(([kind, rules]) =>
      ['reconcile', 'delete', ...(rules.migrates ? ['migrate', 'restore'] : [])].map(
        operation => `${kind} ${operation}`,
      ),
    )
    expect(rows.map(([kind, operation]) => `${kind} ${operation}`).sort()).toEqual(expected.sort())
  })

  it.each(rows)('of a %s %s that succeeds', async (kind, operation, processing, _, success) => {
    const seed = await harness(kind)
    await ask(seed, kind, operation)
    expect(await seed.step()).toEqual({ kind: 'recorded', how: 'succeeded' })
    expect(written(seed)).toMatchObject([
      { type: types[operation], state: 'Processing', progress: 1, description: processing },
      { type: types[operation], state: 'Succeeded', progress: 100, description: success },
    ])
  })

  it.each(rows)('of a %s %s that fails', async (kind, operation, processing, errorPrefix) => {
    const fail = async () => {
      throw new Error('the cloud is closed')
    }
    const seed = await harness(kind, { actuator: { reconcile: fail, remove: fail, migrate: fail } })
    await ask(seed, kind, operation)
    expect(await seed.step()).toEqual({ kind: 'recorded', how: 'failed' })
    expect(written(seed)).toMatchObject([
      { type: types[operation], state: 'Processing', progress: 1, description: processing },
      {
        type: types[operation],
        state: 'Error',
        progress: 50,
        description: `${errorPrefix}: the cloud is closed`,
      },
    ])
    expect((await seed.live()).status?.lastError?.description).toBe(`${errorPrefix}: the cloud is closed`)
  })

  it.each([
    ['Infrastructure', 'reconcile', 'Error checking infrastructure config: zone missing'],
    ['Infrastructure', 'restore', 'Error checking Infrastructure config: zone missing'],
    ['Bastion', 'reconcile', 'Error checking bastion config: zone missing'],
  ] as const)('of a %s %s whose config is refused', async (kind, operation, description) => {
    const validate = async () => {
      throw new Error('zone missing')
    }
    const seed = await harness(kind, { actuator: { validate } })
    await ask(seed, kind, operation)
    await seed.step()
    expect((await seed.live()).status?.lastOperation).toMatchObject({ state: 'Error', description })
    expect(seed.calls).toEqual([])
  })
})
