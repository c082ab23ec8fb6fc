import * as z from 'zod'
import { formatMilliseconds, parseTimestamp, type Timestamp } from '../../../../shared/clock/clock.ts'
import { configurationProblem } from '../../../../shared/contract/errors.ts'
import { formatProblems, problemsOf } from '../../../../shared/decode/problems.ts'

/**
 * `status.state` of a Bastion: what it has created or may have created. Each create call is recorded before it is sent,
 * so that no later step takes "not found" for "never created" while EC2 may not show the result yet. A Bastion of the
 * Go extension has no state.
 */
export interface BastionState {
  readonly group?: RecordedGroup | undefined
  readonly instance?: RecordedInstance | undefined
  /** The rules that were changed recently. EC2 may list their former state. */
  readonly rules?: RecentRules | undefined
}

export interface RecordedGroup {
  /** Undefined: a create call may have been executed. */
  readonly id?: string | undefined
  readonly vpcId: string
  /** The time of the create call, or of its adoption. */
  readonly since: Timestamp
}

export interface RecordedInstance {
  /** Undefined: the call that starts it may have been executed. */
  readonly id?: string | undefined
  readonly since: Timestamp
  /** The number of instances before it. Part of its token. */
  readonly number: number
  /** The call that starts it. Undefined for an adopted instance. */
  readonly launch?: RecordedLaunch | undefined
}

/** The part of a call that a later call with the same token must repeat. */
export interface RecordedLaunch {
  readonly token: string
  readonly imageId: string
  readonly type: string
  readonly groupId: string
  readonly subnetId: string
  readonly ipv6: boolean
}

export interface RecentRules {
  readonly groupId: string
  readonly ranges: readonly RecentRange[]
}

/** A range of addresses that a rule lets in. */
export interface RecentRange {
  readonly range: string
  /** The result of the last call. Unknown: the call may have been executed. */
  readonly rule: 'added' | 'removed' | 'unknown'
  readonly since: Timestamp
}

/** An unreadable time counts as long ago. */
const since = z.string().transform(text => parseTimestamp(text) ?? 0)
const id = z
  .string()
  .nullish()
  .transform(value => value ?? undefined)

const launch = z
  .object({
    token: z.string(),
    imageId: z.string(),
    type: z.string(),
    groupId: z.string(),
    subnetId: z.string(),
    ipv6: z.boolean(),
  })
  .nullish()
  .transform(value => value ?? undefined)

const range = z.object({ range: z.string(), rule: z.enum(['added', 'removed', 'unknown']), since })

const stored = z.object({
  group: z.object({ id, vpcId: z.string(), since }).nullish(),
  instance: z.object({ id, since, number: z.int(), launch }).nullish(),
  rules: z.object({ groupId: z.string(), ranges: z.array(range) }).nullish(),
})

/** Reads `status.state`. Throws a `CodedError` for a value that this function did not write. */
export const decodeState = (state: unknown): BastionState => {
  const { data, error } = stored.safeParse(state ?? {})
  if (error !== undefined)
    throw configurationProblem(
      `cannot read status.state: ${formatProblems(problemsOf(error.issues, state))}. Restore or remove it`,
    )
  const { group, instance, rules } = data
  return { group: group ?? undefined, instance: instance ?? undefined, rules: rules ?? undefined }
}

/** Returns a merge patch of `status.state`: absent fields are null. */
export const statePatch = ({ group, instance, rules }: BastionState): object => ({
  group:
    group === undefined ? null : { ...group, id: group.id ?? null, since: formatMilliseconds(group.since) },
  instance:
    instance === undefined
      ? null
      : {
          ...instance,
          id: instance.id ?? null,
          launch: instance.launch ?? null,
          since: formatMilliseconds(instance.since),
        },
  rules:
    rules === undefined
      ? null
      : { ...rules, ranges: rules.ranges.map(one => ({ ...one, since: formatMilliseconds(one.since) })) },
})

/** The state during a step. */
export interface BastionStateWriter {
  readonly current: () => BastionState
  /** Changes the state in memory. The outcome of the step includes it. */
  readonly change: (changes: Partial<BastionState>) => void
  /** Changes the state, and writes it before anything else happens. */
  readonly save: (changes: Partial<BastionState>) => Promise<void>
  /** Returns a merge patch of `status.state`, or undefined if nothing differs from the written state. */
  readonly unsaved: () => object | undefined
}

export const createStateWriter = (
  initial: BastionState,
  write: (patch: object) => Promise<void>,
): BastionStateWriter => {
  let state = initial
  let written = JSON.stringify(statePatch(initial))
  const change: BastionStateWriter['change'] = changes => {
    state = { ...state, ...changes }
  }
  const unsaved = () => {
    const patch = statePatch(state)
    return JSON.stringify(patch) === written ? undefined : patch
  }
  return {
    current: () => state,
    change,
    unsaved,
    save: async changes => {
      change(changes)
      const patch = unsaved()
      if (patch === undefined) return
      await write(patch)
      written = JSON.stringify(patch)
    },
  }
}
