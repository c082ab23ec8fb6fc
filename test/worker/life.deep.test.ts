import { afterAll, beforeAll, expect, test } from 'vitest'
import { namespace, newAccount, poolOf } from './shoot.ts'
import { watchRoll } from './watch-roll.ts'
import { startWorkerSeed, type WorkerSeed } from './worker-seed.ts'

/** Runs one shoot from its first machine to its last. */
let seed: WorkerSeed
beforeAll(async () => {
  seed = await startWorkerSeed(newAccount())
  await seed.makeShoot()
  await seed.makeUserData('a', 'b', 'c')
})
afterAll(() => seed.close())

const twoZones = ['eu-west-1a', 'eu-west-1b']
const second = poolOf({ name: 'b', minimum: 1, maximum: 1 })
const changed = { zones: twoZones, machineType: 'm5.xlarge', image: '1877.4.0' } as const

const names = (kind: Parameters<WorkerSeed['machineObjects']>[0]) =>
  seed.machineObjects(kind).map(({ metadata }) => metadata.name)
const machinesOf = (deployment: string) =>
  seed
    .machineObjects('Machine')
    .filter(({ metadata }) => metadata.labels?.name === `${namespace}-${deployment}`)
const secretNames = () => seed.classSecrets().map(({ metadata }) => metadata.name)
const stateOf = () => seed.live()?.status?.lastOperation?.state

test('a new Worker is ready once its machines run, each an instance and a node', async () => {
  const infrastructure = await seed.makeInfrastructure()
  await seed.createWorker(infrastructure, [poolOf({ zones: twoZones }), second])
  const worker = await seed.untilReady()
  expect(worker.status?.lastOperation).toMatchObject({ type: 'Create', state: 'Succeeded' })
  expect(worker.status?.machineDeployments).toEqual([
    { name: `${namespace}-a-z1`, minimum: 1, maximum: 1 },
    { name: `${namespace}-a-z2`, minimum: 1, maximum: 1 },
    { name: `${namespace}-b-z1`, minimum: 1, maximum: 1 },
  ])
  expect(names('MachineDeployment').map(name => name.slice(namespace.length + 1))).toEqual([
    'a-z1',
    'a-z2',
    'b-z1',
  ])
  expect(seed.nodes().map(({ ready }) => ready)).toEqual(['True', 'True', 'True'])
  const instances = await seed.instances()
  expect(instances.map(({ Placement }) => Placement?.AvailabilityZone).toSorted()).toEqual([
    'eu-west-1a',
    'eu-west-1a',
    'eu-west-1b',
  ])
})

test('an unchanged Worker gets no write except to itself', async () => {
  const before = names('Machine')
  seed.writes()
  await seed.ask('reconcile')
  await seed.untilReady()
  const writes = seed.writes()
  expect([...new Set(writes)].toSorted()).toEqual(['patch workers', 'patch workers/status'])
  // One of them is gardenlet's request.
  expect(writes.length).toBeLessThanOrEqual(5)
  expect(names('Machine')).toEqual(before)
})

test('another machine type and image roll all machines of their pool, one after the other', async () => {
  const others = names('Machine').filter(name => name.includes('-b-z1-'))
  const before = machinesOf('a-z1')
  const roll = watchRoll(seed, `${namespace}-a-z1`)
  await seed.ask('reconcile', [poolOf(changed), second])
  await seed.untilReady()
  // One machine per zone, and a surge of one for the first zone only.
  expect(roll.end()).toEqual({ replicas: 1, most: 2, leastAvailable: 1 })
  expect(machinesOf('a-z1').map(({ metadata }) => metadata.name)).not.toEqual(
    before.map(({ metadata }) => metadata.name),
  )
  expect(names('Machine').filter(name => name.includes('-b-z1-'))).toEqual(others)
  const instances = await seed.instances()
  expect(instances.map(({ InstanceType, ImageId }) => `${InstanceType} ${ImageId}`).toSorted()).toEqual([
    'm5.large ami-009357e51d0a076d6',
    'm5.xlarge ami-0bbbbbbbbbbbbbbb1',
    'm5.xlarge ami-0bbbbbbbbbbbbbbb1',
  ])
  // The old classes and Secrets are deleted with their machines.
  expect(names('MachineClass')).toHaveLength(3)
  await seed.until('the Secrets of the old classes to go', () => seed.classSecrets().length === 3)
  expect(secretNames().toSorted()).toEqual(names('MachineClass').toSorted())
})

test('a larger pool gets more machines beside the running ones, and a smaller pool loses the oldest', async () => {
  const before = names('Machine')
  await seed.ask('reconcile', [poolOf({ ...changed, minimum: 5, maximum: 5 }), second])
  await seed.untilReady()
  expect(machinesOf('a-z1')).toHaveLength(3)
  expect(machinesOf('a-z2')).toHaveLength(2)
  expect(names('Machine')).toEqual(expect.arrayContaining(before))
  await seed.ask('reconcile', [poolOf({ ...changed, minimum: 2, maximum: 2 }), second])
  await seed.untilReady()
  await seed.until('machines to go', () => seed.machineObjects('Machine').length === 3)
  expect(await seed.instances()).toHaveLength(3)
})

test('four machines roll within the surge and the unavailability of their pool', async () => {
  const large = { zones: ['eu-west-1a'], minimum: 4, maximum: 4, maxSurge: 1, maxUnavailable: 1 }
  await seed.ask('reconcile', [
    poolOf({ ...changed, zones: twoZones }),
    second,
    poolOf({ name: 'c', ...large }),
  ])
  await seed.untilReady()
  const before = machinesOf('c-z1').map(({ metadata }) => metadata.name)
  const roll = watchRoll(seed, `${namespace}-c-z1`)
  await seed.ask('reconcile', [poolOf(changed), second, poolOf({ name: 'c', ...large, image: '1877.4.0' })])
  await seed.untilReady()
  expect(roll.end()).toEqual({ replicas: 4, most: 5, leastAvailable: 3 })
  const after = machinesOf('c-z1').map(({ metadata }) => metadata.name)
  expect(after).toHaveLength(4)
  expect(after.filter(name => before.includes(name))).toEqual([])
})

test('a removed pool leaves nothing behind, and no other pool changes', async () => {
  const others = names('Machine').filter(name => !name.includes('-c-z1-'))
  await seed.ask('reconcile', [poolOf(changed), second])
  await seed.untilReady()
  expect(names('Machine').toSorted()).toEqual(others.toSorted())
  const kinds = ['MachineDeployment', 'MachineSet', 'MachineClass'] as const
  expect(kinds.flatMap(names).filter(name => name.includes('-c-'))).toEqual([])
  await seed.until('its Secret to go', () => !secretNames().some(name => name.includes('-c-')))
  expect(await seed.instances()).toHaveLength(3)
})

test('an added zone gets its machines, and a removed zone loses them', async () => {
  const zones = [...twoZones, 'eu-west-1c']
  await seed.ask('reconcile', [poolOf({ ...changed, zones, minimum: 3, maximum: 3 }), second])
  await seed.untilReady()
  const [third] = machinesOf('a-z3')
  expect((await seed.instances()).map(({ Placement }) => Placement?.AvailabilityZone)).toContain('eu-west-1c')
  await seed.ask('reconcile', [poolOf({ ...changed, zones: twoZones, minimum: 2, maximum: 2 }), second])
  await seed.untilReady()
  expect(names('Machine')).not.toContain(third?.metadata.name)
  expect((await seed.instances()).map(({ Placement }) => Placement?.AvailabilityZone)).not.toContain(
    'eu-west-1c',
  )
  expect(names('MachineDeployment')).not.toContain(`${namespace}-a-z3`)
})

test('a pool with a problem does not stop the others, and nothing is deleted', async () => {
  const before = { machines: names('Machine'), classes: names('MachineClass') }
  // The second pool is removed, the third is invalid.
  await seed.ask('reconcile', [
    poolOf({ ...changed, minimum: 4, maximum: 4 }),
    poolOf({ name: 'c', machineType: 'm9.huge' }),
  ])
  await seed.until('an error', () => stateOf() === 'Error')
  expect(seed.live()?.status?.lastError).toMatchObject({
    codes: ['ERR_CONFIGURATION_PROBLEM'],
    description: expect.stringMatching(/machine type "m9\.huge" not found in cloud profile "aws"/),
  })
  await seed.until('the machines of the good pool', () => seed.nodes().length === 5)
  await seed.pass(60_000)
  expect(names('Machine')).toEqual(expect.arrayContaining(before.machines))
  expect(names('MachineClass')).toEqual(expect.arrayContaining(before.classes))
  expect(machinesOf('a-z1')).toHaveLength(2)
  await seed.ask('reconcile', [poolOf({ ...changed, minimum: 2, maximum: 2 }), second])
  await seed.untilHealed()
  await seed.until('machines to go', () => seed.machineObjects('Machine').length === 3)
})

test('hibernation deletes all machines, then stops their controller; a wake-up recreates them', async () => {
  await seed.changeShoot({ spec: { hibernation: { enabled: true } } })
  await seed.ask('reconcile')
  await seed.untilReady()
  expect(seed.machineObjects('Machine')).toEqual([])
  expect(await seed.instances()).toEqual([])
  expect(seed.controllerReplicas()).toBe(0)
  expect(names('MachineDeployment')).toHaveLength(3)
  // Changes the image while no controller can release the Secret of the old class.
  await seed.ask('reconcile', [poolOf({ ...changed, image: '1877.3.0' }), second])
  await seed.untilReady()
  // Wakes the shoot up like gardenlet.
  await seed.changeShoot({ spec: { hibernation: { enabled: false } } })
  await seed.scaleController(1)
  await seed.ask('reconcile')
  await seed.untilReady()
  expect(seed.nodes().map(({ ready }) => ready)).toEqual(['True', 'True', 'True'])
  expect(await seed.instances()).toHaveLength(3)
})

test('a deleted Worker leaves no machine object and no instance', async () => {
  await seed.remove()
  await seed.untilGone()
  const kinds = ['Machine', 'MachineSet', 'MachineDeployment', 'MachineClass'] as const
  expect(kinds.flatMap(names)).toEqual([])
  expect(seed.classSecrets()).toEqual([])
  expect(await seed.instances()).toEqual([])
})
