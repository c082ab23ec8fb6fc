import { afterEach, expect, test } from 'vitest'
import { nodeFaultAnnotation } from '../../sandbox/machine-controller/machine-controller.ts'
import { type FaultOrder, setInstanceSupply } from '../../sandbox/providers/aws/simulator/aws.ts'
import { newAccount, poolOf } from './shoot.ts'
import { startWorkerSeed, type WorkerSeed } from './worker-seed.ts'

const seeds: WorkerSeed[] = []
afterEach(async () => {
  for (const seed of seeds.splice(0)) await seed.close()
})

const minute = 60_000
const region = 'eu-west-1'
const type = { instanceType: 'm5.large', zone: 'eu-west-1a' }

const setUp = async () => {
  const seed = await startWorkerSeed(newAccount())
  seeds.push(seed)
  await seed.makeShoot()
  await seed.makeUserData('a')
  const infrastructure = await seed.makeInfrastructure()
  return {
    seed,
    create: (change: Parameters<typeof poolOf>[0] = {}) =>
      seed.createWorker(infrastructure, [poolOf({ minimum: 1, maximum: 1, ...change })]),
  }
}

const untilError = async (seed: WorkerSeed) => {
  await seed.until('an error', () => seed.live()?.status?.lastOperation?.state === 'Error')
  return seed.live()?.status?.lastError
}

const refusal = (code: string, status: number): FaultOrder => ({
  action: 'RunInstances',
  times: null,
  effect: { kind: 'error', code, status },
})

/** Injects a fault into AWS and ends it; has the expected error of the Worker. */
const refusals: Readonly<
  Record<
    string,
    {
      readonly order: (seed: WorkerSeed) => void
      readonly codes?: readonly string[]
      readonly says: RegExp
    }
  >
> = {
  'a zone without capacity': {
    order: ({ aws }) => setInstanceSupply(aws.account(), region, type, 'exhausted'),
    codes: ['ERR_INFRA_RESOURCES_DEPLETED'],
    says: /InsufficientInstanceCapacity: We currently do not have sufficient m5\.large capacity/,
  },
  'a type that the zone does not have': {
    order: ({ aws }) => setInstanceSupply(aws.account(), region, type, 'not-offered'),
    codes: ['ERR_CONFIGURATION_PROBLEM'],
    says: /Unsupported: Your requested instance type/,
  },
  'a quota that is used up': {
    order: ({ aws }) => void aws.faults.add(refusal('VcpuLimitExceeded', 400)),
    codes: ['ERR_INFRA_QUOTA_EXCEEDED'],
    says: /VcpuLimitExceeded/,
  },
  'credentials that may not': {
    order: ({ aws }) => void aws.faults.add(refusal('UnauthorizedOperation', 403)),
    codes: ['ERR_INFRA_UNAUTHORIZED'],
    says: /UnauthorizedOperation/,
  },
  'throttling without end': {
    order: ({ aws }) =>
      void aws.faults.add({ action: 'RunInstances', times: null, effect: { kind: 'throttle' } }),
    codes: ['ERR_INFRA_RATE_LIMITS_EXCEEDED'],
    says: /RequestLimitExceeded/,
  },
}

const relent = ({ aws }: WorkerSeed) => {
  aws.faults.clear()
  setInstanceSupply(aws.account(), region, type, undefined)
}

test.each(Object.entries(refusals))(
  '%s is reported with its code, and recovers',
  async (_, { order, codes, says }) => {
    const { seed, create } = await setUp()
    order(seed)
    await create()
    const error = await untilError(seed)
    const [machine] = seed.machineObjects('Machine')
    expect(error?.description).toMatch(says)
    expect(error?.description).toContain(
      `Error reconciling Worker: failed while waiting for all machine deployments to be ready: machine(s) failed: 1 error occurred: ["${machine?.metadata.name}": Cloud provider message - `,
    )
    expect(error?.codes).toEqual(codes)
    relent(seed)
    // The machine controller retries after ten minutes at the latest.
    await seed.pass(11 * minute)
    await seed.untilHealed()
    expect(seed.live()?.status).not.toHaveProperty('lastError')
    expect(await seed.instances()).toHaveLength(1)
  },
)

test('an instance that never becomes a node is reported after five minutes, and is replaced', async () => {
  const { seed, create } = await setUp()
  await create({ machineControllerManager: { machineCreationTimeout: '3m0s' } })
  await seed.until('a deployment', () => seed.machineObjects('MachineDeployment').length === 1)
  const [deployment] = seed.machineObjects('MachineDeployment')
  const order = (fault: string | null) =>
    seed.change('MachineDeployment', deployment?.metadata.name ?? '', {
      metadata: { annotations: { [nodeFaultAnnotation]: fault } },
    })
  await order('never-joins')
  const error = await untilError(seed)
  expect(error?.description).toContain(
    'last error: Waiting until machines are available (0/1 desired machine(s) available',
  )
  expect(error?.codes ?? []).toEqual([])
  await order(null)
  await seed.untilHealed()
  expect(await seed.instances()).toHaveLength(1)
})

test('a node that is no longer ready is replaced, and a reconcile meanwhile waits for it', async () => {
  const { seed, create } = await setUp()
  await create({ machineControllerManager: { machineHealthTimeout: '3m0s' } })
  await seed.untilReady()
  const [machine] = seed.machineObjects('Machine')
  await seed.change('Machine', machine?.metadata.name ?? '', {
    metadata: { annotations: { [nodeFaultAnnotation]: 'not-ready' } },
  })
  await seed.until('the node to be missed', () => seed.nodes().every(({ ready }) => ready !== 'True'))
  await seed.until('the machine to be missed', () => {
    const [missed] = seed.machineObjects('Machine')
    return missed?.status?.currentStatus?.phase === 'Unknown'
  })
  await seed.ask('reconcile')
  await seed.until('the reconcile to wait', () =>
    /^Waiting until machines are available \(0\/1/.test(
      seed.live()?.status?.lastOperation?.description ?? '',
    ),
  )
  await seed.untilHealed()
  const [replaced] = seed.machineObjects('Machine')
  expect(replaced?.metadata.name).not.toBe(machine?.metadata.name)
  expect(await seed.instances()).toHaveLength(1)
})

test('a machine with the name of an old node is reported and replaced, and leaves no second instance', async () => {
  const { seed, create } = await setUp()
  await create()
  await seed.until('a deployment', () => seed.machineObjects('MachineDeployment').length === 1)
  const [deployment] = seed.machineObjects('MachineDeployment')
  await seed.change('MachineDeployment', deployment?.metadata.name ?? '', {
    metadata: { annotations: { [nodeFaultAnnotation]: 'stale' } },
  })
  await seed.untilHealed()
  expect(await seed.instances()).toHaveLength(1)
})

test('a failed termination in AWS is retried, and the Worker is deleted once it succeeds', async () => {
  const { seed, create } = await setUp()
  await create()
  await seed.untilReady()
  seed.aws.faults.add({
    action: 'TerminateInstances',
    times: 3,
    effect: { kind: 'error', code: 'InternalError', status: 500 },
  })
  await seed.remove()
  await seed.until('the refusals', () => seed.aws.faults.pending().length === 0)
  await seed.pass(11 * minute)
  await seed.untilGone()
  expect(await seed.instances()).toEqual([])
})
