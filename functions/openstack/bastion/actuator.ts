import type { Clock } from '../../../shared/clock/clock.ts'
import { configurationProblem } from '../../../shared/contract/errors.ts'
import type { Bastion } from '../../../shared/contract/objects.ts'
import { formatProblems } from '../../../shared/decode/problems.ts'
import {
  type Actuator,
  continueAfter,
  done,
  orphaning,
  type StepContext,
  type StepResult,
} from '../../../shared/lifecycle/lifecycle.ts'
import {
  hasUnanswered,
  type ReconcileOutcome,
  reconcileGraph,
} from '../../../terraform-free-infra/engine/engine.ts'
import {
  createAccess,
  errorKindOf,
  type OpenStackConnection,
  projectKey,
  requireProject,
  withErrorCodes,
} from '../../../terraform-free-infra/openstack/account/openstack.ts'
import { bastionGraph } from './graph.ts'
import { bastionNames, bastionProblems, desiredBastion, secretOf } from './request.ts'
import { decodeState, deletingKey, isDeleting, statePatch } from './state.ts'

export interface BastionDeps {
  readonly connection: OpenStackConnection
  readonly clock: Clock
  /** Scales the waits between steps. 1 suits OpenStack. */
  readonly waitScale?: number | undefined
}

/** The longest time in which a list may lack a creation whose answer was lost, in ms. */
const shownWithinMs = 120_000

/** A user has to start the server again, which may take a while, in ms. */
const stoppedMs = 60_000

/** Nova's statuses of servers that run, or soon do. */
const running: ReadonlySet<string> = new Set(['ACTIVE', 'REBOOT', 'HARD_REBOOT', 'MIGRATING', 'PASSWORD'])

/**
 * Reconciles Bastions of type `openstack` (docs/contract/kinds.md#bastion and docs/contract/provider-openstack.md#bastion). They
 * do not migrate. A forced deletion orphans everything.
 */
export const bastionActuator = ({ connection, clock, waitScale = 1 }: BastionDeps): Actuator<Bastion> => {
  const open = createAccess(connection, clock)

  const run = async (step: StepContext<Bastion>, destroy: boolean) => {
    const { object, signal, throwIfExpired, saveStatus, kubernetes, log, resumed = false } = step
    const stored = decodeState(object.status?.state)
    const [secret, desired] = await Promise.all([
      secretOf(kubernetes, object),
      desiredBastion(step, kubernetes, { destroy }),
    ])
    const cloud = open({ secret, region: desired.region, signal, throwIfExpired })
    const project = await requireProject(cloud, {
      what: 'the bastion',
      recorded: stored[projectKey],
      secret,
    })
    const { graph, resultOf } = bastionGraph(desired, clock)
    const outcome = await reconcileGraph({
      graph,
      cloud,
      state: stored,
      save: (state, removed) => saveStatus({ state: statePatch(state, removed) }),
      errorKindOf,
      clock,
      uid: desired.uid,
      // OpenStack lists what it has answered. Only a lost answer is waited for.
      shownWithinMs: destroy && !hasUnanswered(stored) ? 0 : shownWithinMs * waitScale,
      signal,
      throwIfExpired,
      destroy,
      resumed,
      record: { [projectKey]: project, ...(destroy && { [deletingKey]: 'true' }) },
      adopt: !isDeleting(stored),
      onPlan: ({ actions }) => {
        if (actions.length > 0)
          log.info('bastion differs', { actions: actions.map(({ sentence }) => sentence) })
      },
    })
    return { outcome, resultOf, state: statePatch(outcome.state, Object.keys(stored)) }
  }

  const pause = ({ afterMs, progress, description }: ContinuedBastion): StepResult =>
    continueAfter(afterMs * waitScale, progress, description)

  const reconcile = async (step: StepContext<Bastion>): Promise<StepResult> => {
    const { outcome, resultOf, state } = await run(step, false)
    if (outcome.kind === 'continue') return pause(outcome)
    reportLeft(step, outcome)
    const { server, address } = resultOf(outcome.outcomes)
    if (server !== undefined && !running.has(server.status))
      return pause({
        afterMs: stoppedMs,
        progress: 80,
        description: `Server ${server.id} has the status ${server.status} and cannot be reached. Start it, or delete it to get a new one`,
      })
    return done({ ingress: { ip: address }, state })
  }

  const remove = async (step: StepContext<Bastion>): Promise<StepResult> => {
    const { outcome, state } = await run(step, true)
    if (outcome.kind === 'continue') return pause(outcome)
    reportLeft(step, outcome)
    return done({ state })
  }

  return {
    check: ({ object }) => checkBastion(object),
    reconcile: step => withErrorCodes(reconcile(step)),
    remove: step => withErrorCodes(remove(step)),
    forceRemove: async () => orphaning('a forced deletion does not call OpenStack'),
    orphans: ({ object }) => orphansOf(object),
  }
}

/** Checks a Bastion before anything else is read. Throws a `CodedError`. */
export const checkBastion = (object: Bastion): void => {
  const problems = bastionProblems(object)
  if (problems.length > 0) throw configurationProblem(formatProblems(problems))
}

type ContinuedBastion = Pick<
  Extract<ReconcileOutcome, { readonly kind: 'continue' }>,
  'afterMs' | 'progress' | 'description'
>

const orphansOf = ({ metadata }: Bastion): readonly string[] => {
  const { base, group, allowSsh } = bastionNames(metadata)
  return [
    `server ${base}`,
    `floating IP ${base}`,
    `security group ${group}`,
    `rule ${allowSsh} in the security group of the nodes`,
  ]
}

const reportLeft = (
  { log }: StepContext<Bastion>,
  { left }: Extract<ReconcileOutcome, { readonly kind: 'converged' }>,
): void => {
  if (left.length > 0) log.warn('resources are orphaned', { resources: left })
}
