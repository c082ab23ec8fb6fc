import type { ApiResponse } from './api-request.ts'

/** The same answer with warnings for the client, after those that it has. */
export const warningHeader = (response: ApiResponse, warnings: readonly string[]): ApiResponse => {
  if (warnings.length === 0) return response
  const all = [response.headers.warning, ...warnings.map(text => `299 - ${JSON.stringify(text)}`)]
  return {
    ...response,
    headers: { ...response.headers, warning: all.filter(text => text !== undefined).join(', ') },
  }
}
