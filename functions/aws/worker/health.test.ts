import { expect, test } from 'vitest'
import { available, newHealthSeed, type Reported } from '../../../shared/health/testing/health-seed.ts'
import { workerPermissions } from '../../../shared/worker/worker.ts'
import { recordedConditions, recordedSituations } from '../../../test/recorded/health.ts'
import { workerHealth } from './health.ts'

const newSeed = () =>
  newHealthSeed({ kind: 'Worker', definition: workerHealth, permissions: workerPermissions })
type Seed = Awaited<ReturnType<typeof newSeed>>

const noCapacity =
  'Cloud provider message - machine codes error: code = [Internal] message = [InsufficientInstanceCapacity: We currently do not have sufficient capacity]'

/** The state in each situation. A state with `fixed` differs from the recording on purpose. */
const situations: Readonly<
  Record<string, { readonly prepare: (seed: Seed) => Promise<unknown>; readonly fixed?: object }>
> = {
  'Worker: no machines; stale condition removed': {
    prepare: seed =>
      seed.patchStatus({
        conditions: [
          {
            type: 'ControlPlaneHealthy',
            status: 'True',
            reason: 'a',
            message: 'b',
            lastTransitionTime: '2026-11-21T11:00:00Z',
            lastUpdateTime: '2026-11-21T11:00:00Z',
          },
        ],
      }),
  },
  'Worker: MachineDeployment without status': { prepare: seed => seed.machineDeployment('p1', {}, {}, 0) },
  'Worker: available': { prepare: seed => seed.machineDeployment('p1', available) },
  'Worker: failed machine': { prepare: seed => seed.machineDeployment('p1', available, { m1: noCapacity }) },
  'Worker: two failed machines': {
    prepare: seed =>
      seed.machineDeployment('p1', available, { m2: noCapacity, m1: 'UnauthorizedOperation: nope' }),
    // H4: both are reported.
    fixed: {
      message: `machine "m1" failed: UnauthorizedOperation: nope; machine "m2" failed: ${noCapacity}.`,
      codes: ['ERR_INFRA_RESOURCES_DEPLETED', 'ERR_INFRA_UNAUTHORIZED'],
    },
  },
  'Worker: not available': {
    prepare: seed =>
      seed.machineDeployment('p1', { Available: ['False', 'MinimumReplicasUnavailable', 'no'] }),
  },
}

const recorded = recordedSituations().filter(name => name.startsWith('Worker'))

test.each(recorded)(
  'a recorded situation ends in the same condition, but for what is mended: %s',
  async name => {
    const situation = situations[name]
    if (situation === undefined) throw new Error(`nobody says what is there: ${name}`)
    const seed = await newSeed()
    await situation.prepare(seed)
    const [condition] = recordedConditions(name)
    expect(await seed.checked()).toEqual([{ ...condition, ...situation.fixed }])
  },
)

test('a failed machine is reported without the request id', async () => {
  const seed = await newSeed()
  const failed = (id: string) =>
    `Cloud provider message - machine codes error: code = [ResourceExhausted] message = [operation error EC2: RunInstances, https response error StatusCode: 400, RequestID: ${id}, api error VcpuLimitExceeded: no more]`
  await seed.machineDeployment('p1', available, { m1: failed('5b0d0b5e-0f7b-4d0e-9d4e-0a1b2c3d4e5f') })
  const [condition] = await seed.checked()
  expect(String(condition?.message)).toContain('StatusCode: 400, api error VcpuLimitExceeded')
})

test('only five of many failed machines are reported, sorted and shortened', async () => {
  const seed = await newSeed()
  const machines = Object.fromEntries([7, 3, 5, 1, 2, 6, 4].map(number => [`m${number}`, 'x'.repeat(2_000)]))
  await seed.machineDeployment('p1', available, machines)
  const [condition] = await seed.checked()
  const message = String(condition?.message)
  expect(message.match(/"m\d"/g)).toEqual(['"m1"', '"m2"', '"m3"', '"m4"', '"m5"'])
  expect(message).toMatch(/; and 2 more\.$/)
  expect(message.length).toBeLessThan(3_000)
})

test.each<[string, Reported]>([
  ['Progressing', { ...available, Progressing: ['False', 'Late', 'too late'] }],
  ['ReplicaFailure', { ...available, ReplicaFailure: ['True', 'Late', 'too late'] }],
  ['Frozen', { ...available, Frozen: ['True', 'Late', 'too late'] }],
])('a MachineDeployment is unhealthy because of its condition %s', async (_, reported) => {
  const seed = await newSeed()
  await seed.machineDeployment('p1', reported)
  expect(await seed.checked()).toMatchObject([
    {
      status: 'False',
      message: 'machine deployment "p1" in namespace "shoot--hc--d" is unhealthy: too late (Late).',
    },
  ])
})
