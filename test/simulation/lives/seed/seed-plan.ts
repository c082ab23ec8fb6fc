import { createRandom, type Random } from '../../../../sandbox/simulation/simulation.ts'
import type { SeedCast } from './seed-cast.ts'
import { peopleActs } from './seed-people.ts'

/** A life of one object in a complete shoot, as data. */
export interface SeedPlan {
  readonly seed: string
  readonly function: string
  readonly end: 'present' | 'deleted'
  readonly latencyMs: number
  /** Controllers write their statuses up to this time late, in ms. */
  readonly statusMs: number
  readonly events: readonly SeedEvent[]
}

export type SeedEvent = SeedAct | SeedTrouble

export interface SeedAct {
  readonly kind: 'act'
  /** People: programs and people in the seed, who act beside gardenlet. */
  readonly do: 'reconcile' | 'change' | 'input' | 'delete' | 'move' | 'people'
  readonly pick: number
  readonly after: 'the request' | 'the claim' | 'the success' | `write ${number}`
  readonly delayMs: number
}

export type SeedFault =
  | 'crash before'
  | 'crash after'
  | 'lost'
  | 'silence'
  | 'late'
  | 'suspended'
  | 'raced'
  | number

/** `at`: the number of an exchange, or ms after the start. */
export type SeedTrouble =
  | {
      readonly kind: 'exchange'
      readonly of: 'write' | 'own write' | 'cloud write' | 'read'
      readonly at: number
      readonly fault: SeedFault
      /** Then the cloud refuses all calls for a time. */
      readonly refusal?: { readonly forMs: number; readonly is: 'denied' | 'throttle' }
    }
  | { readonly kind: 'refused events'; readonly at: number; readonly forMs: number; readonly status: number }
  | { readonly kind: 'slow reads'; readonly mostMs: number }
  | { readonly kind: 'silent shoot'; readonly at: number; readonly forMs: number }
  | {
      readonly kind: 'process'
      readonly at: number
      readonly do: 'kill' | 'stop' | 'freeze'
      readonly of: 'bridge' | 'function'
    }

const second = 1_000

export const planSeedLife = (seed: string, cast: SeedCast): SeedPlan => {
  const random = createRandom(`${seed}/life`)
  const isMeeting = random.chance(cast.subject.kind === 'Worker' ? 0.5 : 0.25)
  const events = random.chance(0.25)
    ? random.pick([unfinished, suspended])(random, cast)
    : [...(isMeeting ? meetingOf(random, cast) : actsOf(random, cast)), ...troublesOf(random)]
  return {
    seed,
    function: cast.subject.name,
    end: random.chance(0.4) ? 'deleted' : 'present',
    latencyMs: random.pick([1, 20, 400]),
    statusMs: random.pick([0, 5, 20, 20]) * second,
    events,
  }
}

const actsOf = (random: Random, { subject, changes, inputs }: SeedCast): readonly SeedAct[] => {
  const kinds: readonly SeedAct['do'][] = [
    'reconcile',
    'delete',
    'people',
    ...(subject.canMove ? (['move', 'move'] as const) : []),
    ...(changes.length > 0 ? (['change', 'change', 'change', 'change'] as const) : []),
    ...(inputs.length > 0 ? (['input', 'input'] as const) : []),
    ...(subject.kind === 'Worker' ? (['people', 'people'] as const) : []),
  ]
  return Array.from(
    { length: random.between(1, 6) },
    (): SeedAct => ({
      kind: 'act',
      do: random.pick(kinds),
      pick: random.int(1_000),
      after: random.pick<SeedAct['after']>([
        'the request',
        'the claim',
        'the success',
        'the success',
        `write ${random.between(1, 8)}`,
      ]),
      delayMs: random.pick([0, 0, random.int(500), random.int(20 * second), 60 * second]),
    }),
  )
}

/** Acts that seldom meet at random, each a little after the one before. */
const meetingOf = (random: Random, { subject, changes, inputs }: SeedCast): readonly SeedAct[] => {
  const pickOf = (names: readonly string[], name: string): number => {
    const found = names.flatMap((one, index) => (one === name ? [index] : []))
    return found.length === 0 ? random.int(1_000) : random.pick(found)
  }
  const act = (what: SeedAct['do'], name = '', after: SeedAct['after'] = 'the success'): SeedAct => {
    const lists = { change: changes.map(([one]) => one), input: inputs.map(([one]) => one) }
    const pick =
      what === 'people'
        ? pickOf(peopleActs(subject.kind), name)
        : what === 'change' || what === 'input'
          ? pickOf(lists[what], name)
          : random.int(1_000)
    return {
      kind: 'act',
      do: what,
      pick,
      after,
      delayMs: random.pick([0, random.int(500), 5 * second, 20 * second]),
    }
  }
  const soon = (): SeedAct['after'] =>
    random.pick<SeedAct['after']>(['the request', 'the claim', `write ${random.between(1, 8)}`])
  const ofAll: readonly (() => readonly SeedAct[])[] = [
    () => [act('move', '', soon()), act('delete', '', soon())],
    // The credentials of a restored or a new object are invalid, and it is deleted.
    () => [
      act('move'),
      { ...act('people', 'spoil the Secret', soon()), delayMs: random.int(3_000) },
      { ...act('delete', '', 'the request'), delayMs: random.pick([5, 20, 60]) * second },
    ],
    () => [
      ...(random.chance(0.5) ? [act('delete')] : []),
      act('people', 'spoil the Secret', 'the request'),
      act('reconcile', '', 'the request'),
      { ...act('delete', '', 'the request'), delayMs: random.pick([5, 20, 60]) * second },
    ],
    () => [act('delete'), act('reconcile'), act('delete', '', soon()), act('reconcile')],
    ...(inputs.length === 0
      ? []
      : [
          () => [act('input', 'sleep'), act('move', '', soon())],
          () => [
            act('input', 'sleep'),
            random.chance(0.5) ? act('people', 'update the webhooks') : act('change', 'config'),
            act('reconcile'),
          ],
          () => [act('input', random.pick(['overlay', 'version'])), act('reconcile', '', soon())],
        ]),
  ]
  const ofWorkers: readonly (() => readonly SeedAct[])[] = [
    () => [act('change', 'roll'), { ...act('move', '', soon()), delayMs: random.between(2, 25) * second }],
    () => [act('change', 'roll'), { ...act('move', '', soon()), delayMs: random.between(2, 25) * second }],
    () => {
      const roll = act('change', 'roll')
      return [act('people', 'hold a class'), roll, { ...roll, after: random.pick(['the success', soon()]) }]
    },
    () => [act('people', 'no capacity'), act('change', random.pick(['rename', 'roll', 'add']))],
    () => [act('change', 'limits'), act('people', 'autoscale'), act('change', 'limits', soon())],
    () => [
      act('change', 'roll'),
      act('change', 'roll', soon()),
      act('change', random.pick(['roll', 'zones'])),
    ],
  ]
  return random.pick(subject.kind === 'Worker' ? [...ofAll, ...ofWorkers, ...ofWorkers] : ofAll)()
}

const laterAct = (random: Random, what: SeedAct['do'], seconds: readonly number[], pick = 0): SeedAct => ({
  kind: 'act',
  do: what,
  pick,
  after: 'the request',
  delayMs: random.pick(seconds) * second,
})

const refusal = (random: Random, seconds: readonly number[]) => ({
  forMs: random.pick(seconds) * second,
  is: random.pick(['denied', 'denied', 'throttle'] as const),
})

/** The answer of a first write is lost, the next attempts fail, and the object is deleted. */
const unfinished = (random: Random, { subject }: SeedCast): readonly SeedEvent[] => {
  const spoil = peopleActs(subject.kind).indexOf('spoil the Secret')
  const isCrash = random.chance(0.5)
  return [
    ...(random.chance(0.4) ? [laterAct(random, 'people', [0], spoil)] : []),
    // The claim of a process that has died ends after 75 s.
    laterAct(random, 'delete', isCrash ? [78, 85, 100] : [5, 20, 40]),
    {
      kind: 'exchange',
      of: 'cloud write',
      at: random.pick([0, 0, 0, random.int(8)]),
      fault: isCrash ? 'crash after' : random.pick(['lost', 'silence', 500]),
      refusal: refusal(random, isCrash ? [110, 150] : [20, 60, 90]),
    },
  ]
}

/** A process stops in a step, which another one takes over. */
const suspended = (random: Random, { changes }: SeedCast): readonly SeedEvent[] => [
  {
    kind: 'exchange',
    ...random.pick([
      { of: 'own write', at: random.int(8) },
      { of: 'write', at: random.int(12) },
    ] as const),
    fault: 'suspended',
  },
  laterAct(
    random,
    changes.length > 0 ? random.pick(['change', 'reconcile', 'delete']) : 'delete',
    [5, 40, 80, 110],
  ),
]

const faults = [
  ...(['crash before', 'crash after', 'crash after', 'crash after', 'lost', 'silence', 'late'] as const),
  ...(['suspended', 'raced', 'raced', 'raced', 409, 429, 500, 503] as const),
]

const troublesOf = (random: Random): readonly SeedTrouble[] => {
  const exchanges = Array.from({ length: random.between(0, 3) }, (): SeedTrouble => {
    const of = random.pick(['write', 'own write', 'own write', 'read', 'cloud write'] as const)
    const at = random.int(of === 'own write' ? 12 : of === 'cloud write' ? 6 : 40)
    const refused = of === 'cloud write' && random.chance(0.7) && { refusal: refusal(random, [30]) }
    return { kind: 'exchange', of, at, fault: random.pick(faults), ...refused }
  })
  const others: readonly (SeedTrouble | false)[] = [
    random.chance(0.25) && {
      kind: 'refused events',
      at: random.pick([0, random.int(20 * second)]),
      forMs: random.pick([2, 20, 90]) * second,
      status: random.pick([400, 400, 404, 413, 429, 503]),
    },
    random.chance(0.25) && { kind: 'slow reads', mostMs: random.pick([1, 4]) * second },
    random.chance(0.15) && {
      kind: 'silent shoot',
      at: random.int(20 * second),
      forMs: random.pick([5, 60, 200]) * second,
    },
    random.chance(0.2) && {
      kind: 'process',
      at: random.int(60 * second),
      do: random.pick(['kill', 'stop', 'freeze']),
      of: random.pick(['bridge', 'function']),
    },
  ]
  return [...exchanges, ...others.filter(one => one !== false)]
}

export const seedLifeLines = ({ end, latencyMs, statusMs, events }: SeedPlan): readonly string[] => [
  `the object is ${end} at the end; requests take up to ${latencyMs} ms, statuses of controllers up to ${statusMs} ms`,
  ...events.map(({ kind, ...event }) => `${kind}: ${JSON.stringify(event)}`),
]
