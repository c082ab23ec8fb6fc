import { expect, test } from 'vitest'
import type { Gardenlet } from '../../sandbox/gardenlet/gardenlet.ts'
import { wholeShoot } from '../../sandbox/providers/aws/demo/whole-shoot.ts'
import { type ShootLifeOptions, shootLife } from './shoot-life.ts'

const lifeOf = (options: Partial<ShootLifeOptions> = {}) => {
  const contents: string[] = []
  let machines = 0
  const gardenlet = {
    prepareSeed: async () => void contents.push('bucket'),
    reconcile: async ({ spec }) => {
      machines = spec.hibernation.enabled ? 0 : 2
    },
    openBastion: async () => ({ status: { ingress: { ip: '192.0.2.1' } } }) as never,
    closeBastion: async () => {},
    delete: async () => {},
    removeSeed: async () => void contents.pop(),
  } satisfies Partial<Gardenlet> as unknown as Gardenlet
  const usual = { writes: () => ({}), machines: () => machines, contents: async () => [...contents] }
  return shootLife({ gardenlet, shoot: wholeShoot, ...usual, ...options })
}

const failureOf = async (options?: Partial<ShootLifeOptions>) => {
  for (const { run, title } of lifeOf(options)) {
    try {
      await run()
    } catch {
      return title
    }
  }
  return undefined
}

test('a life without problems has no failure', async () => {
  expect(await failureOf()).toBeUndefined()
})

test.each<[string, RegExp, Partial<ShootLifeOptions>]>([
  ['a write at a reconcile without a change', /without a write/, { writes: () => ({ CreateVpc: 1 }) }],
  ['another number of machines', /created/, { machines: () => 1 }],
  ['something that is left', /nothing of it is left/, { contents: contentsThatStay() }],
])('%s fails its step', async (_, title, options) => {
  expect(await failureOf(options)).toMatch(title)
})

/** The contents of an account: empty once, and then never again. */
function contentsThatStay() {
  let reads = 0
  return async () => (reads++ === 0 ? [] : ['vpc'])
}
