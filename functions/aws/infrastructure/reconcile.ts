import type { Infrastructure } from '../../../shared/contract/schemas/infrastructure.ts'
import { continueAfter, done, type StepContext, type StepResult } from '../../../shared/lifecycle/actuator.ts'
import type { InfrastructureConfig } from '../../../terraform-free-infra/aws/infrastructure/config/config.ts'
import { faultOf } from '../../../terraform-free-infra/aws/infrastructure/fault-of.ts'
import { infrastructureGraph } from '../../../terraform-free-infra/aws/infrastructure/graph.ts'
import { runStep, type State } from '../../../terraform-free-infra/engine/engine.ts'
import type { Connect } from './connect.ts'
import { desiredInfrastructure } from './desired.ts'
import { conditionsWith } from './left-alone.ts'
import type { Look, LookOf } from './look.ts'
import { networkStatusOf } from './network-status.ts'
import { providerStatusOf } from './provider-status.ts'
import { readConfig } from './read-config.ts'
import { networkingOf } from './shoot.ts'
import { isNothingMade, stateCodec, statePatch } from './state.ts'

/** One step towards the infrastructure that an object asks for. */
export const reconcileInfrastructure = async (
  lookOf: LookOf,
  step: StepContext<Infrastructure>,
): Promise<StepResult> => {
  const { object } = step
  const stored = stateCodec.decode(object.status?.state)
  const outcome = await takeStep(step, { ...(await lookOf(step)), stored, destroy: false })
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
  connect: Connect,
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
  const desired = desiredInfrastructure({ object, cluster, config, state: stored })
  const cloud = await connect(step)
  const outcome = await takeStep(step, { ...desired, cloud, stored, destroy: true })
  if (outcome.kind === 'continue') {
    return continueAfter(outcome.afterMs, outcome.progress, outcome.description)
  }
  if (outcome.left.length > 0) log.warn('resources are left alone', { resources: outcome.left })
  return done()
}

interface Goal extends Pick<Look, 'wish' | 'state' | 'cloud'>, Partial<Pick<Look, 'reads' | 'read'>> {
  /** The state as it is in the object. */
  readonly stored: State
  readonly destroy: boolean
}

const takeStep = async (
  step: StepContext<Infrastructure>,
  { wish, state, cloud, reads, read, stored, destroy }: Goal,
) => {
  const { clock, signal, guard, log } = step
  const save = (next: State, removed: readonly string[]) =>
    step.saveStatus({ state: statePatch(next, removed) })
  return runStep({
    graph: infrastructureGraph(wish, { destroying: destroy }, reads),
    cloud,
    state,
    read,
    uid: wish.uid,
    save,
    faultOf,
    clock,
    signal,
    guard,
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
