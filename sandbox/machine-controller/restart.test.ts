import { expect, test } from 'vitest'
import { controllers, deploymentName, minutes, namespace, seconds } from './testing/machine-world.ts'
import { openWorlds } from './testing/open-worlds.ts'

const open = openWorlds()

const key = { name: 'machine-controller-manager', namespace }
const paused = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: key,
  spec: { replicas: 0, selector: { matchLabels: { app: 'mcm' } }, template: {} },
}

test('a starting machine controller finds existing machines, and creates and removes nothing', async () => {
  const world = await open()
  await world.deploy(3)
  await world.pass(1 * minutes)
  const before = await world.machines()
  const calls = world.calls().length
  await world.restart()
  await world.pass(1 * minutes)
  const after = await world.machines()
  expect(after.map(({ metadata }) => metadata.uid)).toEqual(before.map(({ metadata }) => metadata.uid))
  expect(world.nodes()).toHaveLength(3)
  expect(
    world
      .calls()
      .slice(calls)
      .filter(action => !action.startsWith('Describe')),
  ).toEqual([])
})

test('a machine controller that has not listed the Machines creates none for sets, and takes no instance for an orphan', async () => {
  const world = await open()
  await world.deploy(3)
  await world.pass(1 * minutes)
  const calls = world.calls().length
  const takeBack = world.addServerFault({
    effect: { kind: 'answer', code: 503 },
    times: Number.POSITIVE_INFINITY,
    matches: ({ method, path }) => method === 'GET' && /\/machines(?:\?|$)/.test(path),
  })
  await world.restart()
  await world.pass(40 * minutes)
  takeBack()
  await world.pass(1 * minutes)
  expect(
    world
      .calls()
      .slice(calls)
      .filter(action => !action.startsWith('Describe')),
  ).toEqual([])
  expect(await world.machines()).toHaveLength(3)
  expect(world.nodes()).toHaveLength(3)
})

test('a machine controller that starts after a restore of etcd finishes machines that are pending in the backup', async () => {
  const world = await open()
  await world.deploy(3)
  await world.pass(10 * seconds)
  const backup = world.server.backUp()
  await world.pass(5 * minutes)
  const phases = async () => (await world.machines()).map(({ status }) => status?.currentStatus?.phase)
  expect(await phases()).toEqual(['Running', 'Running', 'Running'])
  world.server.restore(backup)
  expect(await phases()).not.toContain('Running')
  await world.restart()
  await world.pass(5 * minutes)
  expect(await phases()).toEqual(['Running', 'Running', 'Running'])
})

test('a machine controller that starts while it is scaled to zero does nothing', async () => {
  const world = await open()
  await world.restart(async () => {
    await world.kubernetes.create(controllers, paused)
    await world.deploy(1)
  })
  await world.pass(5 * minutes)
  expect(await world.sets()).toEqual([])
  expect((await world.deployment())?.metadata.finalizers ?? []).toEqual([])
  expect(world.timeline).toEqual([])
  await world.kubernetes.patch(controllers, key, { spec: { replicas: 1 } })
  await world.pass(1 * minutes)
  expect((await world.machines()).map(({ metadata }) => metadata.name)).toEqual([
    expect.stringContaining(deploymentName),
  ])
})
