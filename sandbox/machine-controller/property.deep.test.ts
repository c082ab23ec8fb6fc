import { RunInstancesCommand, TerminateInstancesCommand } from '@aws-sdk/client-ec2'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  deploymentName,
  type MachineWorld,
  machineWorld,
  minutes,
  namespace,
} from './testing/machine-world.ts'

const limits = [
  { maxSurge: 1, maxUnavailable: 0, surge: () => 1, unavailable: () => 0 },
  { maxSurge: 2, maxUnavailable: 1, surge: () => 2, unavailable: () => 1 },
  { maxSurge: 0, maxUnavailable: 2, surge: () => 0, unavailable: () => 2 },
  {
    maxSurge: '50%',
    maxUnavailable: '25%',
    surge: (of: number) => Math.ceil(of / 2),
    unavailable: (of: number) => Math.floor(of / 4),
  },
] as const
type Limits = (typeof limits)[number]

type Command =
  | { readonly do: 'scale'; readonly to: number }
  | { readonly do: 'pass'; readonly seconds: number }
  | {
      readonly do: 'roll' | 'restart' | 'answers are lost' | 'the server fails'
    }
  | {
      readonly do:
        | 'a machine is deleted'
        | 'an instance is terminated'
        | 'a node is lost'
        | 'launches fail'
        | 'nothing fails'
        | 'the class is written again'
    }

const harmless = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constantFrom(
        'roll' as const,
        'restart' as const,
        'answers are lost' as const,
        'the server fails' as const,
      ),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('pass' as const), seconds: fc.integer({ min: 1, max: 90 }) }),
  },
)
const anything = fc.oneof(
  { weight: 3, arbitrary: harmless },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('scale' as const), to: fc.integer({ min: 0, max: 5 }) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constantFrom(
        'a machine is deleted' as const,
        'an instance is terminated' as const,
        'a node is lost' as const,
        'launches fail' as const,
        'nothing fails' as const,
        'the class is written again' as const,
      ),
    }),
  },
)

const act = async (
  world: MachineWorld,
  foreign: ReadonlySet<string>,
  command: Command,
  count: number,
): Promise<void> => {
  switch (command.do) {
    case 'scale':
      await world.patchDeployment({ spec: { replicas: command.to } })
      return
    case 'pass':
      return
    case 'roll':
      await world.newClass(`class-${count}`)
      await world.patchDeployment({ spec: { template: world.templateOf(`class-${count}`) } })
      return
    case 'restart':
      return world.restart()
    case 'answers are lost':
      world.addServerFault({
        effect: { kind: 'disconnect', acted: true },
        times: 3,
        matches: ({ method }) => method !== 'GET',
      })
      return
    case 'the server fails':
      world.addServerFault({ effect: { kind: 'answer', code: 500 }, times: 5 })
      return
    case 'a machine is deleted': {
      const [machine] = await world.machines()
      if (machine) await world.deleteMachine(machine.metadata.name)
      return
    }
    case 'an instance is terminated': {
      const [id] = (await world.instances()).filter(id => !foreign.has(id))
      if (id !== undefined) await world.ec2.send(new TerminateInstancesCommand({ InstanceIds: [id] }))
      return
    }
    case 'a node is lost': {
      const [machine] = await world.machines()
      if (machine) await world.nodeFault(machine.metadata.name, 'not-ready')
      return
    }
    case 'launches fail':
      world.aws.faults.add({
        action: 'RunInstances',
        times: null,
        effect: { kind: 'error', code: 'InsufficientInstanceCapacity', status: 400 },
      })
      return
    case 'nothing fails':
      world.aws.faults.clear()
      return
    case 'the class is written again':
      await world.patchClass({ metadata: { annotations: { count: String(count) } } })
  }
}

/** Adds instances that do not belong to the shoot: without tags, of another cluster, without the role. */
const addForeign = async (world: MachineWorld): Promise<ReadonlySet<string>> => {
  const foreign = new Set<string>()
  const cluster = { Key: `kubernetes.io/cluster/${namespace}`, Value: '1' }
  const role = { Key: 'kubernetes.io/role/node', Value: '1' }
  const name = { Key: 'Name', Value: `${deploymentName}-12345-abcde` }
  for (const Tags of [
    [name],
    [name, role],
    [name, cluster],
    [name, role, { ...cluster, Key: `kubernetes.io/cluster/${namespace}-2` }],
  ]) {
    const { Instances = [] } = await world.ec2.send(
      new RunInstancesCommand({
        ...{
          ImageId: world.image,
          InstanceType: 'm5.large',
          SubnetId: world.subnetId,
          MinCount: 1,
          MaxCount: 1,
        },
        TagSpecifications: [{ ResourceType: 'instance', Tags }],
      }),
    )
    for (const { InstanceId = '' } of Instances) foreign.add(InstanceId)
  }
  return foreign
}

const live = async (
  commands: readonly Command[],
  strategy: Limits,
  replicas: number,
  isHarmless: boolean,
) => {
  const world = await machineWorld()
  try {
    const foreign = await addForeign(world)
    const { maxSurge, maxUnavailable } = strategy
    await world.deploy(replicas, { strategy: { maxSurge, maxUnavailable } })
    await world.pass(2 * minutes)
    const check = async () => {
      if (!isHarmless) return
      const wanted = (await world.deployment())?.spec?.replicas ?? 0
      const machines = await world.machines()
      expect(machines.length).toBeLessThanOrEqual(wanted + strategy.surge(wanted))
      const available = machines.filter(
        ({ status, metadata }) =>
          status?.currentStatus?.phase === 'Running' && metadata.deletionTimestamp === undefined,
      )
      const none = strategy.surge(wanted) === 0 && strategy.unavailable(wanted) === 0 ? 1 : 0
      expect(available.length).toBeGreaterThanOrEqual(wanted - strategy.unavailable(wanted) - none)
    }
    for (const [count, command] of commands.entries()) {
      await act(world, foreign, command, count)
      const seconds = command.do === 'pass' ? command.seconds : 1
      for (let second = 0; second < seconds; second++) {
        await world.pass(1_000)
        await check()
      }
    }
    world.aws.faults.clear()
    world.server.faults.clear()
    for (const { metadata } of await world.machines()) await world.nodeFault(metadata.name, null)
    await world.pass(60 * minutes)
    const deployment = await world.deployment()
    const wanted = deployment?.spec?.replicas ?? 0
    const className = deployment?.spec?.template.spec?.class?.name
    const machines = await world.machines()
    expect(machines.map(({ status, spec }) => [status?.currentStatus?.phase, spec?.class?.name])).toEqual(
      Array.from({ length: wanted }, () => ['Running', className]),
    )
    expect(world.nodes().map(({ ready }) => ready)).toEqual(Array.from({ length: wanted }, () => 'True'))
    const instances = await world.instances()
    expect(instances).toEqual(expect.arrayContaining([...foreign]))
    expect(instances).toHaveLength(wanted + foreign.size)
    await world.deleteDeployment()
    await world.pass(2 * minutes)
    expect([await world.deployment(), await world.sets(), await world.machines(), world.nodes()]).toEqual([
      undefined,
      [],
      [],
      [],
    ])
    for (const { metadata } of await world.classes()) await world.deleteClass(metadata.name)
    await world.pass(2 * minutes)
    expect(await world.classes()).toEqual([])
    expect((await world.secret('cloudprovider'))?.metadata.finalizers ?? []).toEqual([])
    expect((await world.instances()).toSorted()).toEqual([...foreign].toSorted())
  } finally {
    await world.close()
  }
}

/** A run takes half a second. */
const numRuns = 6
const strategyAndSize = [fc.constantFrom(...limits), fc.integer({ min: 1, max: 4 })] as const

test('rolling updates respect surge and unavailable limits, despite API server faults and restarts', async () => {
  const commands = fc.array(harmless, { maxLength: 10 })
  const holds = fc.asyncProperty(commands, ...strategyAndSize, (some, strategy, replicas) =>
    live(some, strategy, replicas, true),
  )
  await fc.assert(holds, { numRuns })
})

test('in the end the desired machines exist, none after a deletion, and foreign machines remain', async () => {
  const commands = fc.array(anything, { maxLength: 10 })
  const holds = fc.asyncProperty(commands, ...strategyAndSize, (some, strategy, replicas) =>
    live(some, strategy, replicas, false),
  )
  await fc.assert(holds, { numRuns })
})
