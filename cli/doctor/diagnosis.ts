import type { CheckedSeed } from './checked-seed.ts'
import type { ReadName } from './reads.ts'

/** `skipped`: what it takes could not be read. */
const diagnosisStates = ['ok', 'warning', 'problem', 'skipped'] as const

/** One thing that was checked in a seed, in a sentence. */
export interface Diagnosis {
  readonly state: (typeof diagnosisStates)[number]
  readonly text: string
  /** What to do, with the command to run; always there with a problem. */
  readonly advice?: string
  /** The number of checks that a `skipped` diagnosis stands for. Default: one. */
  readonly checks?: number
}

/** The parts of a seed, in the order in which they depend on each other. */
export const doctorAreas = [
  'API server',
  'definitions',
  'broker',
  'functions',
  'rights',
  'webhooks',
  'bridge',
  'clocks',
  'other extensions',
  'objects',
] as const
export type DoctorArea = (typeof doctorAreas)[number]

/** A check is a function over what was read; it reads nothing itself. */
export interface DoctorCheck {
  readonly area: DoctorArea
  /** What it is about, for the line that says that it could not be made: `whether the Broker is ready`. */
  readonly about: string
  /** Without these it is skipped. */
  readonly needs: readonly ReadName[]
  readonly run: (seed: CheckedSeed) => readonly Diagnosis[]
}

export const ok = (text: string): Diagnosis => ({ state: 'ok', text })
export const warning = (text: string, advice: string): Diagnosis => ({ state: 'warning', text, advice })
export const problem = (text: string, advice: string): Diagnosis => ({ state: 'problem', text, advice })

/** `a, b and 3 more`: lists stay on their line. */
export const someOf = (names: readonly string[], most = 5): string =>
  names.length <= most
    ? names.join(', ')
    : `${names.slice(0, most).join(', ')} and ${names.length - most} more`
