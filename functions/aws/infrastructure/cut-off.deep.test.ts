import { describe, expect, test } from 'vitest'
import { shuffledAws } from '../../../sandbox/providers/aws/simulator/testing/shuffled-aws.ts'
import { virtualClock } from '../../../shared/clock/clock.ts'
import type { Infrastructure } from '../../../shared/contract/objects.ts'
import { isNight, share } from '../../../test/cases/share.ts'
import { accountContents, withoutIds } from './testing/account-contents.ts'
import type { ObjectParts } from './testing/objects.ts'
import { clusterOf } from './testing/objects.ts'
import { repeatedBytes } from './testing/repeated-bytes.ts'
import { type Interference, stepsOver } from './testing/steps.ts'

type Status = NonNullable<Infrastructure['status']>

const cluster = clusterOf()

const setUp = async () => {
  const clock = virtualClock(Date.parse('2026-11-21T00:00:00Z'))
  const { bytes, restart } = repeatedBytes()
  const aws = shuffledAws({ clock, bytes })
  const before = await accountContents(aws.requestHandler)
  const empty = aws.account().snapshot()
  const shoot = (parts: ObjectParts = {}) => stepsOver(aws.requestHandler, clock, parts, { cluster })
  const restore = (snapshot = empty) => {
    restart()
    aws.account().restore(snapshot)
  }
  return { aws, clock, before, shoot, restore, contents: () => accountContents(aws.requestHandler) }
}
type World = Awaited<ReturnType<typeof setUp>>

/** A process that dies after this number of calls that change AWS or the object. */
const dyingAfter = (
  last: number,
  isWrite: () => boolean,
): Interference & { readonly died: () => boolean } => {
  let writes = 0
  let dead = false
  return {
    before: () => {
      if (dead) throw Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' })
    },
    after: call => {
      if (call === 'save' || isWrite()) writes++
      if (writes < last) return
      dead = true
      throw Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' })
    },
    died: () => dead,
  }
}

/** Runs a creation that dies after its n-th write. Returns undefined if it completed. */
const cutOff = async (world: World, n: number): Promise<Status | undefined> => {
  world.restore()
  const shoot = world.shoot()
  const isWrite = () => !/^(?:Describe|Get|List)/.test(world.aws.calls.all().at(-1)?.action ?? '')
  const dying = dyingAfter(n, isWrite)
  for (let count = 0; count < 60; count++) {
    const result = await shoot.step('reconcile', dying, { resumed: count > 0 }).catch(() => undefined)
    if (dying.died()) return shoot.status()
    if (result?.kind !== 'continue') return undefined
    await world.clock.advance(result.afterMs)
  }
  throw new Error('neither dead nor done')
}

const uids = { recreated: { uid: 'created-again' }, restored: { uid: 'restored-elsewhere' } }

/** Events that may follow an interrupted creation. Each returns the next object, based on the saved status. */
const fates: readonly (readonly [string, (world: World, status: Status) => Promise<ObjectParts>])[] = [
  [
    'it is migrated and restored',
    async (world, status) => {
      const source = world.shoot({ status })
      await source.step('migrate')
      const { state } = source.status()
      return { metadata: uids.restored, status: { ...(state !== undefined && { state }) } as Status }
    },
  ],
  [
    'it is migrated while AWS does not answer, and restored',
    async (world, status) => {
      const source = world.shoot({ status })
      const down = () => {
        throw Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' })
      }
      await source.step('migrate', { before: call => (call.startsWith('AWS') ? down() : undefined) })
      const { state } = source.status()
      return { metadata: uids.restored, status: { ...(state !== undefined && { state }) } as Status }
    },
  ],
  ['its state is lost', async () => ({})],
  ['it is created again', async () => ({ metadata: uids.recreated })],
]

/** The first of the writes, and the distance to the next: each fate has others. */
const everyWrite = (index: number): readonly [number, number] =>
  isNight ? [1, 1] : [1 + index, fates.length]

describe.each(fates)('a creation that was cut off at any write, and then %s', (name, fate) => {
  test.each([
    ['is completed and deleted', ['reconcile', 'remove']],
    ['is deleted', ['remove']],
  ] as const)(
    '%s: nothing is left',
    async (_, operations) => {
      const world = await setUp()
      await world.shoot().until('reconcile')
      const whole = withoutIds(await world.contents())
      const [first, distance] = everyWrite(fates.findIndex(([other]) => other === name))
      let n = first
      for (; ; n += distance) {
        const status = await cutOff(world, n)
        if (status === undefined) break
        const next = world.shoot(await fate(world, status))
        for (const operation of operations) {
          await next.until(operation).catch((error: unknown) => {
            throw new Error(`cut off at write ${n}, ${operation}: ${error}`)
          })
          if (operation === 'reconcile')
            expect(withoutIds(await world.contents()), `cut off at write ${n}`).toEqual(whole)
        }
        expect(await world.contents(), `cut off at write ${n}, ${operations.join(', ')}`).toEqual(
          world.before,
        )
      }
      // Concurrent actions share saves of the state, so the number depends on the order of answers.
      expect(n).toBeGreaterThan(30)
    },
    300_000,
  )
})

describe.each([
  ['with an SSH key', {}],
  ['without an SSH key', { spec: { sshPublicKey: undefined } as never }],
] as const)('any earlier saved state, restored after the creation, %s,', (_, parts) => {
  /** The statuses in the order of their saves, and the final account. */
  const madeWith = async (world: World) => {
    world.restore()
    const shoot = world.shoot(parts)
    const statuses: Status[] = []
    const note = () => void statuses.push(shoot.status())
    for (let count = 0; ; count++) {
      const result = await shoot.step(
        'reconcile',
        { after: call => call === 'save' && note() },
        { resumed: count > 0 },
      )
      if (result.kind === 'done') break
      await world.clock.advance(result.afterMs)
    }
    return { statuses, last: shoot.status(), account: world.aws.account().snapshot() }
  }

  test('is repaired, and a deletion leaves nothing', async () => {
    const world = await setUp()
    const { statuses, last, account } = await madeWith(world)
    const whole = await world.contents()
    expect(statuses.length).toBeGreaterThan(10)
    for (const [index, status] of share([...statuses.entries()], 4)) {
      world.restore(account)
      const old = world.shoot({ ...parts, status: JSON.parse(JSON.stringify(status)) })
      await old.until('reconcile').catch((error: unknown) => {
        throw new Error(`status ${index} ${JSON.stringify(status)}: ${error}`)
      })
      expect(await world.contents(), `status ${index} ${JSON.stringify(status)}`).toEqual(whole)
      expect(facts(old.status()), `status ${index}`).toEqual(facts(last))
      await old.until('remove')
      expect(await world.contents(), `status ${index}, deleted`).toEqual(world.before)
    }
  }, 300_000)

  test('does not stop a deletion from finding all resources', async () => {
    const world = await setUp()
    const { statuses, account } = await madeWith(world)
    for (const [index, status] of share([...statuses.entries()], 4)) {
      world.restore(account)
      await world.shoot({ ...parts, status: JSON.parse(JSON.stringify(status)) }).until('remove')
      expect(await world.contents(), `status ${index} ${JSON.stringify(status)}`).toEqual(world.before)
    }
  }, 300_000)
})

/** The state without its memory of recent changes, whose times depend on the course. */
const facts = ({ state }: Status): unknown =>
  JSON.parse(JSON.stringify(state), (name, field) =>
    /^(?:Gone|Creating|Made|Changing|Deleted)\//.test(name) ? undefined : field,
  )
