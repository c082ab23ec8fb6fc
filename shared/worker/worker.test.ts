import { describe, expect, test } from 'vitest'
import { newSeed } from './testing/seed.ts'

const writesOf = (requests: readonly string[]) => requests.filter(call => !/^(get|list) /.test(call))

describe('a new Worker', () => {
  test('gets class Secrets, classes and deployments, in this order, and waits for its machines', async () => {
    const seed = await newSeed({ pools: [{ zones: ['zone-1', 'zone-2'], minimum: 3, maximum: 5 }] })
    await seed.step()
    expect(writesOf(seed.requests)).toEqual([
      'patch workers',
      'patch workers/status',
      'create secrets',
      'create secrets',
      'create machineclasses',
      'create machineclasses',
      'patch workers/status',
      'create machinedeployments',
      'create machinedeployments',
      'patch workers/status',
      'patch workers/status',
      'patch workers',
    ])
    const { status } = await seed.live()
    expect(status?.lastOperation).toMatchObject({
      state: 'Processing',
      description: expect.stringMatching(/^waiting for/),
    })
    expect(status?.machineDeployments).toEqual([
      { name: 'shoot--p--x-a-z1', minimum: 2, maximum: 3 },
      { name: 'shoot--p--x-a-z2', minimum: 1, maximum: 2 },
    ])
    await seed.controller.run()
    await seed.converge()
    expect((await seed.live()).status?.lastOperation).toMatchObject({ state: 'Succeeded', type: 'Create' })
  })
})

test('deployments are named after the technical id of the shoot, whatever the namespace of the Worker', async () => {
  const seed = await newSeed({ shoot: { status: { technicalID: 'shoot--own--nodes' } } })
  await seed.step()
  expect((await seed.live()).metadata.namespace).toBe('shoot--p--x')
  expect((await seed.live()).status?.machineDeployments?.map(({ name }) => name)).toEqual([
    'shoot--own--nodes-a-z1',
  ])
})

test('an unchanged Worker costs only the writes of every step and of the time', async () => {
  const seed = await newSeed()
  await seed.converge()
  await seed.reconcile()
  seed.requests.length = 0
  await seed.step()
  expect((await seed.live()).status?.lastOperation).toMatchObject({ state: 'Succeeded' })
  expect(writesOf(seed.requests)).toEqual([
    'patch workers',
    'patch workers/status',
    'patch workers/status',
    'patch workers/status',
  ])
})

test('a new class rolls, and the old one is deleted once the machines are available', async () => {
  const seed = await newSeed()
  await seed.converge()
  const [before] = await seed.machineObjects('MachineClass')
  await seed.reconcile([{ providerConfig: { lid: 'oak' } }])
  await seed.step()
  expect(await seed.machineObjects('MachineClass')).toHaveLength(2)
  await seed.converge()
  const [after, ...others] = await seed.machineObjects('MachineClass')
  expect(others).toEqual([])
  expect(after?.metadata.name).not.toBe(before?.metadata.name)
  expect((await seed.classSecrets()).map(({ metadata }) => metadata.name)).toEqual([after?.metadata.name])
})

test('a deleted Worker leaves nothing behind', async () => {
  const seed = await newSeed({ pools: [{}, {}] })
  await seed.converge()
  await seed.remove()
  await seed.converge()
  expect(await seed.isGone()).toBe(true)
  for (const kind of ['Machine', 'MachineSet', 'MachineDeployment', 'MachineClass'] as const) {
    expect(await seed.machineObjects(kind)).toEqual([])
  }
  expect(await seed.classSecrets()).toEqual([])
})
