import type {
  ControlPlaneAction,
  ControlPlanePlan,
  ObjectChange,
} from '../../shared/control-plane/control-plane.ts'
import { formatLines, type PaintPlan, type PlanLine } from '../../terraform-free-infra/engine/engine.ts'
import type { ObjectPlan } from '../provider/provider.ts'
import { objectDiff } from '../replay/object-diff.ts'

/** A plan of a ControlPlane as it is printed, whatever its cloud. */
export const controlPlanePlan = ({ actions, writes }: ControlPlanePlan, destroying: boolean): ObjectPlan => ({
  where: '',
  differs: actions.length > 0,
  text: paint => {
    const lines = actions.map(
      (action): PlanLine => ({
        kind: action.kind,
        sentence: [sentenceOf(action), ...detailsOf(action, paint)].join('\n'),
        changes: [],
        after: [],
      }),
    )
    const text = formatLines(lines, paint)
    return lines.length === 0 ? text : `${text}${objectsLine(actions)}\n`
  },
  json: {
    destroying,
    actions: actions.map(({ objects, ...action }) => ({
      ...action,
      after: [],
      changes: [],
      objects: objects.map(({ kind, id, before, after, summary }) => ({
        change: kind,
        ...id,
        ...(summary !== undefined && { summary }),
        // What is new or goes is told by its name.
        ...(kind === 'update' && { diff: objectDiff(before, after) }),
      })),
    })),
    writes,
  },
})

const sentenceOf = ({ sentence, cluster, objects }: ControlPlaneAction): string =>
  cluster === undefined
    ? sentence
    : `${sentence}, ${objects.length} object${objects.length === 1 ? '' : 's'} in the ${cluster}`

const indent = '    '

const detailsOf = ({ kind, notes, objects }: ControlPlaneAction, paint: PaintPlan): readonly string[] => [
  ...folded(notes).map(note => `${indent}${note}`),
  ...(kind === 'update' ? objects.flatMap(object => objectLines(object, paint)) : namesByKind(objects)),
]

/** The longest line, in characters; one name may be longer. */
const longestLine = 100

/** What fits on a line stands on one, when there is more than one of it. */
const folded = (parts: readonly string[], title = ''): readonly string[] => {
  const lines: string[] = []
  for (const [index, part] of parts.entries()) {
    const text = index < parts.length - 1 ? `${part},` : part
    const last = lines.at(-1)
    if (last === undefined) lines.push(`${title}${text}`)
    else if (last.length + 1 + text.length <= longestLine - indent.length)
      lines.splice(-1, 1, `${last} ${text}`)
    else lines.push(`${' '.repeat(title === '' ? 0 : 4)}${text}`)
  }
  return lines
}

/** All objects of a ManagedResource that is new, or goes. */
const namesByKind = (objects: readonly ObjectChange[]): readonly string[] =>
  [...Map.groupBy(objects, ({ id }) => id.kind)].flatMap(([kind, all]) =>
    folded(
      all.map(({ id }) => id.name),
      `${kind}: `,
    ).map(line => `${indent}${line}`),
  )

const foldedText = (text: string): readonly string[] => {
  const [first = '', ...others] = text.split(', ')
  return folded([first, ...others])
}

const signs = { create: '+', update: '~', delete: '-' } as const

const objectLines = (change: ObjectChange, paint: PaintPlan): readonly string[] => {
  const { kind, id, before, after, summary } = change
  const { namespace, name } = id
  const title = `${signs[kind]} ${id.kind} ${namespace === undefined ? '' : `${namespace}/`}${name}`
  const line = paint(kind, `${indent}${title}`)
  if (kind !== 'update') return [line]
  if (summary !== undefined)
    return [line, ...foldedText(summary).map(text => paint('detail', `${indent}    ${text}`))]
  return [line, ...objectDiff(before, after).map(text => paintDiff(`${indent}    ${text}`, text, paint))]
}

const paintDiff = (line: string, text: string, paint: PaintPlan): string =>
  paint(text.startsWith('+') ? 'create' : text.startsWith('-') ? 'delete' : 'detail', line)

const objectsLine = (actions: readonly ControlPlaneAction[]): string => {
  const all = actions.flatMap(({ objects }) => objects)
  const count = (kind: ObjectChange['kind']) => all.filter(one => one.kind === kind).length
  return `Objects: ${count('create')} to create, ${count('update')} to change, ${count('delete')} to delete`
}
