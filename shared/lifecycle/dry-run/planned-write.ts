import type { NotedWrite } from './noted-kubernetes.ts'

/** A write of a plan without its content, which may be secret. */
export interface PlannedWrite {
  readonly verb: 'create' | 'patch' | 'apply' | 'delete'
  /** Plural with the subresource: `deployments/scale`. */
  readonly resource: string
  readonly name: string
}

/** `name`: replaces the object's name. */
export const plannedWrite = (write: NotedWrite, name: string = write.key.name): PlannedWrite => {
  const { verb, resource } = write
  const subresource = verb === 'patch' && write.subresource !== undefined ? `/${write.subresource}` : ''
  return { verb, resource: `${resource.plural}${subresource}`, name }
}
