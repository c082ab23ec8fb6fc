import type { FunctionPlan } from '../../shared/runtime/runtime.ts'
import {
  type Change,
  changeJson,
  formatLines,
  knownAfterCreate,
  type Plan,
  type PlanJson,
  type PlanLine,
  planJson,
} from '../../terraform-free-infra/engine/engine.ts'
import type { ObjectPlan, PlanSurroundings } from '../providers/provider.ts'

/** Returns a function's plan of its cloud as plain data. `plan`: the engine's, or one without an engine. */
export const cloudPlanJson = (plan: FunctionPlan, destroying: boolean): PlanJson =>
  isOfEngine(plan)
    ? planJson(plan)
    : {
        destroying,
        actions: plan.actions.map(({ kind, sentence, changes = [], after = [] }) => ({
          kind,
          sentence,
          after,
          changes: changes.map(change => changeJson(change as Change)),
        })),
      }

const isOfEngine = (plan: FunctionPlan): plan is Plan<unknown> => 'outcomes' in plan && 'left' in plan

/** Returns the printed plan of a function's cloud. */
export const cloudPlan = (json: PlanJson): ObjectPlan => ({
  where: '',
  differs: json.actions.length > 0,
  text: paint =>
    formatLines(
      json.actions.map(lineOf),
      paint,
      json.left?.map(({ label, id, why }) => `orphaned: ${label} (${id}): ${why}`),
    ),
  json,
})

/** Returns the printed plan of actions without an engine. `more`: further values of its data. */
export const linesPlan = (
  actions: FunctionPlan['actions'],
  { destroy }: Pick<PlanSurroundings, 'destroy'>,
  more: object | false = false,
): ObjectPlan => cloudPlan({ ...cloudPlanJson({ actions }, destroy), ...more })

const lineOf = ({ kind, sentence, after, changes }: PlanJson['actions'][number]): PlanLine => ({
  kind,
  sentence,
  after,
  changes: changes.map(change => ({
    attribute: change.attribute,
    before: change.before,
    after: change.knownAfterCreate ? knownAfterCreate : change.after,
  })),
})
