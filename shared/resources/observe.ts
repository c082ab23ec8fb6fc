import type { ManagedResource } from '../contract/objects.ts'
import { parseManagedResource } from '../contract/parse.ts'
import { managedResourceKind } from '../contract/resource-kinds.ts'
import { formatProblems } from '../decode/problems.ts'
import type { KubernetesObject } from '../kubernetes/kubernetes.ts'
import { listAll } from '../kubernetes/list-all.ts'
import type { StepKubernetes } from '../lifecycle/lifecycle.ts'

/** The name and namespace of a ManagedResource. */
export interface ManagedResourceKey {
  readonly name: string
  readonly namespace: string
}

const { resource } = managedResourceKind

/** Throws if the object lacks the shape of its kind. */
export const parsedManagedResource = (object: KubernetesObject): ManagedResource => {
  const parsed = parseManagedResource(object)
  if (parsed.ok) return parsed.object
  const { name } = object.metadata
  throw new TypeError(`cannot read the ManagedResource ${name}: ${formatProblems(parsed.problems)}`)
}

/**
 * Reads a ManagedResource. Resolves to undefined if there is none.
 *
 * @example
 * const found = await readManagedResource(kubernetes, { namespace, name: 'extension-acme' })
 */
export const readManagedResource = async (
  kubernetes: Pick<StepKubernetes, 'get'>,
  { name, namespace }: ManagedResourceKey,
): Promise<ManagedResource | undefined> => {
  const object = await kubernetes.get(resource, { name, namespace })
  return object && parsedManagedResource(object)
}

/**
 * Returns all ManagedResources of a namespace by name, with one request.
 *
 * @example
 * const found = (await listManagedResources(kubernetes, namespace)).get('extension-acme')
 */
export const listManagedResources = async (
  kubernetes: Pick<StepKubernetes, 'list'>,
  namespace: string,
): Promise<ReadonlyMap<string, ManagedResource>> => {
  const objects = (await listAll(kubernetes, resource, { namespace })).map(parsedManagedResource)
  return new Map(objects.map(object => [object.metadata.name, object]))
}
