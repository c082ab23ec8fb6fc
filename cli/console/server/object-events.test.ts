import { expect, test } from 'vitest'
import { createApiServer } from '../../../sandbox/kubernetes/kubernetes.ts'
import { virtualClock } from '../../../shared/clock/clock.ts'
import { namespaces } from '../../../shared/kubernetes/core-resources.ts'
import {
  createKubernetes,
  eventResource,
  KubernetesError,
  objectEvent,
} from '../../../shared/kubernetes/kubernetes.ts'
import { serveConsole } from '../testing/served-console.ts'
import { eventsOf } from './object-events.ts'

const signal = new AbortController().signal
const start = Date.parse('2026-11-21T12:00:00Z')

const seed = async () => {
  const clock = virtualClock(start)
  const kubernetes = createKubernetes({ transport: createApiServer({ clock }).transport, clock })
  await kubernetes.create(namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'a' } })
  const write = (name: string, reason: string, minute: number, more: object = {}) => {
    const about = { apiVersion: 'v1', kind: 'Worker', name, namespace: 'a', uid: name }
    const at = `2026-11-21T12:0${minute}:00Z`
    const event = objectEvent({
      ...{ about, reason, message: `${reason}!`, topic: reason, component: 'trellis', at, type: 'Normal' },
    })
    return kubernetes.create(eventResource, { ...event, ...more })
  }
  return { kubernetes, write }
}

test('Events of an object are the newest first, with count and time, in both forms', async () => {
  const { kubernetes, write } = await seed()
  await write('rose', 'Old', 1)
  await write('rose', 'New', 3, { type: 'Warning', count: 4 })
  await write('rose', 'Series', 1, {
    ...{ firstTimestamp: null, lastTimestamp: null, count: 0, eventTime: '2026-11-21T12:01:30.000000Z' },
    series: { count: 7, lastObservedTime: '2026-11-21T12:02:00.000000Z' },
  })
  await write('lily', 'Other', 2)
  const found = await eventsOf(kubernetes)('Worker a/rose', signal)
  expect(found.map(({ reason, count, first, last }) => [reason, count, first - start, last - start])).toEqual(
    [
      ['New', 4, 180_000, 180_000],
      ['Series', 7, 90_000, 120_000],
      ['Old', 1, 60_000, 60_000],
    ],
  )
  expect(found[0]).toMatchObject({ isWarning: true, message: 'New!', by: 'trellis' })
})

test('an id that would change the selector is refused, and a missing right is named', async () => {
  const { kubernetes } = await seed()
  await expect(eventsOf(kubernetes)('Worker a/rose,type!=Normal', signal)).rejects.toThrow('is not the id')
  const list = async () => {
    throw new KubernetesError(403, 'Forbidden', 'no')
  }
  await expect(eventsOf({ list })('BackupBucket b', signal)).rejects.toThrow(
    'you may not list events in the namespace default',
  )
})

test('the server answers with Events, or with the reason why there are none', async () => {
  const event = { isWarning: false, reason: 'A', message: '', by: '', count: 1, first: 1, last: 2 }
  const served = await serveConsole({ events: async id => [{ ...event, message: id }] })
  const without = await serveConsole()
  try {
    const { body } = await served.get('/api/events?object=Worker+a/rose')
    expect(JSON.parse(body)).toEqual([{ ...event, message: 'Worker a/rose' }])
    expect(await without.get('/api/events?object=x')).toMatchObject({ status: 409, body: 'no Events' })
    expect(JSON.parse((await without.get('/api/overview')).body).noEvents).toBe('no Events')
  } finally {
    await served.close()
    await without.close()
  }
})
