import { type Clock, followSignal } from '../../../shared/clock/clock.ts'
import type { Cluster, Infrastructure } from '../../../shared/contract/objects.ts'
import {
  type Actuator,
  continueAfter,
  done,
  orphaning,
  type StepContext,
  type StepResult,
} from '../../../shared/lifecycle/lifecycle.ts'
import { messageOf } from '../../../shared/text/message-of.ts'
import {
  type OpenStackConnection,
  withErrorCodes,
} from '../../../terraform-free-infra/openstack/account/openstack.ts'
import {
  checkInfrastructure,
  createInfrastructure,
  type InfrastructureApplyOptions,
  type InfrastructureRequest,
  type InfrastructureStep,
  type ShootFacts,
} from '../../../terraform-free-infra/openstack/infrastructure/infrastructure.ts'
import { infrastructureOrphans } from './orphans.ts'

export interface InfrastructureDeps {
  readonly connection: OpenStackConnection
  readonly clock: Clock
  /** Scales the waits between steps. 1 suits OpenStack. */
  readonly waitScale?: number | undefined
}

type Step = StepContext<Infrastructure>

/**
 * Reconciles Infrastructures of type `openstack` (docs/contract/provider-openstack.md#infrastructure). Restore reconciles with
 * the migrated state, as the lifecycle does by default. Migrate and forced deletion orphan all resources.
 */
export const infrastructureActuator = ({
  connection,
  clock,
  waitScale = 1,
}: InfrastructureDeps): Actuator<Infrastructure> => {
  const begin = createInfrastructure({ connection, clock, waitScale })
  // The check and the plan of a step share its reads. Another step never sees them.
  const begun = new WeakMap<Step, InfrastructureStep>()
  const workOf = (step: Step): InfrastructureStep => {
    const work = begun.get(step) ?? begin(requestOf(step))
    begun.set(step, work)
    return work
  }

  const applyOptions = (step: Step): InfrastructureApplyOptions => ({
    save: state => step.saveStatus({ state }),
    resumed: step.resumed ?? false,
    onActions: actions => step.log.info('infrastructure differs', { actions }),
  })

  const pause = (afterMs: number, progress: number, description: string): StepResult =>
    continueAfter(afterMs * waitScale, progress, description)

  const reconcile = async (step: Step): Promise<StepResult> => {
    const outcome = await workOf(step).reconcile(applyOptions(step))
    if (outcome.kind === 'continue') return pause(outcome.afterMs, outcome.progress, outcome.description)
    if (outcome.left.length > 0) step.log.warn('resources are orphaned', { resources: outcome.left })
    return done({ ...outcome.status })
  }

  const remove = async (step: Step): Promise<StepResult> => {
    const outcome = await workOf(step).remove(applyOptions(step))
    if (outcome.kind === 'continue') return pause(outcome.afterMs, outcome.progress, outcome.description)
    if (outcome.kind === 'nothing made') step.log.info('nothing was created; nothing to delete')
    else if (outcome.left.length > 0) step.log.warn('resources are orphaned', { resources: outcome.left })
    return done()
  }

  /**
   * Adds to the state each owned resource that an interrupted step did not record, because the state moves with the
   * shoot. If OpenStack does not answer, the migration continues: the state has the uid of the marks, and nothing may
   * block a migration.
   */
  const migrate = async (step: Step): Promise<StepResult> => {
    const limited = followSignal(step.signal)
    const cancel = clock.after(collectLimitMs, () =>
      limited.abort(new Error('OpenStack did not answer in time')),
    )
    try {
      const state = await collected({ ...step, signal: limited.signal })
      step.signal.throwIfAborted()
      return Object.keys(state).length === 0 ? done() : done({ state })
    } finally {
      cancel()
      limited.release()
    }
  }

  const collected = async (step: Step): Promise<object> => {
    try {
      return await begin(requestOf(step)).collect()
    } catch (error) {
      step.log.warn('unrecorded resources cannot be collected; their descriptions identify them later', {
        error: messageOf(error),
      })
      return {}
    }
  }

  return {
    migrate,
    check: async ({ object: { spec }, secret }) => {
      // The families of the shoot are checked by `validate`, which knows the Cluster.
      checkInfrastructure({ providerConfig: spec.providerConfig, secret, shoot: shootOf(undefined) })
    },
    validate: step => withErrorCodes(workOf(step).validate({ resumed: step.resumed ?? false })),
    reconcile: step => withErrorCodes(reconcile(step)),
    remove: step => withErrorCodes(remove(step)),
    forceRemove: async () => orphaning('a forced deletion does not call OpenStack'),
    orphans: ({ object }) => infrastructureOrphans(object),
  }
}

/** The maximal wait of a migration for OpenStack, in ms. */
const collectLimitMs = 20_000

export const requestOf = ({
  object: { metadata, spec, status },
  cluster,
  secret,
  signal,
  throwIfExpired,
}: Pick<Step, 'object' | 'cluster' | 'secret' | 'signal' | 'throwIfExpired'>): InfrastructureRequest => ({
  name: metadata.namespace ?? metadata.name,
  uid: metadata.uid ?? '',
  region: spec.region,
  sshPublicKey: spec.sshPublicKey,
  providerConfig: spec.providerConfig,
  state: status?.state,
  shoot: shootOf(cluster),
  cloudProfile: cluster?.spec.cloudProfile.spec?.providerConfig,
  secret,
  signal,
  throwIfExpired,
})

/** Null counts as absent, as in Go. */
const shootOf = (cluster: Cluster | undefined): ShootFacts => {
  const networking = cluster?.spec.shoot.spec?.networking
  return {
    ipFamilies: networking?.ipFamilies ?? undefined,
    nodes: networking?.nodes || undefined,
    pods: networking?.pods || undefined,
    services: networking?.services || undefined,
  }
}
