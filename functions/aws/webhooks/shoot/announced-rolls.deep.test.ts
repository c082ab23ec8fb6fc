import { expect, test } from 'vitest'
import { createSteppedSeed, shootObjects } from '../../../../sandbox/stepped-seed/stepped-seed.ts'
import { clusterKind } from '../../../../shared/contract/kinds.ts'
import { machineKinds } from '../../../../shared/contract/machine-kinds.ts'
import type { Cluster, Worker } from '../../../../shared/contract/objects.ts'
import type { KubernetesObject } from '../../../../shared/kubernetes/kubernetes.ts'
import { machineController } from '../../../../shared/worker/testing/machine-controller.ts'
import { definition } from '../../worker/function.ts'
import { planWorker } from '../../worker/plan.ts'
import { clusterSpecOf, recordedNames, workerSpecOf } from './testing/gardenlet-worker.ts'
import { shootUpdates } from './testing/shoot-updates.ts'
import { type ShootUpdate, shootsOf } from './testing/updated-shoot.ts'
import { updatesGarden } from './testing/updates-garden.ts'

const namespace = 'shoot--p--s'
const profile = updatesGarden().find(
  ({ kind, metadata }) => kind === 'CloudProfile' && metadata.name === 'aws',
)
const names = recordedNames()

/** A seed in which the function has reconciled the Worker of the former Shoot, with running machines. */
const seedOf = async (update: ShootUpdate) => {
  const { former } = shootsOf(update)
  if (profile === undefined) throw new Error('the garden has no CloudProfile aws')
  const cluster = (shoot: KubernetesObject) => clusterSpecOf(shoot, profile)
  const seed = createSteppedSeed({
    definition,
    objects: shootObjects({
      namespace,
      ...cluster(former),
      secrets: { cloudprovider: { accessKeyID: 'planted' }, 'user-data': { cloud_config: '#!/bin/sh' } },
    }),
    others: async () => controller.run(),
  })
  const controller = machineController(seed.kubernetes)
  const one = seed.object({ name: 's', namespace })
  const spec = workerSpecOf(former, names[update.name]?.former ?? {})
  await one.create({
    apiVersion: 'extensions.gardener.cloud/v1alpha1',
    kind: 'Worker',
    metadata: { name: 's', namespace },
    spec,
  })
  await one.run()
  return { seed, one, cluster }
}

/** Changes Cluster and Worker as gardenlet does after the update. Returns the pools that the plan rolls. */
const planned = async (update: ShootUpdate) => {
  const { seed, one, cluster } = await seedOf(update)
  const { reconciled } = shootsOf(update)
  const stored = await seed.kubernetes.get(clusterKind.resource, { name: namespace })
  if (stored === undefined) throw new Error('the Cluster is gone')
  await seed.kubernetes.replace(clusterKind.resource, { ...stored, spec: cluster(reconciled) })
  const spec = workerSpecOf(reconciled, names[update.name]?.reconciled ?? {})
  const live = (await one.live()) as Worker
  const plan = await planWorker({
    object: { ...live, spec },
    cluster: (await seed.kubernetes.get(clusterKind.resource, { name: namespace })) as unknown as Cluster,
    secret: { name: 'cloudprovider', namespace, labels: {}, data: {} },
    kubernetes: seed.kubernetes,
    clock: seed.clock,
    signal: new AbortController().signal,
  })
  expect(plan.problems).toEqual([])
  // With hibernation the classes change too, but each machine is deleted.
  const isReal = ({ deployments }: (typeof plan.actions)[number]) =>
    deployments.some(({ machines, replicas }) => machines > 0 && replicas?.to !== 0)
  return {
    rolled: plan.actions.flatMap(action => (action.why && isReal(action) ? (action.pool ?? []) : [])),
    deleted: plan.machines.deleted,
    run: async () => {
      const before = await machinesOf(seed.kubernetes)
      await one.ask('reconcile', { spec })
      await one.run()
      const after = await machinesOf(seed.kubernetes)
      return before.filter(name => !after.includes(name)).length
    },
  }
}

const machinesOf = async (kubernetes: Parameters<typeof machineController>[0]) =>
  (await kubernetes.list(machineKinds.Machine.resource, { namespace })).items.map(
    ({ metadata }) => metadata.name,
  )

const poolIn = (line: string): readonly string[] =>
  /^(?:rolls|updates) .* of pool ([^ :]+)/.exec(line)?.slice(1) ?? []

test.each(shootUpdates.map(update => [update.name, update] as const))(
  'admission announces a roll by an update of %s if and only if the Worker rolls nodes',
  async (_, update) => {
    const { rolled, deleted, run } = await planned(update)
    const announced = update.isByGardenlet ? [] : update.lines.flatMap(poolIn)
    expect(rolled).toEqual(announced)
    const isDeletion = update.lines.some(line => line.startsWith('deletes'))
    expect(deleted > 0).toBe(isDeletion)
    expect((await run()) > 0).toBe(announced.length > 0 || isDeletion)
  },
)
