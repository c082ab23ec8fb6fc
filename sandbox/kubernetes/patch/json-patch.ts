import { applyPatch } from 'rfc6902'
import { ApiError, badRequest } from '../api-error.ts'
import { isRecord } from '../schema/structural-schema.ts'

type Operation = Parameters<typeof applyPatch>[1][number]

const verbs = new Set(['add', 'remove', 'replace', 'move', 'copy', 'test'])

const isOperation = (value: unknown): value is Operation =>
  isRecord(value) && typeof value.path === 'string' && verbs.has(String(value.op))

/** JSON patch (RFC 6902). A failed operation is a 422, as kube-apiserver answers it. */
export const jsonPatch = (target: unknown, patch: unknown): unknown => {
  if (!Array.isArray(patch) || !patch.every(isOperation)) {
    throw badRequest('json: cannot unmarshal the patch into a list of JSON patch operations')
  }
  const result = structuredClone(target)
  const failure = applyPatch(result, patch).find(error => error !== null)
  if (!failure) return result
  throw new ApiError({
    code: 422,
    reason: 'Invalid',
    message: `the server rejected our request due to an error in our request: ${failure.message}`,
  })
}
