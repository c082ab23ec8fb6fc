import type { Exchange, Fate } from '../../../sandbox/simulation/simulation.ts'

/** The faults that a point can have. */
export const effects = [
  'crash before',
  'crash after',
  'answer lost',
  'refused',
  'frozen',
  'frozen before',
  'leading bridge killed',
  'both bridges killed',
  'API server unreachable',
  'event late',
  'given up',
] as const
export type Effect = (typeof effects)[number]

/** The steps of a move. */
export type Phase = 'reconcile' | 'migrate' | 'between' | 'restore'

/** The writes at which a move can be given up. */
export interface GivenUp {
  readonly givenUpIn?: Phase
  /** If true, gardenlet gives up at a write of a function, and not at its own. */
  readonly isGivenUpByFunctions?: boolean
}

/** A point in a move: an exchange of a process, and the fault that meets it. */
export interface MovePoint {
  /** A process without its number: `north/aws-worker`, `south/gardenlet`. */
  readonly actor: string
  /** Counts the exchanges of all processes of the actor since the start of the move, from 1. */
  readonly number: number
  readonly effect: Effect
}

/** An exchange of a move without faults. */
export interface RecordedExchange extends Exchange {
  readonly actor: string
  readonly number: number
  readonly phase: Phase
}

/** Returns a process name without numbers of instances. */
export const actorOf = (process: string): string => process.replace(/(?:-\d+)+$/, '')

/** Returns the fate of the exchange at a point with an effect on this exchange. */
export const fateOf = (effect: Effect): Fate => {
  switch (effect) {
    case 'crash before':
      return { kind: 'crash', when: 'before' }
    case 'crash after':
      return { kind: 'crash', when: 'after' }
    case 'answer lost':
      return { kind: 'lost' }
    case 'refused':
      return { kind: 'refused', status: 503 }
    case 'frozen before':
      return { kind: 'pass', thawed: true }
    case 'event late':
      // The bridge waits two minutes for an answer. The event arrives when it has long sent another.
      return { kind: 'pass', beforeMs: 10 * 60_000 }
    default:
      return { kind: 'pass' }
  }
}

/** Returns true if the effect can change anything at this exchange. */
export const isPoint = (
  effect: Effect,
  { actor, way, isWrite, about, phase }: RecordedExchange,
  { givenUpIn, isGivenUpByFunctions = false }: GivenUp,
): boolean => {
  if (about.includes('/leases')) return false
  const isGardenlet = actor.endsWith('/gardenlet')
  const isBridge = actor.includes('/bridge')
  switch (effect) {
    case 'crash before':
    case 'refused':
      return isWrite && (effect === 'crash before' || !isBridge)
    case 'crash after':
      return isWrite || way === 'cloud'
    case 'answer lost':
      return isWrite && !isGardenlet
    case 'frozen':
      return !isGardenlet && !isBridge
    case 'event late':
      return isBridge && way === 'events'
    case 'frozen before':
      return !isGardenlet && !isBridge && phase === (givenUpIn ?? 'migrate')
    case 'given up':
      return isWrite && !isBridge && phase === givenUpIn && isGardenlet !== isGivenUpByFunctions
    case 'leading bridge killed':
    case 'both bridges killed':
    case 'API server unreachable':
      return isGardenlet && isWrite
  }
}

/** `north/aws-worker, crash after at exchange 7` */
export const pointText = ({ actor, number, effect }: MovePoint): string =>
  `${actor}, ${effect} at exchange ${number}`
