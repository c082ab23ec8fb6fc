import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { afterEach, expect, test } from 'vitest'
import { createSentences } from '../../sandbox/narration/sentence.ts'
import { type AskedReview, type Seed, startSeed } from '../../sandbox/seed/seed.ts'
import { UsageError } from '../../sandbox/terminal/exit-code.ts'
import { clusterKind } from '../../shared/contract/kinds.ts'
import type { GroupVersionResource } from '../../shared/kubernetes/kubernetes.ts'
import { readObjects } from '../plan/read-objects.ts'
import { startSeedWebhooks } from './start-seed-webhooks.ts'

const resource = (group: string, plural: string, namespaced = true): GroupVersionResource => ({
  group,
  version: 'v1',
  plural,
  namespaced,
})
const resources: Readonly<Record<string, GroupVersionResource>> = {
  Namespace: resource('', 'namespaces', false),
  Cluster: clusterKind.resource,
  Secret: resource('', 'secrets'),
  Deployment: resource('apps', 'deployments'),
}
const example = join(fileURLToPath(new URL('../..', import.meta.url)), 'examples/webhooks/shoot.yaml')

const undo: (() => unknown)[] = []
afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step()
})

const start = async (observe: (review: AskedReview) => void = () => {}): Promise<Seed> => {
  const seed = await startSeed({
    functions: [],
    kinds: ['DNSRecord'],
    observe: event => {
      if (event.part === 'review') observe(event.review)
    },
  })
  undo.push(seed.close)
  return seed
}

const holdPort = async () => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    release: () => new Promise(resolve => server.close(resolve)),
  }
}

test('the API server of a sandbox calls the webhooks for the example, and their changes are logged', async () => {
  const narrated: string[] = []
  const sentenceOf = createSentences()
  const seed = await start(review => {
    const sentence = sentenceOf({ part: 'review', review })
    if (sentence) narrated.push(`${sentence.part}: ${sentence.text}`)
  })
  const { port, release } = await holdPort()
  await release()
  const webhooks = await startSeedWebhooks(seed.kubernetes, port)
  undo.push(webhooks.close)

  const stored = new Map<string, unknown>()
  for (const object of await readObjects(example, Readable.from([])))
    stored.set(
      object.kind,
      await seed.kubernetes.create(resources[object.kind] ?? clusterKind.resource, object),
    )
  expect(JSON.stringify(stored.get('Deployment'))).toContain('--cloud-provider=external')
  const { credentialsFile } = Object(Object(stored.get('Secret')).data)
  expect(Buffer.from(credentialsFile, 'base64').toString()).toContain('region=eu-west-1')
  await expect(
    seed.kubernetes.patch(
      resource('', 'secrets'),
      { namespace: 'shoot--demo--webhooks', name: 'cloudprovider' },
      { data: { accessKeyID: null } },
    ),
  ).rejects.toThrow('admission webhook "cloudprovider.aws.extensions.gardener.cloud" denied the request')
  const of = 'shoot--demo--webhooks'
  expect(narrated).toEqual([
    `webhook: cloudprovider.aws.extensions.gardener.cloud changes Secret ${of}/cloudprovider`,
    `webhook: controlplane.aws.extensions.gardener.cloud changes Deployment ${of}/kube-controller-manager`,
    `webhook: cloudprovider.aws.extensions.gardener.cloud refuses Secret ${of}/cloudprovider: could not mutate cloudprovider secret as "accessKeyID" field is missing`,
  ])
})

test('a port in use is reported with its flag, and nothing continues to run', async () => {
  const seed = await start()
  const { port, release } = await holdPort()
  undo.push(release)
  await expect(startSeedWebhooks(seed.kubernetes, port)).rejects.toEqual(
    new UsageError(`port ${port} is in use. Choose another one with --webhook-port`),
  )
})
