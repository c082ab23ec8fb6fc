import { rbacResource } from '../../shared/kubernetes/kubernetes.ts'
import { lifecyclePermissions } from '../../shared/lifecycle/lifecycle.ts'
import type { FunctionDefinition } from '../../shared/runtime/runtime.ts'
import { fieldsOf, textOf } from './conditions.ts'
import { type ExpectedRight, objectsOf, type SeedFacts } from './seed-facts.ts'
import { targetOf } from './trigger-target.ts'

/** What the accounts of deployed functions should be allowed, by their definitions; several functions may share one. */
export const expectedRights = (
  seed: Pick<SeedFacts, 'reads'>,
  functions: readonly FunctionDefinition[],
): readonly ExpectedRight[] => {
  const services = new Map(objectsOf(seed, 'services').map(service => [service.metadata.name, service]))
  const rights = objectsOf(seed, 'triggers')
    .map(targetOf)
    .flatMap(({ functionName, service }) => {
      const definition = functions.find(({ name }) => name === functionName)
      const spec = fieldsOf(fieldsOf(fieldsOf(services.get(service)?.spec).template).spec)
      const account = textOf(spec.serviceAccountName)
      if (definition === undefined || account === '') return []
      return [...lifecyclePermissions(definition.kind, definition), ...definition.permissions].flatMap(
        permission =>
          permission.verbs.map(verb => ({
            account,
            verb,
            group: permission.resource.group,
            resource: rbacResource(permission),
          })),
      )
    })
  return [...new Map(rights.map(right => [JSON.stringify(right), right])).values()]
}
