import { controllerSelector } from '../contract/health.ts'
import { deployments } from '../kubernetes/core-resources.ts'
import type { Kubernetes, KubernetesObject, Permission } from '../kubernetes/kubernetes.ts'

/** The permission for checks of Deployments in the API server, for functions that can already get them. */
export const deploymentsPermission: Permission & { readonly why: string } = {
  resource: deployments,
  verbs: ['list'],
  why: 'Reads the health of the controllers of a control plane.',
}

export type ReadDeployment = (name: string) => Promise<KubernetesObject | undefined>

/**
 * Reads the Deployments of a namespace for the checks of one run. The number of requests is the main cost of a run, so
 * one request reads all controllers of a control plane. Others are read by name, as are all if listing fails.
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
    // The function may lack the permission to list, or have an old role. Each single request then reports the problem.
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
