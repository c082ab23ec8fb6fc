import { describe, expect, test } from 'vitest'
import type { SteppedRequest } from '../../sandbox/stepped-seed/stepped-seed.ts'
import { annotations } from '../../shared/contract/constants.ts'
import { type KindName, kinds } from '../../shared/contract/kinds.ts'
import { ConnectionError, type Kubernetes } from '../../shared/kubernetes/kubernetes.ts'
import { kindRules } from '../../shared/lifecycle/lifecycle.ts'
import { type Harness, harness } from './harness.ts'

interface Metadata {
  readonly annotations?: Readonly<Record<string, string | null>>
  readonly finalizers?: readonly string[] | null
}

/** Describes a request in the words of the contract. */
const inWords = ({ verb, resource, body }: SteppedRequest): string => {
  if (verb === 'get') return `read ${resource}`
  if (resource.endsWith('/status')) return Object(body).status.lastOperation?.state ?? 'error'
  const metadata: Metadata = Object(body).metadata
  const words: string[] = []
  if (metadata.annotations?.[annotations.step]?.includes('"claimed"')) words.push('claim')
  if (metadata.annotations?.[annotations.step]?.includes('"waiting"')) words.push('wait')
  if (metadata.annotations?.[annotations.step] === null) words.push('release')
  if (metadata.annotations?.[annotations.operation] === null) words.push('consume annotation')
  if (metadata.finalizers === null) words.push('drop all finalizers')
  else if (metadata.finalizers?.length === 0) words.push('drop finalizer')
  else if (metadata.finalizers !== undefined) words.push('add finalizer')
  return resource === 'secrets' ? `secret: ${words.join(', ')}` : words.join(', ')
}

const words = (seed: Harness): readonly string[] => seed.requests.map(inWords)

/** Loses the answer to the n-th patch, from 0. */
const losing = (seed: Harness, n: number): Kubernetes => {
  let writes = 0
  return {
    ...seed.observed,
    patch: async (...args) => {
      const answer = await seed.observed.patch(...args)
      if (writes++ === n) throw new ConnectionError('reset', { cause: undefined, sent: true })
      return answer
    },
  }
}

const ownOf = (kind: KindName) => kinds[kind].finalizer(kind === 'Extension' ? 'test' : undefined)

describe('the order of requests', () => {
  test('of an unchanged DNSRecord has six entries, two of them the contract’s status writes', async () => {
    const seed = await harness('DNSRecord')
    await seed.create({ annotation: 'reconcile' })
    await seed.step()
    await seed.clock.advance(5_000)
    await seed.patch({ metadata: { annotations: { [annotations.operation]: 'reconcile' } } })
    seed.requests.length = 0
    await seed.step()
    expect(words(seed)).toEqual([
      'read dnsrecords',
      'read clusters',
      'read secrets',
      'claim, consume annotation',
      'Processing',
      'Succeeded',
    ])
    // No request remains to release the claim, so the claim's text must be true after it has ended.
    const left = (await seed.live()).metadata.annotations?.[annotations.step]
    expect(left).not.toContain('running')
    expect(left).toContain('"ends":"when lastOperation is Succeeded, else at until"')
    expect((await seed.live()).status?.lastOperation?.state).toBe('Succeeded')
  })

  test('of a create begins with the claim, which adds the finalizer', async () => {
    const seed = await harness('Network')
    await seed.create({ annotation: 'reconcile' })
    await seed.step()
    expect(words(seed)).toEqual([
      'read networks',
      'read clusters',
      'claim, consume annotation, add finalizer',
      'Processing',
      'Succeeded',
    ])
  })

  test('of a failure reports the error, then schedules the retry', async () => {
    const reconcile = async () => {
      throw new Error('no')
    }
    const seed = await harness('Network', { actuator: { reconcile } })
    await seed.create({ annotation: 'reconcile' })
    await seed.step()
    expect(words(seed).slice(3)).toEqual(['Processing', 'Error', 'wait'])
  })

  test('of a step that continues reports the progress, then schedules the next step', async () => {
    const reconcile = async () =>
      ({ kind: 'continue', afterMs: 5_000, progress: 40, description: 'Waiting for the gateway' }) as const
    const seed = await harness('Network', { actuator: { reconcile } })
    await seed.create({ annotation: 'reconcile' })
    await seed.step()
    expect(words(seed).slice(3)).toEqual(['Processing', 'Processing', 'wait'])
    expect((await seed.live()).status?.lastOperation).toMatchObject({
      progress: 40,
      description: 'Waiting for the gateway',
    })
  })

  test('of a success with a next reconcile schedules that first', async () => {
    const seed = await harness('Extension', { backend: { resyncMs: 3_600_000 } })
    await seed.create({ annotation: 'reconcile' })
    await seed.step()
    const afterClaim = words(seed).slice(words(seed).indexOf('Processing'))
    expect(afterClaim).toEqual(['Processing', 'wait', 'Succeeded'])
    await seed.clock.advance(3_600_000)
    seed.requests.length = 0
    expect(await seed.step()).toEqual({ kind: 'recorded', how: 'succeeded' })
    expect(words(seed).slice(-4)).toEqual(['claim', 'Processing', 'wait', 'Succeeded'])
  })

  test.each([1, 2, 3])('never loses the next reconcile if the process dies before write %i', async write => {
    const seed = await harness('Extension', { backend: { resyncMs: 3_600_000 } })
    await seed.create({ annotation: 'reconcile' })
    let writes = 0
    const dying: Kubernetes = {
      ...seed.observed,
      patch: async (...args) => {
        if (writes++ >= write) throw new Error('the process is dead')
        return seed.observed.patch(...args)
      },
    }
    await seed.step({}, dying)
    expect(await seed.step()).toMatchObject({ kind: 'busy' })
    await seed.clock.advance(75_000)
    expect(await seed.step()).toEqual({ kind: 'recorded', how: 'succeeded' })
    expect(await seed.waitMs()).toBe(3_600_000)
  })

  test('of a success whose annotation may remain schedules the retry before the error, which only a step removes', async () => {
    const seed = await harness('DNSRecord')
    await seed.create({ annotation: 'restore' })
    expect(await seed.step({}, losing(seed, 3))).toEqual({ kind: 'recorded', how: 'waits' })
    const ends = words(seed).filter(word => word === 'wait' || word === 'error')
    expect([...new Set(ends)]).toEqual(['wait', 'error'])
    expect((await seed.live()).status).toMatchObject({ lastOperation: { state: 'Succeeded' } })
    expect((await seed.live()).status?.lastError).toBeDefined()
    await seed.clock.advance(1_000)
    await seed.step()
    expect((await seed.live()).status?.lastError).toBeUndefined()
  })

  test('of a step that fails before its success is repeated as a whole: the next one is no continuation', async () => {
    const seed = await harness('Infrastructure')
    await seed.create({ annotation: 'restore' })
    expect(await seed.step({}, losing(seed, 2))).toEqual({ kind: 'recorded', how: 'waits' })
    await seed.clock.advance(1_000)
    expect(await seed.step()).toEqual({ kind: 'recorded', how: 'succeeded' })
    expect(seed.calls.map(({ context }) => context.resumed)).toEqual([false, false])
  })

  test('ends with a retry if the answer to the write of the next reconcile is lost', async () => {
    const seed = await harness('Extension', { backend: { resyncMs: 3_600_000 } })
    await seed.create({ annotation: 'reconcile' })
    expect(await seed.step({}, losing(seed, 2))).toEqual({ kind: 'recorded', how: 'waits' })
    expect(await seed.waitMs()).toBe(1_000)
    await seed.clock.advance(1_000)
    expect(await seed.step()).toEqual({ kind: 'recorded', how: 'succeeded' })
    expect(await seed.waitMs()).toBe(3_600_000)
  })

  test('of a delete writes Succeeded before it removes the finalizer', async () => {
    const seed = await harness('Network')
    await seed.create({ finalizers: [ownOf('Network')] })
    await seed.remove()
    await seed.step()
    expect(words(seed).slice(2)).toEqual(['claim', 'Processing', 'Succeeded', 'drop finalizer'])
    expect(await seed.isGone()).toBe(true)
  })

  test.each(
    Object.entries(kindRules)
      .filter(([, rules]) => rules.migrates)
      .map(([kind]) => kind as KindName),
  )('of a %s migrate drops the finalizers that the contract says, then the annotation', async kind => {
    const seed = await harness(kind)
    await seed.create({ annotation: 'migrate', finalizers: [ownOf(kind), 'other/one'] })
    await seed.step()
    const live = await seed.live()
    expect(live.metadata.finalizers ?? []).toEqual(
      kind === 'Infrastructure' || kind === 'Worker' ? ['other/one'] : [],
    )
    expect(live.metadata.annotations?.[annotations.operation]).toBeUndefined()
    expect(live.status?.lastOperation).toMatchObject({ type: 'Migrate', state: 'Succeeded' })
    const order = words(seed).filter(word => !word.startsWith('secret') && !word.startsWith('read'))
    expect(order.at(-1)).toBe('consume annotation')
    expect(order.indexOf('Succeeded')).toBe(order.length - 3)
  })

  test.each([
    ['Infrastructure', ['Processing', 'consume annotation', 'Succeeded']],
    ['Worker', ['Processing', 'Succeeded', 'consume annotation']],
    ['DNSRecord', ['Processing', 'Succeeded', 'consume annotation']],
    ['Network', ['Processing', 'Succeeded', 'consume annotation']],
  ] as const)('of a %s restore removes the annotation at the point of the contract', async (kind, order) => {
    const seed = await harness(kind)
    await seed.create({ annotation: 'restore' })
    await seed.step()
    const all = words(seed)
    expect(all.slice(all.indexOf('Processing'))).toEqual(order)
  })

  test('of a BackupBucket adds the finalizer to the Secret before the actuator runs, and removes it before its own', async () => {
    const seed = await harness('BackupBucket')
    await seed.create({ annotation: 'reconcile' })
    await seed.step()
    expect(words(seed)).toEqual([
      'read backupbuckets',
      'claim, consume annotation, add finalizer',
      'Processing',
      'read secrets',
      'secret: add finalizer',
      'read secrets',
      'Succeeded',
    ])
    seed.requests.length = 0
    await seed.clock.advance(5_000)
    await seed.remove()
    await seed.step()
    expect(words(seed).slice(1)).toEqual([
      'claim',
      'Processing',
      'read secrets',
      'Succeeded',
      'read secrets',
      'secret: drop finalizer',
      'drop finalizer',
    ])
  })
})
