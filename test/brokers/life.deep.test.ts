import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, expect, test } from 'vitest'
import { compactDeployment } from '../../build/project/project-deployment.ts'
import { baseFiles, writeFiles } from '../../knative/knative.ts'
import { profileNames } from '../../sandbox/knative/knative.ts'
import { linesOf, wholeAccount } from '../../sandbox/providers/aws/demo/whole-account.ts'
import { during, wholeShoot } from '../../sandbox/providers/aws/demo/whole-shoot.ts'
import { startWorld, type World } from '../shoot/whole-shoot-world.ts'

let world: World | undefined
afterEach(async () => {
  await world?.close()
  world = undefined
})

const compact = await mkdtemp(join(tmpdir(), 'trellis-compact-'))
await writeFiles(compact, baseFiles(await compactDeployment()))
afterAll(() => rm(compact, { recursive: true }))

/** All objects of one shoot, from Infrastructure to ControlPlane, from the first to the last. */
test.each<readonly [string, Parameters<typeof startWorld>[0]]>([
  ...profileNames.map(broker => [`the manifests of profiles/${broker}`, { broker }] as const),
  ['the compact manifests', { manifests: [compact] }],
  ['a seed process', { seedProcess: {} }],
])(
  'a shoot works with %s',
  async (name, options) => {
    const triggers = new Set<string>()
    const awake = new Set<string>()
    const lost: string[] = []
    world = await startWorld({
      ...options,
      observe: (_, event) => {
        if (event.part === 'function') awake.add(event.name)
        if (event.part === 'runner' && event.event.type === 'delivery') {
          triggers.add(`trellis/${event.event.function}`)
          if (['refused', 'dropped'].includes(event.event.outcome)) lost.push(event.event.outcome)
        }
        if (event.part !== 'broker') return
        if (event.event.kind === 'delivered') triggers.add(event.event.trigger)
        else if (event.event.kind === 'dead-letter') lost.push(event.event.reason)
        else if (event.event.kind === 'channel-closed') lost.push(event.event.why)
      },
    })
    const { aws, first } = world
    const before = await wholeAccount(aws)
    await first.gardenlet.prepareSeed()
    await first.gardenlet.reconcile(wholeShoot)
    const states = await first.states()
    expect(new Set(Object.values(states))).toEqual(new Set(['Create Succeeded']))
    expect(Object.keys(states).map(name => name.split(' ')[0])).toEqual(
      expect.arrayContaining(['ControlPlane', 'DNSRecord', 'Infrastructure', 'Network', 'Worker']),
    )

    world.cloudWrites()
    await first.gardenlet.reconcile(wholeShoot)
    expect(world.cloudWrites()).toEqual({})

    await first.gardenlet.delete(during(wholeShoot, 'Delete'))
    await first.gardenlet.removeSeed()
    expect(linesOf(await wholeAccount(aws))).toEqual(linesOf(before))
    expect(lost).toEqual([])
    expect([...awake].every(service => service.endsWith('-compact'))).toBe(!name.includes('profiles'))
    expect([...triggers]).toEqual(expect.arrayContaining(['trellis/aws-dnsrecord', 'trellis/aws-worker']))
  },
  120_000,
)
