import { expect, test } from 'vitest'
import { virtualClock } from '../clock/clock.ts'
import type { SecretsManagerOptions } from './secrets-manager.ts'
import { certificateIn, dayMs, issuerOf, newSeed, server as shootServer, start } from './testing/seed.ts'

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
} as const
const options: Partial<SecretsManagerOptions> = { configs: [authority, server] }
const ahead = virtualClock(start + 25 * dayMs)
const validFrom = (secret: { readonly data: Readonly<Record<string, string>> }) =>
  Date.parse(certificateIn(secret).validFrom)

test('a first CA from a fast clock is recreated with its certificates when the clock is right', async () => {
  const { reconcile, names } = await newSeed()
  const wrong = await reconcile({ ...options, clock: ahead })
  const right = await reconcile(options)
  expect(right.replaced).toEqual([wrong.current(authority.name).name])
  expect(validFrom(right.current(authority.name))).toBeLessThanOrEqual(start)
  expect(validFrom(right.current(server.name))).toBeLessThanOrEqual(start)
  expect(issuerOf(right.current(server.name))).toBe(`CN=${right.current(authority.name).name}`)
  expect((await reconcile(options)).created).toEqual([])
  expect(await names()).toContain(right.current(authority.name).name)
})

test('a CA that a fast clock renewed too soon is recreated, and the previous one stays valid', async () => {
  const { reconcile } = await newSeed()
  const first = await reconcile(options)
  const wrong = await reconcile({ ...options, clock: ahead })
  expect(wrong.current(authority.name)).not.toEqual(first.current(authority.name))
  const right = await reconcile(options, { isTrusted: () => false })
  expect(validFrom(right.current(authority.name))).toBeLessThanOrEqual(start)
  expect(right.old(authority.name)).toEqual(first.current(authority.name))
  expect(issuerOf(right.current(server.name))).toBe(`CN=${first.current(authority.name).name}`)
  expect(validFrom(right.current(server.name))).toBeLessThanOrEqual(start)
})

test('a certificate from a fast clock by a correct CA is replaced under a new name, so pods mount the new one', async () => {
  const { reconcile, all, remove, clock } = await newSeed()
  const made = await reconcile(options)
  await remove(made.current(server.name).name)
  const wrong = await reconcile({ ...options, clock: virtualClock(start + 10 * dayMs) })
  expect(wrong.current(authority.name)).toEqual(made.current(authority.name))
  const right = await reconcile(options)
  expect(right.current(server.name).name).not.toBe(wrong.current(server.name).name)
  expect(validFrom(right.current(server.name))).toBeLessThanOrEqual(start)
  expect((await reconcile(options)).created).toEqual([])
  await clock.advance(600_000)
  await reconcile(options)
  expect((await all()).filter(({ metadata }) => metadata.labels?.name === server.name)).toHaveLength(1)
})

test('the CA of a shoot that is not valid yet is recreated under its name', async () => {
  const { reconcile } = await newSeed()
  const wrong = await reconcile({ clock: ahead })
  const right = await reconcile()
  const name = 'ca-provider-aws-controlplane'
  expect(right.current(name).name).toBe(wrong.current(name).name)
  expect(validFrom(right.current(name))).toBeLessThanOrEqual(start)
  expect(issuerOf(right.current(shootServer.name))).toBe(`CN=${right.current(name).name}`)
})

test('a process with a slow clock does not treat a CA as not yet valid', async () => {
  const { reconcile } = await newSeed()
  const right = await reconcile(options)
  const late = await reconcile({ ...options, clock: virtualClock(start - 25 * dayMs) })
  expect(late.replaced).toEqual([])
  expect(late.current(authority.name)).toEqual(right.current(authority.name))
  expect(late.current(server.name)).toEqual(right.current(server.name))
})

test('a process that dies while it replaces a CA leaves a state that the next process completes', async () => {
  for (let write = 1; write <= 4; write++)
    for (const done of [false, true]) {
      const seed = await newSeed()
      await seed.reconcile({ ...options, clock: ahead })
      seed.failAt({ write, done })
      await seed.reconcile(options).catch(() => undefined)
      seed.failAt(undefined)
      const right = await seed.reconcile(options)
      expect(validFrom(right.current(authority.name))).toBeLessThanOrEqual(start)
      expect(issuerOf(right.current(server.name))).toBe(`CN=${right.current(authority.name).name}`)
    }
})

test.each([
  ['a CA', authority.name, { 'ca.crt': 'no certificate' }],
  ['a CA without its key', authority.name, { 'ca.key': undefined }],
  ['a certificate', server.name, { 'tls.crt': 'no certificate' }],
  ['a bundle', `${authority.name}-bundle`, { 'bundle.crt': 'no certificate' }],
])(
  '%s that cannot be read is named, and recreated if all Secrets belong to the process',
  async (_, config, change) => {
    const { reconcile, all, remove, put } = await newSeed()
    await reconcile(options)
    const broken = (await all()).find(({ metadata }) => metadata.labels?.name === config)
    if (broken === undefined) throw new Error('not found')
    const { name, labels } = broken.metadata
    const data = Object.fromEntries(
      Object.entries({ ...Object(broken.data), ...change })
        .filter(([, value]) => value !== undefined)
        .map(([key, value]) => [key, key in change ? btoa(String(value)) : value]),
    )
    await remove(name)
    await put({ metadata: { name, ...(labels && { labels }) }, data })
    await expect(reconcile(options)).rejects.toThrow(name)
    const mended = await reconcile({ ...options, replacesUnreadable: true })
    expect(mended.replaced).toContain(name)
    expect(issuerOf(mended.current(server.name))).toBe(`CN=${mended.current(authority.name).name}`)
    expect((await reconcile({ ...options, replacesUnreadable: true })).created).toEqual([])
  },
)
