import { parseTimestamp, type Timestamp } from '../../shared/clock/clock.ts'
import { shootConditions } from '../../shared/contract/health.ts'
import { recordOf, recordsOf, stringOf } from '../../shared/decode/record-of.ts'
import type { KubernetesObject } from '../../shared/kubernetes/kubernetes.ts'
import { backoffMs, type Facts } from '../../shared/lifecycle/lifecycle.ts'
import { adviceOf } from './advice.ts'
import type { NodeError } from './tree.ts'

export const codesOf = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.map(stringOf) : []

/**
 * Returns the error of the last operation. It stays in the status until a success, so an object that is being retried
 * has one too.
 */
export const objectErrorOf = (object: KubernetesObject, facts: Facts): NodeError | undefined => {
  const { lastError } = recordOf(object.status)
  const state = facts.lastOperation?.state
  if (lastError == null && state !== 'Error' && state !== 'Failed') return undefined
  const { description, codes, lastUpdateTime } = recordOf(lastError)
  const { description: lastDescription } = recordOf(recordOf(object.status).lastOperation)
  const named = codesOf(codes)
  const last =
    parseTimestamp(stringOf(lastUpdateTime)) ?? parseTimestamp(facts.lastOperation?.lastUpdateTime ?? '')
  const since = last === undefined ? undefined : last - earlierFailuresMs(facts)
  const text = stringOf(description) || stringOf(lastDescription) || 'the object does not say why'
  return {
    text,
    codes: named,
    ...(since !== undefined && { since }),
    fix: adviceOf({ text, codes: named }),
  }
}

/** Returns the duration of the waits between the failures in a row so far: 1, 2, 4, … s. */
const earlierFailuresMs = ({ step }: Facts): number => {
  const failures = step?.attempt ?? 0
  let sum = 0
  for (let failure = 1; failure < failures; failure++) sum += backoffMs(failure)
  return sum
}

/** Health that gardenlet copies to the Shoot (docs/contract/lifecycle.md#conditions). */
const healthConditions: ReadonlySet<string> = new Set(shootConditions)

/** Returns the failed health check of an object whose last operation succeeded. */
export const unhealthyOf = (object: KubernetesObject): NodeError | undefined => {
  const failed = recordsOf(recordOf(object.status).conditions).find(
    condition => condition.status === 'False' && healthConditions.has(stringOf(condition.type)),
  )
  if (failed === undefined) return undefined
  const codes = codesOf(failed.codes)
  const since: Timestamp | undefined = parseTimestamp(stringOf(failed.lastTransitionTime))
  const text = `${stringOf(failed.type)} is False: ${stringOf(failed.message) || stringOf(failed.reason)}`
  return { text, codes, ...(since !== undefined && { since }), fix: adviceOf({ text, codes }) }
}
