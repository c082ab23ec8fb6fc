import { describe, expect, test } from 'vitest'
import { matching } from '../../contract/classify.ts'
import type { Machine, MachineDeployment, MachineSet } from '../../contract/objects.ts'
import { machine, machineDeployment, machineSet } from '../testing/machine-objects.ts'
import { poolOf } from '../testing/worker-of.ts'
import { type AvailabilityInput, deploymentsAvailable } from './deployments-available.ts'

const classifiers = [
  matching('ERR_INFRA_RESOURCES_DEPLETED', /InsufficientInstanceCapacity/),
  matching('ERR_INFRA_UNAUTHORIZED', /UnauthorizedOperation/),
]

type Status = NonNullable<MachineDeployment['status']>

const good: Status = {
  observedGeneration: 1,
  replicas: 2,
  readyReplicas: 2,
  availableReplicas: 2,
  updatedReplicas: 2,
  conditions: [
    { type: 'Available', status: 'True' },
    { type: 'Progressing', status: 'True' },
  ],
}

const deploymentOf = (status: Partial<Status> = {}, name = 'a-z1', replicas = 2) => {
  const made = machineDeployment(name, { status: { ...good, ...status } })
  return { ...made, spec: { template: {}, ...made.spec, replicas } }
}

const desiredOf = (name = 'a-z1', updateStrategy?: 'ManualInPlaceUpdate') => ({
  name,
  className: `${name}-new`,
  pool: poolOf(updateStrategy && { updateStrategy }),
})

/** One deployment with a set of its class, unless overridden. */
const waitFor = (deployment: MachineDeployment, more: Partial<AvailabilityInput> = {}) =>
  deploymentsAvailable({
    desired: [desiredOf()],
    deployments: [deployment],
    sets: [machineSet('a-z1-1', deployment, 'a-z1-new', 2)],
    machines: [],
    hibernation: false,
    words: { classifiers },
    ...more,
  })

const waiting = (message: string) => expect.objectContaining({ kind: 'waiting', message })

describe('machines are available', () => {
  test('once all of them are, with the desired class', () => {
    expect(waitFor(deploymentOf())).toEqual({ kind: 'over' })
  })

  test('without any machine, although the machine controller omits counts of zero', () => {
    const { observedGeneration, conditions } = good
    const none = { ...deploymentOf({}, 'a-z1', 0), status: { observedGeneration, conditions } }
    expect(waitFor(none as MachineDeployment)).toEqual({ kind: 'over' })
  })

  test('if there is no deployment', () => {
    expect(waitFor(deploymentOf(), { desired: [] })).toEqual({ kind: 'over' })
  })

  test('even if a deployment that no pool needs is unhealthy', () => {
    const other = deploymentOf({ failedMachines: [{ name: 'm' }], unavailableReplicas: 3 }, 'b-z1')
    expect(waitFor(deploymentOf(), { deployments: [deploymentOf(), other] })).toEqual({ kind: 'over' })
  })

  test('during a scale-down, without a wait for the deleted machines', () => {
    expect(waitFor(deploymentOf({}, 'a-z1', 1))).toEqual({ kind: 'over' })
  })

  test.each<[string, Partial<Status>, string]>([
    [
      'some are missing',
      { unavailableReplicas: 1, availableReplicas: 1 },
      '1/2 desired machine(s) available, 2/2 machine(s) updated, 1 machine(s) pending, 0 preserved failed machine(s), 1/1',
    ],
    [
      'some are of another class',
      { updatedReplicas: 1, replicas: 3 },
      '2/2 desired machine(s) available, 1/2 machine(s) updated, 0 machine(s) pending, 0 preserved failed machine(s), 1/1',
    ],
    [
      'more failed than are preserved',
      { unavailableReplicas: 2, preservedFailedReplicas: 1, availableReplicas: 0 },
      '0/2 desired machine(s) available, 2/2 machine(s) updated, 2 machine(s) pending, 1 preserved failed machine(s), 1/1',
    ],
    ...(
      [
        ['the deployment was not yet worked on', { observedGeneration: 0 }],
        ['it does not say that they are available', { conditions: [] }],
        ['it is not available', { conditions: [{ type: 'Available', status: 'False' }] }],
        ...['Progressing', 'ReplicaFailure', 'Frozen'].map((type): [string, Partial<Status>] => [
          `nobody knows of ${type}`,
          {
            conditions: [
              { type: 'Available', status: 'True' },
              { type, status: 'Unknown' },
            ],
          },
        ]),
        ...['ReplicaFailure', 'Frozen'].map((type): [string, Partial<Status>] => [
          `it has ${type}`,
          {
            conditions: [
              { type: 'Available', status: 'True' },
              { type, status: 'True' },
            ],
          },
        ]),
      ] satisfies [string, Partial<Status>][]
    ).map(([name, status]): [string, Partial<Status>, string] => [
      name,
      status,
      '2/2 desired machine(s) available, 2/2 machine(s) updated, 0 machine(s) pending, 0 preserved failed machine(s), 0/1',
    ]),
  ])('not while %s', (_, status, counts) => {
    expect(waitFor(deploymentOf(status))).toEqual(
      waiting(`Waiting until machines are available (${counts} machinedeployments available)...`),
    )
  })

  test('with conditions that do not say otherwise', () => {
    const conditions = [
      { type: 'Available', status: 'True' },
      { type: 'ReplicaFailure', status: 'False' },
      { type: 'Frozen', status: 'False' },
    ]
    expect(waitFor(deploymentOf({ conditions }))).toEqual({ kind: 'over' })
  })

  test('if no more machines are missing than are preserved after a failure', () => {
    const status = { unavailableReplicas: 1, preservedFailedReplicas: 1, availableReplicas: 1 }
    expect(waitFor(deploymentOf(status))).toEqual({ kind: 'over' })
  })

  test('not before the deployment exists', () => {
    expect(waitFor(deploymentOf(), { desired: [desiredOf(), desiredOf('a-z2')] })).toEqual(
      waiting(
        'Waiting until machines are available (2/2 desired machine(s) available, 2/2 machine(s) updated, 0 machine(s) pending, 0 preserved failed machine(s), 1/2 machinedeployments available)...',
      ),
    )
  })

  test('not before the machine controller has observed the last write', () => {
    const seen = deploymentOf()
    const changed = { ...seen, metadata: { ...seen.metadata, generation: 2 } }
    expect(waitFor(changed)).toMatchObject({ kind: 'waiting' })
    const status = { ...seen.status, observedGeneration: 2 }
    expect(waitFor({ ...changed, status })).toEqual({ kind: 'over' })
  })

  test('not before their set is counted after its last change, and the deployment adds up that count', () => {
    const deployment = deploymentOf()
    const setOf = (generation: number, status: NonNullable<MachineSet['status']>) => [
      machineSet('a-z1-1', deployment, 'a-z1-new', 2, { metadata: { generation }, status }),
    ]
    const message =
      'waiting for the machine-controller-manager to count the machines of the machine deployment (shoot--p--x/a-z1)'
    const uncounted = { kind: 'waiting', message, endsSilently: true }
    const counted = { observedGeneration: 3, replicas: 2, availableReplicas: 2 }
    expect(waitFor(deployment, { sets: setOf(4, counted) })).toMatchObject(uncounted)
    const sets = setOf(3, { observedGeneration: 3, replicas: 4 })
    expect(waitFor(deployment, { sets })).toMatchObject(uncounted)
    expect(waitFor(deployment, { sets: setOf(3, counted) })).toEqual({ kind: 'over' })
  })

  test('and until then the wait reports its progress', () => {
    const half = deploymentOf({ unavailableReplicas: 1, availableReplicas: 1 })
    expect(waitFor(half)).toMatchObject({ share: 0.5 })
    expect(waitFor(deploymentOf({ observedGeneration: 0 }, 'a-z1', 0))).toMatchObject({ share: 0 })
    expect(waitFor(deploymentOf({ observedGeneration: 0 }, 'a-z1', 1))).toMatchObject({ share: 1 })
  })
})

describe('a machine set of the desired class', () => {
  const deployment = deploymentOf()
  const updatedSet =
    'waiting for the machine-controller-manager to create the updated machine set for the machine deployment (shoot--p--x/a-z1)'
  const bothSets =
    'waiting for the machine-controller-manager to create the machine sets for the machine deployment (shoot--p--x/a-z1)'

  test('is required at first', () => {
    expect(waitFor(deployment, { sets: [] })).toEqual(waiting(updatedSet))
  })

  test('is required during an update, while a set of the former class exists', () => {
    const old = machineSet('a-z1-0', deployment, 'a-z1-old', 2)
    const older = machineSet('a-z1-00', deployment, 'a-z1-older', 0)
    expect(waitFor(deployment, { sets: [old] })).toEqual(waiting(bothSets))
    expect(waitFor(deployment, { sets: [old, older] })).toEqual(waiting(updatedSet))
  })

  test('is enough if the update completed between two reads', () => {
    expect(waitFor(deployment, { sets: [machineSet('a-z1-1', deployment, 'a-z1-new', 2)] })).toEqual({
      kind: 'over',
    })
  })

  test('must not belong to a former deployment of that name or to another deployment', () => {
    const before = { ...deployment, metadata: { ...deployment.metadata, uid: 'before' } }
    const other = deploymentOf({}, 'a-z2')
    for (const of of [before, other]) {
      expect(waitFor(deployment, { sets: [machineSet('s', of, 'a-z1-new')] })).toEqual(waiting(updatedSet))
    }
  })

  test('may be a restored one without an owner', () => {
    const set = machineSet('s', deployment, 'a-z1-new')
    const { ownerReferences: _, ...metadata } = set.metadata
    expect(waitFor(deployment, { sets: [{ ...set, metadata }] })).toEqual({ kind: 'over' })
    const labels = { name: 'a-z2' }
    expect(waitFor(deployment, { sets: [{ ...set, metadata: { ...metadata, labels } }] })).toEqual(
      waiting(updatedSet),
    )
  })
})

describe('manually updated machines', () => {
  const deployment = deploymentOf({ replicas: 3, updatedReplicas: 1, availableReplicas: 3 }, 'a-z1', 3)
  const present = machineSet('a-z1-1', deployment, 'a-z1-new', 1)
  const former = machineSet('a-z1-0', deployment, 'a-z1-old', 2)
  const inState = (reason: string | undefined): Machine =>
    machine('m', former, {
      status: {
        conditions: [{ type: 'InPlaceUpdate', status: 'True', ...(reason !== undefined && { reason }) }],
      },
    })
  const sets = [present, former]

  test('are not waited for until the update begins', () => {
    const desired = [desiredOf('a-z1', 'ManualInPlaceUpdate')]
    expect(waitFor(deployment, { desired, sets })).toEqual({ kind: 'over' })
    const machines = [inState('CandidateForUpdate')]
    expect(waitFor(deployment, { desired, sets, machines })).toEqual({ kind: 'over' })
  })

  test.each([undefined, 'SelectedForUpdate', 'ReadyForUpdate', 'UpdateFailed'])(
    'are waited for once they are being updated (%s)',
    reason => {
      const desired = [desiredOf('a-z1', 'ManualInPlaceUpdate')]
      expect(waitFor(deployment, { desired, sets, machines: [inState(reason)] })).toEqual(
        waiting('Waiting until 1 old machines are updated...'),
      )
    },
  )

  test('are waited for if the controller updates them', () => {
    expect(waitFor(deployment, { sets })).toEqual(
      waiting(
        'Waiting until machines are available (3/3 desired machine(s) available, 1/3 machine(s) updated, 0 machine(s) pending, 0 preserved failed machine(s), 1/1 machinedeployments available)...',
      ),
    )
  })
})

describe('with hibernation', () => {
  const asleep = deploymentOf({ replicas: 0, availableReplicas: 0, updatedReplicas: 0 }, 'a-z1', 0)

  test('no machine may be left, and nothing else is required of the deployments', () => {
    const { status: _, ...unseen } = asleep
    expect(waitFor(asleep, { hibernation: true, sets: [] })).toEqual({ kind: 'over' })
    expect(waitFor(unseen, { hibernation: true, sets: [] })).toEqual({ kind: 'over' })
  })

  test('remaining machines are waited for', () => {
    expect(waitFor(deploymentOf({ replicas: 2 }), { hibernation: true })).toEqual(
      waiting('Waiting until all machines have been hibernated (2 still awake)...'),
    )
  })

  test('machines missing from the status, as after a restore, are waited for too', () => {
    const { status: _, ...unseen } = asleep
    const set = machineSet('s', unseen, 'a-z1-new')
    const machines = [
      machine('m1', set),
      machine('m2', set),
      machine('m3', machineSet('t', deploymentOf({}, 'b-z1'), 'b')),
    ]
    expect(waitFor(unseen, { hibernation: true, machines })).toEqual(
      waiting('Waiting until all machines have been hibernated (2 still awake)...'),
    )
  })
})

describe('failed machines', () => {
  const capacity = 'error: InsufficientInstanceCapacity: no m5.large'
  const denied = 'error: UnauthorizedOperation: not you'
  const failing = (...failed: readonly [string, string][]) =>
    deploymentOf({
      failedMachines: failed.map(([name, description]) => ({ name, lastOperation: { description } })),
    })

  test('end the wait, also in hibernation, with the codes of their messages', () => {
    for (const hibernation of [true, false]) {
      expect(waitFor(failing(['m1', capacity]), { hibernation })).toEqual({
        kind: 'failed',
        error: expect.objectContaining({
          message: `machine(s) failed: 1 error occurred: ["m1": ${capacity}]`,
          codes: ['ERR_INFRA_RESOURCES_DEPLETED'],
        }),
      })
    }
  })

  test('are shown in a fixed order, and together if they have the same message', () => {
    const message = `machine(s) failed: 2 errors occurred: ["m1", "m3": ${denied}, "m2": ${capacity}]`
    const codes = ['ERR_INFRA_RESOURCES_DEPLETED', 'ERR_INFRA_UNAUTHORIZED']
    const cases = [
      failing(['m3', denied], ['m2', capacity], ['m1', denied]),
      failing(['m2', capacity], ['m1', denied], ['m3', denied]),
    ]
    for (const deployment of cases) {
      expect(waitFor(deployment)).toMatchObject({ kind: 'failed', error: { message, codes } })
    }
  })

  test('of all deployments are reported before any other wait', () => {
    const other = { ...failing(['m0', denied]), metadata: { name: 'a-z2' } }
    const deployments = [deploymentOf({ observedGeneration: 0 }), other]
    expect(
      waitFor(deploymentOf(), { deployments, sets: [], desired: [desiredOf(), desiredOf('a-z2')] }),
    ).toMatchObject({ error: { message: `machine(s) failed: 1 error occurred: ["m0": ${denied}]` } })
  })

  test('may have no message', () => {
    expect(waitFor(deploymentOf({ failedMachines: [{}] }))).toMatchObject({
      error: { message: 'machine(s) failed: 1 error occurred: ["": ]' },
    })
  })
})

test('machines with the same failure are reported together, without values that differ in every response', () => {
  const failedMachines = ['m1', 'm2'].map(name => ({
    name,
    lastOperation: { description: `no boxes (request ${name})` },
  }))
  const stableText = (text: string) => text.replace(/ \(request \w+\)/, '')
  const state = waitFor(deploymentOf({ failedMachines }), { words: { stableText } })
  expect(state).toMatchObject({
    kind: 'failed',
    error: { message: 'machine(s) failed: 1 error occurred: ["m1", "m2": no boxes]' },
  })
})
