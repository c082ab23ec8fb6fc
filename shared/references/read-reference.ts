import { referencePrefixes } from '../contract/constants.ts'
import { configurationProblem, RequeueAfterError } from '../contract/errors.ts'
import { recordOf, recordsOf, stringOf, valueAt } from '../decode/record-of.ts'
import { configMaps } from '../kubernetes/core-resources.ts'
import {
  continueSoon,
  decodeSecret,
  type StepContext,
  StepContinuesError,
  type StepKubernetes,
  secrets,
} from '../lifecycle/lifecycle.ts'
import { appliedWait, readManagedResource } from '../resources/resources.ts'
import { nearestName } from '../text/nearest-name.ts'

/** A kind that gardenlet copies to the seed. */
export type ReferencedKind = 'Secret' | 'ConfigMap' | 'WorkloadIdentity'

/** A resource of the Shoot's project, as its copy in the seed. */
export interface ReferencedResource {
  /** The name in the Shoot's `spec.resources`. */
  readonly name: string
  /** The kind in the project. */
  readonly kind: ReferencedKind
  /** The copy in the namespace of the object: `{ kind: 'Secret', name: 'ref-dns-token' }`. Pods can mount it. */
  readonly copy: { readonly kind: 'Secret' | 'ConfigMap'; readonly name: string }
  /**
   * The decoded data of the copy. That of a WorkloadIdentity has a `token`, and a `config` if its target system has
   * one. Never log the data of a Secret or WorkloadIdentity, or put it into an error.
   */
  readonly data: Readonly<Record<string, string>>
}

/** The limits of a reference. */
export interface ReferenceOptions {
  /** The accepted kinds. Default: Secret. */
  readonly kinds?: readonly ReferencedKind[]
  /** Keys that the data must have, with a value that is not empty. Default: none. */
  readonly keys?: readonly string[]
}

/**
 * API versions of the kinds, and the copies of gardenlet (gardener/gardener, `pkg/utils/gardener/resources.go`).
 */
const copies = {
  Secret: { apiVersion: 'v1', kind: 'Secret', prefix: referencePrefixes.object },
  ConfigMap: { apiVersion: 'v1', kind: 'ConfigMap', prefix: referencePrefixes.object },
  WorkloadIdentity: {
    apiVersion: 'security.gardener.cloud/v1alpha1',
    kind: 'Secret',
    prefix: referencePrefixes.workloadIdentity,
  },
} as const

/** The step of a primary or a secondary function that uses references. */
export type ReferringStep = Pick<StepContext, 'object' | 'cluster' | 'waited' | 'clock'> & {
  readonly kubernetes: Pick<StepKubernetes, 'get'>
}

/**
 * Reads the resource that the Shoot lists in `spec.resources` under a name, through gardenlet's copy in the namespace
 * of the object. Needs `referencePermissions`.
 *
 * Ends the step while gardenlet's last version of the copies is not applied yet, so that no step uses an old password.
 * The next steps wait for up to two minutes.
 *
 * Throws a `CodedError` with ERR_CONFIGURATION_PROBLEM if the Shoot does not list the name, if the kind is not accepted,
 * or if a key is missing. If the copy is missing, a `RequeueAfterError` of 10 s comes first, because gardenlet does not
 * wait until the copy is applied, and the code would end gardenlet's retries.
 *
 * @example
 * const token = await readReference(step, 'dns-token', { keys: ['token'] })
 * return done({ resources: statusResources([token]) })
 */
export const readReference = async (
  step: ReferringStep,
  name: string,
  { kinds = ['Secret'], keys = [] }: ReferenceOptions = {},
): Promise<ReferencedResource> => {
  const { kind, inProject, objectName } = findEntry(step, name, kinds)
  const { prefix, kind: copyKind } = copies[kind]
  const { namespace = '' } = step.object.metadata
  const copy = { kind: copyKind, name: `${prefix}${objectName}` }
  const text = `cannot read the ${kind} ${inProject} of spec.resources ${JSON.stringify(name)}`
  const key = { namespace, name: copy.name }

  if (kind !== 'WorkloadIdentity') await waitForCopies(step, namespace)
  const resource = copyKind === 'Secret' ? secrets : configMaps
  const found = await step.kubernetes.get(resource, key)
  if (found === undefined)
    throw notYet(
      step,
      `${text}: its copy ${namespace}/${copy.name} was not found. Create the ${kind} and reconcile the Shoot`,
    )
  const data =
    copyKind === 'Secret'
      ? decodeSecret(found, key, ` of spec.resources ${JSON.stringify(name)}`).data
      : Object.fromEntries(Object.entries(recordOf(found.data)).map(([at, value]) => [at, stringOf(value)]))
  const missing = keys.filter(wanted => !data[wanted])
  if (missing.length > 0) {
    const problem = `${text}: no value for ${missing.join(', ')}. Add it to the ${kind} and reconcile the Shoot`
    // Another controller writes the token of a WorkloadIdentity.
    throw kind === 'WorkloadIdentity' ? notYet(step, problem) : configurationProblem(problem)
  }
  return { name, kind, copy, data }
}

/**
 * gardenlet writes the copies as a ManagedResource, and requests the reconcile of the object without waiting for it
 * (gardener/gardener, `pkg/gardenlet/operation/botanist/resources.go`). It writes those of WorkloadIdentities itself.
 */
const waitForCopies = async (step: ReferringStep, namespace: string): Promise<void> => {
  const key = { namespace, name: 'referenced-resources' }
  const copies = await readManagedResource(step.kubernetes, key)
  if (copies === undefined || copies.metadata.deletionTimestamp !== undefined) return
  const wait = appliedWait(key, copies)
  if (wait.kind === 'over') return
  throw new StepContinuesError(
    continueSoon(step, {
      waitsFor: 'referenced resources',
      progress: 10,
      description: `Waiting until the resources of the Shoot's spec.resources are copied: ${wait.message}`,
      limitMs: 2 * 60_000,
    }),
  )
}

/** An item of the Shoot's `spec.resources`. */
interface ListedResource {
  readonly kind: ReferencedKind
  /** The name in the project. */
  readonly objectName: string
  /** `garden-rose/dns-token`, for users. */
  readonly inProject: string
}

const findEntry = (
  { object, cluster }: Pick<StepContext, 'object' | 'cluster'>,
  name: string,
  kinds: readonly ReferencedKind[],
): ListedResource => {
  const shown = JSON.stringify(name)
  if (cluster === undefined)
    throw configurationProblem(
      `cannot resolve the reference ${shown}: the namespace ${object.metadata.namespace} belongs to no shoot. Remove the reference`,
    )
  const { metadata, spec } = cluster.spec.shoot
  const project = metadata?.namespace ?? ''
  const shoot = `the Shoot ${project}/${metadata?.name ?? ''}`
  const entries = recordsOf(valueAt(spec, 'resources'))
  const entry = entries.find(one => one.name === name)
  if (entry === undefined) {
    const near = nearestName(
      name,
      entries.map(one => stringOf(one.name)),
    )
    const hint = near === undefined ? '' : ` (did you mean ${near}?)`
    throw configurationProblem(
      `cannot resolve the reference ${shown}: ${shoot} has no such name in spec.resources${hint}. Add it or fix the reference`,
    )
  }
  const { apiVersion, kind, name: objectName } = recordOf(entry.resourceRef)
  const known = kinds.find(one => one === kind && copies[one].apiVersion === apiVersion)
  if (known === undefined)
    throw configurationProblem(
      `cannot use spec.resources ${shown} of ${shoot}: expected the kind ${kinds.join(' or ')}, found ${kind} of ${apiVersion}`,
    )
  return { kind: known, objectName: stringOf(objectName), inProject: `${project}/${stringOf(objectName)}` }
}

/** Returns the error without a code on the first attempt, and with one if the status already reports it. */
const notYet = ({ object }: Pick<StepContext, 'object'>, text: string): Error =>
  stringOf(valueAt(object.status, 'lastError', 'description')).includes(text)
    ? configurationProblem(text)
    : new RequeueAfterError(new Error(text), 10_000)

/** An item of `status.resources`. */
export interface StatusResource {
  readonly name: string
  readonly resourceRef: { readonly apiVersion: 'v1'; readonly kind: string; readonly name: string }
}

/**
 * Returns `status.resources` for the resources that an object uses. gardenlet moves the listed copies to another seed
 * with the shoot (gardener/gardener, `pkg/utils/gardener/shootstate/shootstate.go`). Write them with the success of a reconcile, also
 * an empty list: gardenlet cannot move a shoot whose status lists a copy that no longer exists.
 *
 * @example
 * const [token, bundle] = await Promise.all(['dns-token', 'dns-ca'].map(name => readReference(step, name)))
 * return done({ resources: statusResources([token, bundle].filter(one => one !== undefined)) })
 */
export const statusResources = (used: readonly ReferencedResource[]): readonly StatusResource[] =>
  used.map(({ name, copy }) => ({ name, resourceRef: { apiVersion: 'v1', ...copy } }))
