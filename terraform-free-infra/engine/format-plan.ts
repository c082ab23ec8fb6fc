import { type Change, knownAfterCreate } from './attributes.ts'
import type { ActionKind, LeftAlone, Plan } from './plan.ts'

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

/** The longest value that is shown whole, in characters. */
const longest = 100

/** The plan for people: a line per action in their order, and one per attribute that differs. Ends with a newline. */
export const formatPlan = <C>(plan: Plan<C>): string => {
  const left = plan.left.map(({ label, id, why }) => `left alone: ${label} (${id}): ${why}`)
  if (plan.actions.length === 0) return `${['Nothing to do.', ...left].join('\n')}\n`
  const lastOf = lastBefore(plan)
  const lines = plan.actions.flatMap(({ kind, sentence, changes, after }) => [
    `${signs[kind]} ${sentence}`,
    ...changes.map(change => `    ${formatChange(change)}`),
    ...(after.length === 0 ? [] : [`    after: ${lastOf(after).join(', ')}`]),
  ])
  return `${[...lines, ...left, '', summary(plan)].join('\n')}\n`
}

/** Of what comes before an action, that which no other of it waits for already. */
const lastBefore = <C>({ actions }: Plan<C>): ((after: readonly string[]) => readonly string[]) => {
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

const summary = <C>({ actions }: Plan<C>): string => {
  const counts = new Map<ActionKind, number>()
  for (const { kind } of actions) counts.set(kind, (counts.get(kind) ?? 0) + 1)
  return `${actions.length} actions: ${[...counts].map(([kind, count]) => `${count} ${kind}`).join(', ')}`
}

export interface PlanJson {
  readonly destroying: boolean
  readonly actions: readonly {
    readonly kind: ActionKind
    readonly sentence: string
    readonly id?: string
    readonly after: readonly string[]
    /** `knownAfterCreate: true` in place of `after`; neither: it is removed. */
    readonly changes: readonly {
      readonly attribute: string
      readonly before?: string | number | boolean
      readonly after?: string | number | boolean
      readonly knownAfterCreate?: true
    }[]
  }[]
  /** What looks like ours and stays as it is; absent when there is nothing of that kind. */
  readonly left?: readonly LeftAlone[]
}

/** The plan as plain data, for `JSON.stringify`. */
export const planJson = <C>({ actions, destroying, left }: Plan<C>): PlanJson => ({
  destroying,
  ...(left.length > 0 && { left }),
  actions: actions.map(action => ({
    kind: action.kind,
    sentence: action.sentence,
    ...('found' in action && action.found !== undefined ? { id: action.found.id } : {}),
    after: action.after,
    changes: action.changes.map(({ attribute, before, after }) => ({
      attribute,
      ...(before === undefined ? {} : { before }),
      ...(after === undefined ? {} : after === knownAfterCreate ? { knownAfterCreate: true } : { after }),
    })),
  })),
})
