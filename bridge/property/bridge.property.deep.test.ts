import fc from 'fast-check'
import { expect, test } from 'vitest'
import { virtualClock } from '../../shared/clock/clock.ts'
import { annotations } from '../../shared/contract/constants.ts'
import type { ExtensionEvent, Send, SendOutcome } from '../../shared/events/events.ts'
import { dueWork } from '../../shared/lifecycle/lifecycle.ts'
import { replay } from '../../test/cases/replay.ts'
import { runs } from '../../test/cases/share.ts'
import {
  anyCommand,
  type Command,
  type FunctionMode,
  names,
  type SinkMode,
  type Slot,
  slots,
} from './testing/command.ts'
import { faultyReads } from './testing/faulty-reads.ts'
import { runFunction } from './testing/run-function.ts'
import { createHand, type SimulatedBridge, startSimulatedBridge } from './testing/simulated-bridge.ts'
import { createSimulatedSeed } from './testing/simulated-seed.ts'

const outcomes: Readonly<Record<SinkMode, SendOutcome>> = {
  takes: { kind: 'accepted' },
  slow: { kind: 'accepted' },
  'takes and loses': { kind: 'accepted' },
  refuses: { kind: 'retry', reason: 'refused' },
  'takes, answer lost': { kind: 'retry', reason: 'timed out' },
  'not there': { kind: 'rejected', status: 404, reason: 'the sink answered 404' },
  synchronous: { kind: 'accepted' },
  hangs: { kind: 'unanswered', reason: 'no answer' },
  'says to come in a year': { kind: 'retry', status: 503, reason: '503', afterMs: 31_536_000_000 },
  'finds it malformed': { kind: 'rejected', status: 400, reason: 'the sink answered 400' },
}

/** The time after which a delivery without an answer or a claim ends, in ms (docs/decisions/0023). */
const patienceMs = 5_000

/** A seed with two bridges, one of which leads; runs the steps, and records every broken rule. */
const createWorld = () => {
  const clock = virtualClock(Date.parse('2026-11-21T12:00:00.000Z'))
  const seed = createSimulatedSeed(clock)
  const reads = faultyReads(seed.kubernetes, clock)
  const hand = createHand()
  const bridges = new Map<Slot, SimulatedBridge>()
  const broken: string[] = []
  let sink: SinkMode = 'takes'
  let mode: FunctionMode = 'succeeds'
  let skew = 0
  let sent = 0
  /** A bridge's view may be older than this; its reads have worked since. */
  let wellSince = clock.now()
  let isSilent = false
  let changedAt = Number.NEGATIVE_INFINITY
  /** The last event of each object, and the time of its first send and that of the previous event. */
  const last = new Map<string, { readonly id: string; readonly at: number; readonly before: number }>()

  const sendOf =
    (slot: Slot) =>
    (alive: () => boolean): Send => {
      /** The event that holds its object's slot, by uid. */
      const sending = new Map<string, ExtensionEvent>()
      return async (event, signal) => {
        // Code of a killed process has no further effect.
        if (!alive()) return { kind: 'retry', reason: 'this process is dead' }
        sent++
        if (hand.leader() !== slot) broken.push(`${slot} sends and does not lead`)
        const now = clock.now()
        const before = sending.get(event.objectuid)
        if (before !== undefined && !seed.history.isPast(event.objectuid, before.id, now))
          broken.push(`two events of ${event.name} in flight`)
        // Reads are current again two minutes after a fault: by then the idle limit has acted.
        const since = now - wellSince > 120_000 ? now : 0
        const known = last.get(event.objectuid) ?? { id: '', at: 0, before: 0 }
        const about = known.id === event.id ? known : { id: event.id, at: now, before: known.at }
        last.set(event.objectuid, about)
        // The step of the previous event has read all changes that were made before that event was sent.
        const isWoken = changedAt >= about.before || (since === 0 && changedAt > 0)
        if (!seed.history.asksFor(event.objectuid, event.id, now, since, isWoken)) {
          broken.push(`nothing asks for ${event.operation} of ${event.name} (${event.reason})`)
        }
        sending.set(event.objectuid, event)
        // An open request does not take the slot of a later event.
        const landed = () => {
          if (sending.get(event.objectuid) === event) sending.delete(event.objectuid)
        }
        const as = sink
        // An event without an answer or a claim gives up its slot after this time since its send, not its arrival.
        const disarm = clock.after(patienceMs, landed)
        await clock.sleep(as === 'slow' ? 3_000 : 1)
        // A request of a killed process may arrive or not.
        const arrives = alive() || sent % 2 === 0
        const taken = outcomes[as].kind === 'accepted' || as === 'takes, answer lost'
        const run = () =>
          runFunction(
            clock,
            seed,
            event,
            () => mode,
            () => skew,
            landed,
          )
        if (as === 'synchronous' || as === 'hangs') {
          // The claim frees its slot; the request itself continues.
          try {
            await (as === 'hangs' || !arrives ? clock.sleep(600_000, signal) : run())
          } finally {
            disarm()
            landed()
          }
          return outcomes[as]
        }
        disarm()
        landed()
        if (arrives && taken && as !== 'takes and loses') void run()
        return outcomes[as]
      }
    }

  const start = (slot: Slot) => {
    bridges.set(
      slot,
      startSimulatedBridge({
        clock,
        kubernetes: reads.port,
        leadership: hand.of(slot),
        send: sendOf(slot),
      }),
    )
  }

  const checkBounds = () => {
    for (const [slot, { bridge }] of bridges) {
      const count = bridge.counts().get('DNSRecord')
      const queued = (count?.queued ?? 0) + (count?.inFlight ?? 0)
      if (queued > names.length) broken.push(`${queued} keys in the queue of ${slot}`)
      if (bridge.waiting().length > names.length) broken.push(`${slot} holds too many objects`)
    }
  }

  const act = async (step: Command): Promise<void> => {
    switch (step.do) {
      case 'ask':
      case 'delete':
      case 'touch':
        return seed[step.do](step.name)
      case 'change awaited':
        changedAt = clock.now()
        return seed.changeAwaited(step.one ? 'one' : 'other', step.to)
      case 'sink':
        sink = step.mode
        return
      case 'function':
        mode = step.mode
        return
      case 'skew':
        skew = step.ms
        return
      case 'server':
        reads.inflict(step.fault)
        if (step.fault === 'is silent') isSilent = true
        wellSince = isSilent ? Number.POSITIVE_INFINITY : clock.now()
        return
      case 'lead':
        return hand.set(step.who, step.silently)
      case 'restart':
      case 'kill':
        await bridges.get(step.who)?.[step.do === 'kill' ? 'kill' : 'stop']()
        start(step.who)
        wellSince = isSilent ? Number.POSITIVE_INFINITY : clock.now()
        return
      case 'pass':
        return clock.advance(step.ms)
    }
  }

  return {
    clock,
    seed,
    broken,
    sent: () => sent,
    waiting: () => [...bridges.values()].flatMap(({ bridge }) => bridge.waiting()),
    start: () => slots.forEach(start),
    run: async (steps: readonly Command[]) => {
      for (const step of steps) {
        await act(step)
        checkBounds()
      }
    },
    heal: () => {
      sink = 'takes'
      mode = 'succeeds'
      skew = 0
      reads.heal()
      wellSince = clock.now()
      if (hand.leader() === 'none') hand.set('first', false)
    },
    stop: () => Promise.all([...bridges.values()].map(({ stop }) => stop())),
  }
}

/** Runs the steps, heals all faults, and lets time pass: no rule was broken, and no work is left. */
const holds = async (steps: readonly Command[]): Promise<void> => {
  const { clock, seed, broken, sent, waiting, start, run, heal, stop } = createWorld()
  start()
  await run(steps)
  heal()
  await clock.advance(30 * 60_000)
  expect(broken).toEqual([])
  for (const name of names) {
    const object = seed.read(name)
    if (object === undefined) continue
    expect(dueWork('DNSRecord', object, clock.now()), `what ${name} still needs`).toEqual({ kind: 'none' })
    expect(seed.answered.get(name)).toBe(object.metadata.annotations?.[annotations.timestamp])
  }
  expect(waiting(), 'what the bridges still hold').toEqual([])
  const before = sent()
  await clock.advance(60 * 60_000)
  expect(sent() - before, 'events although nothing is left to do').toBe(0)
  await stop()
  expect(clock.pending()).toEqual([])
}

const parameters = replay(runs(150))

test(`the bridges send every requested event and nothing else, in spite of any faults (seed ${parameters.seed})`, async () => {
  await fc.assert(fc.asyncProperty(fc.array(anyCommand, { maxLength: 60 }), holds), parameters)
})

test('a deletion is sent at once if a late read shows the claim of the event in flight', () =>
  holds([
    { do: 'pass', ms: 1 },
    { do: 'ask', name: 'a' },
    { do: 'ask', name: 'a' },
    { do: 'server', fault: 'is silent' },
    { do: 'kill', who: 'second' },
    { do: 'delete', name: 'a' },
  ]))

test('a new request is sent once the previous event has given up its slot, without an answer', () =>
  holds([
    { do: 'ask', name: 'c' },
    { do: 'sink', mode: 'hangs' },
    { do: 'pass', ms: 1 },
    { do: 'ask', name: 'c' },
  ]))
