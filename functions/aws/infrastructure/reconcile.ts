import type { Infrastructure } from '../../../shared/contract/schemas/infrastructure.ts'
import { continueAfter, done, type StepContext, type StepResult } from '../../../shared/lifecycle/actuator.ts'
import type { InfrastructureConfig } from '../../../terraform-free-infra/aws/infrastructure/config/config.ts'
import { errorKindOf } from '../../../terraform-free-infra/aws/infrastructure/error-kind-of.ts'
import { infrastructureGraph } from '../../../terraform-free-infra/aws/infrastructure/graph.ts'
import { reconcileGraph, type State } from '../../../terraform-free-infra/engine/engine.ts'
import type { ConnectAws } from './connect.ts'
import { goalOf } from './goal.ts'
import { conditionsWith } from './left-alone.ts'
import { networkStatusOf } from './network-status.ts'
import type { PlanContext, PlanContextOf } from './plan-context.ts'
import { providerStatusOf } from './provider-status.ts'
import { readConfig } from './read-config.ts'
import { networkingOf } from './shoot.ts'
import { isNothingMade, stateCodec, statePatch } from './state.ts'

/** One step towards the infrastructure that an object asks for. */
export const reconcileInfrastructure = async (
  planContextOf: PlanContextOf,
  step: StepContext<Infrastructure>,
): Promise<StepResult> => {
  const { object } = step
  const stored = stateCodec.decode(object.status?.state)
  const outcome = await takeStep(step, { ...(await planContextOf(step)), stored, destroy: false })
  if (outcome.kind === 'continue') {
    return continueAfter(outcome.afterMs, outcome.progress, outcome.description)
  }
  const conditions = conditionsWith(object, outcome.left, step.clock.now())
  if (conditions) step.log.warn('resources are left alone', { resources: outcome.left })
  return done({
    ...finalStatus(outcome.state, readConfig(object), step),
    ...(conditions !== undefined && { conditions }),
  })
}

/**
 * One step towards nothing. Where no step has ever come so far as to make something, also for want of good credentials,
 * nothing is asked of AWS.
 */
export const removeInfrastructure = async (
  connect: ConnectAws,
  step: StepContext<Infrastructure>,
): Promise<StepResult> => {
  const { object, cluster, log } = step
  const stored = stateCodec.decode(object.status?.state)
  if (isNothingMade(stored)) {
    // As for what is there: without credentials nobody can say that nothing is.
    await connect(step)
    log.info('nothing was made, so there is nothing to delete')
    return done()
  }
  const config = readConfig(object, { lenient: true })
  const goal = goalOf({ object, cluster, config, state: stored })
  const cloud = await connect(step)
  const outcome = await takeStep(step, { ...goal, cloud, stored, destroy: true })
  if (outcome.kind === 'continue') {
    return continueAfter(outcome.afterMs, outcome.progress, outcome.description)
  }
  if (outcome.left.length > 0) log.warn('resources are left alone', { resources: outcome.left })
  return done()
}

interface StepGoal
  extends Pick<PlanContext, 'desired' | 'state' | 'cloud'>,
    Partial<Pick<PlanContext, 'reads' | 'read'>> {
  /** The state as it is in the object. */
  readonly stored: State
  readonly destroy: boolean
}

const takeStep = async (
  step: StepContext<Infrastructure>,
  { desired, state, cloud, reads, read, stored, destroy }: StepGoal,
) => {
  const { clock, signal, throwIfExpired, log } = step
  const save = (next: State, removed: readonly string[]) =>
    step.saveStatus({ state: statePatch(next, removed) })
  return reconcileGraph({
    graph: infrastructureGraph(desired, { destroying: destroy }, reads),
    cloud,
    state,
    read,
    uid: desired.uid,
    save,
    errorKindOf,
    clock,
    signal,
    throwIfExpired,
    destroy,
    resumed: step.resumed ?? false,
    onPlan: async ({ actions }) => {
      if (actions.length === 0) return
      log.info('infrastructure differs', { actions: actions.map(({ sentence }) => sentence) })
      // Before the first thing is made: from now on a deletion has to look, whatever becomes of this process.
      if (isNothingMade(stored)) await save(state, [])
    },
  })
}

const finalStatus = (
  state: State,
  config: InfrastructureConfig,
  { cluster }: StepContext<Infrastructure>,
) => ({
  providerStatus: providerStatusOf(state, config),
  state: statePatch(state),
  ...networkStatusOf(state, networkingOf(cluster)),
})
