import { printable } from '../../../shared/text/printable.ts'
import { type Change, knownAfterCreate } from '../graph/resource-type.ts'
import type { Action, ActionKind, Plan, RetainedThing } from './action.ts'
import { foresee } from './foresee.ts'

const signs: Readonly<Record<ActionKind, string>> = {
  create: '+',
  update: '~',
  replace: '±',
  delete: '-',
  wait: '…',
  adopt: '=',
  forget: 'x',
  missing: '!',
}

/** The counts in the summary. Without `zero`, a count of 0 is omitted. */
const counted: readonly { readonly kind: ActionKind; readonly as: string; readonly zero?: true }[] = [
  { kind: 'create', as: 'to create', zero: true },
  { kind: 'update', as: 'to change', zero: true },
  { kind: 'replace', as: 'to replace' },
  { kind: 'delete', as: 'to delete', zero: true },
  { kind: 'adopt', as: 'to adopt' },
  { kind: 'forget', as: 'to forget' },
  { kind: 'wait', as: 'to wait for' },
  { kind: 'missing', as: 'missing' },
]

/** An action as shown to users. */
export interface PlanLine {
  readonly kind: ActionKind
  /** The unique name of the action in the plan. */
  readonly sentence: string
  readonly changes: readonly Change[]
  /** Sentences of the actions that must be done before. */
  readonly after: readonly string[]
  /** Lines below the sentence, printable and painted. Default: none. */
  readonly below?: readonly string[]
  /** False: the line reports a problem and no action. Default: true. */
  readonly counts?: boolean
}

/** Colors the lines of a plan by action kind. */
export type PaintPlan = (kind: ActionKind | 'detail', text: string) => string

const plain: PaintPlan = (_, text) => text

/** The longest value that is shown unabridged, in characters. */
const longest = 100

/**
 * Returns the plan as text: one line per action in order, one per changed attribute, one per retained resource, and a
 * summary. Ends with a newline.
 *
 * @example
 * const plan = await planGraph({ graph, cloud, state, clock, signal })
 * console.log(formatPlan(plan)) // + create network a
 */
export const formatPlan = <C>(plan: Plan<C>, paint?: PaintPlan): string => {
  const changesOf = foresee(plan)
  const left = plan.left.map(({ label, id, why }) => `orphaned: ${label} (${id}): ${why}`)
  return formatLines(
    plan.actions.map(action => ({
      ...action,
      changes: changesOf(action),
      below: goneOf(action).map(id => `    in place of ${printable(id)}, which is gone`),
    })),
    paint,
    left,
  )
}

/** Returns the recorded resources in place of which an action creates one. */
const goneOf = <C>(action: Action<C>): readonly string[] =>
  action.kind === 'create' ? action.incarnation : []

/** Like `formatPlan`, for the lines of any planner. */
export const formatLines = (
  actions: readonly PlanLine[],
  paint: PaintPlan = plain,
  others: readonly string[] = [],
): string => {
  const left = others.map(printable)
  if (actions.length === 0) return `${['Nothing to do.', ...left].join('\n')}\n`
  const lastOf = lastBefore(actions)
  const lines = actions.flatMap(({ kind, sentence, below = [], changes, after }) => [
    paint(kind, `${signs[kind]} ${printable(sentence)}`),
    ...below,
    ...changes.map(change => `    ${printable(formatChange(change))}`),
    ...folded('    after: ', lastOf(after).map(printable)).map(line => paint('detail', line)),
  ])
  return `${[...lines, ...left, '', summary(actions)].join('\n')}\n`
}

/** The maximum line length of a list, in characters. A single name may be longer. */
const longestLine = 110

/** Returns a list after its title. If it exceeds one line, further lines are indented below the first name. */
const folded = (title: string, names: readonly string[]): readonly string[] => {
  const lines: string[] = []
  for (const [index, name] of names.entries()) {
    const text = index < names.length - 1 ? `${name},` : name
    const last = lines.at(-1)
    if (last === undefined) lines.push(`${title}${text}`)
    else if (last.length + 1 + text.length <= longestLine) lines.splice(-1, 1, `${last} ${text}`)
    else lines.push(`${' '.repeat(title.length)}${text}`)
  }
  return lines
}

/** Returns the direct predecessors of an action, without those that another of them already waits for. */
const lastBefore = (actions: readonly PlanLine[]): ((after: readonly string[]) => readonly string[]) => {
  const earlier = new Map<string, ReadonlySet<string>>()
  for (const { sentence, after } of actions)
    earlier.set(sentence, new Set(after.flatMap(one => [one, ...(earlier.get(one) ?? [])])))
  return after => after.filter(one => !after.some(other => earlier.get(other)?.has(one)))
}

const formatChange = ({ attribute, before, after }: Change): string => {
  if (after === undefined) return `${attribute}: ${shown(before)} → (removed)`
  return before === undefined
    ? `${attribute}: ${shown(after)}`
    : `${attribute}: ${shown(before)} → ${shown(after)}`
}

const shown = (value: Change['after']): string => {
  if (value === knownAfterCreate) return '(known after create)'
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text.length > longest ? `${text.slice(0, longest)}…` : text
}

const summary = (actions: readonly PlanLine[]): string => {
  const counts = counted.map(({ kind, as, zero }) => ({
    count: actions.filter(action => action.kind === kind && action.counts !== false).length,
    as,
    zero,
  }))
  const named = counts.filter(({ count, zero }) => count > 0 || zero)
  return `Plan: ${named.map(({ count, as }) => `${count} ${as}`).join(', ')}`
}

/** A plan as plain data. */
export interface PlanJson {
  readonly destroying: boolean
  readonly actions: readonly {
    readonly kind: ActionKind
    readonly sentence: string
    readonly id?: string
    /** The ids of recorded resources that no longer exist, in place of which one is created. */
    readonly gone?: readonly string[]
    readonly after: readonly string[]
    /** `knownAfterCreate: true` replaces `after`. If both are absent, the attribute is removed. */
    readonly changes: readonly {
      readonly attribute: string
      readonly before?: string | number | boolean
      readonly after?: string | number | boolean
      readonly knownAfterCreate?: true
    }[]
  }[]
  /** Retained resources that look like ours. Absent if there are none. */
  readonly left?: readonly RetainedThing[]
}

/**
 * Returns the plan as plain data for `JSON.stringify`.
 *
 * @example
 * const plan = await planGraph({ graph, cloud, state, clock, signal })
 * console.log(JSON.stringify(planJson(plan)))
 */
export const planJson = <C>(plan: Plan<C>): PlanJson => {
  const changesOf = foresee(plan)
  const { actions, destroying, left } = plan
  return {
    destroying,
    ...(left.length > 0 && { left }),
    actions: actions.map(action => ({
      kind: action.kind,
      sentence: action.sentence,
      ...('found' in action && action.found !== undefined ? { id: action.found.id } : {}),
      ...(goneOf(action).length > 0 && { gone: goneOf(action) }),
      after: action.after,
      changes: changesOf(action).map(changeJson),
    })),
  }
}

/** Returns a change as plain data. */
export const changeJson = ({
  attribute,
  before,
  after,
}: Change): PlanJson['actions'][number]['changes'][number] => ({
  attribute,
  ...(before === undefined ? {} : { before }),
  ...(after === undefined ? {} : after === knownAfterCreate ? { knownAfterCreate: true } : { after }),
})
