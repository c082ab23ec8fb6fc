import { expect, test } from 'vitest'
import type { SecretsManagerOptions } from './secrets-manager.ts'
import { certificateIn, certificatesIn, dayMs, issuerOf, newSeed, start } from './testing/seed.ts'

/**
 * The configs of a process with webhooks: no shoot, a CA that is valid for a month, and replicas that share all
 * Secrets.
 */
const authority = {
  kind: 'ca',
  name: 'ca-provider-aws-webhook',
  commonName: 'ca-provider-aws-webhook',
  validityMs: 30 * dayMs,
  autoRotate: true,
  ignoreOldAfterMs: dayMs,
} as const
const server = {
  kind: 'server',
  name: 'provider-aws-webhook-server',
  commonName: 'provider-aws',
  dnsNames: ['gardener-extension-provider-aws'],
  signedBy: { ca: authority.name, use: 'current' },
  skipPublishingCaCertificate: true,
} as const
const options: Partial<SecretsManagerOptions> = {
  namespace: 'extension-provider',
  identity: 'gardener-extension-provider-aws-webhook',
  configs: [authority, server],
}
const name = 'ca-provider-aws-webhook-c98c8d03'

test('the CA has the same name as in the Go extension and is not persisted', async () => {
  const { reconcile, all } = await newSeed()
  const { current } = await reconcile(options)
  expect(current(authority.name).name).toBe(name)
  const secret = (await all(options.namespace)).find(({ metadata }) => metadata.name === name)
  expect(secret?.metadata.labels).toMatchObject({ 'checksum-of-config': '16864621506376382905' })
  expect(secret?.metadata.labels).not.toHaveProperty('persist')
  expect(certificateIn(current(authority.name)).validTo).toBe('Jan 31 00:00:00 2026 GMT')
})

test('the CA is renewed after twenty days, and the old one is ignored once the new one is a day old', async () => {
  const { reconcile, all, clock } = await newSeed()
  const first = await reconcile(options)
  await clock.advance(20 * dayMs - 1)
  expect((await reconcile(options)).created).toEqual([])
  await clock.advance(1)
  const second = await reconcile(options)
  expect(second.current(authority.name).name).toMatch(/-c98c8d03-[0-9a-f]{5}$/)
  expect(second.old(authority.name)).toEqual(first.current(authority.name))
  expect(certificatesIn(second.bundle(authority.name))).toHaveLength(2)
  expect(issuerOf(second.current(server.name))).toBe(`CN=${second.current(authority.name).name}`)
  await clock.advance(dayMs - 60_001)
  expect((await reconcile(options)).old(authority.name)).toBeDefined()
  await clock.advance(1)
  const third = await reconcile(options)
  expect(third.old(authority.name)).toBeUndefined()
  expect(certificatesIn(third.bundle(authority.name))).toHaveLength(1)
  expect(third.current(server.name)).toEqual(second.current(server.name))
  await clock.advance(dayMs)
  await reconcile(options)
  expect(await all(options.namespace)).toHaveLength(3)
})

test('the CA is renewed repeatedly, and there are never more than two', async () => {
  const { reconcile, all, clock } = await newSeed()
  const names = new Set<string>()
  for (let day = 0; day < 100; day++) {
    names.add((await reconcile(options)).current(authority.name).name)
    const authorities = (await all(options.namespace)).filter(
      ({ metadata }) => metadata.labels?.name === authority.name,
    )
    expect(authorities.length).toBeLessThanOrEqual(2)
    await clock.advance(dayMs)
  }
  expect(names.size).toBe(5)
})

test('a new CA waits until the clients of the webhook trust it', async () => {
  const { reconcile, clock } = await newSeed()
  const first = await reconcile(options)
  await clock.advance(20 * dayMs)
  const untrusted = await reconcile(options, { isTrusted: () => false })
  expect(untrusted.current(server.name)).toEqual(first.current(server.name))
  const trusted = await reconcile(options)
  expect(trusted.current(server.name)).not.toEqual(first.current(server.name))
})

test('a new CA waits as long as the old one is valid, and isTrusted is called with isLate', async () => {
  const { reconcile, clock } = await newSeed()
  const first = await reconcile(options)
  await clock.advance(20 * dayMs)
  const asked: boolean[] = []
  const isTrusted = (_: string, __: unknown, isLate: boolean): boolean => {
    asked.push(isLate)
    return false
  }
  for (let day = 0; day < 10; day++) {
    const waiting = await reconcile(options, { isTrusted })
    expect(waiting.current(server.name)).toEqual(first.current(server.name))
    expect(certificatesIn(waiting.bundle(authority.name))).toHaveLength(2)
    expect(waiting.awaitingTrust).toEqual([server.name])
    await clock.advance(dayMs)
  }
  expect(asked).toEqual([false, ...Array.from({ length: 9 }, () => true)])
  await clock.advance(1_000)
  const over = await reconcile(options, { isTrusted })
  expect(over.old(authority.name)).toBeUndefined()
  expect(issuerOf(over.current(server.name))).toBe(`CN=${over.current(authority.name).name}`)
})

test('replicas that start at the same time have one CA and one certificate', async () => {
  const { managerOf } = await newSeed()
  const replicas = [1, 2, 3].map(() => managerOf(options).generate())
  const served = (await Promise.all(replicas)).map(({ current }) => current(server.name))
  expect(served[1]).toEqual(served[0])
  expect(served[2]).toEqual(served[0])
})

test('a replica reads the newest certificate and creates nothing', async () => {
  const { managerOf, reconcile, requests, clock } = await newSeed()
  expect(await managerOf(options).read(server.name)).toBeUndefined()
  await reconcile(options)
  await clock.advance(20 * dayMs)
  const { current } = await reconcile(options)
  requests.length = 0
  const read = await managerOf(options).read(server.name)
  expect(read).toEqual({ ...current(server.name), signer: current(authority.name) })
  expect(requests).toEqual([expect.stringMatching(/^list /)])
  expect(Date.parse(certificateIn(read ?? {}).validFrom)).toBe(start + 20 * dayMs - 60_000)
})
