import type { ObjectChange } from '../../shared/resources/resources.ts'
import { formatLines, type PaintPlan, type PlanLine } from '../../terraform-free-infra/engine/engine.ts'
import type { ObjectPlan } from '../providers/provider.ts'
import { objectDiff } from './object-diff.ts'
import {
  folded,
  indent,
  namesByKind,
  objectLines,
  objectsInWords,
  objectsJson,
  paintDiff,
} from './object-lines.ts'
import type { StepAction, StepPlan } from './plan-step.ts'

/** Returns the printed plan of a function that changes only Kubernetes. */
export const stepPlan = ({ actions, waits, writes }: StepPlan, destroying: boolean): ObjectPlan => ({
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
    const text = formatLines(
      lines,
      paint,
      waits.map(wait => `Waits in between: ${wait}`),
    )
    const contents = actions.flatMap(action => ('objects' in action ? action.objects : []))
    return contents.length === 0 ? text : `${text}${objectsInWords(contents)}\n`
  },
  json: {
    destroying,
    actions: actions.map(action => ({
      kind: action.kind,
      sentence: sentenceOf(action),
      after: [],
      changes: [],
      ...('objects' in action
        ? { notes: action.notes, cluster: action.cluster, objects: objectsJson(action.objects) }
        : { diff: objectDiff(action.before, action.after) }),
    })),
    waits,
    writes,
  },
})

const sentenceOf = (action: StepAction): string => {
  const { kind, namespace, name } = action.id
  const sentence = `${action.kind} ${kind} ${namespace === undefined ? '' : `${namespace}/`}${name}`
  if (!('objects' in action)) return sentence
  const { length } = action.objects
  return `${sentence}, ${length} object${length === 1 ? '' : 's'} in the ${action.cluster}`
}

const detailsOf = (action: StepAction, paint: PaintPlan): readonly string[] => {
  if (!('objects' in action)) return diffLines(action, paint)
  const { kind, notes, objects } = action
  return [
    ...folded(notes).map(note => `${indent}${note}`),
    ...(kind === 'update' ? objects.flatMap(object => objectLines(object, paint)) : namesByKind(objects)),
  ]
}

/** The limit for a new or deleted object: one with dashboards has thousands of lines. */
const mostLines = 100

const diffLines = ({ kind, before, after, summary }: ObjectChange, paint: PaintPlan): readonly string[] => {
  if (summary !== undefined) return [paint('detail', `${indent}${summary}`)]
  const diff = objectDiff(before, after)
  if (kind === 'update') return diff.map(text => paintDiff(`${indent}${text}`, text, paint))
  // In a complete diff, the position is not useful.
  const lines = diff.filter(line => !line.startsWith('@@'))
  const more = lines.length - mostLines
  return [
    ...lines.slice(0, mostLines).map(text => paintDiff(`${indent}${text}`, text, paint)),
    ...(more > 0 ? [paint('detail', `${indent}… and ${more} more lines`)] : []),
  ]
}
