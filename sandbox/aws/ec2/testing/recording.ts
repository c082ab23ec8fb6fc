import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** Requests that Gardener's Go extension sent, recorded; not part of the product. */
const golden = fileURLToPath(new URL('../../../../../shared/golden/', import.meta.url))

export const hasRecordings = existsSync(golden)

export interface RecordedCall {
  /** Milliseconds since the phase began. */
  readonly at: number
  /** With the service's name before it, unless it is EC2. */
  readonly action: string
  readonly error?: string
  /** As they stand in the form. */
  readonly params: Readonly<Record<string, string>>
}

export type Phases = Readonly<Record<string, readonly RecordedCall[]>>

/** A resource as the recording tells it. */
export type Recorded = Readonly<Record<string, unknown>>

const read = (file: string): unknown => JSON.parse(readFileSync(`${golden}${file}`, 'utf8'))

export const recordedCalls = (file: string): Phases => read(`${file}.calls.json`) as Phases

/** By the name of the list: `Vpcs`, `Subnets`. */
export const recordedResources = (file: string): Readonly<Record<string, readonly Recorded[]>> =>
  read(`${file}.aws.json`) as Readonly<Record<string, readonly Recorded[]>>

const isEc2 = ({ action }: RecordedCall): boolean => !action.includes(':')

/** The calls to EC2 in one phase. */
export const ec2Calls = (phases: Phases, phase: string): readonly RecordedCall[] =>
  (phases[phase] ?? []).filter(isEc2)
