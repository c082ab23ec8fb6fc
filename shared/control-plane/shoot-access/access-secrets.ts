import { KubernetesError, type KubernetesObject } from '../../kubernetes/kubernetes.ts'
import type { StepKubernetes } from '../../lifecycle/lifecycle.ts'
import { secrets } from '../core-resources.ts'

const purpose = { 'resources.gardener.cloud/purpose': 'token-requestor' }
const labels = { ...purpose, 'resources.gardener.cloud/class': 'shoot' }

const accountPrefix = 'serviceaccount.resources.gardener.cloud'

const nameOf = (component: string): string => `shoot-access-${component}`

const annotationsOf = (component: string): Readonly<Record<string, string>> => ({
  [`${accountPrefix}/name`]: component,
  [`${accountPrefix}/namespace`]: 'kube-system',
})

/** Whether it is one of those, of whatever component. */
export const isAccessSecret = ({ metadata: { name, annotations = {} } }: KubernetesObject): boolean =>
  name === nameOf(annotations[`${accountPrefix}/name`] ?? '')

/** How often a write is made anew after somebody else has made, changed or deleted the Secret. */
const tries = 5

/**
 * Secrets into which the resource manager puts a token for each component, by which it reaches the shoot's API server
 * (docs/contract/control-planes.md#shoot-access). One request when all of them are there: data and what others have put
 * on them is left alone.
 */
export const keepAccessSecrets = async (
  kubernetes: StepKubernetes,
  namespace: string,
  components: readonly string[],
): Promise<void> => {
  const present = new Map((await listed(kubernetes, namespace)).map(secret => [secret.metadata.name, secret]))
  await Promise.all(
    components.map(component => keep(kubernetes, namespace, component, present.get(nameOf(component)))),
  )
}

const keep = async (
  kubernetes: StepKubernetes,
  namespace: string,
  component: string,
  listed: KubernetesObject | undefined,
): Promise<void> => {
  const key = { name: nameOf(component), namespace }
  const annotations = annotationsOf(component)
  let present = listed
  for (let attempt = 1; ; attempt++) {
    try {
      if (present === undefined) {
        const metadata = { ...key, labels, annotations }
        await kubernetes.create(secrets, { apiVersion: 'v1', kind: 'Secret', metadata, type: 'Opaque' })
        return
      }
      const { uid, labels: presentLabels = {}, annotations: presentAnnotations = {} } = present.metadata
      const missing = {
        labels: missingOf(labels, presentLabels),
        annotations: missingOf(annotations, presentAnnotations),
      }
      if (Object.keys({ ...missing.labels, ...missing.annotations }).length === 0) return
      await kubernetes.patch(secrets, key, { metadata: { uid, ...missing } })
      return
    } catch (error) {
      if (!isOvertaken(error) || attempt === tries) throw error
    }
    present = await kubernetes.get(secrets, key)
  }
}

/** Deletes those of the components, which their account says they are. */
export const removeAccessSecrets = async (
  kubernetes: StepKubernetes,
  namespace: string,
  components: readonly string[],
): Promise<void> => {
  const present = await listed(kubernetes, namespace)
  const ours = components.flatMap(component =>
    present.filter(({ metadata: { name, annotations = {} } }) => {
      return name === nameOf(component) && annotations[`${accountPrefix}/name`] === component
    }),
  )
  await Promise.all(
    ours.map(async ({ metadata: { name, uid } }) => {
      try {
        await kubernetes.delete(secrets, { name, namespace }, uid === undefined ? {} : { uid })
      } catch (error) {
        // Another one of the name by now.
        if (!(error instanceof KubernetesError && error.status === 409)) throw error
      }
    }),
  )
}

const missingOf = (
  desired: Readonly<Record<string, string>>,
  present: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(desired).filter(([key, value]) => present[key] !== value))

const isOvertaken = (error: unknown): boolean =>
  error instanceof KubernetesError && (error.status === 409 || error.status === 404)

const listed = async (
  kubernetes: StepKubernetes,
  namespace: string,
): Promise<readonly KubernetesObject[]> => {
  const labelSelector = Object.entries(purpose)
    .map(([key, value]) => `${key}=${value}`)
    .join(',')
  const found: KubernetesObject[] = []
  for (let next: string | undefined = ''; next !== undefined; ) {
    const page = await kubernetes.list(secrets, {
      namespace,
      labelSelector,
      limit: 500,
      ...(next !== '' && { continue: next }),
    })
    found.push(...page.items)
    next = page.continue || undefined
  }
  return found
}
