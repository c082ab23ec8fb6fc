import { afterAll, beforeAll, expect, test } from 'vitest'
import { newAccount, poolOf } from './shoot.ts'
import { startWorkerSeed, type WorkerSeed } from './worker-seed.ts'

const account = newAccount()
/** Data volumes in another order than their names. The order is part of a class. */
const pools = [
  poolOf({
    zones: ['eu-west-1a', 'eu-west-1b'],
    dataVolumes: [
      { name: 'logs', type: 'gp3', size: '20Gi' },
      { name: 'data', type: 'gp3', size: '30Gi' },
    ],
  }),
]

let first: WorkerSeed
let second: WorkerSeed
let infrastructure: unknown
beforeAll(async () => {
  first = await startWorkerSeed({ ...account, name: 'first' })
  second = await startWorkerSeed({ ...account, name: 'second' })
  for (const seed of [first, second]) {
    await seed.makeShoot()
    await seed.makeUserData('a')
  }
  infrastructure = await first.makeInfrastructure()
  await first.createWorker(infrastructure, pools)
  await first.untilReady()
})
afterAll(async () => {
  await first.close()
  await second.close()
})

const machinesOf = (seed: WorkerSeed) =>
  seed
    .machineObjects('Machine')
    .map(({ metadata, spec }) => `${metadata.name} ${spec?.providerID}`)
    .toSorted()

const namesOf = (seed: WorkerSeed, kind: 'MachineClass' | 'MachineSet') =>
  seed.machineObjects(kind).map(({ metadata }) => metadata.name)

test('migrate changes no machine object', async () => {
  await first.scaleController(0)
  first.writes()
  await first.ask('migrate')
  await first.until('the migration', () => {
    const { status, metadata } = first.live() ?? {}
    const { type, state } = status?.lastOperation ?? {}
    return type === 'Migrate' && state === 'Succeeded' && (metadata?.finalizers ?? []).length === 0
  })
  expect(new Set(first.writes())).toEqual(new Set(['patch workers', 'patch workers/status']))
  expect(machinesOf(first)).toHaveLength(2)
})

test('restore adopts the running machines, and rolls none of them', async () => {
  const instances = (await second.instances()).map(({ InstanceId }) => InstanceId)
  // The machine controller must not start before all objects exist.
  await second.scaleController(0)
  await second.createWorker(infrastructure, pools, { operation: 'wait-for-state' })
  await second.saveState(await first.machineState())
  account.aws.calls.clear()
  await second.ask('restore')
  const worker = await second.untilReady()
  expect(worker.status?.lastOperation).toMatchObject({ type: 'Restore', state: 'Succeeded' })
  expect(second.controllerReplicas()).toBe(1)
  expect(machinesOf(second)).toEqual(machinesOf(first))
  await second.pass(40 * 60_000)
  expect(machinesOf(second)).toEqual(machinesOf(first))
  expect(namesOf(second, 'MachineClass')).toEqual(namesOf(first, 'MachineClass'))
  expect(namesOf(second, 'MachineSet').toSorted()).toEqual(namesOf(first, 'MachineSet').toSorted())
  expect((await second.instances()).map(({ InstanceId }) => InstanceId)).toEqual(instances)
  const actions = account.aws.calls.all().map(({ action }) => action)
  expect(actions.filter(action => /^(?:Run|Terminate)/.test(action))).toEqual([])
})

test('the next reconcile also rolls no machine, and writes only the Worker', async () => {
  second.writes()
  await second.ask('reconcile')
  await second.untilReady()
  expect(new Set(second.writes())).toEqual(new Set(['patch workers', 'patch workers/status']))
  expect(machinesOf(second)).toEqual(machinesOf(first))
})

test('a restored Worker is deleted with all its machines', async () => {
  await second.remove()
  await second.untilGone()
  expect(await second.instances()).toEqual([])
})
