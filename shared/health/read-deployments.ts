import { controllerSelector } from '../contract/health.ts'
import type {
  GroupVersionResource,
  Kubernetes,
  KubernetesObject,
  Permission,
} from '../kubernetes/kubernetes.ts'

export const deployments: GroupVersionResource = {
  group: 'apps',
  version: 'v1',
  plural: 'deployments',
  namespaced: true,
}

/** What checks of Deployments do in the API server, for the definition of a function that gets them for itself anyway. */
export const deploymentsPermission: Permission & { readonly why: string } = {
  resource: deployments,
  verbs: ['list'],
  why: 'Whether the controllers of a control plane are healthy.',
}

/** A Deployment by its name; undefined: there is none. */
export type ReadDeployment = (name: string) => Promise<KubernetesObject | undefined>

/**
 * The Deployments of a namespace, for checks of one run: the controllers of a control plane in one request, as most of what a run
 * costs is its number of requests. One that is not among them is asked for by its name, as are all where they cannot be listed.
 */
export const readDeployments = (
  kubernetes: Pick<Kubernetes, 'get' | 'list'>,
  namespace: string,
  signal: AbortSignal,
): ReadDeployment => {
  const list = async (): Promise<readonly KubernetesObject[]> => {
    const { items } = await kubernetes.list(deployments, {
      namespace,
      labelSelector: controllerSelector,
      signal,
    })
    return items
  }
  let listed: Promise<readonly KubernetesObject[]> | undefined
  const read = new Map<string, Promise<KubernetesObject | undefined>>()
  const find: ReadDeployment = async name => {
    // A function that may only get them, or a role from before: each request then says what is wrong.
    listed ??= list().catch(() => [])
    const found = (await listed).find(({ metadata }) => metadata.name === name)
    return found ?? kubernetes.get(deployments, { name, namespace }, { signal })
  }
  return name => {
    const answer = read.get(name) ?? find(name)
    read.set(name, answer)
    return answer
  }
}
