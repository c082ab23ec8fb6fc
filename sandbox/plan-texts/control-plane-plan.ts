import type { ControlPlaneAction, ControlPlanePlan } from '../../shared/control-plane/control-plane.ts'
import { formatLines, type PlanLine } from '../../terraform-free-infra/engine/engine.ts'
import type { ObjectPlan } from '../providers/provider.ts'
import { countInCluster, detailsOf, objectsInWords, objectsJson } from './object-lines.ts'

/** Returns the printed plan of a ControlPlane, for any cloud. */
export const controlPlanePlan = ({ actions, writes }: ControlPlanePlan, destroying: boolean): ObjectPlan => ({
  where: '',
  differs: actions.length > 0,
  text: paint => {
    const lines = actions.map(
      (action): PlanLine => ({
        kind: action.kind,
        sentence: sentenceOf(action),
        below: detailsOf(action, paint),
        changes: [],
        after: [],
      }),
    )
    const text = formatLines(lines, paint)
    return lines.length === 0 ? text : `${text}${objectsInWords(actions.flatMap(({ objects }) => objects))}\n`
  },
  json: {
    destroying,
    actions: actions.map(({ objects, ...action }) => ({
      ...action,
      after: [],
      changes: [],
      objects: objectsJson(objects),
    })),
    writes,
  },
})

const sentenceOf = ({ sentence, cluster, objects }: ControlPlaneAction): string =>
  cluster === undefined ? sentence : `${sentence}, ${countInCluster(objects, cluster)}`
