import type { ObjectChange } from '../../shared/resources/resources.ts'
import { printable } from '../../shared/text/printable.ts'
import { formatLines, type PaintPlan, type PlanLine } from '../../terraform-free-infra/engine/engine.ts'
import type { ObjectPlan } from '../providers/provider.ts'
import { objectDiff } from './object-diff.ts'
import { countInCluster, detailsOf, indent, objectsInWords, objectsJson, paintDiff } from './object-lines.ts'
import type { StepAction, StepPlan } from './plan-step.ts'

/** Returns the printed plan of a function that changes only Kubernetes. */
export const stepPlan = ({ actions, waits, writes }: StepPlan, destroying: boolean): ObjectPlan => ({
  where: '',
  differs: actions.length > 0,
  text: paint => {
    const lines = actions.map(
      (action): PlanLine => ({
        kind: action.kind,
        sentence: sentenceOf(action),
        below: linesBelow(action, paint),
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
  return 'objects' in action ? `${sentence}, ${countInCluster(action.objects, action.cluster)}` : sentence
}

const linesBelow = (action: StepAction, paint: PaintPlan): readonly string[] =>
  'objects' in action ? detailsOf(action, paint) : diffLines(action, paint)

/** The limit for a new or deleted object: one with dashboards has thousands of lines. */
const mostLines = 100

const diffLines = ({ kind, before, after, summary }: ObjectChange, paint: PaintPlan): readonly string[] => {
  if (summary !== undefined) return [paint('detail', `${indent}${printable(summary)}`)]
  const diff = objectDiff(before, after).map(printable)
  if (kind === 'update') return diff.map(text => paintDiff(`${indent}${text}`, text, paint))
  // In a complete diff, the position is not useful.
  const lines = diff.filter(line => !line.startsWith('@@'))
  const more = lines.length - mostLines
  return [
    ...lines.slice(0, mostLines).map(text => paintDiff(`${indent}${text}`, text, paint)),
    ...(more > 0 ? [paint('detail', `${indent}… and ${more} more lines`)] : []),
  ]
}
