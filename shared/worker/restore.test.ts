import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { newSeed, type SeedOptions, type WorkerSeed } from './testing/seed.ts'

const a = 'shoot--p--x-a-z1'
const b = 'shoot--p--x-b-z1'

const stateOf = (machineDeployments: object) => ({
  state: gzipSync(JSON.stringify({ machineDeployments })).toString('base64'),
})

/** Three machines of pool a, with a class of the other seed. */
const machines = {
  [a]: {
    replicas: 3,
    machineSets: [
      {
        metadata: {
          name: `${a}-old`,
          labels: { name: a },
          annotations: { kept: 'one' },
          uid: 'of-the-other-seed',
        },
        spec: { replicas: 3, template: { spec: { class: { kind: 'MachineClass', name: `${a}-old` } } } },
        status: { replicas: 3 },
      },
    ],
    machines: [0, 1, 2].map(i => ({
      metadata: {
        name: `${a}-old-${i}`,
        labels: { name: a, node: `n${i}` },
        ownerReferences: [{ uid: 'x' }],
      },
      spec: { providerID: `box:///${i}`, class: { kind: 'MachineClass', name: `${a}-old` } },
    })),
  },
}

const pools = [{ minimum: 1, maximum: 4 }, {}]

const restored = (options: SeedOptions = {}) =>
  newSeed({
    pools,
    operation: 'restore',
    controllerReplicas: 0,
    status: { state: stateOf(machines) },
    ...options,
  })

const errorOf = async (seed: WorkerSeed) => (await seed.live()).status?.lastError?.description
const createdIn = (seed: WorkerSeed) => seed.requests.filter(call => call.startsWith('create '))

test('a restore creates sets and machines, then their deployments, starts the machine controller, and reconciles', async () => {
  const seed = await restored()
  await seed.step()
  expect(createdIn(seed)).toEqual([
    'create secrets',
    'create secrets',
    'create machineclasses',
    'create machineclasses',
    'create machinesets',
    'create machines',
    'create machines',
    'create machines',
    'create machinedeployments',
    // The class of the restored machines, so that they can be deleted.
    'create secrets',
    'create machineclasses',
    'create machinedeployments',
  ])
  expect(seed.requests.indexOf('patch deployments/scale')).toBeGreaterThan(
    seed.requests.indexOf('create machinedeployments'),
  )
  expect(seed.requests.indexOf('patch deployments/scale')).toBeLessThan(
    seed.requests.lastIndexOf('create machinedeployments'),
  )
  expect((await seed.deploymentOf(a)).spec?.replicas).toBe(3)
  expect((await seed.deploymentOf(b)).spec?.replicas).toBe(1)
  expect(await seed.controllerReplicas()).toMatchObject({ replicas: 1 })
  const [set] = await seed.machineObjects('MachineSet')
  expect(set).toMatchObject({
    metadata: { labels: { name: a }, annotations: { kept: 'one' } },
    spec: { replicas: 3 },
  })
  expect(set?.metadata.uid).not.toBe('of-the-other-seed')
  const [machine] = await seed.machineObjects('Machine')
  expect(machine).toMatchObject({ metadata: { labels: { node: 'n0' } }, spec: { providerID: 'box:///0' } })
  expect(machine?.metadata.ownerReferences).toBeUndefined()
  await seed.converge()
  expect((await seed.live()).status?.lastOperation).toMatchObject({ type: 'Restore', state: 'Succeeded' })
})

test('restored machines of another class get it, with the content of their pool, until they are replaced', async () => {
  const seed = await restored()
  await seed.step()
  const classes = async () =>
    new Map((await seed.machineObjects('MachineClass')).map(one => [one.metadata.name, one]))
  const before = await classes()
  const former = before.get(`${a}-old`)
  const current = before.get((await seed.deploymentOf(a)).spec?.template.spec?.class?.name ?? '')
  expect(former).toBeDefined()
  expect(former?.providerSpec).toEqual(current?.providerSpec)
  expect(former?.secretRef).toMatchObject({ name: `${a}-old` })
  await seed.converge()
  expect([...(await classes()).keys()]).not.toContain(`${a}-old`)
})

test('a restore does not bring back a machine that an earlier attempt restored and that was replaced since', async () => {
  const seed = await restored()
  await seed.step()
  await seed.change(
    'MachineDeployment',
    a,
    {
      status: { failedMachines: [{ name: 'm', lastOperation: { description: 'no' } }] },
    },
    'status',
  )
  await seed.clock.advance(10_000)
  await seed.step()
  expect((await seed.live()).status?.lastOperation?.state).toBe('Error')
  await seed.change('MachineDeployment', a, { status: { failedMachines: null } }, 'status')
  await seed.controller.run()
  const replaced = (await seed.machineObjects('Machine')).map(({ metadata }) => metadata.name)
  expect(replaced).not.toContain(`${a}-old-0`)
  await seed.converge()
  expect((await seed.live()).status?.lastOperation?.state).toBe('Succeeded')
  expect((await seed.machineObjects('Machine')).map(({ metadata }) => metadata.name)).toEqual(replaced)
})

test('a restore brings back the machine objects of a deployment that is older than the Worker', async () => {
  // A migration ended after gardenlet had deleted the Machines. The machine controller terminates unknown machines.
  const seed = await restored({ olderDeployment: a })
  await seed.step()
  expect((await seed.machineObjects('Machine')).map(({ spec }) => spec?.providerID)).toEqual(
    [0, 1, 2].map(i => `box:///${i}`),
  )
  expect(await seed.controllerReplicas()).toMatchObject({ replicas: 1 })
  await seed.converge()
  expect((await seed.live()).status?.lastOperation).toMatchObject({ type: 'Restore', state: 'Succeeded' })
})

test('a restore deletes deployments and sets without machines that no pool needs', async () => {
  // Their class is gone, so the machine controller could not delete the machines that it would create for them.
  const former = 'shoot--p--x-former-z1'
  const seed = await restored({ olderDeployment: former })
  await seed.make('MachineSet', `${former}-old`, { metadata: { labels: { name: former } } })
  await seed.make('MachineSet', 'of-others')
  seed.interfereWith({
    before: async ({ verb, resource }) => {
      if (verb !== 'patch' || !resource.startsWith('deployments')) return
      const names = async (kind: 'MachineDeployment' | 'MachineSet') =>
        (await seed.machineObjects(kind)).map(({ metadata }) => metadata.name)
      expect(await names('MachineDeployment')).toEqual([a])
      expect(await names('MachineSet')).toEqual(['of-others', `${a}-old`])
    },
  })
  await seed.step()
  expect(await seed.controllerReplicas()).toMatchObject({ replicas: 1 })
})

test('a restore with a pool problem starts no machine controller, because it would terminate the pool’s machines', async () => {
  const seed = await restored({ pools: [{ minimum: 1, maximum: 4 }, { machineType: 'unknown' }] })
  await seed.step()
  expect(await errorOf(seed)).toBe(
    'Error restoring Worker: failed to generate the machine deployments: machine type "unknown" not found',
  )
  expect(createdIn(seed)).toEqual([])
  expect(await seed.controllerReplicas()).toMatchObject({ replicas: 0 })
})

describe('hibernation', () => {
  const hibernation = { enabled: true }

  test('that is requested deletes the restored machines before the machine controller stops', async () => {
    const seed = await restored({ shoot: { spec: { hibernation } } })
    await seed.step()
    const made = seed.sent.filter(
      ({ verb, resource }) => verb === 'create' && resource === 'machinedeployments',
    )
    for (const { body } of made) expect(body).not.toHaveProperty('spec.replicas')
    expect((await seed.deploymentOf(a)).spec?.replicas ?? 0).toBe(0)
    expect(await seed.controllerReplicas()).toMatchObject({ replicas: 1 })
    expect((await seed.live()).status?.lastOperation?.description).toBe(
      'Waiting until all machines have been hibernated (3 still awake)...',
    )
    await seed.controller.run()
    await seed.converge()
    expect(await seed.machineObjects('Machine')).toEqual([])
    expect(await seed.controllerReplicas()).toMatchObject({ replicas: 0 })
  })

  test('that is complete starts no machine controller', async () => {
    const seed = await restored({
      shoot: { spec: { hibernation }, status: { hibernated: true } },
      status: { state: stateOf({}) },
    })
    await seed.converge({ controls: false })
    expect(seed.requests).not.toContain('patch deployments/scale')
    expect((await seed.live()).status?.lastOperation?.state).toBe('Succeeded')
  })
})

describe('the state', () => {
  const shoot = { metadata: { namespace: 'garden-p', name: 'x' } }

  test('is read from the garden if the Worker has none', async () => {
    const keys: object[] = []
    const seed = await restored({
      shoot,
      status: undefined,
      readShootState: async key => {
        keys.push(key)
        return {
          spec: { gardener: [{ name: 'machine-state', type: 'machine-state', data: stateOf(machines) }] },
        }
      },
    })
    await seed.step()
    expect(keys).toEqual([{ namespace: 'garden-p', name: 'x' }])
    expect(await seed.machineObjects('Machine')).toHaveLength(3)
  })

  test('without machines restores none', async () => {
    const seed = await restored({ shoot, status: undefined, readShootState: async () => ({ spec: {} }) })
    await seed.step()
    expect(await seed.machineObjects('Machine')).toEqual([])
    expect((await seed.deploymentOf(a)).spec?.replicas).toBe(1)
  })

  const reading = 'Error restoring Worker: failed reading ShootState "garden-p/x" from garden: '

  test.each([
    [
      'without access to the garden',
      undefined,
      `${reading}this function has no access to the garden, and status.state holds no machines`,
    ],
    [
      'that the garden does not have',
      async () => undefined,
      `${reading}shootstates.core.gardener.cloud "x" not found`,
    ],
  ])('%s is an error, and nothing is created', async (_, readShootState, text) => {
    const seed = await restored({ shoot, status: undefined, ...(readShootState && { readShootState }) })
    await seed.step()
    expect(await errorOf(seed)).toBe(text)
    expect(createdIn(seed)).toEqual([])
  })

  test('that cannot be read is an error, and nothing is created', async () => {
    const seed = await restored({ status: { state: { state: 'eA==' } } })
    await seed.step()
    expect(await errorOf(seed)).toMatch(/^Error restoring Worker: failed decompressing machine state: /)
    expect(createdIn(seed)).toEqual([])
  })
})

test('a restore with all machines restored does not read the garden again', async () => {
  let asked = 0
  const seed = await newSeed({
    pools,
    operation: 'restore',
    readShootState: async () => {
      asked++
      return {
        spec: { gardener: [{ name: 'machine-state', type: 'machine-state', data: stateOf(machines) }] },
      }
    },
  })
  await seed.converge()
  await seed.ask('restore')
  await seed.converge()
  expect((await seed.live()).status?.lastOperation).toMatchObject({ type: 'Restore', state: 'Succeeded' })
  expect(asked).toBe(1)
})

test('a migration changes nothing', async () => {
  const seed = await newSeed()
  await seed.converge()
  const objects = async () => [
    await seed.machineObjects('MachineDeployment'),
    await seed.machineObjects('MachineClass'),
    await seed.machineObjects('Machine'),
  ]
  const before = await objects()
  await seed.ask('migrate')
  seed.requests.length = 0
  await seed.step()
  const live = await seed.live()
  expect(live.status?.lastOperation).toMatchObject({ type: 'Migrate', state: 'Succeeded' })
  expect(live.metadata.finalizers ?? []).toEqual([])
  expect(await objects()).toEqual(before)
  expect(seed.requests.filter(call => call.includes('machine'))).toEqual([])
})
