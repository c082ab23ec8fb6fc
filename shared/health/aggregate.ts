import { parseTimestamp, type Timestamp } from '../clock/clock.ts'
import type { ConditionUpdate } from '../contract/conditions.ts'
import type { CheckResult } from './health-check.ts'

/** What came of a check: its result, or why it could not be run. */
export type CheckOutcome = CheckResult | { readonly kind: 'not run'; readonly detail: string }

/** What stands in the condition before. */
export interface FormerCondition {
  readonly status: string
  readonly lastTransitionTime: string
}

const reasons = {
  successful: 'HealthCheckSuccessful',
  unsuccessful: 'HealthCheckUnsuccessful',
  progressing: 'HealthCheckProgressing',
  notRun: 'ConditionCheckError',
} as const

/** While the shoot sleeps nothing is checked. */
export const hibernated: ConditionUpdate = {
  status: 'True',
  reason: reasons.successful,
  message: 'Shoot is hibernated',
}

/** The condition that the outcomes of its checks make, in the order of the checks (docs/contract/health.md#the-condition). */
export const aggregate = (
  outcomes: readonly CheckOutcome[],
  old: FormerCondition | undefined,
  now: Timestamp,
): ConditionUpdate => {
  const notRun = outcomes.filter(({ kind }) => kind === 'not run').map(detailOf)
  const failed = outcomes.filter(outcome => outcome.kind === 'unsuccessful')
  const progressing = outcomes.filter(outcome => outcome.kind === 'progressing')
  const details = textOf([
    { heading: 'Unable to execute check', details: notRun },
    { heading: 'Failed check', details: failed.map(detailOf) },
    { heading: 'Progressing check', details: progressing.map(detailOf) },
  ])
  const codes = [...new Set([...failed, ...progressing].flatMap(outcome => outcome.codes))]
  if (notRun.length > 0)
    return {
      status: 'Unknown',
      reason: reasons.notRun,
      message: `failed to execute ${notRun.length} health check${notRun.length === 1 ? '' : 's'}: ${details}`,
    }
  const isStuck = progressing.length > 0 && !mayProgress(smallestThreshold(progressing), old, now)
  if (failed.length > 0 || isStuck)
    return { status: 'False', reason: reasons.unsuccessful, message: details, codes }
  if (progressing.length > 0)
    return { status: 'Progressing', reason: reasons.progressing, message: details, codes }
  return { status: 'True', reason: reasons.successful, message: 'All health checks successful' }
}

type Progressing = Extract<CheckResult, { kind: 'progressing' }>

/** undefined: one of them may not go on at all. */
const smallestThreshold = (progressing: readonly Progressing[]): number | undefined => {
  const thresholds = progressing.map(({ thresholdMs }) => thresholdMs)
  return thresholds.includes(undefined) ? undefined : Math.min(...thresholds.map(Number))
}

/** What was good may progress; what has failed stays so until it is good. */
const mayProgress = (
  thresholdMs: number | undefined,
  old: FormerCondition | undefined,
  now: Timestamp,
): boolean => {
  if (thresholdMs === undefined) return false
  switch (old?.status) {
    case undefined:
    case 'True':
      return true
    case 'Progressing':
    case 'Unknown':
      return now - (parseTimestamp(old.lastTransitionTime) ?? now) <= thresholdMs
    default:
      return false
  }
}

/** Most characters of what is told of one check: others write the texts that it repeats. */
const longestDetail = 4_000

const detailOf = (outcome: CheckOutcome): string =>
  outcome.kind === 'successful' ? '' : withoutDot(shortened(outcome.detail, longestDetail))

/** Never half a character: it would be stored as another one, and be written anew by each check. */
export const shortened = (text: string, longest: number): string =>
  text.length > longest ? `${text.slice(0, longest).toWellFormed()}…` : text

/** The sentence that a text becomes part of has one. */
export const withoutDot = (text: string): string => text.replace(/\.$/, '')

interface Group {
  readonly heading: string
  readonly details: readonly string[]
}

/** Groups have headings where there are several, and texts numbers where there are several in a group. */
const textOf = (all: readonly Group[]): string => {
  const groups = all.filter(({ details }) => details.length > 0)
  return groups
    .map(({ heading, details }) => {
      const head = groups.length === 1 ? '' : `${heading}${details.length === 1 ? '' : 's'}: `
      return (
        head + details.map((detail, at) => `${details.length === 1 ? '' : `${at + 1}) `}${detail}.`).join(' ')
      )
    })
    .join(' ')
}
