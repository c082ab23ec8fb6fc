import { expect, onTestFinished, test } from 'vitest'
import { startMemoryRegistry } from '../registry/testing/memory-registry.ts'
import { checkRegistry, isPushed } from './check-registry.ts'
import { pushChart } from './push-chart.ts'

const access = { plainHttp: true, environment: {} }

test('a registry that accepts uploads has no image before one is pushed', async () => {
  const registry = await startMemoryRegistry()
  onTestFinished(() => registry.close())
  const reference = `${registry.host}/acme/charts/trellis:1.2.3`
  await checkRegistry(reference, access)
  expect(await isPushed(reference, access)).toBe(false)
  await pushChart({ reference, metadata: { name: 'trellis' }, archive: Buffer.from('a'), plainHttp: true })
  expect(await isPushed(reference, access)).toBe(true)
  expect(await isPushed(`${registry.host}/acme/charts/trellis:1.2.4`, access)).toBe(false)
})

test('a registry that wants other credentials is refused before a build', async () => {
  const registry = await startMemoryRegistry({ auth: { scheme: 'basic', user: 'a', password: 'b' } })
  onTestFinished(() => registry.close())
  const refused = checkRegistry(`${registry.host}/acme/bridge:1.2.3`, access)
  await expect(refused).rejects.toThrow(`it requires other credentials: docker login ${registry.host}`)
})
