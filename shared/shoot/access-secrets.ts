import { type DesiredObject, deleteObject, ensureObject } from '../kubernetes/ensure-object.ts'
import type { KubernetesObject } from '../kubernetes/kubernetes.ts'
import { listAll } from '../kubernetes/list-all.ts'
import { type StepKubernetes, secrets } from '../lifecycle/lifecycle.ts'

const purpose = { 'resources.gardener.cloud/purpose': 'token-requestor' }
const labels = { ...purpose, 'resources.gardener.cloud/class': 'shoot' }

const accountPrefix = 'serviceaccount.resources.gardener.cloud'

/**
 * Returns the name of the Secret with the token of a component.
 *
 * @example
 * const as = { kubeconfig: genericKubeconfigSecretName(cluster), token: accessSecretName('dns-sync') }
 */
export const accessSecretName = (component: string): string => `shoot-access-${component}`

const annotationsOf = (component: string): Readonly<Record<string, string>> => ({
  [`${accountPrefix}/name`]: component,
  [`${accountPrefix}/namespace`]: 'kube-system',
})

/** Returns true if it is the access Secret of any component. */
export const isAccessSecret = ({ metadata: { name, annotations = {} } }: KubernetesObject): boolean =>
  name === accessSecretName(annotations[`${accountPrefix}/name`] ?? '')

/**
 * Ensures the Secrets into which the resource manager writes a token for each component, for access to the shoot's API
 * server (docs/contract/control-planes.md#shoot-access). Sends one request if all exist. Ignores their data and
 * additions by others.
 *
 * @example
 * await ensureAccessSecrets(kubernetes, namespace, ['dns-sync'])
 */
export const ensureAccessSecrets = async (
  kubernetes: StepKubernetes,
  namespace: string,
  components: readonly string[],
): Promise<void> => {
  const present = new Map((await listed(kubernetes, namespace)).map(secret => [secret.metadata.name, secret]))
  await Promise.all(
    components.map(component =>
      ensureObject(kubernetes, desiredSecret(namespace, component), present.get(accessSecretName(component))),
    ),
  )
}

const desiredSecret = (namespace: string, component: string): DesiredObject => {
  const annotations = annotationsOf(component)
  const metadata = { name: accessSecretName(component), namespace, labels, annotations }
  return {
    resource: secrets,
    create: () => ({ apiVersion: 'v1', kind: 'Secret', metadata, type: 'Opaque' }),
    patch: ({ metadata: present }) => {
      const missing = {
        labels: missingOf(labels, present.labels ?? {}),
        annotations: missingOf(annotations, present.annotations ?? {}),
      }
      return Object.keys({ ...missing.labels, ...missing.annotations }).length === 0
        ? undefined
        : { metadata: missing }
    },
  }
}

/**
 * Deletes the access Secrets of the components. An annotation on each names its component.
 *
 * @example
 * await removeAccessSecrets(kubernetes, namespace, ['dns-sync'])
 */
export const removeAccessSecrets = async (
  kubernetes: StepKubernetes,
  namespace: string,
  components: readonly string[],
): Promise<void> => {
  const present = await listed(kubernetes, namespace)
  const ours = components.flatMap(component =>
    present.filter(({ metadata: { name, annotations = {} } }) => {
      return name === accessSecretName(component) && annotations[`${accountPrefix}/name`] === component
    }),
  )
  await Promise.all(ours.map(secret => deleteObject(kubernetes, secrets, secret)))
}

const missingOf = (
  desired: Readonly<Record<string, string>>,
  present: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(desired).filter(([key, value]) => present[key] !== value))

const listed = (kubernetes: StepKubernetes, namespace: string): Promise<readonly KubernetesObject[]> => {
  const labelSelector = Object.entries(purpose)
    .map(([key, value]) => `${key}=${value}`)
    .join(',')
  return listAll(kubernetes, secrets, { namespace, labelSelector })
}
