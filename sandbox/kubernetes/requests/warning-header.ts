import type { ApiResponse } from './api-request.ts'

/** Adds warnings for the client to a response, after its own. */
export const warningHeader = (response: ApiResponse, warnings: readonly string[]): ApiResponse => {
  if (warnings.length === 0) return response
  const all = [response.headers.warning, ...warnings.map(text => `299 - ${JSON.stringify(text)}`)]
  return {
    ...response,
    headers: { ...response.headers, warning: all.filter(text => text !== undefined).join(', ') },
  }
}
