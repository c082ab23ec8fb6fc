import { describe, expect, test } from 'vitest'
import { createOpenStack } from '../../../../sandbox/providers/openstack/simulator/openstack.ts'
import { virtualClock } from '../../../../shared/clock/clock.ts'
import type { Worker } from '../../../../shared/contract/objects.ts'
import { type MachinesSeed, machinesSeed } from '../testing/machines-seed.ts'
import { recordedMachines } from '../testing/recordings.ts'

const { input } = recordedMachines('server-groups')
const [a, b, c] = input.worker.spec.pools
const namespace = input.worker.metadata.namespace ?? ''

/** A group of another shoot, whose name begins like an old one of this shoot. */
const stranger = `${namespace}-two-a-abcdefgh`

const withPolicy = (policy: string, pool = a): Worker['spec']['pools'][number] => ({
  ...(pool as NonNullable<typeof pool>),
  providerConfig: { ...pool?.providerConfig, serverGroup: { policy } },
})

const newCloud = () => {
  const cloud = createOpenStack({ clock: virtualClock(Date.parse('2026-01-10T12:00:00Z')) })
  cloud.add('serverGroup', { name: stranger, policy: 'anti-affinity' })
  return {
    cloud,
    names: () => cloud.resources('serverGroup').map(({ name }) => name),
    seed: () =>
      machinesSeed(input, {
        nova: { connection: { ...cloud.connection } },
        credentials: {
          domainName: 'acme',
          tenantName: 'shoots',
          username: 'gardener',
          password: 'gardener-secret',
          authURL: cloud.connection.authUrl,
        },
      }),
  }
}

const groupsOf = async (seed: MachinesSeed) =>
  ((await seed.live())?.status?.providerStatus?.serverGroupDependencies ?? []) as readonly {
    readonly id: string
    readonly name: string
  }[]

/** Creates two groups, changes the policy of one pool, and takes that of the other. */
const live = async (seed: MachinesSeed, until = () => false): Promise<void> => {
  await seed.converge(until)
  if (until()) return
  const { providerConfig: _, ...plain } = b as NonNullable<typeof b>
  const last = c as NonNullable<typeof c>
  await seed.ask('reconcile', { spec: { pools: [withPolicy('soft-anti-affinity'), plain, last] } })
  await seed.converge(until)
}

/** The Go extension's name for pool a with soft-anti-affinity. */
const left = [stranger, 'ccc81001-590f-4bff-56982291']

describe('server groups in a simulated OpenStack', () => {
  test.each(['before', 'after'] as const)('are the same if a process dies %s any action', async when => {
    let n = 0
    for (let died = true; died; ) {
      const { seed: start, names } = newCloud()
      const seed = await start()
      seed.seed.dieAt(++n, when)
      await live(seed, seed.seed.hasDied)
      died = seed.seed.hasDied()
      await live(seed)
      expect(names().toSorted(), `action ${n}`).toEqual(left.toSorted())
      expect(
        (await groupsOf(seed)).map(({ name }) => name),
        `action ${n}`,
      ).toEqual(left.slice(1))
      await seed.remove()
      await seed.converge()
      expect(names(), `action ${n}`).toEqual([stranger])
      seed.seed.close()
    }
    expect(n).toBeGreaterThan(30)
  })

  test.each([
    ['a lost answer', { method: 'POST', when: 'after', effect: { kind: 'drop' } }],
    ['a refusal for the rate', { effect: { kind: 'answer', status: 429, headers: { 'retry-after': '1' } } }],
    ['an outage', { effect: { kind: 'answer', status: 503 } }],
    ['a proxy', { method: 'GET', effect: { kind: 'answer', status: 502, body: '<html>' } }],
  ] as const)('are the same after %s of any call', async (_, fault) => {
    for (let nth = 1; ; nth++) {
      const { seed: start, names, cloud } = newCloud()
      const seed = await start()
      let met = 0
      cloud.faults.add({ service: 'compute', path: 'os-server-groups', nth, ...fault })
      cloud.onCall(() => {
        met++
      })
      await live(seed)
      expect(names().toSorted(), `call ${nth}`).toEqual(left.toSorted())
      await seed.remove()
      await seed.converge()
      expect(names(), `call ${nth}`).toEqual([stranger])
      seed.seed.close()
      if (nth > met) break
    }
  })

  test('beyond the quota are a problem of their pool', async () => {
    const { seed: start, cloud } = newCloud()
    cloud.setQuota('server_groups', 2)
    const seed = await start()
    await seed.run()
    const { lastError } = (await seed.live())?.status ?? {}
    expect(lastError?.codes).toEqual(['ERR_INFRA_QUOTA_EXCEEDED'])
    expect(lastError?.description).toContain('for pool b: forbidden: Quota exceeded, too many server groups.')
    expect((await seed.objects()).machineClasses).toHaveLength(2)
    seed.seed.close()
  })
})
