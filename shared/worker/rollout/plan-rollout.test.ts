import { expect, test } from 'vitest'
import type { MachineClass, MachineDeployment, WorkerPool } from '../../contract/objects.ts'
import { desiredWorker } from '../desired/desired-worker.ts'
import { machineClass, machineDeployment } from '../testing/machine-objects.ts'
import { tinyProvider } from '../testing/tiny-provider.ts'
import { clusterOf, workerOf } from '../testing/worker-of.ts'
import { planRollout } from './plan-rollout.ts'

const pools = (...fields: readonly Partial<WorkerPool>[]) => ({
  worker: workerOf({ pools: fields }),
  cluster: clusterOf(),
})

/** The objects after a reconcile of these pools. */
const after = (input: ReturnType<typeof pools>, replicas = 3) => {
  const desired = desiredWorker(tinyProvider, input).deployments
  return {
    deployments: desired.map(
      ({ name, className }): MachineDeployment =>
        machineDeployment(name, {
          spec: { replicas, template: { spec: { class: { kind: 'MachineClass', name: className } } } },
          status: { replicas },
        }),
    ),
    classes: desired.map(({ className, zone: { content } }): MachineClass => {
      const { labels, provider, providerSpec } = content
      const made = machineClass(className, { provider, providerSpec: { ...providerSpec } })
      return { ...made, metadata: { ...made.metadata, labels } }
    }),
  }
}

const kinds = ({ deployments }: ReturnType<typeof planRollout>) =>
  deployments.map(({ name, kind }) => `${name} ${kind}`)

test('a plan after a reconcile is empty', () => {
  const input = pools({ maximum: 9 }, { zones: ['z1', 'z2'], minimum: 6, maximum: 9 })
  const plan = planRollout(tinyProvider, { ...input, ...after(input) })
  expect(plan).toEqual({
    deployments: ['a-z1', 'b-z1', 'b-z2'].map(end => ({
      kind: 'kept',
      name: `shoot--p--x-${end}`,
      pool: end.slice(0, 1),
      replicas: { from: 3, to: 3 },
      differences: [],
    })),
    removed: [],
    problems: [],
  })
})

test('a pool with a new class hash rolls, and the others do not', () => {
  const before = pools({ maximum: 9 }, { maximum: 9 })
  const input = pools({ maximum: 9 }, { maximum: 9, providerConfig: { lid: 'blue' } })
  const plan = planRollout(tinyProvider, { ...input, ...after(before) })
  expect(kinds(plan)).toEqual(['shoot--p--x-a-z1 kept', 'shoot--p--x-b-z1 rolled'])
  expect(plan.deployments[1]).toMatchObject({
    machines: 3,
    atOnce: { surge: 1, unavailable: 0 },
    why: { isProved: true, causes: [{ name: 'lid', from: 'none', to: 'blue' }] },
  })
})

test('a new pool is created with its minimum, and a removed one is deleted with its machines', () => {
  const plan = planRollout(tinyProvider, {
    ...pools({ name: 'new', minimum: 2, maximum: 4 }),
    ...after(pools({ name: 'old' })),
  })
  expect(plan.deployments).toEqual([{ kind: 'made', name: 'shoot--p--x-new-z1', pool: 'new', replicas: 2 }])
  expect(plan.removed).toEqual([{ name: 'shoot--p--x-old-z1', machines: 3 }])
})

test('hibernation deletes machines and rolls nothing', () => {
  const input = pools({ maximum: 9 })
  const cluster = clusterOf({ spec: { hibernation: { enabled: true } } })
  expect(planRollout(tinyProvider, { ...input, cluster, ...after(input) }).deployments).toMatchObject([
    { kind: 'kept', replicas: { from: 3, to: 0 } },
  ])
})

test('while a pool has a problem, the others are planned and nothing is removed', () => {
  const before = pools({ maximum: 9 }, { maximum: 9 }, { maximum: 9 })
  const input = pools({ maximum: 9, providerConfig: { lid: 'red' } }, { machineType: 'unknown' })
  const plan = planRollout(tinyProvider, { ...input, ...after(before) })
  expect(kinds(plan)).toEqual(['shoot--p--x-a-z1 rolled'])
  expect(plan.removed).toEqual([])
  expect(plan.problems.map(({ pool, error }) => `${pool.name}: ${error.message}`)).toEqual([
    'b: machine type "unknown" not found',
  ])
})
