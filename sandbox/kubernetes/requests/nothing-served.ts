import type { ApiContext } from './api-context.ts'
import { ApiError, pageNotFound } from './api-error.ts'
import { type ApiResponse, textResponse } from './api-request.ts'
import type { ResourceRequest } from './resource-path.ts'

/** The answer to a path at which no resource is served: a `Status` in a group that is built in, else plain text. */
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
