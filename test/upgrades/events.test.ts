import { describe, expect, test } from 'vitest'
import { loadManifests, readMessage, routesOf } from '../../sandbox/knative/knative.ts'
import { eventMessage, parseEventJson } from '../../shared/events/events.ts'
import { readersOf } from './readers.ts'
import { eventsIn, eventsOf } from './saved-events.ts'
import { earlier, repository } from './versions.ts'

const routes = routesOf(await loadManifests([`${repository}knative/base`])).get('trellis/default') ?? []
const fresh = await eventsIn(repository)

describe.each([...earlier])('with version $name', ({ name }) => {
  test('each event of its bridge is read, and reaches one function', async () => {
    const events = await eventsOf(name)
    expect(events.length).toBeGreaterThan(70)
    for (const event of events) {
      const { attributes } = readMessage(eventMessage(parseEventJson(event)))
      expect(routes.filter(route => route.filter(attributes))).toHaveLength(1)
    }
  })

  test('each event of this bridge is read by its functions as by those of this version', async () => {
    const readers = await readersOf(name)
    expect(fresh.length).toBeGreaterThan(70)
    for (const event of fresh) expect(readers.parseEventJson(event)).toMatchObject(parseEventJson(event))
  })
})
