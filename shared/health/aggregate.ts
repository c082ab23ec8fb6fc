import { parseTimestamp, type Timestamp } from '../clock/clock.ts'
import type { ConditionUpdate } from '../contract/conditions.ts'
import type { CheckResult } from './health-check.ts'

/** The outcome of a check: its result, or the reason why it could not run. */
export type CheckOutcome = CheckResult | { readonly kind: 'not run'; readonly detail: string }

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

/** A hibernated shoot is not checked. */
export const hibernated: ConditionUpdate = {
  status: 'True',
  reason: reasons.successful,
  message: 'Shoot is hibernated',
}

/**
 * Returns the condition from the outcomes of its checks, in the order of the checks
 * (docs/contract/health.md#the-condition).
 */
export const aggregate = (
  outcomes: readonly CheckOutcome[],
  old: FormerCondition | undefined,
  now: Timestamp,
): ConditionUpdate => {
  const notRun = outcomes.filter(({ kind }) => kind === 'not run').map(detailOf)
  const failed = outcomes.filter(outcome => outcome.kind === 'unsuccessful')
  const progressing = outcomes.filter(outcome => outcome.kind === 'progressing')
  const details = formatGroups([
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

/** Undefined: one of them must not progress at all. */
const smallestThreshold = (progressing: readonly Progressing[]): number | undefined => {
  const thresholds = progressing.map(({ thresholdMs }) => thresholdMs)
  return thresholds.includes(undefined) ? undefined : Math.min(...thresholds.map(Number))
}

/** A healthy condition may progress. A failed one remains failed until it is healthy. */
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

/** Limit of the text of one check, in characters: it repeats foreign texts. */
const longestDetail = 4_000

const detailOf = (outcome: CheckOutcome): string =>
  outcome.kind === 'successful' ? '' : withoutDot(shortened(outcome.detail, longestDetail))

/** Never cuts within a character: it would be stored differently, so that each check would write it again. */
export const shortened = (text: string, longest: number): string =>
  text.length > longest ? `${text.slice(0, longest).toWellFormed()}…` : text

/** Removes the dot: the text becomes part of a sentence. */
export const withoutDot = (text: string): string => text.replace(/\.$/, '')

interface Group {
  readonly heading: string
  readonly details: readonly string[]
}

/** Several groups have headings, and several texts in a group have numbers. */
const formatGroups = (all: readonly Group[]): string => {
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
