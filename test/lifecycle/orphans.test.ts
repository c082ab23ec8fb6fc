import { describe, expect, test } from 'vitest'
import { type Actuator, done, orphaning } from '../../shared/lifecycle/lifecycle.ts'
import { eventsOf, fail, forced, lastStatus, untilGone } from './forced-seed.ts'
import { shootNamespace } from './sample-objects.ts'

describe('a forced deletion whose time is over', () => {
  test('names in its last status, an Event and the log what may remain and why, before the finalizer goes', async () => {
    const { seed, lines } = await forced({ forceRemove: fail, orphans: () => ['record api.example.com'] })
    const { uid } = (await seed.live()).metadata
    await untilGone(seed)
    expect(lastStatus(seed)).toContain('record api.example.com')
    expect(seed.statusWrites().at(-1)).toMatchObject({
      status: {
        lastOperation: { type: 'Delete', state: 'Error' },
        lastError: {
          description:
            'Error deleting DNSRecord: the forced deletion is incomplete: it did not end within 90 s, and reported: Error deleting DNSRecord: reaching the cloud: no. These may still exist: record api.example.com. Delete them by hand',
          codes: null,
        },
      },
    })
    const writes = seed.requests.filter(({ verb }) => verb !== 'get').slice(-3)
    expect(writes.map(({ verb, resource }) => `${verb} ${resource}`)).toEqual([
      'patch dnsrecords/status',
      'create events',
      'patch dnsrecords',
    ])
    expect(await eventsOf(seed)).toMatchObject([
      {
        type: 'Warning',
        reason: 'Orphaned',
        message: expect.stringMatching(/reaching the cloud: no.*record api\.example\.com/),
        involvedObject: { kind: 'DNSRecord', name: 'it', namespace: shootNamespace, uid },
      },
    ])
    expect(lines).toContainEqual({
      message: 'forced deletion is incomplete',
      kind: 'DNSRecord',
      object: `${shootNamespace}/it`,
      mayExist: 'record api.example.com',
      why: expect.stringContaining('reaching the cloud: no'),
    })
  })

  test('names nothing if nothing can remain', async () => {
    const { seed } = await forced({ forceRemove: fail, orphans: () => [] })
    await untilGone(seed)
    expect((await eventsOf(seed))[0]?.message).toMatch(
      / and reported: Error deleting DNSRecord: reaching the cloud: no$/,
    )
  })

  test.each<[string, Partial<Actuator>]>([
    ['has no list of what may remain', {}],
    ['returns no list', { orphans: () => undefined as never }],
    [
      'cannot name what remains of an invalid object',
      {
        orphans: () => {
          throw new TypeError('spec is undefined')
        },
      },
    ],
  ])('names the object if its function %s', async (_, actuator) => {
    const { seed } = await forced({ forceRemove: fail, ...actuator })
    await untilGone(seed)
    const text = `everything that was created for the DNSRecord ${shootNamespace}/it`
    expect(lastStatus(seed)).toContain(text)
    expect((await eventsOf(seed))[0]?.message).toContain(text)
  })

  test('names a thousand things within the limits of an Event and a status, and counts the others', async () => {
    const orphans = () => Array.from({ length: 1_000 }, (_, index) => `record ${index} ${'ü'.repeat(1_000)}`)
    const { seed, lines } = await forced({
      forceRemove: () => Promise.reject(new Error('ü'.repeat(9_000))),
      orphans,
    })
    await untilGone(seed)
    const message = (await eventsOf(seed))[0]?.message ?? ''
    expect(Buffer.byteLength(message)).toBeLessThanOrEqual(1_024)
    expect(message).toMatch(/record 0 ü+…, record 1 ü+… and 998 more\. Delete them by hand$/)
    expect(Buffer.byteLength(lastStatus(seed))).toBeLessThan(16_384)
    expect(JSON.stringify(lines.at(-1)).length).toBeLessThan(32_768)
  })
})

describe('a forced deletion that leaves things behind on purpose', () => {
  test.each<[string, Partial<Actuator>, string]>([
    [
      'its actuator reports them',
      { forceRemove: async () => orphaning('the account is not touched', ['VPC vpc-1']) },
      'the account is not touched',
    ],
    [
      'its function deletes nothing',
      { orphans: () => ['VPC vpc-1'] },
      'its function deletes nothing by force',
    ],
  ])('names them when %s', async (_, actuator, why) => {
    const { seed, lines } = await forced(actuator)
    expect(await seed.step()).toEqual({ kind: 'recorded', how: 'succeeded' })
    expect(await seed.isGone()).toBe(true)
    expect(seed.statusWrites().at(-1)).toMatchObject({
      status: {
        lastOperation: {
          state: 'Succeeded',
          description: `Successfully deleted DNSRecord, but the forced deletion is incomplete: ${why}. These may still exist: VPC vpc-1. Delete them by hand`,
        },
      },
    })
    expect((await eventsOf(seed)).map(({ message }) => message)).toEqual([
      expect.stringContaining('VPC vpc-1'),
    ])
    expect(lines).toContainEqual(expect.objectContaining({ mayExist: 'VPC vpc-1', why }))
  })

  test.each<[string, Partial<Actuator>]>([
    ['deleted everything', { forceRemove: async () => done(), orphans: () => ['VPC vpc-1'] }],
    ['never has anything outside', { orphans: () => [] }],
    ['found nothing', { forceRemove: async () => orphaning('nothing was found', []) }],
  ])('reports nothing if its function %s', async (_, actuator) => {
    const { seed, lines } = await forced(actuator)
    await seed.step()
    expect(await seed.isGone()).toBe(true)
    expect(await eventsOf(seed)).toEqual([])
    expect(lastStatus(seed)).toContain('"Successfully deleted DNSRecord"')
    expect(lines.map(({ message }) => message)).toEqual(['step succeeded'])
  })

  test('shows no value of the Secret that its actuator read', async () => {
    const { seed, lines } = await forced({
      forceRemove: async ({ findSecret }) => {
        const { key } = (await findSecret())?.data ?? {}
        return orphaning(`it said ${key}`, [`token ${key}`])
      },
    })
    await seed.step()
    const shown = JSON.stringify([seed.statusWrites(), await eventsOf(seed), lines])
    expect(shown).toContain('token [redacted]')
    expect(shown).not.toContain('planted')
  })
})
