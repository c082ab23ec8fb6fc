import { describe, expect, test } from 'vitest'
import { virtualClock } from '../../clock/clock.ts'
import type { ListOptions } from '../../kubernetes/kubernetes.ts'
import type { HealthCheck } from '../health-check.ts'
import { shootInMemory } from '../testing/health-seed.ts'
import { shootEventsCheck } from './shoot-events-check.ts'

const component = 'route-controller'
const available = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: component, namespace: 'shoot--a--b' },
  spec: { replicas: 1 },
  status: { conditions: [{ type: 'Available', status: 'True' }] },
}

const begin = async () => {
  const clock = virtualClock(Date.parse('2026-11-21T12:00:00Z'))
  const shoot = shootInMemory(clock)
  const { kubernetes } = await shoot.open()
  const asked: ListOptions[] = []
  const watched = {
    ...kubernetes,
    list: (resource: Parameters<typeof kubernetes.list>[0], options: ListOptions = {}) => {
      asked.push(options)
      return kubernetes.list(resource, options)
    },
  }
  const context = {
    deployment: async () => available,
    shoot: async () => watched,
    namespace: 'shoot--a--b',
    clock,
    signal: new AbortController().signal,
  } as unknown as Parameters<HealthCheck['run']>[0]
  const at = (secondsAgo: number) => new Date(clock.now() - secondsAgo * 1_000).toISOString()
  return {
    asked,
    event: (type: string, secondsAgo: number, message = 'no route') =>
      shoot.event(component, { type, reason: 'Routes', message, lastTimestamp: at(secondsAgo) }),
    check: () => shootEventsCheck(component, () => []).run(context),
  }
}

describe('events of a shoot', () => {
  test('events are read in pages, and other types only after a Warning', async () => {
    const { event, check, asked } = await begin()
    for (let number = 0; number < 250; number++) await event('Normal', 1)
    expect(await check()).toMatchObject({ kind: 'successful' })
    expect(asked.map(({ limit, fieldSelector }) => [limit, fieldSelector?.split(',').at(-1)])).toEqual([
      [100, 'type=Warning'],
    ])
  })

  test('the newest Warning of all pages is reported', async () => {
    const { event, check } = await begin()
    for (let number = 0; number < 250; number++)
      await event('Warning', 100 - (number === 130 ? 90 : 0), `text ${number}`)
    expect(await check()).toMatchObject({ kind: 'unsuccessful', detail: expect.stringContaining('text 130') })
  })

  test('a Warning is not reported after a newer event of another type', async () => {
    const { event, check } = await begin()
    await event('Warning', 20)
    await event('Normal', 10)
    expect(await check()).toMatchObject({ kind: 'successful' })
    await event('Warning', 5)
    expect(await check()).toMatchObject({ kind: 'unsuccessful' })
  })

  test('events are read up to a limit, and the check reports when it reaches it', async () => {
    const { event, check, asked } = await begin()
    for (let number = 0; number < 2_001; number++) await event('Warning', 1)
    await expect(check()).rejects.toThrow(
      'failed to retrieve events for route-controller in namespace "shoot--a--b": found more than 2000',
    )
    expect(asked).toHaveLength(20)
  })

  test('long texts are cut', async () => {
    const { event, check } = await begin()
    await event('Warning', 1, 'x'.repeat(100_000))
    expect(JSON.stringify(await check()).length).toBeLessThan(2_000)
  })
})
