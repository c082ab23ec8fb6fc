import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { afterEach, expect, test } from 'vitest'
import { functionFolder, importLine } from '../../functions/testing/function-folder.ts'
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

test('the webhooks of a project replace those of Trellis', async () => {
  const project = await functionFolder({
    'acme/webhooks/labels/webhook.ts': `${importLine('{ defineWebhook }', 'shared/webhooks/admission/define-webhook.ts')}
export const definition = defineWebhook({
  name: 'labels',
  component: 'provider-acme',
  action: 'mutate',
  target: 'seed',
  resources: [{ group: '', versions: ['v1'], plural: 'secrets', kind: 'Secret' }],
  review: ({ object }) => ({ changed: { ...object, metadata: { ...object.metadata, labels: { cloud: 'acme' } } } }),
})
`,
  })
  undo.push(project.remove)
  const seed = await start()
  const { port, release } = await holdPort()
  await release()
  undo.push((await startSeedWebhooks(seed.kubernetes, port, project.root)).close)
  const { items } = await seed.kubernetes.list({
    ...resource('admissionregistration.k8s.io', 'mutatingwebhookconfigurations', false),
  })
  expect(items.map(({ metadata }) => metadata.name)).toEqual(['gardener-extension-provider-acme'])
  const metadata = { name: 'x', namespace: 'default' }
  const secret = await seed.kubernetes.create(resource('', 'secrets'), {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata,
  })
  expect(secret.metadata.labels).toEqual({ cloud: 'acme' })
})

test('a port in use is reported with its flag, and nothing continues to run', async () => {
  const seed = await start()
  const { port, release } = await holdPort()
  undo.push(release)
  await expect(startSeedWebhooks(seed.kubernetes, port)).rejects.toEqual(
    new UsageError(`port ${port} is in use. Choose another one with --webhook-port`),
  )
})
