import { describe, expect, test } from 'vitest'
import {
  ca,
  certificateIn,
  certificatesIn,
  dayMs,
  issuerOf,
  newSeed,
  rotationAt,
  type Seed,
  server,
  start,
  webhook,
  yearMs,
} from './testing/seed.ts'

const a = 'ca-provider-aws-controlplane-bdef740c'
const [b, c] = [`${a}-6130c`, `${a}-29767`]
const first = '2026-03-01T10:00:00Z'
const second = '2026-04-01T10:00:00Z'

/**
 * The names of the CAs that signed the certificates in use, of those in the bundle, and of the existing CA Secrets.
 */
const shownOf = async ({ reconcile, names }: Seed, ...options: Parameters<Seed['reconcile']>) => {
  const generated = await reconcile(...options)
  const by = (config: string) => issuerOf(generated.current(config)).replace('CN=', '')
  return {
    authorities: (await names()).filter(name => /^ca-.*-bdef740c/.test(name)),
    bundle: certificatesIn(generated.bundle(ca.name)).map(({ subject }) => subject.replace('CN=', '')),
    server: by(server.name),
    webhook: by(webhook.name),
    created: generated.created.length,
    ...(generated.lostAuthorities.length > 0 && { lost: generated.lostAuthorities }),
  }
}

describe('the phases of a rotation, a year apart', () => {
  test.each([['Preparing'], ['PreparingWithoutWorkersRollout'], ['WaitingForWorkersRollout']])(
    '%s: a new CA exists beside the old one, which still signs certificates for existing clients',
    async phase => {
      const seed = await newSeed()
      expect(await shownOf(seed)).toEqual({
        authorities: [a],
        bundle: [a],
        server: a,
        webhook: a,
        created: 4,
      })
      await seed.clock.advance(yearMs)
      const preparing = { authorities: [a, b], bundle: [b, a], server: a, webhook: b }
      expect(await shownOf(seed, { rotation: rotationAt(first, phase) })).toEqual({
        ...preparing,
        created: 3,
      })
    },
  )

  test('Prepared: nothing changes', async () => {
    const seed = await newSeed()
    await seed.reconcile()
    const preparing = await shownOf(seed, { rotation: rotationAt(first) })
    await seed.clock.advance(yearMs)
    const options = { rotation: rotationAt(first, 'Prepared') }
    expect(await shownOf(seed, options)).toEqual({ ...preparing, created: 0 })
    await seed.clock.advance(dayMs)
    await seed.reconcile(options)
    expect(seed.requests).toHaveLength(1)
  })

  test('Completing: the old CA is gone, and its certificates are signed again', async () => {
    const seed = await newSeed()
    await seed.reconcile()
    await seed.reconcile({ rotation: rotationAt(first) })
    await seed.clock.advance(yearMs)
    const completing = { authorities: [b], bundle: [b], server: b, webhook: b }
    const options = { rotation: rotationAt(first, 'Completing') }
    expect(await shownOf(seed, options)).toEqual({ ...completing, created: 2 })
    await seed.clock.advance(yearMs)
    const completed = { rotation: rotationAt(first, 'Completed') }
    expect(await shownOf(seed, completed)).toEqual({ ...completing, created: 0 })
    expect(await seed.names()).toHaveLength(4)
  })

  test('the next rotation retains the previous CA, and no older one', async () => {
    const seed = await newSeed()
    await seed.reconcile()
    for (const phase of ['Preparing', 'Completing', 'Completed']) {
      await seed.clock.advance(yearMs)
      await seed.reconcile({ rotation: rotationAt(first, phase) })
    }
    await seed.clock.advance(yearMs)
    const preparing = { authorities: [c, b], bundle: [c, b], server: b, webhook: c, created: 3 }
    expect(await shownOf(seed, { rotation: rotationAt(second) })).toEqual(preparing)
  })

  test('an old CA that outlives its rotation is ignored once the rotation is completed', async () => {
    const seed = await newSeed()
    await seed.reconcile()
    const { managerOf } = seed
    await managerOf({ rotation: rotationAt(first) }).generate()
    await managerOf({ rotation: rotationAt(first, 'Completing') }).generate()
    const completed = { rotation: rotationAt(first, 'Completed') }
    expect(await shownOf(seed, completed)).toMatchObject({ authorities: [b], bundle: [b], server: b })
  })

  test('an expired old CA neither signs nor is trusted', async () => {
    const seed = await newSeed()
    await seed.reconcile()
    await seed.clock.advance(10 * yearMs + 3 * dayMs)
    expect(await shownOf(seed, { rotation: rotationAt('2036-01-03T00:00:00Z') })).toMatchObject({
      bundle: [expect.stringContaining('bdef740c-')],
      server: expect.stringContaining('bdef740c-'),
    })
  })

  test('a rotation without a time in the status leaves the newest CA in place', async () => {
    const seed = await newSeed()
    await seed.reconcile()
    await seed.clock.advance(dayMs)
    await seed.reconcile({ rotation: rotationAt(first) })
    expect(await shownOf(seed)).toMatchObject({ bundle: [b, a], created: 0 })
  })

  test('an old CA with a broken Secret is an error with its name, but not its content', async () => {
    const seed = await newSeed()
    await seed.reconcile()
    const labels = (await seed.secret(a))?.metadata.labels ?? {}
    await seed.remove(a)
    await seed.put({ metadata: { name: a, labels }, data: { 'ca.crt': btoa('hidden') } })
    await expect(seed.reconcile({ rotation: rotationAt(first) })).rejects.toThrow(
      `cannot read the generated Secret shoot--foo--bar/${a}: it has no ca.key. Delete it to have it recreated`,
    )
  })

  test('a client gets its certificate from the new CA at once', async () => {
    const seed = await newSeed()
    const client = { kind: 'client', name: 'client', commonName: 'c', signedBy: { ca: ca.name } } as const
    const configs = [ca, client]
    await seed.reconcile({ configs })
    const { current } = await seed.reconcile({ configs, rotation: rotationAt(first) })
    expect(issuerOf(current('client'))).toBe(`CN=${b}`)
  })
})

describe('while the new CA is not trusted yet', () => {
  test('a certificate waits for the new CA, and the previous one stays', async () => {
    const seed = await newSeed()
    const before = await seed.reconcile()
    const rotation = rotationAt(first)
    const asked: unknown[] = []
    const waiting = await seed.reconcile(
      { rotation },
      {
        isTrusted: (authority, bundle) => {
          asked.push(authority, bundle.name)
          return false
        },
      },
    )
    expect(asked).toEqual([ca.name, waiting.bundle(ca.name).name])
    expect(waiting.awaitingTrust).toEqual([webhook.name])
    expect(waiting.current(webhook.name)).toEqual(before.current(webhook.name))
    expect(certificatesIn(waiting.bundle(ca.name))).toHaveLength(2)
    const trusted = await seed.reconcile({ rotation })
    expect(trusted.awaitingTrust).toEqual([])
    expect(issuerOf(trusted.current(webhook.name))).toBe(`CN=${b}`)
  })

  test('the wait ends once the rotation is completing', async () => {
    const seed = await newSeed()
    await seed.reconcile()
    const untrusted = { isTrusted: () => false }
    await seed.reconcile({ rotation: rotationAt(first) }, untrusted)
    const { current, awaitingTrust } = await seed.reconcile(
      { rotation: rotationAt(first, 'Completing') },
      untrusted,
    )
    expect(awaitingTrust).toEqual([])
    expect(issuerOf(current(webhook.name))).toBe(`CN=${b}`)
  })

  test('trust is not checked if there is only one CA', async () => {
    const seed = await newSeed()
    const isTrusted = () => {
      throw new Error('asked')
    }
    expect((await seed.reconcile({}, { isTrusted })).awaitingTrust).toEqual([])
  })
})

describe('a certificate near its end', () => {
  test('is renewed by the same CA under a new name after 80 % of ten years', async () => {
    const seed = await newSeed()
    const before = await seed.reconcile()
    await seed.clock.advance(2921 * dayMs)
    expect((await seed.reconcile()).created).toEqual([])
    await seed.clock.advance(dayMs)
    const { created, current } = await seed.reconcile()
    expect(created).toEqual(
      [server, webhook].map(({ name }) => expect.stringMatching(`^${name}-[0-9a-f]{8}-`)),
    )
    expect(current(ca.name)).toEqual(before.current(ca.name))
    const { validFrom } = certificateIn(current(server.name))
    expect(Date.parse(validFrom)).toBe(start + 2922 * dayMs - 60_000)
    await seed.clock.advance(yearMs)
    expect((await seed.reconcile()).created).toEqual([])
  })

  test('is renewed to the same Secret by two processes that find it at different times', async () => {
    const seed = await newSeed()
    await seed.reconcile()
    await seed.clock.advance(2923 * dayMs)
    const late = { now: () => seed.clock.now() + 7_000 }
    const [one, other] = await Promise.all([
      seed.managerOf().generate(),
      seed.managerOf({ clock: late }).generate(),
    ])
    expect(other.current(server.name)).toEqual(one.current(server.name))
    expect(other.current(webhook.name)).toEqual(one.current(webhook.name))
    expect(await seed.names()).toHaveLength(6)
  })

  test('is renewed after the percentage in its config, which is also a label', async () => {
    const seed = await newSeed()
    const configs = [ca, { ...server, renewAfterValidityPercentage: 10 }]
    const { current } = await seed.reconcile({ configs })
    const labels = (await seed.secret(current(server.name).name))?.metadata.labels
    expect(labels?.['renew-after-validity-percentage']).toBe('10')
    await seed.clock.advance(yearMs)
    expect((await seed.reconcile({ configs })).created).toEqual([])
    await seed.clock.advance(dayMs)
    expect((await seed.reconcile({ configs })).created).toHaveLength(1)
  })

  test('has the same renewal time after its CA is rotated', async () => {
    const seed = await newSeed()
    await seed.reconcile()
    await seed.clock.advance(2923 * dayMs)
    const renewed = await seed.reconcile()
    const suffix = renewed.current(webhook.name).name.slice(-6)
    const { current } = await seed.reconcile({ rotation: rotationAt('2034-02-01T00:00:00Z') })
    expect(current(webhook.name).name.slice(-6)).toBe(suffix)
    expect(current(webhook.name).name).not.toBe(renewed.current(webhook.name).name)
  })

  test('does not apply to the CA of a shoot, which only a rotation renews', async () => {
    const seed = await newSeed()
    const configs = [ca]
    await seed.reconcile({ configs })
    await seed.clock.advance(9 * yearMs)
    expect((await seed.reconcile({ configs })).created).toEqual([])
  })
})
