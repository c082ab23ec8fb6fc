import { isRecord } from '../decode/record-of.ts'
import type { KubernetesObject } from '../kubernetes/kubernetes.ts'

const lastApplied = 'kubectl.kubernetes.io/last-applied-configuration'

/** Stands for a value that a journal never contains. */
export const leftOut = '[left out]'

/**
 * Returns an object as a journal contains it: without fields that only API servers need, without copies of earlier
 * versions, and without fields that may contain credentials of nodes. Undefined for a Secret.
 */
export const writtenObject = (object: KubernetesObject): KubernetesObject | undefined => {
  if (object.kind === 'Secret') return undefined
  const { managedFields: _, annotations, ...metadata } = object.metadata
  const { [lastApplied]: __, ...kept } = annotations ?? {}
  const written = { ...object, metadata: { ...metadata, ...(annotations && { annotations: kept }) } }
  // Only these kinds have such fields, and a copy of each object takes time.
  return mayHoldUserData.has(object.kind) ? (withoutUserData(written) as KubernetesObject) : written
}

/** A Worker has the user data of its nodes, an OperatingSystemConfig their files. Both may contain bootstrap tokens. */
const mayHoldUserData = new Set(['Worker', 'OperatingSystemConfig', 'Bastion'])

/** Names of fields with user data: `spec.pools[].userData`, `spec.userData`, `spec.files[].content.inline.data`. */
const userData = new Set(['userData', 'inline'])

const withoutUserData = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(withoutUserData)
  if (!isRecord(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      userData.has(name) ? leftOut : withoutUserData(inner),
    ]),
  )
}
