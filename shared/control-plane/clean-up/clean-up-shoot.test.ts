import { expect, test } from 'vitest'
import { kinds } from '../../contract/kinds.ts'
import type { ShootCleanUp } from '../provider.ts'
import { newSeed } from '../testing/seed.ts'
import { tinyProvider } from '../testing/tiny-provider.ts'

const annotation = 'example.com/clean'
const tiny = tinyProvider()

/** A seed with a ControlPlane that has this clean-up. Counts how often the shoot was opened and closed. */
const seedWith = async (run: ShootCleanUp['run']) => {
  const times = { opened: 0, closed: 0 }
  const never = () => Promise.reject(new Error('not asked for'))
  const seed = await newSeed({
    provider: {
      ...tiny,
      desired: input => ({
        ...tiny.desired(input),
        shootCleanUp: { annotation, due: 'clean up', run },
      }),
    },
    openShoot: async () => {
      times.opened++
      return { kubernetes: { get: never, list: never, patch: never }, close: () => void times.closed++ }
    },
  })
  return { seed, times }
}

test.each<[string, ShootCleanUp['run'], string]>([
  ['is done', async () => undefined, 'Succeeded'],
  ['fails', () => Promise.reject(new Error('no')), 'Error'],
])('a clean-up that %s closes the connection to the shoot', async (_, run, state) => {
  const { seed, times } = await seedWith(run)
  await seed.step()
  expect(await seed.lastOperation()).toMatchObject({ state })
  expect(times).toEqual({ opened: 1, closed: 1 })
})

test('a clean-up is not recorded in another ControlPlane of the same name', async () => {
  const { seed } = await seedWith(async () => {
    const { apiVersion = '', kind = '', metadata, spec } = await seed.live()
    const { name, namespace = '' } = metadata
    const key = { name, namespace }
    await seed.kubernetes.patch(kinds.ControlPlane.resource, key, { metadata: { finalizers: null } })
    await seed.kubernetes.delete(kinds.ControlPlane.resource, key)
    await seed.kubernetes.create(kinds.ControlPlane.resource, { apiVersion, kind, metadata: key, spec })
  })
  await seed.step().catch(() => undefined)
  expect((await seed.live()).metadata.annotations ?? {}).not.toHaveProperty([annotation])
})
