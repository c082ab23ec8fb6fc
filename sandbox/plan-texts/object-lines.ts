import type { ObjectChange } from '../../shared/resources/resources.ts'
import { printable } from '../../shared/text/printable.ts'
import type { PaintPlan } from '../../terraform-free-infra/engine/engine.ts'
import { objectDiff } from './object-diff.ts'

export const indent = '    '

/** The longest line, in characters; one name may be longer. */
const longestLine = 100

/** Folds parts into lines of limited length, with several parts on a line if they fit. */
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

/** Lists all objects of a new or deleted ManagedResource. */
const namesByKind = (objects: readonly ObjectChange[]): readonly string[] =>
  [...Map.groupBy(objects, ({ id }) => id.kind)].flatMap(([kind, all]) =>
    folded(
      all.map(({ id }) => printable(id.name)),
      `${printable(kind)}: `,
    ).map(line => `${indent}${line}`),
  )

const foldedText = (text: string): readonly string[] => {
  const [first = '', ...others] = printable(text).split(', ')
  return folded([first, ...others])
}

const signs = { create: '+', update: '~', delete: '-' } as const

const objectLines = (change: ObjectChange, paint: PaintPlan): readonly string[] => {
  const { kind, id, before, after, summary } = change
  const { namespace, name } = id
  const title = `${signs[kind]} ${id.kind} ${namespace === undefined ? '' : `${namespace}/`}${name}`
  const line = paint(kind, `${indent}${printable(title)}`)
  if (kind !== 'update') return [line]
  if (summary !== undefined)
    return [line, ...foldedText(summary).map(text => paint('detail', `${indent}    ${text}`))]
  return [
    line,
    ...objectDiff(before, after)
      .map(printable)
      .map(text => paintDiff(`${indent}    ${text}`, text, paint)),
  ]
}

interface ManagedChange {
  readonly kind: ObjectChange['kind'] | 'wait'
  readonly notes: readonly string[]
  readonly objects: readonly ObjectChange[]
}

/** Returns the lines below a change of a ManagedResource: its notes and objects. */
export const detailsOf = ({ kind, notes, objects }: ManagedChange, paint: PaintPlan): readonly string[] => [
  ...folded(notes.map(printable)).map(note => `${indent}${note}`),
  ...(kind === 'update' ? objects.flatMap(object => objectLines(object, paint)) : namesByKind(objects)),
]

export const countInCluster = (objects: readonly ObjectChange[], cluster: string): string =>
  `${objects.length} object${objects.length === 1 ? '' : 's'} in the ${cluster}`

export const paintDiff = (line: string, text: string, paint: PaintPlan): string =>
  paint(text.startsWith('+') ? 'create' : text.startsWith('-') ? 'delete' : 'detail', line)

export const objectsInWords = (objects: readonly ObjectChange[]): string => {
  const count = (kind: ObjectChange['kind']) => objects.filter(one => one.kind === kind).length
  return `Objects: ${count('create')} to create, ${count('update')} to change, ${count('delete')} to delete`
}

export const objectsJson = (objects: readonly ObjectChange[]): readonly object[] =>
  objects.map(({ kind, id, before, after, summary }) => ({
    change: kind,
    ...id,
    ...(summary !== undefined && { summary }),
    // Created and deleted objects are listed by name only.
    ...(kind === 'update' && { diff: objectDiff(before, after) }),
  }))
