import { describe, expect, test } from 'vitest'
import { type KindName, kindNames, kinds } from '../../shared/contract/kinds.ts'
import { operationTexts } from '../../shared/contract/status.ts'
import { type StepOperation, stepOperations } from '../../shared/contract/step-annotation.ts'
import { kindRules } from '../../shared/lifecycle/lifecycle.ts'
import { type Harness, harness } from './harness.ts'

type Operation = StepOperation
type Row = readonly [KindName, Operation]

/** Every operation of every kind. `operation-texts.test.ts` beside the contract has their texts. */
const rows: readonly Row[] = kindNames.flatMap(kind =>
  stepOperations
    .filter(operation => kindRules[kind].migrates || operation === 'reconcile' || operation === 'delete')
    .map((operation): Row => [kind, operation]),
)

const types = { reconcile: 'Create', delete: 'Delete', migrate: 'Migrate', restore: 'Restore' } as const

/** Brings the object into the state in which the operation is due. */
const ask = async (seed: Harness, kind: KindName, operation: Operation): Promise<void> => {
  const own = kinds[kind].finalizer(kind === 'Extension' ? 'test' : undefined)
  const finalizers = operation === 'delete' || operation === 'migrate' ? [own] : []
  await seed.create({ finalizers, ...(operation === 'delete' ? {} : { annotation: operation }) })
  if (operation === 'delete') await seed.remove()
}

/** Returns `lastOperation` of each status write of the step. */
const written = (seed: Harness): readonly unknown[] =>
  seed.statusWrites().map(body => Object(body).status.lastOperation)

describe('the status of a step', () => {
  test.each(rows)('of a %s %s that succeeds', async (kind, operation) => {
    const { processing, success } = operationTexts(kind, operation)
    const seed = await harness(kind)
    await ask(seed, kind, operation)
    expect(await seed.step()).toEqual({ kind: 'recorded', how: 'succeeded' })
    expect(written(seed)).toMatchObject([
      { type: types[operation], state: 'Processing', progress: 1, description: processing },
      { type: types[operation], state: 'Succeeded', progress: 100, description: success },
    ])
  })

  test.each(rows)('of a %s %s that fails', async (kind, operation) => {
    const { processing, errorPrefix } = operationTexts(kind, operation)
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

  test.each([
    ['Infrastructure', 'reconcile', 'Error checking infrastructure config: zone missing'],
    ['Infrastructure', 'restore', 'Error checking Infrastructure config: zone missing'],
    ['Bastion', 'reconcile', 'Error checking bastion config: zone missing'],
  ] as const)('of a %s %s with a refused config', async (kind, operation, description) => {
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
