import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { parseAllDocuments } from 'yaml'
import { formatMilliseconds, virtualClock } from '../../shared/clock/clock.ts'
import { annotations } from '../../shared/contract/constants.ts'
import { kinds } from '../../shared/contract/kinds.ts'
import type { ExtensionEvent } from '../../shared/events/events.ts'
import type { KubernetesObject } from '../../shared/kubernetes/kubernetes.ts'
import { newAws, startTestSeed, type TestSeed } from '../e2e/harness.ts'
import { namespace } from '../e2e/shoot.ts'

/** Returns the example records by name. */
const examples = (): ReadonlyMap<string, KubernetesObject> => {
  const text = readFileSync(new URL('../../examples/dnsrecord/zone-records.yaml', import.meta.url), 'utf8')
  return new Map(
    parseAllDocuments(text).map(document => {
      const object: KubernetesObject = document.toJS()
      return [object.metadata.name, object]
    }),
  )
}

const { resource } = kinds.DNSRecord
const start = Date.parse('2026-01-01T00:00:00.250Z')
/** The saved resource version of the first write to a record. */
export const firstVersion = 1041

/**
 * Runs the examples through their lives in two seeds, with a fixed clock and fixed uids. Returns the events by file
 * name.
 */
export const recordRun = async (): Promise<ReadonlyMap<string, ExtensionEvent>> => {
  const clock = virtualClock(start)
  const aws = newAws({ clock })
  const records = examples()
  const uids: string[] = []
  const newUid = () => uids.shift() ?? randomUUID()
  const options = { clock, aws, newUid, kinds: ['DNSRecord'] as const }
  const seeds = [
    await startTestSeed({ ...options, name: 'sandbox' }),
    await startTestSeed({ ...options, name: 'elsewhere' }),
  ] as const
  const [seed, elsewhere] = seeds
  const saved = new Map<string, ExtensionEvent>()

  /** Creates an example record with a fixed uid. */
  const create = async (
    on: TestSeed,
    name: string,
    number: number,
    change: (example: KubernetesObject) => KubernetesObject = example => example,
  ) => {
    const example = records.get(name)
    if (example === undefined) throw new Error(`there is no example ${name}`)
    uids.push(`7d0c5a52-4f3f-4a0b-9d55-2f1f4f3f6d${String(number).padStart(2, '0')}`)
    return on.kubernetes.create(resource, change(example))
  }

  /** Performs an action on a record, and saves the event of the step that follows. */
  const save = async (file: string, on: TestSeed, name: string, act: () => Promise<unknown>) => {
    const base = on.server.store.version()
    await act()
    // The clock stands still until the step ends, so this time distinguishes its event from earlier ones.
    const time = formatMilliseconds(clock.now())
    const event = await on.until(`the step of ${file}`, () =>
      on.observed
        .flatMap(entry => (entry.part === 'step' ? [entry.event] : []))
        .find(sent => sent.name === name && sent.time === time),
    )
    saved.set(
      `dnsrecord-${file}`,
      withVersion(event, Number(event.resourceversion) - base + firstVersion - 1),
    )
    await clock.advance(60_000)
  }

  try {
    await create(seed, 'rose-external', 1)
    await seed.untilReady('rose-external')
    await clock.advance(60_000)
    await save('unchanged', seed, 'rose-external', () => seed.ask('rose-external', 'reconcile'))
    const change = { values: ['203.0.113.20', '203.0.113.21'], ttl: 300 }
    await save('change', seed, 'rose-external', () => seed.ask('rose-external', 'reconcile', change))
    await save('migrate', seed, 'rose-external', () => seed.ask('rose-external', 'migrate'))

    await create(elsewhere, 'rose-external', 2, waitingForState)
    const state = { status: { zone: seed.live('rose-external')?.status?.zone } }
    const key = { name: 'rose-external', namespace }
    await elsewhere.kubernetes.patch(resource, key, state, { subresource: 'status' })
    await save('restore', elsewhere, 'rose-external', () => elsewhere.ask('rose-external', 'restore'))
    await save('delete', elsewhere, 'rose-external', () => elsewhere.remove('rose-external'))

    await save('alias', seed, 'rose-ingress', () => create(seed, 'rose-ingress', 3))
    await save('broken-schema', seed, 'rose-owner', () => create(seed, 'rose-owner', 4, ofAnUnknownType))
    await seed.remove('rose-owner')
    await seed.untilGone('rose-owner')

    aws.faults.add({
      action: 'ListHostedZones',
      effect: { kind: 'error', code: 'InvalidInput', message: 'not now', status: 400 },
    })
    await create(seed, 'rose-ipv6', 5)
    await seed.untilError('rose-ipv6')
    await save('retry', seed, 'rose-ipv6', () => clock.advance(1_000))
    return saved
  } finally {
    for (const each of seeds) await each.close()
  }
}

const waitingForState = (example: KubernetesObject): KubernetesObject => ({
  ...example,
  metadata: {
    ...example.metadata,
    annotations: { ...example.metadata.annotations, [annotations.operation]: 'wait-for-state' },
  },
})

/** The CRD accepts any text as a record type. */
const ofAnUnknownType = (example: KubernetesObject): KubernetesObject => ({
  ...example,
  spec: { ...(example.spec as object), recordType: 'SPF' },
})

/** A version counts all writes to an API server. Saved events must not change with writes to other objects. */
export const withVersion = (event: ExtensionEvent, version: number): ExtensionEvent => ({
  ...event,
  resourceversion: String(version),
  ...(event.data && {
    data: { ...event.data, metadata: { ...event.data.metadata, resourceVersion: String(version) } },
  }),
})
