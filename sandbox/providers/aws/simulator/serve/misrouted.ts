import type { MalformedRequest } from '../codec/malformed.ts'
import type { WireError } from '../codec/wire-error.ts'
import type { Refusals } from '../service.ts'

/** Returns the error for a request that names no operation ("Common errors" in the services' API references). */
export const misrouted = (refusals: Refusals, error: MalformedRequest): WireError => {
  switch (error.kind) {
    case 'operation':
      return error.subject === ''
        ? { code: 'MissingAction', message: 'The request is missing an action.', status: 400 }
        : refusals.unknownOperation(error.subject)
    case 'method':
      return {
        code: 'MethodNotAllowed',
        message: 'The specified method is not allowed against this resource.',
        status: 405,
        members: { Method: error.subject },
      }
    case 'version':
      return { code: 'InvalidAction', message: error.message, status: 400 }
    case 'body':
    case 'value':
      return refusals.malformed(error)
  }
}
