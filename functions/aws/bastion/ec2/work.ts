import type { Clock, Timestamp } from '../../../../shared/clock/clock.ts'
import type { DesiredBastion } from './desired.ts'
import type { BastionEc2 } from './ec2.ts'
import type { BastionMachine } from './machine/choose-machine.ts'
import type { ObservedBastion } from './observe.ts'
import type { BastionStateWriter } from './state.ts'
import type { Uncertainty, UncertaintyBounds } from './uncertainty.ts'

/** The context of the operations of one step. */
export interface BastionWork {
  readonly ec2: BastionEc2
  readonly region: string
  readonly clock: Clock
  readonly desired: DesiredBastion
  readonly observed: ObservedBastion
  readonly state: BastionStateWriter
  readonly patience: UncertaintyBounds
  /** True if the Infrastructure has changed so recently that EC2 may not show all of its parts. */
  readonly isNetworkYoung: boolean
  /** Chooses the machine, or throws a `CodedError`. */
  readonly machine: () => BastionMachine
}

/** Called with the sentences of the actions before the first one is applied. Not called without actions. */
export type OnActions = (sentences: readonly string[]) => void

/** Continue after this many milliseconds. */
export interface ContinuedWork {
  readonly kind: 'continue'
  readonly afterMs: number
  readonly progress: number
  readonly description: string
  readonly waitsFor?: Uncertainty['waitsFor']
}

/** docs/contract/provider-aws.md#bastion */
export const notThereMs = 5_000

/** Continues with the same operation, which finds out if the wait is over. */
export const waitFor = ({ description, waitsFor }: Uncertainty): ContinuedWork => ({
  kind: 'continue',
  afterMs: notThereMs,
  progress: 10,
  description,
  waitsFor,
})

/** Returns true for something that was created or may have been created so recently that EC2 may not show it. */
export const isRecent = (
  { patience }: Pick<BastionWork, 'patience'>,
  recorded: { readonly since: Timestamp } | undefined,
): boolean => recorded !== undefined && patience.isYoung(recorded.since)

/** Returns the recorded instance if EC2 does not list it, but may have started it recently. */
export const unlistedInstance = (work: BastionWork) => {
  const { instance } = work.state.current()
  return work.observed.recorded === undefined && isRecent(work, instance) ? instance : undefined
}
