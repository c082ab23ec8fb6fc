import type { KubernetesObject } from '../../../shared/kubernetes/port.ts'
import type { WriteOptions } from '../api-context.ts'
import { badRequest, type StatusCause } from '../api-error.ts'
import type { ServedResource } from '../resources/registry.ts'
import type { RuleChecker } from '../schema/cel-rules.ts'
import { applyDefaults } from '../schema/default.ts'
import { prune } from '../schema/prune.ts'
import { validate } from '../schema/validate.ts'

/** The object without unknown fields and with defaults; what happens to unknown ones is the client's choice. */
export const conform = (
  object: KubernetesObject,
  served: ServedResource,
  options: Pick<WriteOptions, 'fieldValidation' | 'warnings'>,
): KubernetesObject => {
  const { type, version } = served
  if (version.schema === undefined) return object
  const unknown: string[] = []
  const pruned = prune(object, version.schema, '', unknown)
  if (unknown.length > 0 && options.fieldValidation === 'Strict') {
    const list = unknown.map(path => `unknown field "${path}"`).join(', ')
    throw badRequest(cannotBeHandled(served, `strict decoding error: ${list}`))
  }
  if (options.fieldValidation === 'Warn') {
    for (const path of unknown) options.warnings.push(`unknown field "${path}"`)
  }
  if (!type.custom) {
    // Go decodes built-in kinds into typed fields: a wrong type is no object at all.
    const [fault] = validate(pruned, version.schema, '')
    if (fault) throw badRequest(cannotBeHandled(served, `${fault.field}: ${fault.message}`))
  }
  return applyDefaults(pruned, version.schema) as KubernetesObject
}

const cannotBeHandled = ({ type, version }: ServedResource, why: string): string =>
  `${type.kind} in version "${version.name}" cannot be handled as a ${type.kind}: ${why}`

/** What the schema and its rules find wrong. */
export const schemaFaults = (
  object: KubernetesObject,
  previous: KubernetesObject | undefined,
  { version }: ServedResource,
  rules: RuleChecker,
): readonly StatusCause[] => {
  if (version.schema === undefined) return []
  const causes = validate(object, version.schema, '')
  // Rules read typed values: they run only on what has the right shape.
  return causes.length > 0 ? causes : rules.check(object, previous, version.schema)
}
