import { expect, test } from 'vitest'
import { createApiServer } from '../../sandbox/kubernetes/kubernetes.ts'
import { virtualClock } from '../clock/clock.ts'
import { createKubernetes, KubernetesError, type KubernetesObject } from '../kubernetes/kubernetes.ts'
import { readDeployments } from './read-deployments.ts'

const namespace = 'shoot--a--b'
const isController = { 'high-availability-config.resources.gardener.cloud/type': 'controller' }

const deployment = (name: string, labels: Readonly<Record<string, string>>): KubernetesObject => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name, namespace, labels },
  spec: {
    selector: { matchLabels: { app: name } },
    template: {
      metadata: { labels: { app: name } },
      spec: { containers: [{ name: 'one', image: 'one' }] },
    },
  },
})

const newReader = ({ mayList = true } = {}) => {
  const clock = virtualClock(Date.parse('2026-11-21T12:00:00Z'))
  const server = createApiServer({
    clock,
    objects: [
      { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } },
      deployment('one', isController),
      deployment('two', isController),
      deployment('other', {}),
    ],
  })
  const kubernetes = createKubernetes({ transport: server.transport, clock })
  const requests: string[] = []
  const read = readDeployments(
    {
      get: (resource, key, options) => {
        requests.push(`get ${key.name}`)
        return kubernetes.get(resource, key, options)
      },
      list: (resource, options) => {
        requests.push('list')
        return mayList
          ? kubernetes.list(resource, options)
          : Promise.reject(new KubernetesError(403, 'Forbidden', 'no'))
      },
    },
    namespace,
    new AbortController().signal,
  )
  const names = (...asked: readonly string[]) =>
    Promise.all(asked.map(async name => (await read(name))?.metadata.name))
  return { names, requests }
}

test('one request reads all controllers', async () => {
  const { names, requests } = newReader()
  expect(await names('one', 'two', 'one')).toEqual(['one', 'two', 'one'])
  expect(requests).toEqual(['list'])
})

test('any other Deployment is read by name, once', async () => {
  const { names, requests } = newReader()
  expect(await names('other', 'one', 'missing', 'other')).toEqual(['other', 'one', undefined, 'other'])
  expect(requests).toEqual(['list', 'get other', 'get missing'])
})

test('without permission to list, each Deployment is read by name', async () => {
  const { names, requests } = newReader({ mayList: false })
  expect(await names('one', 'two')).toEqual(['one', 'two'])
  expect(requests).toEqual(['list', 'get one', 'get two'])
})
