import type { DeploymentMode } from '../../knative/knative.ts'
import type { CheckedSeed } from './checked-seed.ts'
import type { ReadName } from './reads.ts'

/** `skipped`: the data for the check could not be read. */
const diagnosisStates = ['ok', 'warning', 'problem', 'skipped'] as const

export interface Diagnosis {
  readonly state: (typeof diagnosisStates)[number]
  readonly text: string
  /** The advice, with the command to run; every problem has one. */
  readonly advice?: string
  /** The number of checks that a `skipped` diagnosis represents. Default: one. */
  readonly checks?: number
  /** True if a `skipped` check has nothing to check: the kind is known to be missing. Default: false. */
  readonly needless?: boolean
}

/** The parts of a seed, in order of their dependencies. */
export const doctorAreas = [
  'API server',
  'definitions',
  'broker',
  'functions',
  'rights',
  'webhooks',
  'bridge',
  'versions',
  'clocks',
  'other extensions',
  'objects',
] as const
export type DoctorArea = (typeof doctorAreas)[number]

/** A check is a function of the data that was read; it reads nothing itself. */
export interface DoctorCheck {
  readonly area: DoctorArea
  /** The subject, for the line of a skipped check: `whether the Broker is ready`. */
  readonly about: string
  /** The check is skipped without these reads. */
  readonly needs: readonly ReadName[]
  /** The check is only for installations in this mode. Default: both modes. */
  readonly mode?: DeploymentMode
  readonly run: (seed: CheckedSeed) => readonly Diagnosis[]
}

export const ok = (text: string): Diagnosis => ({ state: 'ok', text })
export const warning = (text: string, advice: string): Diagnosis => ({ state: 'warning', text, advice })
export const problem = (text: string, advice: string): Diagnosis => ({ state: 'problem', text, advice })

/** `a, b and 3 more`: shortens lists to one line. */
export const someOf = (names: readonly string[], most = 5): string =>
  names.length <= most
    ? names.join(', ')
    : `${names.slice(0, most).join(', ')} and ${names.length - most} more`
