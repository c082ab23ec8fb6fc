import * as z from 'zod'
import { CodedError } from '../../contract/errors.ts'
import type { GroupVersionResource, Kubernetes, KubernetesObject } from '../../kubernetes/port.ts'
import type { Secret } from '../actuator.ts'

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

const secretSchema = z.object({
  metadata: z.object({ labels: z.record(z.string(), z.string()).optional() }),
  data: z.record(z.string(), z.base64()).optional(),
})

/**
 * Reads a Secret and decodes its data.
 *
 * Throws a `CodedError` with `ERR_CONFIGURATION_PROBLEM` when it is missing or malformed; the text names the Secret
 * and the key, never a value.
 */
export const readSecret = async (
  kubernetes: Kubernetes,
  ref: SecretRef,
  signal: AbortSignal,
): Promise<Secret> => {
  const what = `reading the Secret ${ref.namespace}/${ref.name} of spec.secretRef`
  const problem = (message: string) =>
    new CodedError(`${what}: ${message}`, { codes: ['ERR_CONFIGURATION_PROBLEM'] })
  const object = await kubernetes.get(secrets, ref, { signal })
  if (object === undefined) throw problem('there is no such Secret')
  const parsed = secretSchema.safeParse(object)
  if (!parsed.success) {
    const paths = parsed.error.issues.map(issue => issue.path.join('.')).join(', ')
    throw problem(`it is malformed at ${paths}: expected base64 text`)
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
    return await readSecret(kubernetes, ref, signal)
  } catch (error) {
    if (error instanceof CodedError) return undefined
    throw error
  }
}

const decode = (base64: string): string =>
  new TextDecoder().decode(Uint8Array.from(atob(base64), char => char.charCodeAt(0)))

/** Takes the values of a Secret out of a text that a user will read. Short values (ids, flags) stay. */
export const redact = (text: string, secret: Secret | undefined): string => {
  if (secret === undefined) return text
  return Object.values(secret.data)
    .map(value => value.trim())
    .filter(value => value.length >= shortestSecret)
    .sort((a, b) => b.length - a.length)
    .reduce((redacted, value) => redacted.replaceAll(value, '[redacted]'), text)
}

/** A value shorter than this is no secret: regions, flags, names of a few letters. */
const shortestSecret = 12
