import { readdir } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { bridgeSettings } from '../../bridge/bridge.ts'
import { findFunctions } from '../../functions/find-functions.ts'
import { profileNames as madeProfiles } from '../../knative/knative.ts'
import {
  type BrokerName,
  createBroker,
  mostInFlight,
  profileNames,
  readMessage,
  retryDelay,
  routesOf,
} from '../../sandbox/knative/knative.ts'
import { virtualClock } from '../../shared/clock/clock.ts'
import { eventMessage } from '../../shared/events/events.ts'
import { sampleEvent } from '../../shared/events/testing/sample-event.ts'
import { defaultStepLimits } from '../../shared/lifecycle/lifecycle.ts'
import { functionService, parseSettings } from '../../shared/runtime/runtime.ts'
import { applied } from './applied.ts'

/** Milliseconds after which the bridge treats an unclaimed event as lost. */
const { unclaimedMs } = parseSettings(bridgeSettings, {
  flags: { sink: 'http://broker.invalid/', seed: 'one' },
  env: {},
})
/** A step may write for this long after its start, in milliseconds. */
const hardStopMs = defaultStepLimits.stepMs + defaultStepLimits.marginMs

test('the sandbox imitates each generated profile', async () => {
  expect(madeProfiles).toEqual(profileNames)
  const folders = await readdir(new URL('../../knative/profiles/', import.meta.url), {
    withFileTypes: true,
  })
  expect(folders.filter(one => one.isDirectory()).map(({ name }) => name)).toEqual(
    [...profileNames].toSorted(),
  )
})

describe.each<BrokerName>(profileNames)('the manifests of the profile %s', name => {
  test('have that class', async () => {
    expect((await applied(name)).kind.name).toBe(name)
  })

  test('deliver no step a second time while it runs: an attempt lasts as long as a step may write', async () => {
    const { broker, kind } = await applied(name)
    expect(kind.profile.attemptMs(broker.spec.delivery?.timeout)).toBeGreaterThanOrEqual(hardStopMs)
  })

  test('end an attempt at the Service at most a moment before the broker does', async () => {
    const { broker, kind, services } = await applied(name)
    const attempt = kind.profile.attemptMs(broker.spec.delivery?.timeout) ?? Number.POSITIVE_INFINITY
    for (const { spec } of services)
      expect(spec.template.spec.timeoutSeconds * 1000).toBeGreaterThanOrEqual(attempt)
  })

  test('finish their retries before the bridge sends the event again', async () => {
    const { broker, kind } = await applied(name)
    const { delivery } = broker.spec
    if (delivery === undefined) throw new Error('it has no delivery')
    const waits = Array.from({ length: delivery.retry }, (_, retry) =>
      retryDelay(kind.profile, delivery, retry + 1, undefined),
    )
    expect(waits.reduce((sum, wait) => sum + wait, 0)).toBeLessThan(unclaimedMs)
    // A dispatcher of JetStream reads both without a check that they exist.
    expect(delivery).toMatchObject({ backoffPolicy: expect.any(String), backoffDelay: expect.any(Number) })
  })

  test('deliver as many events of a function concurrently as its processes accept, or 50', async () => {
    const { kind, triggers } = await applied(name)
    for (const fn of await findFunctions()) {
      const { concurrency, maxScale } = functionService(fn.service)
      const places = concurrency.value * maxScale.value
      const trigger = triggers.find(({ metadata }) => metadata.name === fn.name)
      const most =
        mostInFlight(kind.profile.consumption(trigger?.metadata.annotations ?? {})) ||
        Number.POSITIVE_INFINITY
      expect(most, fn.name).toBeGreaterThanOrEqual(Math.min(places, 50))
    }
  })

  test('deliver every event to its function, and an event without one to at most one function of its kind', async () => {
    const manifests = await applied(name)
    const routes = routesOf(manifests, () => manifests.kind.profile).get('trellis/default') ?? []
    for (const fn of await findFunctions())
      for (const provider of fn.types) {
        const { attributes } = readMessage(eventMessage({ ...sampleEvent, kind: fn.kind, provider }))
        const reached = routes.filter(({ filter }) => filter(attributes)).map(({ trigger }) => trigger)
        expect(reached.map(({ metadata }) => metadata.name)).toContain(fn.name)
        for (const { spec } of reached) expect(spec.filter?.attributes?.kind).toBe(fn.kind)
      }
  })

  test('deliver an event again that was refused, with its id', async () => {
    const clock = virtualClock(Date.parse('2026-11-21T00:00:00Z'))
    const { kind: _, broker: __, ...manifests } = await applied(name)
    let asked = 0
    const broker = await createBroker({
      manifests,
      resolve: async () => {
        asked++
        throw new Error('no process')
      },
      clock,
      log: { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} },
    })
    const publish = async () => {
      broker.publish(readMessage(eventMessage(sampleEvent)), 'trellis', 'default')
      let idle = false
      void broker.idle().then(() => {
        idle = true
      })
      while (!idle) await clock.advance(1_000)
    }
    await publish()
    const before = asked
    expect(before).toBe(6)
    await clock.advance(unclaimedMs - 62_000)
    await publish()
    expect(asked).toBe(2 * before)
    await broker.close()
  })
})

test('the NATS stream retains an event for longer than its retries with full timeouts take', async () => {
  const { broker, kind, configMaps } = await applied('nats')
  const { retry = 0, timeout, ...delivery } = broker.spec.delivery ?? { retry: 0 }
  const attempt = kind.profile.attemptMs(timeout) ?? Number.POSITIVE_INFINITY
  const waits = Array.from({ length: retry }, (_, index) =>
    retryDelay(kind.profile, { retry, backoffPolicy: 'exponential', ...delivery }, index + 1, undefined),
  )
  const longest = waits.reduce((sum, wait) => sum + wait, (retry + 1) * attempt)
  const minutes = /maxAge: (\d+)m\n/.exec(configMaps[0]?.data['channel-template-spec'] ?? '')?.[1]
  expect(Number(minutes) * 60_000).toBeGreaterThan(longest)
})
