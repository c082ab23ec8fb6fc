import { describe, expect, test } from 'vitest'
import { annotations } from '../../shared/contract/constants.ts'
import type { KindName } from '../../shared/contract/kinds.ts'
import { type Harness, type HarnessOptions, harness } from './harness.ts'

const backend = { types: ['test', 'test-fips'] }

const ofType = async (
  kind: KindName,
  type: string,
  options: HarnessOptions = { backend },
): Promise<Harness> => {
  const seed = await harness(kind, options)
  await seed.create({ spec: { type } })
  return seed
}

describe('a function of several types', () => {
  test.each([
    ['test', 'succeeded'],
    ['test-fips', 'succeeded'],
    ['test-old', 'not-ours'],
  ])('handles an object of type %s: %s', async (type, how) => {
    const seed = await ofType('OperatingSystemConfig', type)
    expect(await seed.step()).toMatchObject({ how })
    expect(seed.calls).toHaveLength(how === 'succeeded' ? 1 : 0)
  })

  test('of kind Extension uses the type of each object in its finalizer, and removes that one', async () => {
    const finalizers = ['extensions.gardener.cloud/other']
    for (const type of backend.types) {
      const seed = await ofType('Extension', type)
      await seed.patch({ metadata: { finalizers } })
      await seed.step()
      const { metadata } = await seed.live()
      expect(metadata.finalizers).toEqual([...finalizers, `extensions.gardener.cloud/${type}`])
      await seed.remove()
      await seed.patch({ metadata: { annotations: { [annotations.operation]: 'reconcile' } } })
      expect(await seed.step()).toMatchObject({ how: 'succeeded' })
      expect((await seed.live()).metadata.finalizers).toEqual(finalizers)
    }
  })

  test('of kind Extension uses its configured suffix for objects of all types', async () => {
    for (const type of backend.types) {
      const seed = await ofType('Extension', type, { backend: { ...backend, finalizerSuffix: 'chosen' } })
      await seed.step()
      expect((await seed.live()).metadata.finalizers).toEqual(['extensions.gardener.cloud/chosen'])
    }
  })
})
