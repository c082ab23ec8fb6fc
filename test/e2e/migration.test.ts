import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { kinds } from '../../shared/contract/kinds.ts'
import { changesOf, newAws, recordsOf, startTestSeed, type TestSeed, zoneId } from './harness.ts'
import { namespace } from './shoot.ts'

const aws = newAws()
let first: TestSeed
let second: TestSeed
beforeAll(async () => {
  first = await startTestSeed({ aws, name: 'first', kinds: ['DNSRecord'] })
  second = await startTestSeed({ aws, name: 'second', kinds: ['DNSRecord'] })
})
afterAll(() => Promise.all([first.close(), second.close()]))
beforeEach(() => aws.calls.clear())

const record = 'A api.rose.example.com. 120 203.0.113.10'

/**
 * Performs the steps of gardenlet (docs/contract/lifecycle.md#moving-a-shoot) for a record that may have other values
 * in the new seed.
 */
const migrate = async (from: TestSeed, to: TestSeed, values: readonly string[]): Promise<void> => {
  await from.ask('api', 'migrate')
  const migrated = await from.until('the migration', () => {
    const object = from.live('api')
    const { type, state } = object?.status?.lastOperation ?? {}
    return type === 'Migrate' && state === 'Succeeded' && object?.metadata.finalizers === undefined
      ? object
      : undefined
  })
  await from.remove('api')
  await from.untilGone('api')

  await to.create('api', { values }, { 'gardener.cloud/operation': 'wait-for-state' })
  // gardenlet copies the state, and nothing else of the status.
  const state = Object(migrated.status?.state)
  await to.kubernetes.patch(
    kinds.DNSRecord.resource,
    { name: 'api', namespace },
    { status: { state: { ...state, carried: true } } },
    { subresource: 'status' },
  )
  await to.ask('api', 'restore')
}

test('a record is created in the first seed', async () => {
  await first.create('api')
  await first.untilReady('api')
  expect(recordsOf(aws)).toEqual([record])
})

test('the record moves to the second seed without a change in the zone', async () => {
  await migrate(first, second, ['203.0.113.10'])
  const live = await second.untilReady('api')
  expect(live.status?.lastOperation).toMatchObject({
    type: 'Restore',
    state: 'Succeeded',
    description: 'Successfully restored DNSRecord',
  })
  expect(live.metadata.finalizers).toEqual(['extensions.gardener.cloud/dnsrecord'])
  expect(live.status).toMatchObject({ zone: zoneId, state: { zones: [zoneId], carried: true } })
  expect(aws.calls.all().map(call => call.action)).toEqual(['ListResourceRecordSets'])
  expect(recordsOf(aws)).toEqual([record])
})

test('the first seed remains silent from then on', async () => {
  first.observed.length = 0
  await second.ask('api', 'reconcile')
  await second.untilReady('api')
  expect(first.observed.filter(event => event.part !== 'cloud')).toEqual([])
  expect(first.bridge.waiting()).toEqual([])
})

test('nothing happens while the record waits for its state', async () => {
  await first.create('waiting', {}, { 'gardener.cloud/operation': 'wait-for-state' })
  // A later request is served. A request for the waiting object would have been served before it.
  await first.create('served')
  await first.untilReady('served')
  expect(first.live('waiting')?.status).toBeUndefined()
  expect(first.live('waiting')?.metadata.finalizers).toBeUndefined()
  for (const name of ['waiting', 'served']) {
    await first.remove(name)
    await first.untilGone(name)
  }
  expect(recordsOf(aws)).toEqual([record])
})

test('the record moves back, and gets its new address with the restore', async () => {
  await migrate(second, first, ['203.0.113.20'])
  await first.untilReady('api')
  expect(recordsOf(aws)).toEqual(['A api.rose.example.com. 120 203.0.113.20'])
  const changes = changesOf(aws).flatMap(({ input }) => (input.ChangeBatch as Batch).Changes)
  expect(changes.map(change => change.Action)).toEqual(['UPSERT'])
})

interface Batch {
  readonly Changes: readonly { readonly Action: string }[]
}

test('only a deletion in the current seed removes the record', async () => {
  await first.remove('api')
  await first.untilGone('api')
  expect(recordsOf(aws)).toEqual([])
})
