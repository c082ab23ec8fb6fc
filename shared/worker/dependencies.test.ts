import { describe, expect, test } from 'vitest'
import { clusterKind } from '../contract/kinds.ts'
import type { Cluster } from '../contract/objects.ts'
import { valueAt } from '../decode/record-of.ts'
import { planWorker } from './actions/plan-worker.ts'
import type { MachineProvider } from './provider.ts'
import { newSeed, type WorkerSeed } from './testing/seed.ts'
import { configurationProblem, tinyProvider } from './testing/tiny-provider.ts'

/** A cloud with one shelf for the boxes of each pool. Its id is hashed. */
const shelves = () => {
  const shelvesByPool = new Map<string, string>()
  let created = 0
  let refused: string | undefined
  const calls: string[] = []
  const idsIn = (status: unknown) => (valueAt(status, 'shelves') ?? {}) as Readonly<Record<string, string>>
  const provider: MachineProvider = {
    ...tinyProvider,
    desired: input => {
      const ids = idsIn(input.worker.status?.providerStatus)
      const { pools, providerStatus } = tinyProvider.desired(input)
      return {
        providerStatus: { ...providerStatus, shelves: ids },
        pools: pools.map(made => {
          const id = ids[made.pool.name]
          if (made.kind === 'problem') return made
          if (id === undefined)
            return { kind: 'problem', pool: made.pool, error: configurationProblem('it has no shelf') }
          return { ...made, hashInputs: [{ name: 'shelf', datum: id }] }
        }),
      }
    },
    dependencies: {
      ensure: async ({ worker, change, save, resumed }) => {
        calls.push(resumed ? 'ensure again' : 'ensure')
        const before = worker.status?.providerStatus ?? {}
        const ids: Record<string, string> = { ...idsIn(before) }
        const full = worker.spec.pools.find(({ name }) => name === refused)
        for (const { name } of worker.spec.pools) {
          if (ids[name] !== undefined || name === refused) continue
          ids[name] =
            shelvesByPool.get(name) ??
            (await change({ kind: 'create', sentence: `create shelf of ${name}`, pool: name }, async () => {
              const id = `shelf-${++created}`
              shelvesByPool.set(name, id)
              return id
            })) ??
            'unknown'
        }
        await save({ ...before, shelves: ids })
        return full === undefined
          ? []
          : [{ kind: 'problem', pool: full, error: configurationProblem('no shelf is free') }]
      },
      remove: async ({ worker, change, save, isDeleted }) => {
        calls.push(isDeleted ? 'remove all' : 'remove')
        const before = worker.status?.providerStatus ?? {}
        const needed = new Set(isDeleted ? [] : worker.spec.pools.map(({ name }) => name))
        const kept = Object.entries(idsIn(before)).filter(([name]) => needed.has(name))
        for (const name of shelvesByPool.keys())
          if (!needed.has(name))
            await change({ kind: 'delete', sentence: `delete shelf of ${name}`, pool: name }, async () =>
              shelvesByPool.delete(name),
            )
        if (!isDeleted) await save({ ...before, shelves: Object.fromEntries(kept) })
      },
      known: ({ status }) => Object.values(idsIn(status?.providerStatus)),
    },
  }
  return {
    provider,
    calls,
    all: () => Object.fromEntries(shelvesByPool),
    refuse: (pool: string) => {
      refused = pool
    },
  }
}

const statusOf = async (seed: WorkerSeed) => (await seed.live()).status?.providerStatus
const classNames = async (seed: WorkerSeed) =>
  (await seed.machineObjects('MachineClass')).map(({ metadata }) => metadata.name)

describe('the dependencies of machines', () => {
  test('exist and are in the status before a class uses them', async () => {
    const { provider, all, calls } = shelves()
    const seed = await newSeed({ provider })
    let statusBefore: unknown
    seed.interfereWith({
      before: async ({ verb, resource }) => {
        if (verb === 'create' && resource === 'machineclasses') statusBefore = await statusOf(seed)
      },
    })
    await seed.converge()
    expect(all()).toEqual({ a: 'shelf-1' })
    expect(statusBefore).toEqual({ shelves: { a: 'shelf-1' } })
    expect(await statusOf(seed)).toMatchObject({ kind: 'BoxStatus', shelves: { a: 'shelf-1' } })
    expect(calls.filter(call => call !== 'ensure again')).toEqual(['ensure', 'remove'])
  })

  test('of a removed pool are deleted after its machines', async () => {
    const { provider, all } = shelves()
    const seed = await newSeed({ provider, pools: [{}, {}] })
    await seed.converge()
    await seed.reconcile([{}])
    await seed.step()
    expect(Object.keys(all())).toEqual(['a', 'b'])
    await seed.converge()
    expect(all()).toEqual({ a: 'shelf-1' })
    expect(await statusOf(seed)).toMatchObject({ shelves: { a: 'shelf-1' } })
  })

  test('of a deleted Worker are deleted after all machines', async () => {
    const { provider, all } = shelves()
    const seed = await newSeed({ provider })
    await seed.converge()
    await seed.remove()
    await seed.step()
    expect(await seed.machineObjects('MachineDeployment')).not.toEqual([])
    expect(all()).toEqual({ a: 'shelf-1' })
    await seed.converge()
    expect(await seed.isGone()).toBe(true)
    expect(all()).toEqual({})
  })

  test('that cannot be created are a problem of their pool alone', async () => {
    const { provider, refuse } = shelves()
    refuse('b')
    const seed = await newSeed({ provider, pools: [{}, {}] })
    await seed.converge({ until: () => true })
    expect((await seed.live()).status?.lastError?.description).toContain('no shelf is free')
    expect(await classNames(seed)).toHaveLength(1)
  })

  test('are found by a restore whose status is lost, so that the class is the same', async () => {
    const { provider } = shelves()
    const old = await newSeed({ provider })
    await old.converge()
    const restored = await newSeed({
      provider,
      operation: 'restore',
      status: { state: { state: '' } },
      readShootState: async () => ({ spec: { extensions: [] } }),
    })
    await restored.converge()
    expect(await statusOf(restored)).toEqual(await statusOf(old))
    expect(await classNames(restored)).toEqual(await classNames(old))
  })

  test('are named by a plan, which changes nothing', async () => {
    const { provider, all } = shelves()
    const seed = await newSeed({ provider })
    const { get, list } = seed.kubernetes
    const plan = async (destroy: boolean) => {
      const object = await seed.live()
      const { namespace: name = '' } = object.metadata
      const { actions } = await planWorker(provider, {
        object,
        cluster: (await get(clusterKind.resource, { name })) as Cluster,
        secret: { data: {} } as never,
        kubernetes: { get, list },
        clock: seed.clock,
        signal: new AbortController().signal,
        destroy,
      })
      return actions.map(({ sentence }) => sentence)
    }
    expect((await plan(false))[0]).toBe('create shelf of a')
    expect(all()).toEqual({})
    await seed.converge()
    expect((await plan(true)).at(-1)).toBe('delete shelf of a')
    expect(all()).toEqual({ a: 'shelf-1' })
  })
})
