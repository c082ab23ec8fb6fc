import { expect, onTestFinished, test } from 'vitest'
import { createApiServer } from '../../../sandbox/kubernetes/kubernetes.ts'
import { systemClock } from '../../clock/clock.ts'
import { configMaps } from '../../kubernetes/core-resources.ts'
import { newSeed } from '../testing/seed.ts'
import { openShoot } from './open-shoot.ts'

/** The API server of a shoot on 127.0.0.1. */
const shootServer = async () => {
  const server = createApiServer({ clock: systemClock, objects: [] })
  const { url, close } = await server.listen()
  onTestFinished(async () => {
    server.close()
    await close()
  })
  return server.kubeconfig(url)
}

const stepOf = async (kubeconfigs: Readonly<Record<string, string>>) => {
  const seed = await newSeed()
  for (const [name, kubeconfig] of Object.entries(kubeconfigs))
    await seed.makeSecret(name, { data: { kubeconfig: Buffer.from(kubeconfig).toString('base64') } })
  return {
    object: await seed.live(),
    kubernetes: seed.kubernetes,
    clock: systemClock,
    signal: new AbortController().signal,
  }
}

test.each([
  ['gardener-internal', 'broken'],
  ['gardener', undefined],
])('the kubeconfig in %s connects to the shoot', async (name, other) => {
  const kubeconfig = await shootServer()
  const step = await stepOf({ [name]: kubeconfig, ...(other && { gardener: other }) })
  const { kubernetes, close } = await openShoot(step)
  onTestFinished(close)
  expect((await kubernetes.list(configMaps, { namespace: 'default' })).items).toEqual([])
})

test('the error names a Secret without a kubeconfig', async () => {
  const seed = await newSeed()
  await seed.makeSecret('gardener', { data: { other: btoa('x') } })
  const step = { object: await seed.live(), kubernetes: seed.kubernetes, clock: systemClock }
  await expect(openShoot({ ...step, signal: new AbortController().signal })).rejects.toThrow(
    'the Secret shoot--p--x/gardener has no key kubeconfig',
  )
})
