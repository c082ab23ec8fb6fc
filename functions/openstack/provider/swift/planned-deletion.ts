import { isNotFound } from '../../../../terraform-free-infra/openstack/account/openstack.ts'
import { pageSize, type SwiftContainer } from './container.ts'

/** A change in Swift, with a description for users. */
export interface ContainerAction {
  readonly kind: 'create' | 'delete'
  readonly sentence: string
}

/** Returns the deletion of the objects with a prefix or, without one, of the container. Empty if there is nothing. */
export const plannedDeletion = async (
  container: SwiftContainer,
  prefix: string,
): Promise<readonly ContainerAction[]> => {
  const { name } = container
  try {
    const { length } = (await container.list(prefix, undefined)).entries
    const objects = `${length === pageSize ? 'at least ' : ''}${length} ${length === 1 ? 'object' : 'objects'}`
    const beside = length === 0 ? '' : ` with ${objects}`
    if (prefix === '') return [{ kind: 'delete', sentence: `delete container ${name}${beside}` }]
    return length === 0
      ? []
      : [{ kind: 'delete', sentence: `delete ${objects} under ${prefix} of container ${name}` }]
  } catch (error) {
    if (isNotFound(error)) return []
    throw error
  }
}
