import { lifecyclePermissions } from '../../shared/lifecycle/lifecycle.ts'
import type { FunctionDefinition } from '../../shared/runtime/runtime.ts'
import type { AuditedRequest } from './audit.ts'

/** What the manifest of a function grants, each once: `patch dnsrecords.extensions.gardener.cloud/status`. */
export const grantsOf = (definition: FunctionDefinition): readonly string[] => {
  const permissions = [...lifecyclePermissions(definition.kind, definition), ...definition.permissions]
  const granted = permissions.flatMap(({ resource: { plural, group }, subresource, verbs }) =>
    verbs.map(
      verb =>
        `${verb} ${plural}${group === '' ? '' : `.${group}`}${subresource === undefined ? '' : `/${subresource}`}`,
    ),
  )
  return [...new Set(granted)].toSorted()
}

/** What was asked for, in the same words. */
export const usedOf = (requests: readonly AuditedRequest[]): readonly string[] =>
  [...new Set(requests.map(({ verb, resource }) => `${verb} ${resource}`))].toSorted()

export const forbiddenOf = (requests: readonly AuditedRequest[]): readonly AuditedRequest[] =>
  requests.filter(({ status }) => status === 401 || status === 403)
