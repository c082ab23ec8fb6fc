import type { ApiContext } from './api-context.ts'
import { ApiError, pageNotFound } from './api-error.ts'
import { type ApiResponse, textResponse } from './api-request.ts'
import type { ResourceRequest } from './resource-path.ts'

/** Returns the response for a path without a resource: a `Status` in a built-in group, else plain text. */
export const nothingServed = (
  { registry }: Pick<ApiContext, 'registry'>,
  target: Pick<ResourceRequest, 'group' | 'version'> | undefined,
): ApiResponse => {
  const isBuiltIn = registry
    .all()
    .some(
      ({ custom, group, versions }) =>
        !custom && group === target?.group && versions.some(({ name }) => name === target.version),
    )
  if (!isBuiltIn) return textResponse(404, pageNotFound)
  throw new ApiError({
    code: 404,
    reason: 'NotFound',
    message: 'the server could not find the requested resource',
    details: {},
  })
}
