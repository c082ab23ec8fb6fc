import { expect, test } from 'vitest'
import { dyingAt } from '../../../shared/lifecycle/testing/dying-at.ts'
import { asksAuthenticator } from './api-server/oidc.ts'
import { type ExtensionWorld, extensionWorld, name } from './testing/extension-world.ts'

const made = async (world: ExtensionWorld) => {
  await world.create()
  await world.converge(name)
}

const lives = {
  create: { before: (world: ExtensionWorld) => world.create(), least: 12 },
  rotation: {
    before: async (world: ExtensionWorld) => {
      await made(world)
      await world.rotate({ lastInitiationTime: '2026-11-21T12:00:00Z', phase: 'Preparing' })
      await world.clock.advance(5_000)
      await world.ask(name, 'reconcile')
    },
    least: 10,
  },
  delete: {
    before: async (world: ExtensionWorld) => {
      await made(world)
      await world.remove(name)
    },
    least: 9,
  },
  migrate: {
    before: async (world: ExtensionWorld) => {
      await made(world)
      await world.ask(name, 'migrate')
    },
    least: 9,
  },
} as const

const shapeOf = async (world: ExtensionWorld) => {
  const names = (await world.secretNames())
    // The garbage collector deletes unreferenced objects, at once or ten minutes later.
    .filter(one => !/^managedresource-|-bundle-|-tls-/.test(one))
    .map(one => one.replace(/-[0-9a-f]{8}(?=$|-)/, '').replace(/-[0-9a-f]{5}$/, ''))
  return {
    managedResources: await world.managedResources(),
    secrets: [...new Set(names)],
    asks: asksAuthenticator(Object((await world.apiServer())?.spec).template),
    state: (await world.read(name)) && (await world.statusOf(name)).lastOperation?.state,
  }
}

for (const [life, { before, least }] of Object.entries(lives)) {
  test.each(['before', 'after'] as const)(
    `a ${life} continues, whichever write a process dies %s`,
    async when => {
      const untouched = await extensionWorld()
      await before(untouched)
      await untouched.converge(name)
      const expected = await shapeOf(untouched)
      let deaths = 0
      for (let n = 1; ; n++) {
        const world = await extensionWorld()
        await before(world)
        const { interference, died } = dyingAt(n, when)
        world.interfereWith(interference)
        for (let count = 0; count < 8 && !died(); count++) {
          await world.step(name).catch(() => undefined)
          await world.resourceManager.work()
          if (((await world.due(name))?.kind ?? 'none') === 'none') break
          await world.clock.advance(1_000)
        }
        if (!died()) break
        deaths++
        world.interfereWith({})
        await world.clock.advance(80_000)
        await world.converge(name)
        expect(await shapeOf(world), `${when} write ${n}`).toEqual(expected)
      }
      expect(deaths).toBeGreaterThanOrEqual(least)
    },
    120_000,
  )
}
