import { expect, test } from 'vitest'
import { clusterOf, extensionSeed } from '../../testing/extension-seed.ts'
import { definition } from './function.ts'

test('a reconcile waits for the pod until gardenlet’s timeout', async () => {
  const seed = await extensionSeed(definition, { treatment: 'unhealthy' })
  for (let minute = 0; minute < 10; minute++) {
    await seed.step()
    await seed.clock.advance(60_000)
  }
  expect((await seed.status()).lastOperation).toMatchObject({ state: 'Processing', type: 'Create' })
  seed.treat('apply')
  await seed.converge()
  expect((await seed.status()).lastOperation).toMatchObject({ state: 'Succeeded', type: 'Create' })
})

test('a reconcile of a hibernated shoot does not wait', async () => {
  const cluster = clusterOf({ spec: { hibernation: { enabled: true } } })
  const seed = await extensionSeed(definition, { cluster, treatment: 'unhealthy' })
  await seed.step()
  expect((await seed.status()).lastOperation).toMatchObject({ state: 'Succeeded' })
  expect(await seed.managedResources()).toHaveLength(1)
})

test('a migration retains the pod in the shoot', async () => {
  const seed = await extensionSeed(definition)
  await seed.converge()
  await seed.ask('migrate')
  await seed.step()
  expect(await seed.managedResources()).toMatchObject([{ isDeleting: true, spec: { keepObjects: true } }])
})
