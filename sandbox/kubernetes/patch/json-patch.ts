import { applyPatch } from 'rfc6902'
import { ApiError, badRequest } from '../requests/api-error.ts'
import { isRecord, type JsonRecord } from '../schema/structural-schema.ts'

type PatchOperation = Parameters<typeof applyPatch>[1][number]

const isOperation = (value: unknown): value is PatchOperation & JsonRecord =>
  isRecord(value) && typeof value.path === 'string'

/** Applies one operation. Unlike the RFC, kube-apiserver's library also replaces missing values. */
const applyOne = (target: unknown, operation: PatchOperation): boolean => {
  const [failure] = applyPatch(target, [operation])
  if (failure?.name !== 'MissingError' || operation.op !== 'replace') return failure === null
  return applyPatch(target, [{ ...operation, op: 'add' }])[0] === null
}

/** rfc6902 silently loses such a field, so it is refused, although kube-apiserver accepts it. */
const namesProto = ({ path, from, value }: JsonRecord): boolean =>
  `${path}/${from}`.split('/').includes(proto) || (JSON.stringify(value) ?? '').includes(`"${proto}":`)

const proto = '__proto__'

/** JSON patch (RFC 6902). A failed operation returns 422, as in kube-apiserver. */
export const jsonPatch = (target: unknown, patch: unknown): unknown => {
  if (!Array.isArray(patch) || !patch.every(isOperation)) {
    throw badRequest(
      'error decoding patch: json: cannot unmarshal the patch into Go value of type []handlers.jsonPatchOp',
    )
  }
  const result = structuredClone(target)
  if (!patch.some(namesProto) && patch.every(operation => applyOne(result, operation))) return result
  throw new ApiError({
    code: 422,
    reason: 'Invalid',
    message: 'the server rejected our request due to an error in our request',
    details: {},
  })
}
