import type { DeliveryName } from '../seed/simulated-seed.ts'

/**
 * A scenario as data: a seed determines it, a reader understands it, and a failing one is shrunk by leaving out
 * actions.
 */
export interface WorldPlan {
  /** The name of a cloud of the run. */
  readonly cloud: string
  readonly delivery: DeliveryName
  /** The longest way of a request or an answer, in ms. */
  readonly latencyMs: number
  /** Time until reads of the cloud show a change, in ms. */
  readonly visibleAfterMs: number
  /** For each shoot, its final state. */
  readonly shoots: readonly ('present' | 'deleted')[]
  readonly actions: readonly TimedAction[]
}

/** `at`: ms after the start. */
export type TimedAction = { readonly at: number } & WorldAction

export type WorldAction =
  | FaultWindow
  | ({ readonly kind: 'kill' } & Target)
  /** As SIGTERM does: the process ends its work first. Only of bridges. */
  | ({ readonly kind: 'stop' } & Target)
  | ({ readonly kind: 'freeze'; readonly forMs: number } & Target)
  | ({ readonly kind: 'skew'; readonly ms: number } & Target)
  /** `compact`: the API server also forgets its events. */
  | { readonly kind: 'cut watches'; readonly seed: SeedName; readonly compact: boolean }
  /** A replica of the API server shows the past, as far as a real one does: its events are late. */
  | {
      readonly kind: 'lag'
      readonly seed: SeedName
      readonly replica: number
      readonly lagMs: number
      readonly forMs: number
    }
  /** etcd returns to its present state after a time. `bump`: with later versions. */
  | { readonly kind: 'restore etcd'; readonly seed: SeedName; readonly forMs: number; readonly bump: boolean }
  | {
      readonly kind: 'replace dispatchers'
      readonly seed: SeedName
      readonly by: 'SIGTERM' | 'SIGKILL'
    }
  /** The broker has no access to the storage of its events. */
  | { readonly kind: 'take storage away'; readonly seed: SeedName; readonly forMs: number }
  | { readonly kind: 'refuse credentials'; readonly forMs: number }
  | { readonly kind: 'change credentials' }
  /** `resume`: the pause is removed after half of its time. */
  | { readonly kind: 'pause'; readonly shoot: number; readonly forMs: number; readonly resume: boolean }
  /** A person or a program changes the cloud. `pick` chooses the resource. */
  | { readonly kind: 'accident in the cloud'; readonly accident: string; readonly pick: number }
  | { readonly kind: 'accident in the seed'; readonly accident: string; readonly pick: number }
  | { readonly kind: 'request'; readonly shoot: number; readonly request: ShootRequest }

export type SeedName = 'first' | 'second'

/** The process that an action hits. `pick` chooses among those that run at the time. */
export interface Target {
  readonly of: 'bridge' | 'function'
  readonly seed: SeedName
  readonly pick: number
}

export const injectedFaults = [
  'crash before',
  'crash after',
  'lost',
  'unreachable',
  'silence',
  'silent effect',
  409,
  429,
  500,
  503,
  504,
] as const
/** Only of events, because a connection to an API server or a cloud repeats nothing. */
export const eventFaults = ['late', 'twice'] as const
export type InjectedFault = (typeof injectedFaults)[number] | (typeof eventFaults)[number]

/** For a time, exchanges fail at random. */
export interface FaultWindow {
  readonly kind: 'faults'
  readonly forMs: number
  readonly way: 'kubernetes' | 'cloud' | 'events'
  readonly fault: InjectedFault
  /** The part of the exchanges that fail: 0 to 1. */
  readonly rate: number
}

export type ShootRequest =
  | { readonly kind: 'reconcile' | 'hibernate' | 'wake' | 'rotate' | 'migrate' | 'delete' }
  | { readonly kind: 'change'; readonly change: string; readonly pick: number }
  | { readonly kind: 'open bastion' | 'close bastion'; readonly name: string }

const minutes = (ms: number): string => `${Math.round(ms / 600) / 100} min`

/** Returns the plan in words, one line for each action. */
export const planLines = (plan: WorldPlan): readonly string[] => [
  `cloud ${plan.cloud}, delivery ${plan.delivery}, requests take up to ${plan.latencyMs} ms each way`,
  `the cloud shows changes after ${plan.visibleAfterMs} ms`,
  ...plan.shoots.map((end, index) => `shoot ${index + 1} is ${end} at the end`),
  ...plan.actions.map(action => `after ${minutes(action.at)}: ${actionText(action)}`),
]

const actionText = (action: WorldAction): string => {
  switch (action.kind) {
    case 'faults':
      return `${Math.round(action.rate * 1000) / 10} % of the exchanges on the way to ${wayNames[action.way]} end with: ${action.fault}, for ${minutes(action.forMs)}`
    case 'kill':
      return `kill ${targetText(action)}`
    case 'stop':
      return `stop ${targetText(action)}`
    case 'freeze':
      return `freeze ${targetText(action)} for ${action.forMs} ms`
    case 'skew':
      return `the clock of ${targetText(action)} is ${action.ms} ms ahead`
    case 'cut watches':
      return `the API server of the ${action.seed} seed ends all watches${action.compact ? ' and forgets its events' : ''}`
    case 'lag':
      return `replica ${action.replica} of the API server of the ${action.seed} seed lags ${action.lagMs} ms behind for ${minutes(action.forMs)}`
    case 'restore etcd':
      return `etcd of the ${action.seed} seed is backed up, and restored after ${minutes(action.forMs)}${action.bump ? ', with later versions' : ''}`
    case 'replace dispatchers':
      return `the dispatchers of the broker of the ${action.seed} seed are replaced by ${action.by}`
    case 'take storage away':
      return `the broker of the ${action.seed} seed has no storage for ${minutes(action.forMs)}`
    case 'refuse credentials':
      return `the cloud refuses the credentials of shoots for ${minutes(action.forMs)}`
    case 'change credentials':
      return 'the credentials of shoots change'
    case 'pause':
      return `shoot ${action.shoot + 1} is paused for ${minutes(action.forMs)}${action.resume ? ', and resumed after half of it' : ''}`
    case 'accident in the cloud':
    case 'accident in the seed':
      return `${action.kind}: ${action.accident} (${action.pick})`
    case 'request':
      return `shoot ${action.shoot + 1}: ${requestText(action.request)}`
  }
}

const wayNames = { kubernetes: 'the API server', cloud: 'the cloud', events: 'the broker' } as const

const targetText = ({ of, seed, pick }: Target): string => `${of} ${pick} of the ${seed} seed`

const requestText = (request: ShootRequest): string => {
  switch (request.kind) {
    case 'change':
      return `${request.change} (${request.pick})`
    case 'open bastion':
    case 'close bastion':
      return `${request.kind} ${request.name}`
    default:
      return request.kind
  }
}
