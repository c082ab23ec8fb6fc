import { expect, test } from 'vitest'
import { kinds } from '../shared/contract/kinds.ts'
import {
  type BridgeTestSeed,
  inWords,
  namespace,
  type RecordChanges,
  succeeded,
  useSeeds,
} from './testing/test-seed.ts'

const newSeed = useSeeds()

/** A change of the object by another client. */
type Change = (seed: BridgeTestSeed) => void

const put =
  (changes: RecordChanges): Change =>
  seed => {
    seed.put('DNSRecord', 'x', changes)
  }
const remove: Change = ({ kubernetes }) =>
  kubernetes.remove(kinds.DNSRecord.resource, { namespace, name: 'x' })
const nothing: Change = () => undefined

const waits: RecordChanges = {
  last: { state: 'Processing' },
  step: { phase: 'waiting', until: '2026-11-21T12:00:20.000Z' },
}
const request: RecordChanges = { operation: 'reconcile', timestamp: '2026-11-21T12:00:20Z' }

test.each<[string, string, Change, Change, string[]]>([
  ['gone', 'created again', remove, put(request), ['reconcile DNSRecord x (annotation)']],
  [
    'done',
    'requested again',
    put({ last: succeeded }),
    put({ ...request, last: succeeded }),
    ['reconcile DNSRecord x (annotation)'],
  ],
  ['waiting', 'in deletion', nothing, put({ ...waits, deleted: true }), ['delete DNSRecord x (deletion)']],
  ['waiting', 'gone', nothing, remove, []],
])(
  'a late answer that a due object was %s does not count once the watch has shown that it is %s',
  async (_, __, before, meanwhile, events) => {
    const seed = newSeed()
    const { bridge } = await seed.bridge()
    seed.put('DNSRecord', 'x', waits)
    const { port } = seed.kubernetes
    const { get } = port
    // The read shows the object as it is before the change that the watch shows, and its answer arrives after that.
    port.get = async (...args) => {
      port.get = get
      before(seed)
      const answer = await get(...args)
      meanwhile(seed)
      await seed.clock.sleep(1_000)
      return answer
    }
    await seed.clock.advance(30_000)
    expect(seed.kubernetes.gets).toBeGreaterThan(0)
    expect(inWords(seed.events)).toEqual(events)
    expect(bridge.waiting()).toHaveLength(events.length)
  },
)
