import { describe, expect, test } from 'vitest'
import { bridgeSettings, startBridge } from '../../../bridge/bridge.ts'
import { fakeKubernetes } from '../../../bridge/testing/fake-kubernetes.ts'
import { type Clock, systemClock } from '../../../shared/clock/clock.ts'
import { kinds } from '../../../shared/contract/kinds.ts'
import { parseSettings } from '../../../shared/runtime/runtime.ts'
import { record } from '../harness.ts'
import { startRecordingBridge } from '../recording-bridge.ts'
import { fastClock } from './fast-clock.ts'
import { answers, type FaultySink, startFaultySink, takes } from './faulty-sink.ts'

const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }
const { resource } = kinds.DNSRecord

const bridgeTo = async (sink: FaultySink, clock: Clock, unclaimedMs = 3_600_000) => {
  const kubernetes = fakeKubernetes()
  const running = await startBridge({
    settings: parseSettings(bridgeSettings, {
      flags: {
        seed: 'test',
        sink: sink.url,
        address: '127.0.0.1',
        port: 0,
        kinds: 'DNSRecord',
        unclaimedMs,
      },
      env: {},
    }),
    kubernetes: kubernetes.port,
    clock,
    log: silent,
  })
  const put = (name: string, labels: Record<string, string> = {}) => {
    const object = record(name)
    // Belongs to no shoot, so no precondition holds it.
    return kubernetes.put(resource, {
      ...object,
      metadata: { ...object.metadata, namespace: 'garden', labels },
    })
  }
  const metric = async (name: string) => {
    const text = await (await fetch(`http://127.0.0.1:${running.port}/metrics`)).text()
    return Number(new RegExp(`^${name}(?:\\{[^}]*\\})? (.*)$`, 'm').exec(text)?.[1])
  }
  return { ...running, kubernetes, put, metric }
}

interface SinkFault {
  /** Completes "a sink that ... gets everything". */
  readonly title: string
  inflict(sink: FaultySink): void | Promise<void>
  /** The duration, in milliseconds of the bridge's clock. */
  readonly forMs: number
  end?(sink: FaultySink): void | Promise<void>
  /** The metric that shows the fault. Default: `retried_total`. */
  readonly shows?: string
  /** The time after which an unclaimed event is sent again. No object is claimed here. */
  readonly unclaimedMs?: number
}

const faults: readonly SinkFault[] = [
  {
    title: 'refuses connections',
    inflict: sink => sink.goAway(),
    forMs: 60_000,
    end: sink => sink.comeBack(),
  },
  {
    title: 'never answers',
    inflict: sink => {
      sink.answer = () => false
    },
    forMs: 30_000,
    // A slow sink is not down: events are only sent again because no object is claimed.
    shows: 'unanswered_total',
    unclaimedMs: 60_000,
  },
  ...[500, 502, 503, 504].map(status => ({
    title: `answers ${status}`,
    inflict: (sink: FaultySink) => {
      sink.answer = answers(status)
    },
    forMs: 40_000,
  })),
  ...[401, 403, 404, 405].map(status => ({
    title: `answers ${status}`,
    inflict: (sink: FaultySink) => {
      sink.answer = answers(status)
    },
    forMs: 20_000,
  })),
  {
    title: 'answers 429 with Retry-After',
    inflict: sink => {
      sink.answer = answers(429, { 'retry-after': '10' })
    },
    forMs: 15_000,
  },
  {
    title: 'takes events and breaks the connection before it answers',
    inflict: sink => {
      sink.answer = request => {
        request.socket.destroy()
        return true
      }
    },
    forMs: 20_000,
  },
  {
    title: 'takes events and breaks the connection within its answer',
    inflict: sink => {
      sink.answer = (request, response) => {
        response.writeHead(202, { 'content-length': '10' })
        response.write('half', () => request.socket.destroy())
        return true
      }
    },
    forMs: 20_000,
  },
  {
    title: 'answers what is no HTTP',
    inflict: sink => {
      sink.answer = request => {
        request.socket.end('220 smtp.example.com ESMTP\r\n')
        return false
      }
    },
    forMs: 20_000,
  },
]

describe('a sink', () => {
  for (const fault of faults) {
    test.concurrent(`that ${fault.title} gets everything, with the same ids as without a fault`, async ({
      expect,
    }) => {
      const clock = fastClock(20)
      const sink = await startFaultySink(clock)
      const bridge = await bridgeTo(sink, clock, fault.unclaimedMs)
      const taken = () => sink.arrivals.filter(arrival => arrival.taken)
      const all = (count: number) =>
        expect.poll(() => new Set(taken().map(({ name }) => name)).size).toBe(count)
      const put = (phase: string) => {
        for (let index = 0; index < 5; index++) bridge.put(`${phase}-${index}`)
      }
      try {
        put('before')
        await all(5)
        await fault.inflict(sink)
        put('meanwhile')
        await clock.sleep(fault.forMs)
        expect(await bridge.metric(`trellis_bridge_${fault.shows ?? 'retried_total'}`)).toBeGreaterThan(0)
        await fault.end?.(sink)
        sink.answer = takes
        put('after')
        await all(15)
        await expect.poll(() => bridge.metric('trellis_bridge_queue_depth')).toBe(0)
        expect(await bridge.metric('trellis_bridge_parked')).toBe(0)

        const witness = startRecordingBridge(bridge.kubernetes.port, clock)
        await expect
          .poll(() => witness.events.length)
          .toBe(15)
          .finally(witness.stop)
        const ids = new Set(sink.arrivals.map(({ name, id }) => `${name} ${id}`))
        expect([...ids].toSorted()).toEqual(witness.events.map(({ name, id }) => `${name} ${id}`).toSorted())
      } finally {
        await bridge.close()
        await sink.close()
        clock.stop()
      }
    })
  }

  test('counts as in time if the bridge reads the response late because the process was blocked', async () => {
    const sink = await startFaultySink(systemClock)
    sink.answer = (request, response) => {
      sink.answer = takes
      const isTaken = answers(500)(request, response)
      // Longer than an event waits for its response, which may still arrive.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 6_000)
      return isTaken
    }
    const bridge = await bridgeTo(sink, systemClock)
    try {
      bridge.put('x')
      await expect.poll(() => sink.arrivals.map(({ taken }) => taken)).toEqual([false, true])
      expect(await bridge.metric('trellis_bridge_retried_total')).toBe(1)
      // A metric without a count is absent.
      expect(await bridge.metric('trellis_bridge_unanswered_total')).toBeNaN()
    } finally {
      await bridge.close()
      await sink.close()
    }
  })

  test('that names a retry time does not get that event earlier', async () => {
    const clock = fastClock(20)
    const sink = await startFaultySink(clock)
    sink.answer = answers(429, { 'retry-after': '30' })
    const bridge = await bridgeTo(sink, clock)
    try {
      bridge.put('x')
      await expect.poll(() => sink.arrivals.length).toBe(1)
      sink.answer = takes
      await expect.poll(() => sink.arrivals.length).toBe(2)
      const [first, second] = sink.arrivals
      expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThanOrEqual(30_000)
    } finally {
      await bridge.close()
      await sink.close()
      clock.stop()
    }
  })

  test('that answers 400 gets that event a minute later, or at once when the object changes: the event is parked, in the dump and the metrics', async () => {
    const clock = fastClock(20)
    const sink = await startFaultySink(clock)
    sink.answer = (request, response) =>
      (request.headers['ce-name'] === 'bad' ? answers(400) : takes)(request, response)
    const bridge = await bridgeTo(sink, clock)
    try {
      bridge.put('bad')
      await expect.poll(() => bridge.metric('trellis_bridge_parked')).toBe(1)
      bridge.put('good')
      await clock.sleep(40_000)
      expect(sink.arrivals.map(({ name }) => name).toSorted()).toEqual(['bad', 'good'])
      expect(bridge.bridge.waiting().filter(({ state }) => state === 'parked')).toMatchObject([
        { object: 'garden/bad', why: 'the sink answered 400' },
      ])
      expect(await bridge.metric('trellis_bridge_refused_total')).toBe(1)
      sink.answer = takes
      bridge.put('bad', { mended: 'yes' })
      await expect.poll(() => sink.arrivals.at(-1)).toMatchObject({ name: 'bad', taken: true })
      await expect.poll(() => bridge.metric('trellis_bridge_parked')).toBe(0)
    } finally {
      await bridge.close()
      await sink.close()
      clock.stop()
    }
  })
})
