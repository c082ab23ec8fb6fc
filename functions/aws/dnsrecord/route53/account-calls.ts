import { isThrottlingError } from '@smithy/core/retry'
import type { SdkError } from '@smithy/types'
import type { Clock } from '../../../../shared/clock/clock.ts'
import {
  type ClientSettings,
  withoutThrottlingRetries,
} from '../../../../terraform-free-infra/aws/account/client/client.ts'
import type { Access } from '../../../../terraform-free-infra/aws/account/credentials/access.ts'
import { changesThatFit } from './plan.ts'
import { createRateLimiter } from './rate-limit.ts'
import { recordsNamedBy } from './refusals.ts'
import { type RecordChange, type RecordWindow, sdkRoute53 } from './route53.ts'
import { createSharedCalls } from './shared-calls.ts'

/** The Route 53 calls of one step. Errors are those of the SDK, and `NotYetError`. */
export type RecordCalls = ReturnType<ReturnType<typeof createAccountCalls>>

/** One step in a call that several may share. */
interface StepPart {
  readonly settings: ClientSettings
  readonly throwIfExpired: () => void
  readonly zoneId: string
  readonly window: RecordWindow
  readonly changes: readonly RecordChange[]
}

/**
 * Opens the calls of each step of a process. They wait for their turn, and are combined with those of other steps with
 * the same credentials.
 *
 * @param mostPerSecond the calls that AWS allows to an account; undefined if unknown
 */
export const createAccountCalls = (mostPerSecond: number | undefined, clock: Clock) => {
  const isThrottled = (error: unknown) => isThrottlingError(error as SdkError)
  const common = { limiter: createRateLimiter(mostPerSecond, clock), clock, isThrottled }
  const zones = createSharedCalls({
    ...common,
    send: async (parts: readonly StepPart[], signal) => {
      const list = await route53Of(parts).listHostedZones(signal)
      return parts.map(() => list)
    },
  })
  const read = createSharedCalls({
    ...common,
    send: (parts: readonly StepPart[], signal) => {
      const windows = parts.map(({ window }) => window)
      return route53Of(parts).listRecordSets(parts[0]?.zoneId ?? '', windows, signal)
    },
  })
  const change = createSharedCalls({
    ...common,
    send: async (parts: readonly StepPart[], signal) => {
      const changes = parts.flatMap(part => part.changes)
      await route53Of(parts).changeRecordSets(parts[0]?.zoneId ?? '', changes, signal)
      return parts.map(() => true)
    },
    mostOf: parts => changesThatFit(parts.map(({ changes }) => changes)),
    suspectsOf,
  })

  /** @param calls the calls that the step needs; only the first one waits, for all of them */
  return (access: Access, calls: number, signal: AbortSignal, throwIfExpired: () => void) => {
    const sender = access.fingerprint
    let left = calls
    const call = (kind: string, zoneId: string, part: Partial<StepPart>) => {
      const [key, group] = [`${sender} ${zoneId}`, `${sender} ${kind} ${zoneId}`]
      const settings = withoutThrottlingRetries(access.settings)
      const input = { settings, throwIfExpired, zoneId, window: { name: '' }, changes: [], ...part }
      const made = { account: access.identity, key, group, calls: left, signal, input }
      left = 0
      return made
    }
    return {
      // Many pages exceed the rate. The SDK repeats only the throttled page.
      listHostedZones: () => zones(call('list', '', { settings: access.settings })),
      /** @param isAlone true if the read must not be combined with those of other names */
      listRecordSets: (zoneId: string, window: RecordWindow, isAlone: boolean) =>
        read(call(isAlone ? `read ${window.name} in` : 'read', zoneId, { window })),
      changeRecordSets: (zoneId: string, changes: readonly RecordChange[]) =>
        change(call('change', zoneId, { changes })),
    }
  }
}

/** Returns the steps whose claim has expired, else those whose records may be the reason for the error. */
const suspectsOf = (error: unknown, parts: readonly StepPart[]): readonly StepPart[] => {
  const expired = parts.filter(({ throwIfExpired }) => {
    try {
      return throwIfExpired()
    } catch {
      return true
    }
  })
  return expired.length > 0 ? expired : recordsNamedBy(error, parts)
}

/** A client whose changes are made only while all of the steps may still write. */
const route53Of = (parts: readonly StepPart[]) => {
  const [first] = parts
  if (first === undefined) throw new Error('a call without a step')
  return sdkRoute53(first.settings, () => {
    for (const { throwIfExpired } of parts) throwIfExpired()
  })
}
