import { recordedCalls as callsOf, recordedAccountOf } from '../../../../../../test/recorded/recorded.ts'

/** A recorded call with form parameters, to EC2 or IAM. */
export interface RecordedCall {
  /** Milliseconds since the start of the phase. */
  readonly at: number
  /** Prefixed with the service's name unless it is EC2. */
  readonly action: string
  readonly error?: string
  readonly params: Readonly<Record<string, string>>
}

export type Phases = Readonly<Record<string, readonly RecordedCall[]>>

/** A resource as it was recorded. */
export type RecordedResource = Readonly<Record<string, unknown>>

/** The recorded shoots, with one zone and with three. */
export const recordedShoots = ['infrastructure/n1', 'infrastructure/n3-s3'] as const

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

/** Returns the calls to EC2 in one phase. */
export const ec2Calls = (phases: Phases, phase: string): readonly RecordedCall[] =>
  (phases[phase] ?? []).filter(isEc2)
