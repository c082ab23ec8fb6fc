import { describe, expect, test } from 'vitest'
import {
  type SimulatedOpenStack,
  zoneIdOf,
} from '../../../sandbox/providers/openstack/simulator/openstack.ts'
import {
  createSteppedSeed,
  functionPromises,
  shootObjects,
} from '../../../sandbox/stepped-seed/stepped-seed.ts'
import { virtualClock } from '../../../shared/clock/clock.ts'
import { simulatedCloud, simulatedSecret } from '../provider/testing/simulated-cloud.ts'
import { definition } from './function.ts'
import { recordOf } from './testing/record-seed.ts'

const object = recordOf()
const { namespace = '' } = object.metadata
const beside = shootObjects({ namespace, secrets: { dns: simulatedSecret } })

const thingsOf = (openstack: SimulatedOpenStack) =>
  openstack
    .resources('recordSet')
    .filter(({ _managed }) => !_managed)
    .map(({ name, type, records, ttl }) => ({ name: `${type} ${name}`, content: { records, ttl } }))

for (const lists of [undefined, { seed: 1, most: 2 }])
  for (const { promise, hold } of functionPromises({
    definition,
    example: { object, beside },
    cloud: ({ clock }) => simulatedCloud({ clock, ...(lists && { lists }) }, thingsOf).cloud,
    made: ['A api.example.com.'],
    marksOwner: false,
    waits: 'advance',
  }))
    test(
      `openstack-dnsrecord on the simulated Designate${lists ? ' with small pages' : ''}: ${promise}`,
      hold,
    )

describe('with a Designate that takes its time', () => {
  const setUp = async () => {
    const clock = virtualClock(Date.parse('2026-01-01T00:00:00Z'))
    const { cloud, openstack } = simulatedCloud({ clock, scale: 1 }, thingsOf)
    const seed = createSteppedSeed({ definition, cloud, clock, objects: beside, waits: 'advance' })
    await seed.apply(object)
    return { openstack, seed, clock }
  }

  test('a record whose namesake is being deleted is created after the end of the deletion', async () => {
    const { openstack, seed } = await setUp()
    expect(await seed.remove(object)).toBeUndefined()
    const [deleted] = openstack.resources('recordSet').filter(({ action }) => action === 'DELETE')
    expect(deleted?.name).toBe('api.example.com.')
    const { status } = Object(await seed.apply(object))
    expect(status).toMatchObject({ zone: zoneIdOf('example.com.'), lastOperation: { state: 'Succeeded' } })
    const [created, ...others] = openstack.resources('recordSet').filter(({ _managed }) => !_managed)
    expect(others).toEqual([])
    expect(created?.id).not.toBe(deleted?.id)
    expect(created?.action).not.toBe('DELETE')
  })

  test('a record that is still PENDING is done, and its deletion too', async () => {
    const { openstack, seed, clock } = await setUp()
    expect(openstack.resources('recordSet').filter(({ status }) => status === 'PENDING')).toHaveLength(1)
    expect(Object((await seed.apply(object)).status).lastOperation.state).toBe('Succeeded')
    expect(await seed.remove(object)).toBeUndefined()
    await clock.advance(600_000)
    expect(thingsOf(openstack)).toEqual([])
  })
})
