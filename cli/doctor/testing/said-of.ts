import type { CheckedSeed } from '../checked-seed.ts'
import type { Diagnosis } from '../diagnosis.ts'
import { runChecks } from '../run-checks.ts'

export const diagnosesOf = (seed: CheckedSeed): readonly Diagnosis[] =>
  runChecks(seed).flatMap(({ diagnoses }) => diagnoses)
export const saidOf = (seed: CheckedSeed, state: Diagnosis['state']) =>
  diagnosesOf(seed).filter(one => one.state === state)

/** A separate suite covers registrations. */
export const isOfWebhooks = ({ text }: Diagnosis) => text.includes(' has no registration: no API server ')
