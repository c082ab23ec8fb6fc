import type { Clock } from '../../../shared/clock/clock.ts'
import { configurationProblem } from '../../../shared/contract/errors.ts'
import { kinds } from '../../../shared/contract/kinds.ts'
import type { Bastion } from '../../../shared/contract/objects.ts'
import { formatProblems } from '../../../shared/decode/problems.ts'
import {
  type Actuator,
  credentialsRefOf,
  decodeSecret,
  done,
  orphaning,
  type Secret,
  type StepContext,
  type StepKubernetes,
  type StepResult,
  secrets,
} from '../../../shared/lifecycle/lifecycle.ts'
import { type AwsConnection, coded } from '../../../terraform-free-infra/aws/account/aws.ts'
import {
  type BastionEndpoint,
  type BastionOutcome,
  type BastionRemoval,
  type BastionStep,
  bastionNames,
  bastionProblems,
  createBastions,
  type Namesake,
} from './ec2/bastion.ts'
import { type BesideBastion, identityOf, requestOf } from './request.ts'

export interface BastionDeps {
  readonly connection: AwsConnection
  readonly clock: Clock
  /** Scales the waits between steps. 1 suits AWS. */
  readonly waitScale?: number | undefined
}

/**
 * Reconciles Bastions of type `aws` (docs/contract/kinds.md#bastion and docs/contract/provider-aws.md#bastion). They do
 * not migrate. A forced deletion orphans everything.
 */
export const bastionActuator = ({ connection, clock, waitScale = 1 }: BastionDeps): Actuator<Bastion> => {
  const begin = createBastions({ connection, clock })
  // The check and the plan of a step share its reads. Another step never sees them.
  const begun = new WeakMap<StepContext<Bastion>, Promise<BastionStep>>()
  const workOf = (step: StepContext<Bastion>): Promise<BastionStep> => {
    const known = begun.get(step)
    if (known !== undefined) return known
    const work = besideBastion(step).then(beside => begin(requestOf(step, beside)))
    begun.set(step, work)
    return work
  }
  const continued = ({ afterMs, progress, description, waitsFor, state }: ContinuedBastion): StepResult => ({
    kind: 'continue',
    afterMs: afterMs * waitScale,
    progress,
    description,
    ...(waitsFor !== undefined && { waitsFor }),
    ...(state !== undefined && { status: { state } }),
  })

  const reconcile = async (step: StepContext<Bastion>): Promise<StepResult> => {
    const outcome = await (await workOf(step)).reconcile(reporting(step))
    reportLeft(step, outcome.left)
    if (outcome.kind === 'continue') return continued(outcome)
    const { endpoint, state } = outcome
    return done({ ingress: ingressOf(endpoint), ...(state !== undefined && { state }) })
  }

  const remove = async (step: StepContext<Bastion>): Promise<StepResult> => {
    const outcome = await (await workOf(step)).remove(reporting(step))
    reportLeft(step, outcome.left)
    if (outcome.kind === 'continue') return continued(outcome)
    return outcome.state === undefined ? done() : done({ state: outcome.state })
  }

  return {
    check: ({ object }) => checkBastion(object),
    validate: step => coded(workOf(step).then(work => work.validate())),
    reconcile: step => coded(reconcile(step)),
    remove: step => coded(remove(step)),
    forceRemove: async () => orphaning('a forced deletion does not call AWS'),
    orphans: ({ object }) => orphansOf(object),
  }
}

const orphansOf = ({ metadata: { name, namespace = '' } }: Bastion): readonly string[] => {
  const { instance, group, workerGroup } = bastionNames({ clusterName: namespace, name })
  return [`instance ${instance}`, `security group ${group}`, `its rule in the security group ${workerGroup}`]
}

/** Checks a Bastion before anything else is read. Throws a `CodedError`. */
export const checkBastion = (object: Bastion): void => {
  const problems = bastionProblems(identityOf(object))
  if (problems.length > 0) throw configurationProblem(formatProblems(problems))
}

/** Reads both live and in parallel. The Infrastructure has the name of its shoot. */
const besideBastion = async ({
  object,
  cluster,
  kubernetes,
}: StepContext<Bastion>): Promise<BesideBastion> => {
  const { namespace = '' } = object.metadata
  const shoot = cluster?.spec.shoot.metadata?.name
  const [secret, infrastructure] = await Promise.all([
    secretOf(kubernetes, object),
    shoot ? kubernetes.get(kinds.Infrastructure.resource, { namespace, name: shoot }) : undefined,
  ])
  return { secret, infrastructure }
}

const secretOf = async (kubernetes: StepKubernetes, object: Bastion): Promise<Secret> => {
  const ref = credentialsRefOf(object)
  if (ref === undefined) throw new TypeError('a Bastion has no namespace')
  const found = await kubernetes.get(secrets, ref)
  return decodeSecret(found, ref, ', which contains the credentials of the shoot')
}

type ContinuedBastion = Extract<BastionOutcome | BastionRemoval, { readonly kind: 'continue' }>

const reporting =
  ({ log }: StepContext<Bastion>) =>
  (actions: readonly string[]) =>
    log.info('bastion differs', { actions })

const reportLeft = ({ log }: StepContext<Bastion>, left: readonly Namesake[]): void => {
  if (left.length > 0) log.warn('resources are orphaned', { resources: left })
}

/** A merge patch: null removes a name that the instance no longer has. */
const ingressOf = ({ ip, hostname }: BastionEndpoint) => ({ ip: ip ?? null, hostname: hostname ?? null })
