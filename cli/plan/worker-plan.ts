import type { Difference, HashCause, WorkerAction, WorkerPlan } from '../../shared/worker/worker.ts'
import { type Change, formatLines, type PlanLine } from '../../terraform-free-infra/engine/engine.ts'
import type { ObjectPlan } from '../provider/provider.ts'

/** A plan of a Worker as it is printed, whatever its cloud. */
export const workerPlan = (plan: WorkerPlan, destroying: boolean): ObjectPlan => ({
  where: '',
  // A pool with a problem is not as it should be.
  differs: plan.actions.length > 0 || plan.problems.length > 0,
  text: paint => {
    const lines = [...plan.problems.map(problemLine), ...plan.actions.map(actionLine)]
    return `${formatLines(lines, paint)}${plan.actions.length === 0 ? '' : `${machinesLine(plan)}\n`}`
  },
  json: { destroying, ...plan, actions: plan.actions.map(action => ({ ...action, after: [], changes: [] })) },
})
