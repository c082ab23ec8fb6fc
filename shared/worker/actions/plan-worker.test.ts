import { describe, expect, test } from 'vitest'
import { isWriteRequest, type SteppedRequest } from '../../../sandbox/stepped-seed/stepped-seed.ts'
import { clusterKind } from '../../contract/kinds.ts'
import { machineKinds } from '../../contract/machine-kinds.ts'
import type { Cluster, WorkerPool } from '../../contract/objects.ts'
import { newSeed, type SeedOptions, type WorkerSeed } from '../testing/seed.ts'
import { tinyProvider } from '../testing/tiny-provider.ts'
import { planWorker } from './plan-worker.ts'
import type { WorkerPlan } from './worker-plan.ts'

const namespace = 'shoot--p--x'

const planOf = async (
  seed: WorkerSeed,
  options: { readonly destroy?: boolean } = {},
): Promise<WorkerPlan> => {
  const cluster = (await seed.kubernetes.get(clusterKind.resource, { name: namespace })) as Cluster
  const { get, list } = seed.kubernetes
  return planWorker(tinyProvider, {
    object: await seed.live(),
    cluster,
    secret: { data: {} } as never,
    // A port without write methods.
    kubernetes: { get, list },
    clock: seed.clock,
    signal: new AbortController().signal,
    ...options,
  })
}

/** Records all writes of a run except those to the Worker: creates and deletes by name, patches by their target. */
const writtenBy = async (
  seed: WorkerSeed,
  work: () => Promise<unknown> = seed.converge,
): Promise<readonly string[]> => {
  const { length } = seed.sent
  await work()
  return seed.sent
    .slice(length)
    .filter(request => isWriteRequest(request) && !request.resource.startsWith('workers'))
    .map(writeText)
    .toSorted()
}

const writeText = ({ verb, resource, name }: Pick<SteppedRequest, 'verb' | 'resource' | 'name'>): string =>
  verb === 'patch' ? `patch ${resource}` : `${verb} ${resource} ${name}`

const plannedBy = ({ writes }: WorkerPlan): readonly string[] => writes.map(writeText).toSorted()

const sentences = ({ actions }: WorkerPlan) => actions.map(({ sentence }) => sentence)

/** A Worker with running machines, followed by a changed spec. */
const changed = async (
  before: readonly Partial<WorkerPool>[],
  after: readonly Partial<WorkerPool>[] = before,
  options: SeedOptions = {},
) => {
  const seed = await newSeed({ pools: before, ...options })
  await seed.converge()
  await seed.reconcile(after)
  return seed
}

const two = { zones: ['z1', 'z2'], minimum: 4, maximum: 6 }
const blue = { providerConfig: { lid: 'blue' } }

describe('a plan matches the later steps', () => {
  test.each<[string, () => Promise<WorkerSeed>]>([
    ['made', () => newSeed({ pools: [two, {}] })],
    ['as it should be', () => changed([two])],
    ['rolled', () => changed([two, {}], [{ ...two, ...blue }, {}])],
    ['changed in place', () => changed([two], [{ ...two, labels: { a: 'b' }, machineType: 'small' }])],
    ['scaled', () => changed([two], [{ ...two, minimum: 6 }])],
    ['without one of its pools', () => changed([two, {}], [{}])],
    [
      'updated in place',
      () =>
        changed(
          [{ ...two, updateStrategy: 'AutoInPlaceUpdate' }],
          [{ ...two, updateStrategy: 'AutoInPlaceUpdate', kubernetesVersion: '1.34.1' }],
        ),
    ],
    [
      'put to sleep',
      async () => {
        const seed = await changed([two])
        await seed.changeShoot({ spec: { hibernation: { enabled: true } } })
        return seed
      },
    ],
    [
      'given other user data',
      async () => {
        const seed = await changed([two])
        await seed.kubernetes.patch(
          { group: '', version: 'v1', plural: 'secrets', namespaced: true },
          { name: 'u', namespace },
          { data: { k: btoa('#!/bin/sh another') } },
        )
        return seed
      },
    ],
  ])('for a Worker that is %s', async (_, start) => {
    const seed = await start()
    const plan = await planOf(seed)
    expect(plannedBy(plan)).toEqual(await writtenBy(seed))
    expect(await planOf(seed)).toMatchObject({ actions: [], problems: [], writes: [] })
  })

  test('for a deleted Worker', async () => {
    const seed = await changed([two, {}])
    await seed.remove()
    const plan = await planOf(seed, { destroy: true })
    expect(plannedBy(plan)).toEqual(await writtenBy(seed))
    expect(plan.machines).toEqual({ replaced: 0, updatedInPlace: 0, made: 0, deleted: 5 })
    expect(sentences(plan)).toEqual([
      'mark 5 machines for deletion without a drain',
      'delete 2 machine deployments of pool a with 4 machines',
      'delete 1 machine deployment of pool b with 1 machine',
    ])
  })
})

describe('a plan shows', () => {
  test('rolling machines, the cause and the number at once', async () => {
    const plan = await planOf(await changed([two], [{ ...two, ...blue, maxSurge: 3, maxUnavailable: 1 }]))
    expect(plan.machines).toEqual({ replaced: 4, updatedInPlace: 0, made: 0, deleted: 0 })
    const classes = { from: expect.any(String), to: expect.any(String) }
    expect(plan.actions).toMatchObject([
      {
        kind: 'replace',
        pool: 'a',
        sentence: 'roll pool a: replace 2 machines, at most 2 more and 1 fewer at once',
        why: { isProved: true, causes: [{ name: 'lid', from: 'none', to: 'blue' }] },
        deployments: [
          { name: `${namespace}-a-z1`, machines: 2, atOnce: { surge: 2, unavailable: 1 }, classes },
        ],
      },
      {
        sentence: 'roll pool a: replace 2 machines, at most 1 more at once',
        deployments: [
          { name: `${namespace}-a-z2`, machines: 2, atOnce: { surge: 1, unavailable: 0 }, classes },
        ],
      },
    ])
  })

  test('a roll with a cause that the class does not contain, with the differences between the classes', async () => {
    const nodeAgentSecretName = 'gardener-node-agent-a-another'
    const { actions } = await planOf(await changed([{}], [{ nodeAgentSecretName, machineType: 'small' }]))
    expect(actions).toMatchObject([
      {
        kind: 'replace',
        why: {
          isProved: false,
          causes: [{ name: 'name of the Secret of the node agent', to: nodeAgentSecretName }],
        },
        differences: [{ path: 'providerSpec.size', from: 'large', to: 'small' }],
      },
    ])
  })

  test.each([
    ['AutoInPlaceUpdate', 'roll pool a: update 4 machines in place, at most 1 more at once'],
    ['ManualInPlaceUpdate', 'roll pool a: update 4 machines in place manually, at most 1 more at once'],
  ] as const)('machines that are not replaced, with %s', async (updateStrategy, sentence) => {
    const pool = { ...two, zones: ['z1'], updateStrategy }
    const plan = await planOf(await changed([pool], [{ ...pool, kubernetesVersion: '1.34.1' }]))
    expect(plan.actions).toMatchObject([{ kind: 'update', sentence, why: { isProved: true } }])
    expect(plan.machines).toEqual({ replaced: 0, updatedInPlace: 4, made: 0, deleted: 0 })
  })

  test('changes without new machines, and for a Secret only that it changes', async () => {
    const seed = await changed([two], [{ ...two, labels: { team: 'b' }, machineType: 'small' }])
    await seed.kubernetes.patch(
      { group: '', version: 'v1', plural: 'secrets', namespaced: true },
      { name: 'u', namespace },
      { data: { k: btoa('planted-user-data') } },
    )
    const plan = await planOf(seed)
    expect(plan.actions).toEqual([
      {
        kind: 'update',
        pool: 'a',
        sentence: 'change 2 machine deployments of pool a; machines are unchanged',
        deployments: [1, 2].map(zone => ({ name: `${namespace}-a-z${zone}`, machines: 2 })),
        differences: [
          { path: 'user data of new machines', from: undefined, to: 'changed' },
          { path: 'providerSpec.size', from: 'large', to: 'small' },
          { path: 'spec.template.spec.nodeTemplate.metadata.labels.team', from: undefined, to: 'b' },
        ],
      },
    ])
    for (const text of [btoa('planted-user-data'), 'planted'])
      expect(JSON.stringify(plan)).not.toContain(text)
  })

  test('the number of created and deleted machines', async () => {
    const seed = await changed(
      [two, {}],
      [
        { ...two, minimum: 5 },
        { name: 'new', minimum: 2, maximum: 2 },
      ],
    )
    const plan = await planOf(seed)
    expect(sentences(plan)).toEqual([
      'scale 1 machine deployment of pool a: 2 → 3 machines',
      'create 1 machine deployment of pool new with 2 machines',
      'delete 1 machine deployment of pool b with 1 machine',
    ])
    expect(plan.machines).toEqual({ replaced: 0, updatedInPlace: 0, made: 3, deleted: 1 })
  })

  test('hibernation, which rolls nothing', async () => {
    const seed = await changed([two], [{ ...two, ...blue }])
    await seed.changeShoot({ spec: { hibernation: { enabled: true } } })
    const plan = await planOf(seed)
    expect(sentences(plan)).toEqual([
      'mark 4 machines for deletion without a drain',
      'change the class of 2 machine deployments of pool a, without replacing machines',
      'scale machine-controller-manager to 0 after its machines are deleted',
    ])
    expect(plan.machines).toEqual({ replaced: 0, updatedInPlace: 0, made: 0, deleted: 4 })
  })

  test('leftovers: classes and Secrets of no pool', async () => {
    const seed = await changed([{}])
    await seed.make('MachineClass', 'left-over', { provider: 'Box', providerSpec: {} })
    for (const name of ['left-over', 'alone']) {
      await seed.makeSecret(name, {})
      await seed.kubernetes.patch(
        { group: '', version: 'v1', plural: 'secrets', namespaced: true },
        { name, namespace },
        { metadata: { labels: { 'gardener.cloud/purpose': 'machineclass' } } },
      )
    }
    expect(sentences(await planOf(seed))).toEqual([
      'delete machine class left-over and its Secret',
      'delete the Secret of machine class alone',
    ])
  })
})

describe('a pool with a problem', () => {
  test.each<[string, Partial<WorkerPool>, string]>([
    ['that the provider finds', { machineType: 'unknown' }, 'machine type "unknown" not found'],
    [
      'of its user data',
      { userDataSecretRef: { name: 'none', key: 'k' } },
      'failed fetching user data secret none referenced in worker pool b: secrets "none" not found ' +
        '(worker pool "b", spec.pools[1].userDataSecretRef.name). gardenlet writes the Secret. Reconcile the shoot',
    ],
  ])('%s is not changed, the others are planned, and nothing is deleted', async (_, fields, message) => {
    const seed = await changed([{}, {}, {}], [blue, fields])
    const plan = await planOf(seed)
    expect(plan.problems).toEqual([{ pool: 'b', message, codes: ['ERR_CONFIGURATION_PROBLEM'] }])
    expect(plan.actions.map(({ kind, pool }) => `${kind} ${pool}`)).toEqual(['replace a'])
    expect(plan.writes.filter(({ verb }) => verb === 'delete')).toEqual([])
    // The step makes these writes and then ends with the problem.
    expect(plannedBy(plan)).toEqual(await writtenBy(seed, seed.step))
    expect((await seed.live()).status?.lastError?.description).toContain(message)
  })

  test('stops a deletion that needs its class, like the step does', async () => {
    const seed = await changed([{}, {}], [{}, { machineType: 'unknown' }])
    const { resource } = machineKinds.MachineClass
    for (const { metadata } of await seed.machineObjects('MachineClass')) {
      await seed.kubernetes.patch(resource, metadata, { metadata: { finalizers: null } })
      await seed.kubernetes.delete(resource, metadata)
    }
    await expect(planOf(seed, { destroy: true })).rejects.toThrow(
      'failed to deploy the machine classes: machine type "unknown" not found',
    )
  })
})

test('a plan sends each request once, so it is based on one state', async () => {
  const seed = await changed([two, {}], [{ ...two, ...blue }])
  const { get, list } = seed.kubernetes
  const questions: string[] = []
  const cluster = (await get(clusterKind.resource, { name: namespace })) as Cluster
  await planWorker(tinyProvider, {
    object: await seed.live(),
    cluster,
    secret: { data: {} } as never,
    kubernetes: {
      get: (resource, key, options) => {
        questions.push(`get ${resource.plural} ${key.name}`)
        return get(resource, key, options)
      },
      list: (resource, options) => {
        questions.push(`list ${resource.plural} ${options?.labelSelector}`)
        return list(resource, options)
      },
    },
    clock: seed.clock,
    signal: new AbortController().signal,
  })
  expect(questions.toSorted()).toEqual([
    'get secrets u',
    'list machineclasses undefined',
    'list machinedeployments undefined',
    'list secrets gardener.cloud/purpose=machineclass',
  ])
})

describe('a deletion', () => {
  test('shows a wait for the machine controller and the following actions', async () => {
    const seed = await newSeed({ pools: [{}] })
    await seed.step()
    const plan = await planOf(seed, { destroy: true })
    expect(plan.actions.map(({ kind, sentence }) => `${kind}: ${sentence}`)).toEqual([
      'wait: machine class credentials secret has not yet been acquired or released',
      'delete: delete 1 machine deployment of pool a with 1 machine',
    ])
  })

  test('without objects has no actions', async () => {
    const seed = await newSeed({ pools: [{}] })
    expect(await planOf(seed, { destroy: true })).toMatchObject({ actions: [], writes: [] })
  })

  test('is planned even if machines have failed', async () => {
    const seed = await changed([{}])
    const failedMachines = [
      { name: 'm', lastOperation: { description: 'no', state: 'Failed', type: 'Create' } },
    ]
    await seed.change('MachineDeployment', `${namespace}-a-z1`, { status: { failedMachines } }, 'status')
    expect((await planOf(seed, { destroy: true })).machines.deleted).toBe(1)
  })
})
