import { expect, test } from 'vitest'
import { createApiServer } from '../../../sandbox/kubernetes/kubernetes.ts'
import { systemClock, virtualClock } from '../../../shared/clock/clock.ts'
import { allCrds, machineCrds, resourceCrds } from '../../../shared/contract/crds/crd-of.ts'
import { clusterKind } from '../../../shared/contract/kinds.ts'
import type { EventEntry, JournalEntry, StepEntry } from '../../../shared/journal/journal.ts'
import { createKubernetes } from '../../../shared/kubernetes/kubernetes.ts'
import { recordEntry } from '../../record/bridges/follow-bridge.ts'
import { madeUpObjects } from '../testing/made-up-objects.ts'
import { liveSource } from './live-source.ts'

const namespace = 'shoot--dev--rose'
const object = `Worker ${namespace}/rose`

const step = (minute: number): StepEntry => ({
  ...{ type: 'step', at: `2026-11-21T12:0${minute}:05.000Z`, began: `2026-11-21T12:0${minute}:00.000Z` },
  ...{
    object,
    event: `e${minute}`,
    function: 'f',
    operation: 'reconcile',
    ms: 1,
    outcome: 'failed',
    calls: [],
  },
})
const event: EventEntry = {
  ...{ type: 'event', at: '2026-11-21T12:01:30.000Z' },
  event: {
    ...{ id: 'e1', source: '/s', type: 'cloud.gardener.extensions.worker.reconcile' },
    ...{ subject: `${namespace}/rose`, time: '2026-11-21T12:01:30.000Z', kind: 'Worker' },
    ...{ namespace, name: 'rose' },
  },
}

test('a live console begins with what the bridges remember, in the order of time, and each entry once', async () => {
  const home = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } }
  const objects = [...allCrds(), ...machineCrds(), ...resourceCrds(), home]
  const api = createApiServer({ clock: systemClock, objects })
  const kubernetes = createKubernetes({ transport: api.transport, clock: systemClock })
  await kubernetes.create(clusterKind.resource, madeUpObjects(namespace, 'rose', 1)[0]?.object as never)
  const ended = new AbortController()
  const source = await liveSource(
    {
      ...{ kubernetes, clock: systemClock, by: 'test' },
      past: async () => ({ steps: [step(1), step(2)], events: [event] }),
      // The journal of a bridge begins with the same entries.
      tap: async (recorder, isSelected) => {
        for (const entry of [step(1), event, step(2), step(3)])
          if (isSelected(entry)) recordEntry(recorder, entry)
      },
    },
    ended.signal,
  )
  try {
    expect(source.header.at).toBe(step(1).began)
    const entries: JournalEntry[] = []
    for await (const batch of source.entries) {
      entries.push(...batch)
      if (entries.some(({ type }) => type === 'object')) break
    }
    expect(entries.map(entry => ('id' in entry ? entry.id : [entry.type, entry.at.slice(14, 19)]))).toEqual([
      ['step', '01:05'],
      ['event', '01:30'],
      ['step', '02:05'],
      ['step', '03:05'],
      `Cluster ${namespace}`,
    ])
  } finally {
    ended.abort()
    api.close()
  }
})

test('a bridge that does not answer delays the console for three seconds only', async () => {
  const clock = virtualClock(Date.parse('2026-11-21T12:00:00Z'))
  const kubernetes = createKubernetes({ transport: createApiServer({ clock }).transport, clock })
  const ended = new AbortController()
  const opened = liveSource(
    {
      ...{ kubernetes, clock, by: 'test' },
      past: signal =>
        new Promise(resolve => {
          signal.addEventListener('abort', () => resolve({ steps: [], events: [] }))
        }),
    },
    ended.signal,
  )
  await clock.advance(3_000)
  expect((await opened).header.at).toBe('2026-11-21T12:00:03.000Z')
  ended.abort()
})
