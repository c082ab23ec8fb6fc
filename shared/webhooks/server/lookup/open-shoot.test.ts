import { expect, onTestFinished, test } from 'vitest'
import { createApiServer } from '../../../../sandbox/kubernetes/kubernetes.ts'
import { systemClock } from '../../../clock/clock.ts'
import { secrets } from '../../../kubernetes/core-resources.ts'
import { createKubernetes } from '../../../kubernetes/kubernetes.ts'
import { openShootOf } from './cache-shoots.ts'

const configMaps = { ...secrets, plural: 'configmaps' }
const namespace = 'shoot--foo--bar'
const { signal } = new AbortController()

const newServer = () => {
  const server = createApiServer({ clock: systemClock, objects: [] })
  onTestFinished(() => server.close())
  return server
}

const seedWith = async (kubeconfigs: Readonly<Record<string, string>>) => {
  const kubernetes = createKubernetes({ transport: newServer().transport, clock: systemClock })
  await kubernetes.create(
    { group: '', version: 'v1', plural: 'namespaces', namespaced: false },
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } },
  )
  for (const [name, kubeconfig] of Object.entries(kubeconfigs))
    await kubernetes.create(secrets, {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name, namespace },
      data: { kubeconfig: btoa(kubeconfig) },
    })
  return kubernetes
}

test.each(['gardener-internal', 'gardener'])('the kubeconfig in %s connects to the shoot', async name => {
  const server = newServer()
  const { url, close } = await server.listen()
  onTestFinished(close)
  const kubernetes = await seedWith({ [name]: server.kubeconfig(url) })
  const shoot = await openShootOf(kubernetes, systemClock)(namespace, signal)
  onTestFinished(shoot.close)
  expect((await shoot.kubernetes.list(configMaps, { namespace: 'default' })).items).toEqual([])
})

test('the error of a shoot without a kubeconfig names its namespace', async () => {
  await expect(openShootOf(await seedWith({}), systemClock)(namespace, signal)).rejects.toMatchObject({
    // The API server gets the message only of errors with this name.
    name: 'NotFoundError',
    message: 'the namespace shoot--foo--bar has no kubeconfig of a shoot',
  })
})
