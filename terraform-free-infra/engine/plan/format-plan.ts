import { type Change, knownAfterCreate } from '../graph/attributes.ts'
import type { ActionKind, LeftAlone, Plan } from './action.ts'
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

/** How the summary counts; those without a zero are told only where there are some. */
const counted: readonly {
  readonly kind: ActionKind
  readonly as: string
  readonly zero?: true
}[] = [
  { kind: 'create', as: 'to create', zero: true },
  { kind: 'update', as: 'to change', zero: true },
  { kind: 'replace', as: 'to replace' },
  { kind: 'delete', as: 'to delete', zero: true },
  { kind: 'adopt', as: 'to adopt' },
  { kind: 'forget', as: 'to forget' },
  { kind: 'wait', as: 'to wait for' },
  { kind: 'missing', as: 'missing' },
]

/** An action as people read it. */
export interface PlanLine {
  readonly kind: ActionKind
  /** Its name in the plan. */
  readonly sentence: string
  readonly changes: readonly Change[]
  /** Sentences of what has to be done before. */
  readonly after: readonly string[]
  /** False: the line reports a problem and no action. Default: true. */
  readonly counts?: boolean
}

/** Colours for the lines of a plan, by the action that they are about. */
export type PaintPlan = (kind: ActionKind | 'detail', text: string) => string

const plain: PaintPlan = (_, text) => text

/** The longest value that is shown whole, in characters. */
const longest = 100

/**
 * The plan for people: a line per action in their order, one per attribute that differs, one for each thing that is left
 * alone, and one that counts. Ends with a newline.
 */
export const formatPlan = <C>(plan: Plan<C>, paint?: PaintPlan): string => {
  const changesOf = foresee(plan)
  const left = plan.left.map(({ label, id, why }) => `left alone: ${label} (${id}): ${why}`)
  return formatLines(
    plan.actions.map(action => ({
      ...action,
      changes: changesOf(action),
    })),
    paint,
    left,
  )
}

/** As `formatPlan`, of lines that somebody else has planned. */
export const formatLines = (
  actions: readonly PlanLine[],
  paint: PaintPlan = plain,
  left: readonly string[] = [],
): string => {
  if (actions.length === 0) return `${['Nothing to do.', ...left].join('\n')}\n`
  const lastOf = lastBefore(actions)
  const lines = actions.flatMap(({ kind, sentence, changes, after }) => [
    paint(kind, `${signs[kind]} ${sentence}`),
    ...changes.map(change => `    ${formatChange(change)}`),
    ...folded('    after: ', lastOf(after)).map(line => paint('detail', line)),
  ])
  return `${[...lines, ...left, '', summary(actions)].join('\n')}\n`
}

/** The longest line of a list, in characters; one name may be longer. */
const longestLine = 110

/** A list behind its title, on further lines below its first name where one does not hold it. */
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

/** Of what comes before an action, that which no other of it waits for already. */
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
      after: action.after,
      changes: changesOf(action).map(changeJson),
    })),
  }
}

/** A change as plain data. */
export const changeJson = ({
  attribute,
  before,
  after,
}: Change): PlanJson['actions'][number]['changes'][number] => ({
  attribute,
  ...(before === undefined ? {} : { before }),
  ...(after === undefined ? {} : after === knownAfterCreate ? { knownAfterCreate: true } : { after }),
})
