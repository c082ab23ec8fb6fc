import { TerminateInstancesCommand } from '@aws-sdk/client-ec2'
import { expect } from 'vitest'
import { type MachineWorld, minutes } from './machine-world.ts'
import { cleanUp, type Scenario } from './scenario.ts'
import * as steps from './steps.ts'

const instancesOf = async (world: MachineWorld): Promise<string[]> =>
  (await world.machines()).map(({ spec }) => spec?.providerID?.split('/').at(-1) ?? '')

/** Scenarios of created machines. */
export const lifeScenarios: Readonly<Record<string, Scenario>> = {
  'created and deleted with force': {
    run: async world => {
      await world.deploy(1)
      await world.pass(1 * minutes)
      await cleanUp(world)
    },
    steps: [[...steps.made, ...steps.forced]],
  },
  'scaled to three and to one': {
    run: async world => {
      await world.deploy(1)
      await world.pass(1 * minutes)
      await world.patchDeployment({ spec: { replicas: 3 } })
      await world.pass(1 * minutes)
      await world.patchDeployment({ spec: { replicas: 1 } })
      await world.pass(1 * minutes)
    },
    steps: [[...steps.made, ...steps.drained], steps.made, [...steps.made, ...steps.drained]],
  },
  rolled: {
    run: async world => {
      await world.deploy(2)
      await world.pass(1 * minutes)
      await world.newClass('next')
      await world.patchDeployment({ spec: { template: world.templateOf('next') } })
      await world.pass(5 * minutes)
    },
    steps: [[...steps.made, ...steps.drained], [...steps.made, ...steps.drained], steps.made, steps.made],
  },
  'throttled for a while': {
    run: async world => {
      world.aws.faults.add({ action: 'RunInstances', times: 2, effect: { kind: 'throttle' } })
      await world.deploy(1)
      await world.pass(1 * minutes)
      await cleanUp(world)
    },
    steps: [[...steps.made, ...steps.forced]],
  },
  'a lost answer': {
    run: async world => {
      world.aws.faults.add({ action: 'RunInstances', when: 'after', effect: { kind: 'drop' } })
      await world.deploy(1)
      await world.pass(1 * minutes)
      await cleanUp(world)
    },
    steps: [[...steps.made, ...steps.forced]],
  },
  'a deletion that AWS does not do': {
    run: async world => {
      await world.deploy(1)
      await world.pass(1 * minutes)
      world.aws.faults.add({
        action: 'TerminateInstances',
        times: 3,
        effect: { kind: 'error', code: 'InternalError', status: 500 },
      })
      await world.patchDeployment({ spec: { replicas: 0 } })
      await world.pass(5 * minutes)
      expect(await world.machines()).toHaveLength(1)
      await world.pass(7 * minutes)
    },
    steps: [
      [
        ...steps.made,
        ...steps.drained.slice(0, 3),
        steps.notDeleted('InternalError: Injected fault.'),
        ...steps.drained.slice(3),
      ],
    ],
  },
  'an instance that somebody terminated, and a deletion': {
    run: async world => {
      await world.deploy(1)
      await world.pass(1 * minutes)
      await world.ec2.send(new TerminateInstancesCommand({ InstanceIds: await instancesOf(world) }))
      await world.patchDeployment({ spec: { replicas: 0 } })
      await world.pass(1 * minutes)
    },
    steps: [[...steps.made, ...steps.nodeless]],
  },
  'an instance that somebody terminated': {
    run: async world => {
      await world.deploy(1)
      await world.pass(1 * minutes)
      await world.ec2.send(new TerminateInstancesCommand({ InstanceIds: await instancesOf(world) }))
      await world.pass(12 * minutes)
      const [node] = world.nodes()
      expect(world.nodes()).toHaveLength(1)
      expect([node?.ready, await instancesOf(world)]).toEqual(['True', [node?.providerId.split('/').at(-1)]])
    },
    steps: [[...steps.made, steps.unhealthy, steps.unhealthyFor('10m0s'), ...steps.nodeless], steps.made],
  },
  'a node that stops to report, for a short time of health': {
    run: async world => {
      await world.deploy(1, { spec: { healthTimeout: '1m0s' } })
      await world.pass(1 * minutes)
      const [machine] = await world.machines()
      await world.nodeFault(machine?.metadata.name ?? '', 'not-ready')
      await world.pass(4 * minutes)
    },
    steps: [[...steps.made, steps.unhealthy, steps.unhealthyFor('1m0s'), ...steps.drained], steps.made],
  },
  'a Node of that name that is there still': {
    run: async world => {
      await world.deploy(0)
      await world.deployFault('stale')
      await world.patchDeployment({ spec: { replicas: 1 } })
      await world.pass(2 * minutes)
    },
    steps: [[steps.stale, ...steps.neverMade], steps.made],
  },
  'a node that never joins': {
    run: async world => {
      await world.deploy(1, { spec: { creationTimeout: '5m0s' } })
      await world.deployFault('never-joins')
      await world.pass(3 * minutes)
      await world.deployFault(null)
      const [machine] = await world.machines()
      await world.nodeFault(machine?.metadata.name ?? '', 'never-joins')
      await world.pass(6 * minutes)
    },
    steps: [[steps.pending, steps.notJoinedIn('5m0s'), ...steps.nodeless], steps.made],
  },
}
