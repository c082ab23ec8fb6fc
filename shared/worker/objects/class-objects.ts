import type { KubernetesObject } from '../../kubernetes/kubernetes.ts'
import { keyReplacement, replacement } from '../../kubernetes/merge-patch.ts'
import type { MachineClassContent } from '../provider.ts'

/** Labels of every class Secret. The selector finds them. */
const classSecretLabels = { 'gardener.cloud/purpose': 'machineclass' }
export const classSecretSelector = 'gardener.cloud/purpose=machineclass'

interface NamespacedName {
  readonly name: string
  readonly namespace: string
}

/** @param userData base64, as in the API; secret */
export const newClassSecret = (key: NamespacedName, userData: string): KubernetesObject => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { ...key, labels: classSecretLabels },
  type: 'Opaque',
  data: { userData },
})

/**
 * Returns the patch that leaves only its label and the user data, or undefined if nothing differs. Annotations belong
 * to others.
 */
export const classSecretPatch = (present: KubernetesObject, userData: string): object | undefined => {
  const labels = replacement(present.metadata.labels, classSecretLabels)
  const data = replacement(present.data, { userData })
  if (labels === undefined && data === undefined) return undefined
  return { ...(labels !== undefined && { metadata: { labels } }), ...(data !== undefined && { data }) }
}

/** The fields of a class other than its metadata. The name of its Secret is separate. */
const classFields = (
  { name, namespace }: NamespacedName,
  { provider, providerSpec, nodeTemplate }: MachineClassContent,
  credentials: { readonly name?: string; readonly namespace?: string },
) => ({
  provider,
  credentialsSecretRef: { name: credentials.name, namespace: credentials.namespace },
  secretRef: { name, namespace },
  nodeTemplate,
  providerSpec,
})

export interface DesiredClass {
  readonly key: NamespacedName
  readonly content: MachineClassContent
  /** `spec.secretRef` of the Worker. */
  readonly credentials: { readonly name?: string; readonly namespace?: string }
}

export const newClass = ({ key, content, credentials }: DesiredClass): KubernetesObject => {
  const { nodeTemplate, ...fields } = classFields(key, content, credentials)
  return {
    apiVersion: 'machine.sapcloud.io/v1alpha1',
    kind: 'MachineClass',
    metadata: { ...key, ...(Object.keys(content.labels).length > 0 && { labels: content.labels }) },
    ...fields,
    ...(nodeTemplate && { nodeTemplate }),
  }
}

/**
 * Returns the patch that leaves only the labels and fields of its content, or undefined if nothing differs. Annotations
 * belong to others.
 */
export const classPatch = (
  present: KubernetesObject,
  { key, content, credentials }: DesiredClass,
): object | undefined => {
  const labels = replacement(present.metadata.labels ?? {}, content.labels)
  const fields = keyReplacement(present, classFields(key, content, credentials))
  if (labels === undefined && fields === undefined) return undefined
  return { ...fields, ...(labels !== undefined && { metadata: { labels } }) }
}
