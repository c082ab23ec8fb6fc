import { expect, test } from 'vitest'
import { useWebhookSeed } from '../../shared/webhooks/server/testing/use-webhook-seed.ts'
import { dayMs, namespace, type WebhookSeed } from '../../shared/webhooks/server/testing/webhook-seed.ts'
import type { CheckedSeed } from './checked-seed.ts'
import { webhookChecks } from './checks/webhook-checks.ts'
import { readSeed } from './read-seed.ts'
import { seedReads } from './reads.ts'
import { runChecks } from './run-checks.ts'

const begin = useWebhookSeed()

const service = {
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name: 'gardener-extension-provider-tiny', namespace },
  spec: { selector: { app: 'webhook' } },
}

/** It has certificates, a registration and the Service of that registration; its process has ended. */
const registered = async (): Promise<WebhookSeed> => {
  const seed = await begin()
  const replica = await seed.start()
  await replica.registered
  const closing = replica.close()
  await seed.clock.advance(60_000)
  await closing
  await seed.kubernetes.create(seedReads.coreServices.resource, service)
  return seed
}

const examined = async ({ kubernetes, clock }: WebhookSeed) => {
  const now = clock.now()
  const seed: CheckedSeed = {
    version: '1.2.3',
    namespace,
    server: { version: 'v1.34.0', date: now, askedAt: now, answeredAt: now },
    reads: await readSeed({ kubernetes, namespace, signal: new AbortController().signal }),
    rights: [],
    functions: [],
  }
  const [report] = runChecks(seed, webhookChecks)
  return report?.diagnoses.map(({ state, text }) => `${state} ${text}`) ?? []
}

test('registered webhooks with a reachable Service and a trusted CA have no problem', async () => {
  expect(await examined(await registered())).toEqual([
    'ok 1 webhook components are registered',
    'ok the CA of gardener-extension-provider-tiny is valid for 29 days',
    'ok the certificate of gardener-extension-provider-tiny is trusted',
  ])
})

test('a registration without its Service is a problem, because it blocks every write', async () => {
  const seed = await registered()
  await seed.kubernetes.delete(seedReads.coreServices.resource, { name: service.metadata.name, namespace })
  expect(await examined(seed)).toContain(
    'problem the MutatingWebhookConfiguration gardener-extension-provider-tiny refers to the Service gardener-extension-provider-tiny, which does not exist: API servers cannot store the objects it selects',
  )
})

test('a CA that another one replaces is a problem, because every call fails', async () => {
  const seed = await registered()
  const other = await registered()
  const [webhook] = (await seed.configuration())?.webhooks ?? []
  const [foreign] = (await other.configuration())?.webhooks ?? []
  await seed.kubernetes.patch(
    seedReads.mutatingWebhooks.resource,
    { name: service.metadata.name },
    {
      webhooks: [
        { ...webhook, clientConfig: { ...webhook?.clientConfig, caBundle: foreign?.clientConfig.caBundle } },
      ],
    },
  )
  expect(await examined(seed)).toContain(
    'problem gardener-extension-provider-tiny does not trust the certificate of the Service gardener-extension-provider-tiny: every call fails',
  )
})

test('a CA that expires soon is a warning, and an expired one a problem', async () => {
  const seed = await registered()
  await seed.clock.advance(28 * dayMs)
  expect(await examined(seed)).toContainEqual(
    expect.stringMatching(/^warning the CA in .* expires in \d\d h$/),
  )
  await seed.clock.advance(5 * dayMs)
  expect(await examined(seed)).toContain(
    'problem the CA in the MutatingWebhookConfiguration gardener-extension-provider-tiny has expired',
  )
})

test('a Service without a registration is a warning', async () => {
  const seed = await registered()
  await seed.kubernetes.delete(seedReads.mutatingWebhooks.resource, { name: service.metadata.name })
  expect(await examined(seed)).toContain(
    'warning the Service gardener-extension-provider-tiny has no registration: no API server of this cluster calls it',
  )
})
