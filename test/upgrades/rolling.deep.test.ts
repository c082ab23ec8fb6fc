import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { asleep, during, wholeShoot } from '../../sandbox/providers/aws/demo/whole-shoot.ts'
import type { BridgeProcess } from '../bridge/bridge-process.ts'
import { share } from '../cases/share.ts'
import { statesOf } from '../shoot/observed-seed.ts'
import { type Checkout, checkOut, isInHistory } from './checkout.ts'
import { type Installed, startVersionWorld, type VersionWorld } from './version-world.ts'
import { earlier, own } from './versions.ts'

const namespace = wholeShoot.status.technicalID
const present = new Map(
  await Promise.all(earlier.map(async version => [version, await isInHistory(version)] as const)),
)

describe.each([...earlier])('an upgrade from version $name', version => {
  describe.skipIf(!present.get(version))('(needs its commit in the git history)', () => {
    const undo: Checkout[] = []
    let before: Installed
    let after: Installed
    beforeAll(async () => {
      const checkouts = [await checkOut(version), await checkOut(own)] as const
      undo.push(...checkouts)
      before = { version, folder: checkouts[0].folder }
      after = { version: own, folder: checkouts[1].folder }
    })
    afterAll(async () => {
      for (const { remove } of undo) await remove()
    })

    const orders = [
      { first: 'bridge', second: 'functions' },
      { first: 'functions', second: 'bridge' },
    ] as const
    // Each version in one of the orders. The night has both.
    test.each(share(orders, orders.length, earlier.indexOf(version)))(
      'and back, while a shoot lives, works with the $first before the $second',
      async ({ first }) => {
        const world = await startVersionWorld(before)
        try {
          const bridge = rollingBridge(world)
          const steps = (to: Installed) => {
            const parts = [() => bridge.roll(to), () => world.roll(to)]
            return first === 'bridge' ? parts : parts.toReversed()
          }
          const seen = await liveThrough(world, {
            start: () => bridge.roll(before),
            upgrade: steps(after),
            rollback: steps(before),
            mix: async () => {
              await world.roll(
                after,
                world.functionNames.filter((_, index) => index % 2 === 0),
              )
              bridge.add(after)
            },
          })
          expect(seen).toEqual({ unchanged: [{}, {}, {}, {}, {}], machines: 1, states: {} })
        } finally {
          await world.close()
        }
      },
    )
  })
})

/** Replaces bridges as a Deployment does: the next one starts before the former one ends. */
const rollingBridge = (world: VersionWorld) => {
  let running: BridgeProcess[] = []
  const start = async (of: Installed) => {
    const next = world.startBridge(of)
    await next.port
    return next
  }
  return {
    roll: async (to: Installed) => {
      const former = running
      running = [await start(to)]
      for (const one of former) await one.end('SIGTERM')
    },
    add: async (of: Installed) => void running.push(await start(of)),
  }
}

interface Course {
  readonly start: () => Promise<void>
  readonly upgrade: readonly (() => Promise<void>)[]
  readonly rollback: readonly (() => Promise<void>)[]
  /** Lets programs of both versions run. */
  readonly mix: () => Promise<void>
}

/** Runs the life of a shoot with each change in the middle of an operation. gardenlet waits for every operation. */
const liveThrough = async (world: VersionWorld, { start, upgrade, rollback, mix }: Course) => {
  const { gardenlet } = world
  const unchanged: Readonly<Record<string, number>>[] = []
  const machines = new Set<string>()
  /** Reconciles a shoot that has not changed. */
  const again = async () => {
    world.cloudWrites()
    await gardenlet.reconcile(wholeShoot)
    unchanged.push(world.cloudWrites())
    machines.add(world.machines().join())
  }
  const amid = async (operation: () => Promise<unknown>, change: (() => Promise<void>) | undefined) => {
    const done = operation()
    await world.claimed()
    await change?.()
    await done
  }
  const [up1, up2] = upgrade
  const [down1, down2] = rollback
  await start()
  await gardenlet.prepareSeed()
  await amid(() => gardenlet.reconcile(wholeShoot), up1)
  await again()
  await amid(again, up2)
  await amid(() => gardenlet.reconcile(asleep(wholeShoot)), down1)
  await amid(() => gardenlet.reconcile(wholeShoot), down2)
  machines.clear()
  await again()
  await mix()
  await again()
  await amid(again, up1)
  await amid(() => gardenlet.delete(during(wholeShoot, 'Delete')), up2)
  await gardenlet.removeSeed()
  return { unchanged, machines: machines.size, states: await statesOf(world.kubernetes, namespace) }
}
