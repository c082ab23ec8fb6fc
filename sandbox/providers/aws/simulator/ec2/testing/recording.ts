import {
  recordedCalls as callsOf,
  isRecorded,
  recordedAccountOf,
} from '../../../../../../test/recorded/recorded.ts'

/** A call whose parameters stand in a form: of EC2, or of IAM. */
export interface RecordedCall {
  /** Milliseconds since the phase began. */
  readonly at: number
  /** With the service's name before it, unless it is EC2. */
  readonly action: string
  readonly error?: string
  readonly params: Readonly<Record<string, string>>
}

export type Phases = Readonly<Record<string, readonly RecordedCall[]>>

/** A resource as the recording tells it. */
export type RecordedResource = Readonly<Record<string, unknown>>

/** Of some cases those that can be read here; the set-up of the tests tells of the others. */
export const recordedOf = <Name extends string>(...names: readonly Name[]): readonly Name[] =>
  names.filter(isRecorded)

export const recordedCalls = (name: string): Phases =>
  Object.fromEntries(
    Object.entries(callsOf(name)).map(([phase, calls]) => [
      phase,
      calls.map(call => ({ ...call, params: call.params ?? {} })),
    ]),
  )

/** By the name of the list: `Vpcs`, `Subnets`. */
export const recordedResources = (name: string): Readonly<Record<string, readonly RecordedResource[]>> =>
  recordedAccountOf(name) as Readonly<Record<string, readonly RecordedResource[]>>

const isEc2 = ({ action }: RecordedCall): boolean => !action.includes(':')

/** The calls to EC2 in one phase. */
export const ec2Calls = (phases: Phases, phase: string): readonly RecordedCall[] =>
  (phases[phase] ?? []).filter(isEc2)
