import type { NotedWrite } from './noted-kubernetes.ts'

/** A write of a plan without what it holds, which may be secret. */
export interface PlannedWrite {
  readonly verb: 'create' | 'patch' | 'apply' | 'delete'
  /** Plural, with its subresource: `deployments/scale`. */
  readonly resource: string
  readonly name: string
}

/** `name`: what stands for that of the object. */
export const plannedWrite = (write: NotedWrite, name: string = write.key.name): PlannedWrite => {
  const { verb, resource } = write
  const subresource = verb === 'patch' && write.subresource !== undefined ? `/${write.subresource}` : ''
  return { verb, resource: `${resource.plural}${subresource}`, name }
}
