import { type Clock, followSignal } from '../../../shared/clock/clock.ts'
import { conditionOf } from '../../../shared/contract/conditions.ts'
import type { Cluster, Infrastructure } from '../../../shared/contract/objects.ts'
import { mergePatch } from '../../../shared/kubernetes/kubernetes.ts'
import {
  type Actuator,
  continueAfter,
  done,
  orphaning,
  type StepContext,
  type StepResult,
} from '../../../shared/lifecycle/lifecycle.ts'
import { messageOf } from '../../../shared/text/message-of.ts'
import type { AwsConnection } from '../../../terraform-free-infra/aws/account/aws.ts'
import {
  checkInfrastructure,
  createInfrastructure,
  type InfrastructureApplyOptions,
  type InfrastructureRequest,
  type InfrastructureStep,
  type ShootFacts,
  withErrorCodes,
} from '../../../terraform-free-infra/aws/infrastructure/infrastructure.ts'
import { infrastructureOrphans } from './orphans.ts'
import { retainedCondition, retainedType } from './retained-condition.ts'

export interface InfrastructureDeps {
  readonly connection: AwsConnection
  readonly clock: Clock
  /** Scales the waits between steps. 1 suits AWS. */
  readonly waitScale?: number | undefined
}

/**
 * Reconciles Infrastructures of type `aws` (docs/contract/kinds.md#infrastructure and
 * docs/contract/provider-aws.md#infrastructure). Restore reconciles with the migrated state, as the lifecycle does by
 * default. Migrate and forced deletion orphan all resources.
 */
export const infrastructureActuator = ({
  connection,
  clock,
  waitScale = 1,
}: InfrastructureDeps): Actuator<Infrastructure> => {
  const begin = createInfrastructure({ connection, clock, waitScale })
  // The check and the plan of a step share its reads. Another step never sees them.
  const begun = new WeakMap<StepContext<Infrastructure>, InfrastructureStep>()
  const workOf = (step: StepContext<Infrastructure>): InfrastructureStep => {
    const known = begun.get(step)
    if (known !== undefined) return known
    const work = begin(requestOf(step))
    begun.set(step, work)
    return work
  }
  /** Tracks the state of a step, for its errors. */
  const tracked = new WeakMap<StepContext<Infrastructure>, { state: unknown }>()
  const stateOf = (step: StepContext<Infrastructure>): { state: unknown } => {
    const known = tracked.get(step) ?? { state: step.object.status?.state }
    tracked.set(step, known)
    return known
  }
  const coded = <T>(step: StepContext<Infrastructure>, work: Promise<T>): Promise<T> =>
    withErrorCodes(work, {
      state: () => stateOf(step).state,
      config: () => step.object.spec.providerConfig,
      now: () => clock.now(),
    })

  const applyOptions = (step: StepContext<Infrastructure>): InfrastructureApplyOptions => ({
    save: async patch => {
      const known = stateOf(step)
      known.state = mergePatch(known.state ?? {}, patch)
      await step.saveStatus({ state: patch })
    },
    resumed: step.resumed ?? false,
    onActions: actions => step.log.info('infrastructure differs', { actions }),
  })

  const pause = (afterMs: number, progress: number, description: string): StepResult =>
    continueAfter(afterMs * waitScale, progress, description)

  const reconcile = async (step: StepContext<Infrastructure>): Promise<StepResult> => {
    const outcome = await workOf(step).reconcile(applyOptions(step))
    if (outcome.kind === 'continue') return pause(outcome.afterMs, outcome.progress, outcome.description)
    const condition = retainedCondition(outcome.left)
    const before = conditionOf(step.object.status?.conditions, retainedType)
    // Logs a message only once.
    if (condition !== undefined && condition.message !== before?.message)
      step.log.warn('resources are orphaned', { resources: outcome.left })
    return { kind: 'done', status: { ...outcome.status }, conditions: { [retainedType]: condition } }
  }

  const remove = async (step: StepContext<Infrastructure>): Promise<StepResult> => {
    const { log } = step
    const outcome = await workOf(step).remove(applyOptions(step))
    switch (outcome.kind) {
      case 'continue':
        return pause(outcome.afterMs, outcome.progress, outcome.description)
      case 'nothing made':
        log.info('nothing was created; nothing to delete')
        return done()
      case 'done':
        if (outcome.left.length > 0) log.warn('resources are orphaned', { resources: outcome.left })
        return done()
    }
  }

  /**
   * Adds to the state each owned resource that an interrupted step did not record, because the state moves with the
   * shoot. If AWS does not answer, the migration continues: the state has the uid of the marks, and nothing may block a
   * migration.
   */
  const migrate = async (step: StepContext<Infrastructure>): Promise<StepResult> => {
    const limited = followSignal(step.signal)
    const cancel = clock.after(collectLimitMs, () => limited.abort(new Error('AWS did not answer in time')))
    const warn = (error: unknown) =>
      step.log.warn('unrecorded resources cannot be collected; tags in the account identify them later', {
        error: messageOf(error),
      })
    try {
      const work = begin(requestOf({ ...step, signal: limited.signal }))
      const state = await work.collect(warn).catch((error: unknown) => {
        // An unreadable state is migrated unchanged.
        warn(error)
        return {}
      })
      step.signal.throwIfAborted()
      return Object.keys(state).length === 0 ? done() : done({ state })
    } finally {
      cancel()
      limited.release()
    }
  }

  return {
    migrate,
    check: ({ object: { spec }, secret }) => checkInfrastructure({ ...spec, secret }),
    validate: step => coded(step, workOf(step).validate({ resumed: step.resumed ?? false })),
    reconcile: step => coded(step, reconcile(step)),
    remove: step => coded(step, remove(step)),
    forceRemove: async () => orphaning('a forced deletion does not call AWS'),
    orphans: ({ object }) => infrastructureOrphans(object),
  }
}

/** The maximal wait of a migration for AWS, in ms. */
const collectLimitMs = 20_000

/**
 * Names a VPC. With this annotation the operator declares that all resources in it with the cluster's tag belong to
 * this shoot. Required if the state is lost and the account contains no proof.
 */
const adoptAnnotation = 'trellis.gardener.cloud/adopt-vpc'

export const requestOf = ({
  object: { metadata, spec, status },
  cluster,
  secret,
  signal,
  throwIfExpired,
}: Pick<
  StepContext<Infrastructure>,
  'object' | 'cluster' | 'secret' | 'signal' | 'throwIfExpired'
>): InfrastructureRequest => ({
  clusterName: metadata.namespace ?? metadata.name,
  uid: metadata.uid ?? '',
  adopt: metadata.annotations?.[adoptAnnotation] || undefined,
  region: spec.region,
  sshPublicKey: spec.sshPublicKey,
  providerConfig: spec.providerConfig,
  state: status?.state,
  shoot: shootOf(cluster),
  secret,
  signal,
  throwIfExpired,
})

/** Null counts as absent, as in Go. */
const shootOf = (cluster: Cluster | undefined): ShootFacts => {
  const shoot = cluster?.spec.shoot
  const networking = shoot?.spec?.networking
  return {
    uid: shoot?.metadata?.uid ?? undefined,
    networking: {
      ipFamilies: networking?.ipFamilies ?? undefined,
      nodes: networking?.nodes || undefined,
      pods: networking?.pods || undefined,
      services: networking?.services || undefined,
    },
    networkConfig: networking?.providerConfig,
    workerConfigs: (shoot?.spec?.provider?.workers ?? []).map(({ providerConfig }) => providerConfig),
    cloudProfile: cluster?.spec.cloudProfile.spec,
  }
}
