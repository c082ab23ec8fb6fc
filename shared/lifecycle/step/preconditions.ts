import * as z from 'zod'
import { isForceDeletionConfirmed, isShootFailed } from '../../contract/cluster-facts.ts'
import { type ErrorCode, labels } from '../../contract/constants.ts'
import { CodedError } from '../../contract/errors.ts'
import { clusterKind, type KindName } from '../../contract/kinds.ts'
import { errorOf } from '../../contract/message-of.ts'
import type { Cluster } from '../../contract/objects.ts'
import { parseCluster, parseObject } from '../../contract/parse.ts'
import { formatProblems } from '../../contract/problems.ts'
import {
  type GroupVersionResource,
  type Kubernetes,
  KubernetesError,
  type KubernetesObject,
} from '../../kubernetes/kubernetes.ts'
import type { Actuator, Secret } from '../actuator.ts'
import type { StepDeps } from '../backend.ts'
import { factsOf } from '../decide/facts.ts'
import { kindRules } from '../decide/kind-rules.ts'

/** What a step finds out before it claims an object. */
export interface ObjectCheck {
  /** The Secret of `spec.secretRef`; undefined: there is none, it is no good, it is read later, or nobody needs it. */
  readonly secret: Secret | undefined
  /**
   * The reason why the step cannot run: the object violates its schema, its Secret is missing or malformed, its Cluster cannot
   * be read, or the actuator's own check refuses it. The lifecycle then writes only the status of the object.
   */
  readonly problem: Error | undefined
}

/**
 * Looks at the object and its Secret. A kind that keeps a finalizer on its Secret reads it only once it has its own finalizer
 * (docs/contract/lifecycle.md#create-and-reconcile). The actuator's check runs before something is made, not before
 * it is deleted.
 *
 * Throws what the Kubernetes port throws.
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
    if (!parsed.ok)
      throw new CodedError(formatProblems(parsed.problems), { codes: ['ERR_CONFIGURATION_PROBLEM'] })
    const ref = secretRefOf(object)
    if (ref !== undefined && !backend.ignoresSecret && !kindRules[backend.kind].keepsSecretFinalizer) {
      secret = await readSecret(kubernetes, ref, signal)
    }
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

/** The reason why the actuator's check refuses the object. Includes any thrown value, so that the status always shows it. */
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

/** The Cluster of an object, by the rule of its kind (docs/contract/lifecycle.md#reading-the-cluster). */
export type ClusterLookup =
  | { readonly kind: 'found'; readonly cluster: Cluster }
  | { readonly kind: 'none' }
  | { readonly kind: 'failed-shoot' }
  /**
   * It has to be there and is not, it may not be read, or it cannot be decoded: retried with backoff. The status reports it, although that of
   * the Go library does not (docs/contract/lifecycle.md#reading-the-cluster).
   */
  | {
      readonly kind: 'unreadable'
      readonly error: Error
      /** The Shoot in it orders to force the deletion, whatever else of it cannot be decoded. */
      readonly forced: boolean
    }

const namespaces: GroupVersionResource = { group: '', version: 'v1', plural: 'namespaces', namespaced: false }

/**
 * Reads the Cluster. A kind that has one only in a shoot's namespace asks for the Cluster first and for the
 * namespace's role only where there is none, which saves a request in the usual case.
 *
 * Throws what the Kubernetes port throws when the API server does not answer.
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
    const parsed = parseCluster(found)
    if (!parsed.ok) {
      const error = new Error(`decoding the Cluster ${namespace}: ${formatProblems(parsed.problems)}`)
      return { kind: 'unreadable', error, forced: ordersForce(kind, found) }
    }
    if (rules.stopsForFailedShoot && isShootFailed(parsed.object)) return { kind: 'failed-shoot' }
    return { kind: 'found', cluster: parsed.object }
  }
  if (rules.cluster === 'in-shoot-namespace') {
    const role = (await kubernetes.get(namespaces, { name: namespace }, { signal }))?.metadata.labels?.[
      labels.role
    ]
    if (role !== 'shoot') return { kind: 'none' }
  }
  const error = new KubernetesError(
    404,
    'NotFound',
    `there is no Cluster ${namespace} for the shoot's namespace`,
  )
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

export const secrets: GroupVersionResource = { group: '', version: 'v1', plural: 'secrets', namespaced: true }

/** Where the Secret of an object stands. */
export interface SecretRef {
  readonly name: string
  readonly namespace: string
}

const referring = z.object({
  spec: z.object({ secretRef: z.object({ name: z.string().min(1), namespace: z.string().min(1) }) }),
})

/** `spec.secretRef`; undefined for kinds without one. */
export const secretRefOf = (object: KubernetesObject): SecretRef | undefined =>
  referring.safeParse(object).data?.spec.secretRef

/**
 * The Secret by which the actuator of an object gets to its cloud: `spec.secretRef`; for a Bastion, which names none, the
 * one of its shoot (docs/contract/kinds.md#bastion), and for a SelfHostedShootExposure that of `spec.credentialsRef`. The
 * lifecycle itself reads only the first.
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
 * Throws a `CodedError`: with `ERR_CONFIGURATION_PROBLEM` when it is missing or malformed, without a code when it may not be
 * read. The text names the Secret and the key, never a value.
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
 * A read that the API server forbids is the problem of the attempt, so that the object says why it waits. Without a code: an
 * operator has to apply a ClusterRole.
 */
const unlessForbidden = async <T>(doing: string, reading: Promise<T>): Promise<T> => {
  try {
    return await reading
  } catch (error) {
    if (!(error instanceof KubernetesError && error.status === 403)) throw error
    throw new CodedError(`${doing}: ${error.message}`, { codes: [], cause: error })
  }
}

const noSuchSecret = 'there is no such Secret'

const secretProblem = (
  { namespace, name }: SecretRef,
  whose: string,
  message: string,
  codes: readonly ErrorCode[] = ['ERR_CONFIGURATION_PROBLEM'],
): CodedError => new CodedError(`reading the Secret ${namespace}/${name}${whose}: ${message}`, { codes })

/**
 * The error for a missing Secret of `spec.secretRef` that gardenlet writes. It has no code, because the code for a
 * configuration problem would end gardenlet's retries, and no user can create the Secret.
 */
export const missingSecret = (ref: SecretRef): CodedError =>
  secretProblem(ref, ' of spec.secretRef', noSuchSecret, [])

/** A Secret as it was found, or not found, with its data decoded. Throws as `readSecret` does; `whose` follows its name. */
export const decodeSecret = (object: KubernetesObject | undefined, ref: SecretRef, whose: string): Secret => {
  if (object === undefined) throw secretProblem(ref, whose, noSuchSecret)
  const parsed = secretSchema.safeParse(object)
  if (!parsed.success) {
    const paths = parsed.error.issues.map(issue => issue.path.join('.')).join(', ')
    throw secretProblem(ref, whose, `it is malformed at ${paths}: expected base64 text`)
  }
  const data = Object.fromEntries(
    Object.entries(parsed.data.data ?? {}).map(([key, value]) => [key, decode(value)]),
  )
  return { ...ref, labels: parsed.data.metadata.labels ?? {}, data }
}

/** The Secret that an object names, decoded; undefined when it is missing or malformed, or none is named. */
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
