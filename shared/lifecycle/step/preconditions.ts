import * as z from 'zod'
import { isForceDeletionConfirmed, isShootFailed } from '../../contract/cluster-facts.ts'
import { type ErrorCode, labels } from '../../contract/constants.ts'
import { CodedError, configurationProblem } from '../../contract/errors.ts'
import { clusterKind, type KindName } from '../../contract/kinds.ts'
import type { Cluster } from '../../contract/objects.ts'
import { parseCluster, parseObject } from '../../contract/parse.ts'
import { type Pause, pauseOf } from '../../contract/pause.ts'
import { formatProblems } from '../../decode/problems.ts'
import { namespaces, secrets } from '../../kubernetes/core-resources.ts'
import {
  hasStatus,
  type Kubernetes,
  KubernetesError,
  type KubernetesObject,
} from '../../kubernetes/kubernetes.ts'
import { errorOf } from '../../text/message-of.ts'
import type { Actuator, Secret } from '../actuator.ts'
import type { StepDeps } from '../backend.ts'
import { factsOf } from '../decide/facts.ts'
import { kindRules } from '../decide/kind-rules.ts'

/** The result of the checks before a claim. */
export interface ObjectCheck {
  /** The Secret of `spec.secretRef`. Undefined: missing, malformed, read later, or not needed. */
  readonly secret: Secret | undefined
  /**
   * The reason why the step cannot run: the object violates its schema, its Secret is missing or malformed, its Cluster
   * cannot be read, or the actuator's check refuses it. The lifecycle then writes only the status of the object.
   */
  readonly problem: Error | undefined
}

/**
 * Checks the object and its Secret. A kind that adds a finalizer to its Secret reads it only after adding its own
 * finalizer (docs/contract/lifecycle.md#create-and-reconcile). The actuator's check runs before a creation, not before
 * a deletion.
 *
 * Throws the errors of the Kubernetes port.
 */
export const checkObject = async (
  { kubernetes, backend }: StepDeps,
  object: KubernetesObject,
  operation: 'reconcile' | 'delete' | 'migrate' | 'restore',
  signal: AbortSignal,
): Promise<ObjectCheck> => {
  let secret: Secret | undefined
  try {
    const parsed = parseObject(backend.kind, object)
    if (!parsed.ok) throw configurationProblem(formatProblems(parsed.problems))
    const ref = secretRefOf(object)
    if (ref !== undefined && !backend.ignoresSecret && !kindRules[backend.kind].hasSecretFinalizer)
      secret = await readSecret(kubernetes, ref, signal)
    const checks = operation === 'reconcile' || operation === 'restore'
    return {
      secret,
      problem: checks ? await problemIn(backend, { object: parsed.object, secret }) : undefined,
    }
  } catch (error) {
    if (error instanceof CodedError) return { secret, problem: error }
    throw error
  }
}

/**
 * Returns the reason why the actuator's check refuses the object. Includes any thrown value, so that the status always
 * shows it.
 */
const problemIn = async (
  { actuator }: StepDeps['backend'],
  input: Parameters<NonNullable<Actuator['check']>>[0],
): Promise<Error | undefined> => {
  try {
    await actuator.check?.(input)
    return undefined
  } catch (error) {
    return errorOf(error)
  }
}

/** The Cluster of an object by the rule of its kind (docs/contract/lifecycle.md#reading-the-cluster). */
export type ClusterLookup = (
  | { readonly kind: 'found'; readonly cluster: Cluster }
  | { readonly kind: 'none' }
  | { readonly kind: 'failed-shoot' }
  /**
   * The Cluster is required but missing, forbidden, or cannot be decoded: retried with backoff. The status reports it,
   * unlike that of the Go library (docs/contract/lifecycle.md#reading-the-cluster).
   */
  | {
      readonly kind: 'unreadable'
      readonly error: Error
      /** True if its Shoot forces the deletion, even if the rest cannot be decoded. */
      readonly forced: boolean
    }
) & {
  /** The pause of the shoot, also if the rest of its Cluster cannot be decoded. */
  readonly pause?: Pause | undefined
}

/**
 * Reads the Cluster. For a kind with one only in a shoot's namespace, reads the namespace's role only if the Cluster is
 * missing, which usually saves a request.
 *
 * Throws the errors of the Kubernetes port when the API server does not respond.
 */
export const clusterOf = async (
  kubernetes: Kubernetes,
  kind: KindName,
  object: KubernetesObject,
  signal: AbortSignal,
): Promise<ClusterLookup> => {
  const rules = kindRules[kind]
  const { namespace } = object.metadata
  if (rules.cluster === 'never' || namespace === undefined) return { kind: 'none' }
  if (factsOf(object).extensionClass !== 'shoot') return { kind: 'none' }

  let found: KubernetesObject | undefined
  try {
    found = await unlessForbidden(
      `reading the Cluster ${namespace}`,
      kubernetes.get(clusterKind.resource, { name: namespace }, { signal }),
    )
  } catch (error) {
    if (error instanceof CodedError) return { kind: 'unreadable', error, forced: false }
    throw error
  }
  if (found !== undefined) {
    const pause = pauseOf(found.metadata)
    const parsed = parseCluster(found)
    if (!parsed.ok) {
      const error = new Error(`cannot decode the Cluster ${namespace}: ${formatProblems(parsed.problems)}`)
      return { kind: 'unreadable', error, forced: ordersForce(kind, found), pause }
    }
    if (rules.stopsForFailedShoot && isShootFailed(parsed.object)) return { kind: 'failed-shoot', pause }
    return { kind: 'found', cluster: parsed.object, pause }
  }
  if (rules.cluster === 'in-shoot-namespace') {
    const role = (await kubernetes.get(namespaces, { name: namespace }, { signal }))?.metadata.labels?.[
      labels.role
    ]
    if (role !== 'shoot') return { kind: 'none' }
  }
  const error = new KubernetesError(404, 'NotFound', `the namespace ${namespace} of the shoot has no Cluster`)
  return { kind: 'unreadable', error, forced: false }
}

const shootAnnotations = z.object({
  spec: z.object({
    shoot: z.object({ metadata: z.object({ annotations: z.record(z.string(), z.string()) }) }),
  }),
})

const ordersForce = (kind: KindName, cluster: KubernetesObject): boolean => {
  const { data } = shootAnnotations.safeParse(cluster)
  return kindRules[kind].forceDelete === 'shoot annotation' && !!data && isForceDeletionConfirmed(data)
}

/** The reference to an object's Secret. */
export interface SecretRef {
  readonly name: string
  readonly namespace: string
}

const referring = z.object({
  spec: z.object({ secretRef: z.object({ name: z.string().min(1), namespace: z.string().min(1) }) }),
})

/** Returns `spec.secretRef`, or undefined for kinds without one. */
export const secretRefOf = (object: KubernetesObject): SecretRef | undefined =>
  referring.safeParse(object).data?.spec.secretRef

/**
 * Returns the Secret with the actuator's cloud credentials: `spec.secretRef`; for a Bastion without one, that of its
 * shoot (docs/contract/kinds.md#bastion); for a SelfHostedShootExposure, `spec.credentialsRef`. The lifecycle itself
 * reads only the first.
 */
export const credentialsRefOf = (object: KubernetesObject): SecretRef | undefined => {
  const { namespace } = object.metadata
  if (object.kind === 'Bastion' && namespace !== undefined) return { name: 'cloudprovider', namespace }
  if (object.kind === 'SelfHostedShootExposure' && namespace !== undefined) {
    const name: unknown = Object(Object(object.spec).credentialsRef).name
    return typeof name === 'string' && name !== '' ? { name, namespace } : undefined
  }
  return secretRefOf(object)
}

const secretSchema = z.object({
  metadata: z.object({ labels: z.record(z.string(), z.string()).optional() }),
  data: z.record(z.string(), z.base64()).optional(),
})

/**
 * Reads a Secret and decodes its data.
 *
 * Throws a `CodedError`: with `ERR_CONFIGURATION_PROBLEM` if it is missing or malformed, without a code if the read is
 * forbidden. The text names the Secret and the key, never a value.
 */
export const readSecret = async (
  kubernetes: Kubernetes,
  ref: SecretRef,
  signal: AbortSignal,
): Promise<Secret> => {
  const reading = kubernetes.get(secrets, ref, { signal })
  const doing = `reading the Secret ${ref.namespace}/${ref.name} of spec.secretRef`
  return decodeSecret(await unlessForbidden(doing, reading), ref, ' of spec.secretRef')
}

/**
 * A forbidden read becomes the attempt's error, so that the object shows why it waits. It has no code: an operator must
 * apply a ClusterRole.
 */
const unlessForbidden = async <T>(doing: string, reading: Promise<T>): Promise<T> => {
  try {
    return await reading
  } catch (error) {
    if (!hasStatus(error, 403)) throw error
    throw new CodedError(`${doing}: ${error.message}`, { codes: [], cause: error })
  }
}

const noSuchSecret = 'not found'

const secretProblem = (
  { namespace, name }: SecretRef,
  whose: string,
  message: string,
  codes: readonly ErrorCode[] = ['ERR_CONFIGURATION_PROBLEM'],
): CodedError => new CodedError(`cannot read the Secret ${namespace}/${name}${whose}: ${message}`, { codes })

/**
 * Returns the error for a missing Secret of `spec.secretRef`, which gardenlet writes. It has no code, because the code
 * for a configuration problem would end gardenlet's retries, and no user can create the Secret.
 */
export const missingSecret = (ref: SecretRef): CodedError =>
  secretProblem(ref, ' of spec.secretRef', noSuchSecret, [])

/**
 * Decodes the data of a Secret that was read or is missing. Throws like `readSecret`; the text `whose` follows its
 * name.
 */
export const decodeSecret = (object: KubernetesObject | undefined, ref: SecretRef, whose: string): Secret => {
  if (object === undefined) throw secretProblem(ref, whose, noSuchSecret)
  const parsed = secretSchema.safeParse(object)
  if (!parsed.success) {
    const paths = parsed.error.issues.map(issue => issue.path.join('.')).join(', ')
    throw secretProblem(ref, whose, `invalid value at ${paths}: expected base64 text`)
  }
  const data = Object.fromEntries(
    Object.entries(parsed.data.data ?? {}).map(([key, value]) => [key, decode(value)]),
  )
  return { ...ref, labels: parsed.data.metadata.labels ?? {}, data }
}

/** Returns the decoded values of a Secret, or none if it is missing or malformed. */
export const secretValues = (object: KubernetesObject | undefined): readonly string[] =>
  Object.values(secretSchema.safeParse(object).data?.data ?? {}).map(decode)

/** Returns the decoded Secret of an object. Undefined if it is missing, malformed or not named. */
export const findSecret = async (
  kubernetes: Kubernetes,
  object: KubernetesObject,
  signal: AbortSignal,
): Promise<Secret | undefined> => {
  const ref = secretRefOf(object)
  if (ref === undefined) return undefined
  try {
    return decodeSecret(await kubernetes.get(secrets, ref, { signal }), ref, ' of spec.secretRef')
  } catch (error) {
    if (error instanceof CodedError) return undefined
    throw error
  }
}

const decode = (base64: string): string =>
  new TextDecoder().decode(Uint8Array.from(atob(base64), char => char.charCodeAt(0)))
