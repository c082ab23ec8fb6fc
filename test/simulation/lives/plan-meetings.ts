import { createRandom, type Random } from '../../../sandbox/simulation/simulation.ts'
import type { Cast, Part } from './cast.ts'
import type { Act, Begin, LifeEvent, LifePlan } from './plan-life.ts'

const second = 1_000

/**
 * Lets acts and troubles of a life meet that seldom meet at random: a crash right before a move, a refusal in a
 * deletion, a deletion and a new creation before all calls see them. Pages may be empty or lack an item.
 */
export const withMeetings = (plan: LifePlan, cast: Cast, parts: readonly Part[]): LifePlan => {
  // A source of its own, so that the rest of a plan is independent of it.
  const random = createRandom(`${plan.seed}/meetings`)
  const { pages } = plan.hostility
  const hostility = {
    ...plan.hostility,
    ...(pages && {
      pages: { ...pages, least: random.pick([0, 1]), omitted: random.pick([0, 0.2, 0.5]) },
    }),
    addressMs: random.pick([0, 0, 8 * second, 20 * second]),
  }
  const part = parts.findIndex(({ isLast }) => !isLast)
  const own = parts[part]
  const meetings = own === undefined ? [] : meetingsOf(own)
  if (meetings.length === 0 || random.chance(0.4)) return { ...plan, hostility }
  const { acts, events, ...changed } = random.pick(meetings)(random, cast)
  const kept = plan.events.filter(event =>
    event.kind === 'act' ? event.part !== part : changed.isAlone !== true && random.chance(0.5),
  )
  return {
    ...plan,
    ends: plan.ends.map((end, index) => (index === part ? (changed.end ?? end) : end)),
    hostility: { ...hostility, ...changed.hostility },
    events: [...acts.map(act => ({ ...act, part })), ...kept, ...events],
  }
}

interface Met {
  readonly acts: readonly Act[]
  readonly events: readonly LifeEvent[]
  readonly end?: 'deleted'
  readonly hostility?: Partial<LifePlan['hostility']>
  /** No other trouble, which may explain what is left. */
  readonly isAlone?: true
}

type Meeting = (random: Random, cast: Cast) => Met

const act = (random: Random, what: Act['do'], after: Act['after'] = 'the success'): Act => ({
  kind: 'act',
  do: what,
  pick: random.int(1_000),
  after,
  delayMs: random.pick([0, 0, second, 5 * second]),
})

const lag = (random: Random): Pick<LifePlan['hostility'], 'lagMs'> => ({
  lagMs: random.pick([30, 90]) * second,
})

const servicesOf = ({ actions }: Cast): readonly string[] => [
  ...new Set(actions.map(action => action.slice(0, action.indexOf(':')))),
]

const endInWrites: Meeting = (random, cast) => {
  const write = random.between(1, Math.ceil(cast.exchanges / 4))
  const what = random.pick(['move', 'delete'] as const)
  return {
    acts: [{ ...act(random, what, `write ${write}`), delayMs: 0 }],
    events: [{ kind: 'exchange', of: 'write', at: write - 1, fault: 'crash after' }],
  }
}

const refusedDeletion: Meeting = (random, cast) => {
  const forMs = random.pick([5, 30, 150]) * second
  const service = random.pick(servicesOf(cast))
  const own = cast.actions.filter(action => action.startsWith(`${service}:`) && isDeletion(action))
  const from = own.length > 0 && random.chance(0.5) ? (random.pick(own) as Begin) : 'delete'
  return {
    acts: [act(random, 'delete')],
    end: 'deleted',
    events: [
      {
        kind: 'window',
        from,
        at: random.pick([0, random.int(5 * second)]),
        forMs,
        fault: random.pick(['denied', 'denied', 'throttled']),
        action: `${service}:reads`,
      },
    ],
  }
}

const hiddenInDeletion: Meeting = (random, cast) => ({
  acts: [act(random, 'delete', `write ${random.between(1, Math.ceil(cast.exchanges / 4))}`)],
  end: 'deleted',
  hostility: lag(random),
  events: [0, 1].map(() => ({
    kind: 'hidden',
    from: 'delete',
    at: random.int(2 * second),
    forMs: random.pick([5, 30, 150]) * second,
    pick: random.int(1_000),
  })),
})

const createdAgain: Meeting = random => ({
  acts: [act(random, 'delete'), act(random, 'reconcile')],
  hostility: lag(random),
  events: [],
})

const changedBack: Meeting = random => ({
  acts: Array.from({ length: 4 }, () => act(random, 'change')),
  hostility: lag(random),
  events: [],
})

const changedThenDeleted: Meeting = random => ({
  acts: [act(random, 'change'), act(random, 'delete')],
  end: 'deleted',
  events: [],
})

const accidentInDeletion: Meeting = random => ({
  acts: [act(random, 'accident'), act(random, 'delete', 'the request')],
  events: [],
})

const unansweredCreation: Meeting = (random, cast) => ({
  acts: [],
  hostility: lag(random),
  events: [
    {
      kind: 'exchange',
      of: random.pick(cast.actions.filter(isCreation)),
      at: 0,
      fault: random.pick(['crash after', 'lost', 'silence']),
    },
  ],
})

/** The force ends a deletion whose account is out of reach. Here it is not. */
const reachableForce: Meeting = (random, cast) => ({
  acts: [{ ...act(random, 'delete by force'), pick: reachable }],
  end: 'deleted',
  isAlone: true,
  hostility: { lagMs: 0 },
  events: [
    {
      kind: 'window',
      from: 'delete by force',
      at: 0,
      forMs: random.pick([5, 20]) * second,
      fault: 'throttled',
      action: `${random.pick(servicesOf(cast))}:*`,
    },
  ],
})

const isDeletion = (action: string): boolean => /:(?:Delete|Release|Terminate|Revoke)/.test(action)

/** With this choice the account is in reach during a forced deletion. */
export const reachable = 1_000

const isCreation = (action: string): action is `ec2:${string}` => /^ec2:(?:Create|Allocate|Run)/.test(action)

const meetingsOf = ({ desired, changes, accidents, canMove, canBeForced }: Part): readonly Meeting[] => [
  refusedDeletion,
  hiddenInDeletion,
  ...(canMove ? [endInWrites, endInWrites] : []),
  // S3 shows the settings of a deleted bucket, so a new one counts as present.
  ...(desired.kind === 'BackupBucket' ? [] : [createdAgain]),
  ...(changes.length > 0 ? [changedBack, changedThenDeleted, changedThenDeleted] : []),
  ...(accidents.length > 0 ? [accidentInDeletion] : []),
  // A race of milliseconds.
  ...(desired.kind === 'DNSRecord' && accidents.length > 0 ? Array<Meeting>(4).fill(accidentInDeletion) : []),
  // The forced deletion of a network may leave everything behind.
  ...(canBeForced && desired.kind === 'DNSRecord' ? [reachableForce] : []),
  ...(desired.kind === 'Infrastructure' || desired.kind === 'Bastion' ? [unansweredCreation] : []),
]
