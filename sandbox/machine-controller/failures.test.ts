import { RunInstancesCommand } from '@aws-sdk/client-ec2'
import { describe, expect, test } from 'vitest'
import { deploymentName, minutes, namespace, seconds } from './testing/machine-world.ts'
import { openWorlds } from './testing/open-worlds.ts'

const open = openWorlds()
type World = Awaited<ReturnType<typeof open>>

const refuse = (code: string, status: number) => ({
  action: 'RunInstances',
  times: null,
  effect: { kind: 'error', code, status } as const,
})

const launches = (world: World) => world.calls().filter(action => action === 'RunInstances').length

describe('a machine that cannot be created is retried', () => {
  test.each([
    ['at once and after three minutes, where something is wrong', 'UnauthorizedOperation', 403, 3 * minutes],
    ['at once and after ten minutes, for want of capacity', 'VcpuLimitExceeded', 400, 10 * minutes],
  ])('%s', async (_, code, status, pause) => {
    const world = await open()
    world.aws.faults.add(refuse(code, status))
    await world.deploy(1)
    await world.pass(1 * minutes)
    expect(launches(world)).toBe(2)
    await world.pass(pause - 70 * seconds)
    expect(launches(world)).toBe(2)
    await world.pass(20 * seconds)
    expect(launches(world)).toBe(3)
  })

  test('and its set and its deployment report the failure', async () => {
    const world = await open()
    world.aws.faults.add(refuse('UnauthorizedOperation', 403))
    await world.deploy(1)
    await world.pass(10 * seconds)
    const [machine] = await world.machines()
    const failed = {
      name: machine?.metadata.name,
      lastOperation: { state: 'Failed', type: 'Create', errorCode: 'Internal' },
    }
    expect((await world.deployment())?.status).toMatchObject({
      unavailableReplicas: 1,
      failedMachines: [failed],
    })
    world.aws.faults.clear()
    await world.pass(5 * minutes)
    expect((await world.deployment())?.status).not.toHaveProperty('failedMachines')
  })

  test('and is replaced after its timeout', async () => {
    const world = await open()
    world.aws.faults.add(refuse('UnauthorizedOperation', 403))
    await world.deploy(1, { spec: { creationTimeout: '5m0s' } })
    await world.pass(1 * minutes)
    const [first] = await world.machines()
    await world.pass(7 * minutes)
    const [second] = await world.machines()
    expect(second?.metadata.name).not.toBe(first?.metadata.name)
  })
})

test('a lost response creates no second instance', async () => {
  const world = await open()
  world.aws.faults.add({ action: 'RunInstances', when: 'after', effect: { kind: 'drop' } })
  await world.deploy(1)
  await world.pass(1 * minutes)
  expect(launches(world)).toBe(2)
  expect(await world.instances()).toHaveLength(1)
})

test('an instance without a Machine is removed, with one list call per class and period', async () => {
  const world = await open()
  await world.deploy(1)
  await world.pass(1 * minutes)
  const Tags = [
    { Key: 'Name', Value: `${deploymentName}-12345-abcde` },
    { Key: `kubernetes.io/cluster/${namespace}`, Value: '1' },
    { Key: 'kubernetes.io/role/node', Value: '1' },
  ]
  const launch = { ImageId: world.image, InstanceType: 'm5.large', SubnetId: world.subnetId } as const
  const TagSpecifications = [{ ResourceType: 'instance' as const, Tags }]
  await world.ec2.send(new RunInstancesCommand({ ...launch, MinCount: 1, MaxCount: 1, TagSpecifications }))
  expect(await world.instances()).toHaveLength(2)
  const before = world.calls().length
  await world.pass(31 * minutes)
  expect(await world.instances()).toHaveLength(1)
  expect(world.calls().slice(before)).toEqual(['DescribeInstances', 'TerminateInstances'])
  await world.pass(30 * minutes)
  expect(world.calls().slice(before + 2)).toEqual(['DescribeInstances'])
})

test('a class with an untyped volume creates and deletes no machine, and orphans of all classes remain', async () => {
  const world = await open()
  const blockDevices = [{ ebs: { volumeSize: 50 } }]
  await world.deploy(1, { change: spec => ({ ...spec, blockDevices }) })
  await world.pass(1 * minutes)
  await world.newClass('second')
  await world.deleteDeployment()
  await world.pass(35 * minutes)
  expect(await world.machines()).toMatchObject([
    {
      status: {
        currentStatus: { phase: 'Terminating' },
        lastOperation: {
          state: 'Failed',
          description: expect.stringContaining('Please mention a valid EBS volume type'),
        },
      },
    },
  ])
  expect(world.calls()).toEqual([])
})

test('nodes that fail together are replaced one after the other', async () => {
  const world = await open()
  await world.deploy(2, { spec: { healthTimeout: '1m0s' } })
  await world.pass(1 * minutes)
  for (const { metadata } of await world.machines()) await world.nodeFault(metadata.name, 'not-ready')
  let most = 0
  for (let count = 0; count < 40; count++) {
    await world.pass(10 * seconds)
    const phases = (await world.machines()).map(({ status }) => status?.currentStatus?.phase)
    most = Math.max(most, phases.filter(phase => phase === 'Terminating').length)
  }
  expect(most).toBe(1)
  expect(world.nodes().map(({ ready }) => ready)).toEqual(['True', 'True'])
})
