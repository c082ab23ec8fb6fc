import { createRandom, type Random } from '../../../sandbox/simulation/simulation.ts'
import type { Cast, Input, Part } from './cast.ts'

/** A life as data: a seed determines it, and a failing one is shrunk by leaving out events. */
export interface LifePlan {
  readonly seed: string
  readonly cast: string
  /** The ends of the parts, in their order. */
  readonly ends: readonly ('present' | 'deleted')[]
  /** The longest way of a request or an answer, in ms. */
  readonly latencyMs: number
  readonly hostility: {
    readonly shuffles: boolean
    readonly pages:
      | {
          readonly most: number
          /** 0: pages may be empty. Default: 1. */
          readonly least?: number
          readonly repeated: number
          readonly omitted: number
        }
      | undefined
    /** The longest time until all calls see a write, in ms. 0: at once. */
    readonly lagMs: number
    /** The time until an available NAT gateway shows its address, in ms. Default: 0. */
    readonly addressMs?: number
    /** AWS takes as long as it usually does. Default: a hundredth. */
    readonly isSlow?: boolean
    /** A transition takes longer than every limit. */
    readonly stuck?: 'natGatewayAvailable' | 'natGatewayDeleted'
  }
  /** Users and other controllers work beside the functions. Default: false. */
  readonly hasOthers?: boolean
  readonly events: readonly LifeEvent[]
}

export type LifeEvent = ({ readonly part: number } & Act) | Trouble

/** An act of gardenlet, a user or a person in the account with a part. Acts of a part happen in order. */
export interface Act {
  readonly kind: 'act'
  /** `unseen change`: the spec changes, and nothing is requested. */
  readonly do: 'reconcile' | 'change' | 'unseen change' | 'delete' | 'delete by force' | 'move' | 'accident'
  readonly pick: number
  /** Begin with it, those of a move when the object has left: `from` has no meaning. */
  readonly with?: readonly Trouble[]
  /** It begins this time after that, in ms. */
  readonly after: 'the request' | 'the claim' | 'the success' | `write ${number}` | `call ${string}:${string}`
  readonly delayMs: number
}

/** An act, or a call of functions: `ec2:DeleteVpc`. */
export type Begin = Act['do'] | `${string}:${string}`

/** `at`: ms after the start or the first act or call `from`, or the number of an exchange of a function. */
export type Trouble =
  | {
      readonly kind: 'exchange'
      readonly at: number
      readonly fault: ExchangeFault
      /** Counts only writes to the cloud, calls of an action, or writes to the API server. Default: all exchanges. */
      readonly of?: 'write' | 'object write' | `ec2:${string}`
    }
  | {
      readonly kind: 'window'
      readonly at: number
      readonly forMs: number
      readonly fault: WindowFault
      /** `ec2:CreateVpc`, or `iam:reads` */
      readonly action: string
      readonly from?: Begin
    }
  /** AWS answers that a resource does not exist, which it may do for some minutes after its creation. */
  | {
      readonly kind: 'hidden'
      readonly at: number
      readonly forMs: number
      readonly pick: number
      readonly from?: Begin
      /** Only a resource of this table. Default: one of those created recently. */
      readonly table?: string
      /** Also one that is old: for some minutes, S3 may not find a bucket either. */
      readonly isOld?: true
    }
  | {
      readonly kind: 'outage'
      readonly at: number
      readonly forMs: number
      readonly fault: ExchangeFault
      readonly rate: number
    }
  | {
      readonly kind: 'process'
      readonly at: number
      readonly do: ProcessFault
      readonly of: 'bridge' | 'function'
    }
  | { readonly kind: 'failed shoot'; readonly at: number; readonly forMs: number; readonly part: number }
  /**
   * The process dies right after a write: once an object or a Secret is released, a state is saved, or a success
   * written.
   */
  | { readonly kind: 'death'; readonly at: number; readonly after: Milestone }
  /** A network interface of a user blocks a deletion. */
  | { readonly kind: 'blocker'; readonly at: number; readonly part: number }
  /** The bridge's reads of single objects take up to this time, both ways. */
  | { readonly kind: 'slow reads'; readonly mostMs: number }
  /** An input of a part changes for a time. */
  | {
      readonly kind: 'input'
      readonly at: number
      readonly forMs: number
      readonly part: number
      readonly input: Input
      readonly from?: Begin
    }
  /** AWS throttles or denies the calls whose text contains this, such as those of one hosted zone. */
  | {
      readonly kind: 'part refused'
      readonly at: number
      readonly forMs: number
      /** Undefined: those of all places of a part but the one of its spec. */
      readonly text: string | undefined
      readonly part?: number
      readonly from?: Begin
      readonly isDenied?: true
    }

export const milestones = ['a released object', 'a released Secret', 'a saved state', 'a success'] as const
export type Milestone = (typeof milestones)[number]

export const exchangeFaults = [
  'crash before',
  'crash after',
  'lost',
  'unreachable',
  'silence',
  'late',
  409,
  429,
  500,
  503,
] as const
/** Suspended: the process stops before the request, its clock with it, and another step may begin meanwhile. */
export type ExchangeFault = (typeof exchangeFaults)[number] | 'suspended'

export const windowFaults = ['denied', 'throttled'] as const
/** Failed: the call takes effect, and its answer is an error of the servers. Refused: with a code of the service. */
export type WindowFault = (typeof windowFaults)[number] | 'failed' | `refused ${string}`

export const processFaults = ['kill', 'stop', 'freeze'] as const
export type ProcessFault = (typeof processFaults)[number]

const second = 1_000

/** Creates the plan of a seed. Lives are short and full of trouble. */
export const planLife = (seed: string, cast: Cast, parts: (random: Random) => readonly Part[]): LifePlan => {
  const random = createRandom(`${seed}/life`)
  const all = parts(createRandom(`${seed}/parts`))
  const acts = all.flatMap((part, index) => actsOf(random, cast, part, index))
  const isForced = (index: number) =>
    acts.some(one => one.kind === 'act' && one.part === index && one.do === 'delete by force')
  const spanMs = cast.spanMs * (1 + acts.length / all.length / 2)
  const troubles = Array.from({ length: random.pick([0, 1, 2, 2, 3, 4]) }, () =>
    troubleOf(random, cast, spanMs, all.length),
  )
  return {
    seed,
    cast: cast.name,
    ends: all.map((_, index) => (isForced(index) || random.chance(0.55) ? 'deleted' : 'present')),
    latencyMs: random.pick([1, 20, 20, 400]),
    hostility: {
      shuffles: random.chance(0.7),
      pages: random.chance(0.7)
        ? { most: random.between(1, 3), repeated: random.pick([0.3, 0.6]), omitted: 0 }
        : undefined,
      lagMs: random.pick([0, 0, 2 * second, 10 * second, 30 * second, 90 * second]),
    },
    hasOthers: createRandom(`${seed}/others`).chance(0.75),
    events: [...acts, ...troubles],
  }
}

const delayOf = (random: Random): number => (random.chance(0.3) ? 0 : random.int(5 * second))

const actsOf = (random: Random, cast: Cast, part: Part, index: number): readonly LifeEvent[] => {
  const kinds: readonly Act['do'][] = part.isLast
    ? ['reconcile']
    : [
        ...(['reconcile', 'delete', 'delete'] as const),
        ...(part.changes.length > 0 ? (['change', 'change', 'change'] as const) : []),
        ...(part.canMove ? (['move'] as const) : []),
        ...(part.accidents.length > 0 ? (['accident'] as const) : []),
      ]
  const count = part.isLast ? random.pick([0, 0, 1]) : random.pick([0, 1, 1, 2, 3])
  const acts = Array.from(
    { length: count },
    (): LifeEvent => ({
      kind: 'act',
      part: index,
      do: random.pick(kinds),
      pick: random.int(1_000),
      after: random.pick<Act['after']>([
        'the request',
        'the success',
        'the success',
        `write ${random.between(1, Math.ceil(cast.exchanges / 4))}`,
      ]),
      delayMs: delayOf(random),
    }),
  )
  if (!part.canBeForced || !random.chance(0.1)) return acts
  const after = random.pick([
    'the request',
    'the success',
    `write ${random.between(1, Math.ceil(cast.exchanges / 4))}`,
  ] as const)
  return [
    ...acts,
    {
      kind: 'act',
      part: index,
      do: 'delete by force',
      pick: random.int(1_000),
      after,
      delayMs: delayOf(random),
    },
  ]
}

const troubleOf = (random: Random, cast: Cast, spanMs: number, parts: number): Trouble => {
  const at = random.int(spanMs)
  const chosen = random.int(100)
  if (chosen < 40)
    return { kind: 'exchange', at: random.int(cast.exchanges * 2), fault: random.pick(exchangeFaults) }
  if (chosen < 55)
    return {
      kind: 'hidden',
      at,
      forMs: random.pick([5 * second, 30 * second, 150 * second]),
      pick: random.int(1_000),
    }
  if (chosen < 75)
    return {
      kind: 'window',
      at,
      forMs: random.pick([5 * second, 30 * second, 150 * second]),
      fault: random.pick(windowFaults),
      action: random.pick(cast.actions),
    }
  if (chosen < 85)
    return {
      kind: 'outage',
      at,
      forMs: random.pick([5 * second, 30 * second, 120 * second]),
      fault: random.pick(exchangeFaults),
      rate: random.pick([0.05, 0.3, 1]),
    }
  if (chosen < 95)
    return {
      kind: 'process',
      at,
      do: random.pick(processFaults),
      of: random.pick(['bridge', 'function', 'function']),
    }
  return {
    kind: 'failed shoot',
    at,
    forMs: random.pick([10 * second, 60 * second]),
    part: random.int(parts),
  }
}

/** Returns the plan in words, one line for each event. */
export const lifeLines = ({
  cast,
  ends,
  latencyMs,
  hostility,
  hasOthers,
  events,
}: LifePlan): readonly string[] => [
  `${cast}: ${ends.map((end, part) => `part ${part + 1} is ${end} at the end`).join(', ')}; requests take up to ${latencyMs} ms`,
  `lists ${hostility.shuffles ? 'in any order' : 'in order'}, pages ${pagesLine(hostility)}, changes visible within ${hostility.lagMs} ms, addresses of gateways within ${hostility.addressMs ?? 0} ms${hostility.stuck ? `, ${hostility.stuck} takes very long` : ''}`,
  ...(hasOthers ? ['users and other controllers work beside the functions'] : []),
  ...events.map(eventLine),
]

const pagesLine = ({ pages }: LifePlan['hostility']): string =>
  pages === undefined
    ? 'complete'
    : `of ${pages.least ?? 1} to ${pages.most} items${pages.omitted > 0 ? ' that may lack one' : ''}`

const start = (from: Begin | undefined): string => (from === undefined ? '' : ` of the first ${from}`)

const eventLine = (event: LifeEvent): string => {
  switch (event.kind) {
    case 'act':
      return [
        `part ${event.part + 1}: ${event.do} (${event.pick}) ${event.delayMs} ms after ${event.after}`,
        ...(event.with ?? []).map(one => `with it: ${eventLine(one)}`),
      ].join('; ')
    case 'exchange':
      return `${event.of ?? 'exchange'} ${event.at}: ${event.fault}`
    case 'window':
      return `after ${event.at} ms${start(event.from)}: ${event.action} ${event.fault} for ${event.forMs} ms`
    case 'hidden':
      return `after ${event.at} ms${start(event.from)}: AWS does not find a new resource (${event.table ?? ''} ${event.pick}) for ${event.forMs} ms`
    case 'outage':
      return `after ${event.at} ms: ${100 * event.rate} % of exchanges ${event.fault} for ${event.forMs} ms`
    case 'process':
      return `after ${event.at} ms: ${event.do} a ${event.of}`
    case 'death':
      return `the process dies after ${event.after}, the ${event.at + 1}. time`
    case 'blocker':
      return `after ${event.at} ms of the first delete: a network interface of a user is in a subnet of part ${event.part + 1}`
    case 'slow reads':
      return `reads of the bridge take up to ${event.mostMs} ms`
    case 'input':
      return `after ${event.at} ms${start(event.from)}: part ${event.part + 1} has ${event.input} for ${event.forMs} ms`
    case 'part refused':
      return `after ${event.at} ms${start(event.from)}: calls with ${event.text ?? 'other places'} are ${event.isDenied ? 'denied' : 'throttled'} for ${event.forMs} ms`
    case 'failed shoot':
      return `after ${event.at} ms: the shoot of part ${event.part + 1} has failed, for ${event.forMs} ms`
  }
}
