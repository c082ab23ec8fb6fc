import fc from 'fast-check'
import { expect, test } from 'vitest'
import { virtualClock } from '../../shared/clock/clock.ts'
import { annotations } from '../../shared/contract/constants.ts'
import type { ExtensionEvent, Send, SendOutcome } from '../../shared/events/events.ts'
import { dueWork } from '../../shared/lifecycle/lifecycle.ts'
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
import { replay } from './testing/replay.ts'
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

/** What ends a delivery that nobody answers and no claim ends, ms (docs/decisions/0023). */
const patienceMs = 5_000

/** A seed with two bridges, of which one leads; runs steps, and notes every rule that was broken. */
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
  /** What a bridge has seen may be older than this; nothing has gone wrong with its reads since. */
  let wellSince = clock.now()
  let isSilent = false
  let changedAt = Number.NEGATIVE_INFINITY
  /** The last event of each object, and when it and the one before went out for the first time. */
  const last = new Map<string, { readonly id: string; readonly at: number; readonly before: number }>()

  const sendOf =
    (slot: Slot) =>
    (alive: () => boolean): Send => {
      /** What has its object's place, by uid. */
      const sending = new Map<string, ExtensionEvent>()
      return async (event, signal) => {
        // What the code of a killed process would still do does not happen.
        if (!alive()) return { kind: 'retry', reason: 'this process is dead' }
        sent++
        if (hand.leader() !== slot) broken.push(`${slot} sends and does not lead`)
        const now = clock.now()
        const before = sending.get(event.objectuid)
        if (before !== undefined && !seed.history.isPast(event.objectuid, before.id, now))
          broken.push(`two events of ${event.name} in flight`)
        // Reads are well again two minutes after a fault: by then the idle limit has acted.
        const since = now - wellSince > 120_000 ? now : 0
        const known = last.get(event.objectuid) ?? { id: '', at: 0, before: 0 }
        const about = known.id === event.id ? known : { id: event.id, at: now, before: known.at }
        last.set(event.objectuid, about)
        // The step of the event before has read what was changed before that went out.
        const isWoken = changedAt >= about.before || (since === 0 && changedAt > 0)
        if (!seed.history.asksFor(event.objectuid, event.id, now, since, isWoken)) {
          broken.push(`nothing asks for ${event.operation} of ${event.name} (${event.reason})`)
        }
        sending.set(event.objectuid, event)
        // What is left open does not take the place of what came after it.
        const landed = () => {
          if (sending.get(event.objectuid) === event) sending.delete(event.objectuid)
        }
        const as = sink
        // Who has neither an answer nor a claim gives its place up so long after it was sent, not after it arrived.
        const disarm = clock.after(patienceMs, landed)
        await clock.sleep(as === 'slow' ? 3_000 : 1)
        // What a killed process has under way may arrive or not.
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
          // Its place is free with the claim; the request itself goes on.
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

/** Runs the steps, heals everything, and lets time pass: nothing was broken, and nothing is left to do. */
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

const parameters = replay(150)

test(`does everything that was asked for and nothing else, in spite of any faults (seed ${parameters.seed})`, async () => {
  await fc.assert(fc.asyncProperty(fc.array(anyCommand, { maxLength: 60 }), holds), parameters)
})

test('sends a deletion at once when what was read late shows the claim of what is under way', () =>
  holds([
    { do: 'pass', ms: 1 },
    { do: 'ask', name: 'a' },
    { do: 'ask', name: 'a' },
    { do: 'server', fault: 'is silent' },
    { do: 'kill', who: 'second' },
    { do: 'delete', name: 'a' },
  ]))

test('sends what is asked anew once the event before it has given its place up, without an answer', () =>
  holds([
    { do: 'ask', name: 'c' },
    { do: 'sink', mode: 'hangs' },
    { do: 'pass', ms: 1 },
    { do: 'ask', name: 'c' },
  ]))
