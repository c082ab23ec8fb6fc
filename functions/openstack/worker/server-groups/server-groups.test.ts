import { describe, expect, test } from 'vitest'
import { clusterKind } from '../../../../shared/contract/kinds.ts'
import type { Cluster, Worker } from '../../../../shared/contract/objects.ts'
import { planWorker } from '../plan.ts'
import { type FakeNova, fakeNova } from '../testing/fake-nova.ts'
import { type MachinesSeed, type MachinesSeedOptions, machinesSeed } from '../testing/machines-seed.ts'
import { recordedMachines } from '../testing/recordings.ts'
import { serverGroupName } from './names.ts'

const { input } = recordedMachines('minimal')
const namespace = input.worker.metadata.namespace ?? ''
const uid = input.cluster.spec.shoot.metadata?.uid ?? ''

interface PoolChange {
  readonly policy?: string
  readonly kubernetesVersion?: string
}

const apiVersion = 'openstack.provider.extensions.gardener.cloud/v1alpha1'
const [usual] = input.worker.spec.pools

/** Pools `a`, `b`, … with these policies. */
const poolsOf = (changes: readonly PoolChange[]): Worker['spec']['pools'] =>
  changes.map(({ policy, ...fields }, index) => {
    const name = String.fromCharCode(97 + index)
    return {
      ...(usual as NonNullable<typeof usual>),
      ...fields,
      name,
      userDataSecretRef: { name: `osc-result-${name}`, key: 'cloud_config' },
      ...(policy !== undefined && {
        providerConfig: { apiVersion, kind: 'WorkerConfig', serverGroup: { policy } },
      }),
    }
  })

interface Dependency {
  readonly poolName: string
  readonly id: string
  readonly name: string
}

const newSeed = (
  pools: readonly PoolChange[],
  { dependencies, ...options }: MachinesSeedOptions & { readonly dependencies?: readonly Dependency[] } = {},
) => {
  const { worker } = input
  const status = dependencies && {
    providerStatus: { apiVersion, kind: 'WorkerStatus', serverGroupDependencies: [...dependencies] },
  }
  return machinesSeed(
    {
      ...input,
      worker: { ...worker, spec: { ...worker.spec, pools: poolsOf(pools) }, ...(status && { status }) },
    },
    options,
  )
}

const antiAffinity = [{ policy: 'anti-affinity' }]
const nameOf = (pool: string, policy: string) => serverGroupName(uid, pool, policy)
const groupsIn = async (seed: MachinesSeed) =>
  ((await seed.live())?.status?.providerStatus?.serverGroupDependencies ?? []) as readonly Dependency[]
const classesOf = async (seed: MachinesSeed) =>
  (await seed.objects()).machineClasses.map(({ metadata }) => metadata.name)
const groupIdOf = async (seed: MachinesSeed) =>
  (await seed.objects()).machineClasses.map(
    ({ providerSpec }) => Object(Object(providerSpec).spec).serverGroupID as string | undefined,
  )
const callsSince = (nova: FakeNova, earlier: number) => nova.calls.slice(earlier).map(({ name }) => name)
const reconcile = async (seed: MachinesSeed, pools?: readonly PoolChange[]) => {
  await seed.ask('reconcile', pools && { spec: { pools: poolsOf(pools) } })
  await seed.converge()
}
/** Groups of others whose names begin like ours. */
const strangers = ['a-abcdefgh', 'two-a-abcdefgh'].map(end => `${namespace}-${end}`)

test('a name is that of the Go extension', () => {
  // golden/openstack/worker/server-groups.json
  expect(serverGroupName('ccc81001-590f-4bff-8000-0123456789ab', 'a', 'anti-affinity')).toBe(
    'ccc81001-590f-4bff-3b58282c',
  )
  expect(serverGroupName('ccc81001-590f-4bff-8000-0123456789ab', 'b', 'soft-anti-affinity')).toBe(
    'ccc81001-590f-4bff-9581362a',
  )
})

describe('the server group of a pool', () => {
  test('is recorded before a class uses it, and an idle reconcile only reads it', async () => {
    const seed = await newSeed(antiAffinity)
    await seed.converge()
    const name = nameOf('a', 'anti-affinity')
    expect(callsSince(seed.nova, 0)).toEqual(['login', 'GET os-server-groups', 'POST os-server-groups'])
    expect(await groupsIn(seed)).toEqual([{ poolName: 'a', id: `<server group ${name}>`, name }])
    expect(await groupIdOf(seed)).toEqual([`<server group ${name}>`])
    const writes = seed.writesSince(0).map(({ verb, resource }) => `${verb} ${resource}`)
    expect(writes.indexOf('patch workers/status')).toBeLessThan(writes.indexOf('create machineclasses'))
    const { length } = seed.nova.calls
    const earlier = seed.seed.requests.length
    await reconcile(seed)
    expect(callsSince(seed.nova, length)).toEqual([`GET os-server-groups/<server group ${name}>`])
    expect(seed.writesSince(earlier).filter(({ resource }) => !resource.startsWith('workers'))).toEqual([])
  })

  test('has a soft policy by microversion 2.15', async () => {
    const seed = await newSeed([{ policy: 'soft-affinity' }])
    await seed.converge()
    expect(seed.nova.calls.map(({ microversion }) => microversion)).toEqual([
      undefined,
      undefined,
      'compute 2.15',
    ])
    expect(seed.nova.names()).toEqual([nameOf('a', 'soft-affinity')])
  })

  test.each([
    { version: '1.34.2', kept: true },
    { version: '1.35.1', kept: false },
  ])('has a recorded name of earlier releases in Kubernetes $version: $kept', async ({ version, kept }) => {
    const nova = fakeNova()
    const old = nova.add({ name: `${namespace}-a-zyxwvuts`, policies: ['anti-affinity'] })
    const seed = await newSeed([{ policy: 'anti-affinity', kubernetesVersion: version }], {
      nova,
      dependencies: [{ poolName: 'a', id: old.id, name: old.name }],
    })
    await seed.converge()
    expect(nova.names()).toEqual([kept ? old.name : nameOf('a', 'anti-affinity')])
    expect(await groupIdOf(seed)).toEqual((await groupsIn(seed)).map(({ id }) => id))
  })

  test('is never taken or deleted because of a prefix (D15)', async () => {
    const nova = fakeNova()
    for (const name of strangers) nova.add({ name, policies: ['anti-affinity'] })
    nova.add({ name: `${uid.slice(0, 18)}-ffffffff`, policies: ['anti-affinity'] })
    const before = nova.names()
    const seed = await newSeed(antiAffinity, { nova })
    await seed.converge()
    await reconcile(seed, [{ policy: 'affinity' }])
    await reconcile(seed, [{}])
    await seed.remove()
    await seed.converge()
    expect(await seed.live()).toBeUndefined()
    expect(nova.names()).toEqual(before)
  })

  test('is found after a lost answer', async () => {
    const seed = await newSeed(antiAffinity)
    let lost = 0
    seed.nova.interfereWith(({ name }, when) => {
      if (name === 'POST os-server-groups' && when === 'after' && lost++ === 0) throw new Error('hang up')
      return undefined
    })
    await seed.converge()
    expect(lost).toBe(1)
    expect(seed.nova.names()).toEqual([nameOf('a', 'anti-affinity')])
    expect(await groupIdOf(seed)).toEqual((await groupsIn(seed)).map(({ id }) => id))
  })

  test('whose answer was lost is deleted if its pool has no policy any more', async () => {
    const seed = await newSeed(antiAffinity)
    seed.nova.interfereWith(({ name }, when) => {
      if (name === 'POST os-server-groups' && when === 'after') throw new Error('hang up')
      return undefined
    })
    await seed.run()
    expect(seed.nova.groups.size).toBe(1)
    await reconcile(seed, [{}])
    expect(seed.nova.names()).toEqual([])
    expect(await groupsIn(seed)).toEqual([])
  })

  test('that exists twice is kept where its machines are, and an empty one is deleted', async () => {
    const nova = fakeNova()
    const name = nameOf('a', 'anti-affinity')
    const policies = ['anti-affinity']
    nova.add({ id: '1', name, policies })
    nova.add({ id: '2', name, policies, members: ['m', 'n'] })
    nova.add({ id: '3', name, policies, members: ['o'] })
    nova.add({ id: '4', name, policies: ['affinity'] })
    const seed = await newSeed(antiAffinity, { nova })
    await seed.converge()
    expect(await groupIdOf(seed)).toEqual(['2'])
    expect([...nova.groups.keys()]).toEqual(['2', '3', '4'])
  })

  test('with another policy replaces the former one, which is deleted once its machines are gone', async () => {
    const seed = await newSeed(antiAffinity)
    await seed.converge()
    const [former] = await groupsIn(seed)
    const group = seed.nova.groups.get(former?.id ?? '')
    if (group === undefined) throw new Error('there is no group')
    seed.nova.groups.set(group.id, { ...group, members: ['draining'] })
    await reconcile(seed, [{ policy: 'affinity' }])
    const next = nameOf('a', 'affinity')
    expect(await groupIdOf(seed)).toEqual([`<server group ${next}>`])
    expect((await groupsIn(seed)).map(({ name }) => name)).toEqual([former?.name, next])
    await reconcile(seed)
    expect(seed.nova.names()).toEqual([group.name, next])
    seed.nova.groups.set(group.id, group)
    await reconcile(seed)
    expect(seed.nova.names()).toEqual([next])
    expect((await groupsIn(seed)).map(({ name }) => name)).toEqual([next])
  })

  test('that is gone is created again, with another class', async () => {
    const seed = await newSeed(antiAffinity)
    await seed.converge()
    const before = await classesOf(seed)
    seed.nova.groups.clear()
    seed.nova.add({ name: 'other', policies: ['affinity'] })
    seed.nova.add({ id: 'again', name: nameOf('a', 'anti-affinity'), policies: ['anti-affinity'] })
    await reconcile(seed)
    expect(await groupsIn(seed)).toMatchObject([{ poolName: 'a', id: 'again' }])
    expect(await classesOf(seed)).not.toEqual(before)
  })

  test('is found by a restore whose status is lost, without another class', async () => {
    const old = await newSeed(antiAffinity)
    await old.converge()
    const restored = await newSeed(antiAffinity, {
      nova: old.nova,
      operation: 'restore',
      readShootState: async () => ({ spec: { extensions: [] } }),
    })
    await restored.converge()
    expect(await groupsIn(restored)).toEqual(await groupsIn(old))
    expect(await classesOf(restored)).toEqual(await classesOf(old))
    expect(old.nova.groups.size).toBe(1)
  })

  test('is deleted with a Worker whose status is lost, twice if it is doubled', async () => {
    const nova = fakeNova()
    const seed = await newSeed(antiAffinity, { nova })
    await seed.converge()
    nova.add({ name: nameOf('a', 'anti-affinity'), policies: ['anti-affinity'], members: ['m'] })
    nova.add({ name: strangers[0] ?? '', policies: ['anti-affinity'] })
    await seed.remove()
    await seed.converge()
    expect(nova.names()).toEqual([strangers[0]])
  })

  test('is found on a later page', async () => {
    const nova = fakeNova({ pageSize: 120 })
    for (let index = 0; index < 300; index++) nova.add({ name: `g${index}`, policies: ['affinity'] })
    nova.add({ id: 'ours', name: nameOf('a', 'anti-affinity'), policies: ['anti-affinity'] })
    const seed = await newSeed(antiAffinity, { nova })
    await seed.converge()
    expect(await groupIdOf(seed)).toEqual(['ours'])
  })
})

describe('a refusal of Nova', () => {
  const refuse = (nova: FakeNova, status: number, code: string, message: string) =>
    nova.interfereWith(({ name, body }) =>
      name === 'POST os-server-groups' && JSON.stringify(body).includes(nameOf('b', 'anti-affinity'))
        ? { status, body: { [code]: { code: status, message } } }
        : undefined,
    )
  test('concerns only its pool, and leaves nothing recorded', async () => {
    const seed = await newSeed([...antiAffinity, ...antiAffinity])
    refuse(seed.nova, 403, 'forbidden', 'Quota exceeded, too many server groups.')
    await seed.run()
    const { status } = (await seed.live()) ?? {}
    expect(status?.lastError?.codes).toEqual(['ERR_INFRA_QUOTA_EXCEEDED'])
    expect(status?.lastError?.description).toContain(
      `creating server group ${nameOf('b', 'anti-affinity')} with policy anti-affinity for pool b: `,
    )
    expect((await groupsIn(seed)).map(({ poolName }) => poolName)).toEqual(['a'])
    expect(await classesOf(seed)).toHaveLength(1)
  })

  test('of the login has its code and writes no class', async () => {
    const seed = await newSeed(antiAffinity)
    seed.nova.interfereWith(() => ({
      status: 401,
      body: { error: { title: 'Unauthorized', message: 'no' } },
    }))
    await seed.run()
    expect((await seed.live())?.status?.lastError?.codes).toEqual(['ERR_INFRA_UNAUTHORIZED'])
    expect(await classesOf(seed)).toEqual([])
  })
})

test('a plan names the changes and makes none', async () => {
  const seed = await newSeed(antiAffinity)
  const { kubernetes, clock } = seed.seed
  const plan = async (destroy: boolean) => {
    const { actions } = await planWorker({
      object: (await seed.live()) as Worker,
      cluster: (await kubernetes.get(clusterKind.resource, { name: namespace })) as Cluster,
      connection: seed.nova.connection,
      secret: {
        name: 'cloudprovider',
        namespace,
        labels: {},
        data: { domainName: 'acme', tenantName: 't', username: 'u', password: 'planted-secret-value' },
      },
      kubernetes,
      clock,
      signal: new AbortController().signal,
      destroy,
    })
    return actions.map(({ sentence }) => sentence)
  }
  const name = nameOf('a', 'anti-affinity')
  expect((await plan(false))[0]).toBe(`create server group ${name} with policy anti-affinity`)
  expect(seed.nova.names()).toEqual([])
  await seed.converge()
  expect((await plan(true)).at(-1)).toBe(`delete server group ${name} (<server group ${name}>)`)
  expect(seed.nova.names()).toEqual([name])
})

describe('if a process dies', () => {
  /** Creates two groups, changes the policy of one pool, removes the other pool, then the Worker. */
  const live = async (seed: MachinesSeed, until: () => boolean): Promise<void> => {
    await seed.converge(until)
    if (until()) return
    await seed.ask('reconcile', { spec: { pools: poolsOf([{ policy: 'soft-affinity' }]) } })
    await seed.converge(until)
  }
  const start = async () => {
    const nova = fakeNova()
    for (const name of strangers) nova.add({ name, policies: ['anti-affinity'] })
    return newSeed([{ policy: 'anti-affinity' }, { policy: 'affinity' }], { nova })
  }
  test.each(['before', 'after'] as const)(
    '%s any action, the next one ends with the same groups and classes',
    async when => {
      const expected = [...strangers, nameOf('a', 'soft-affinity')]
      let n = 0
      for (let died = true; died; ) {
        const seed = await start()
        seed.seed.dieAt(++n, when)
        await live(seed, seed.seed.hasDied)
        died = seed.seed.hasDied()
        await live(seed, () => false)
        expect(seed.nova.names(), `action ${n}`).toEqual(expected)
        expect(await groupIdOf(seed), `action ${n}`).toEqual((await groupsIn(seed)).map(({ id }) => id))
        await seed.remove()
        await seed.converge()
        expect(seed.nova.names(), `action ${n}`).toEqual(strangers)
        seed.seed.close()
      }
      expect(n).toBeGreaterThan(20)
    },
  )
})
