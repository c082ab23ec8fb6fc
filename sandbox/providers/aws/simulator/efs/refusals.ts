import { commonRefusals } from '../serve/refusals.ts'
import { type Refusals, refuse, type ServiceError } from '../service.ts'

/** EFS repeats the code in a member of the body ("Error responses", EFS API reference). */
export const refuseEfs = (
  code: string,
  message: string,
  members: Readonly<Record<string, unknown>> = {},
): ServiceError => refuse(code, message, { members: { ErrorCode: code, ...members } })

const badRequest = (message: string) => refuseEfs('BadRequest', message).wire

export const efsRefusals: Refusals = {
  ...commonRefusals,
  malformed: error =>
    badRequest(
      error.kind === 'value' ? `Invalid value for ${error.subject}: ${error.message}` : error.message,
    ),
  unknownOperation: name => ({
    code: 'UnknownOperationException',
    message: `Unknown operation: ${name}`,
    status: 404,
  }),
  incomplete: violations =>
    badRequest(`Missing required parameter: ${violations.map(({ member }) => member).join(', ')}`),
  throttled: () => ({ code: 'ThrottlingException', message: 'Rate exceeded', status: 429 }),
  accessDenied: (...given) => ({ ...commonRefusals.accessDenied(...given), code: 'AccessDeniedException' }),
  unknownKey: () => ({
    code: 'UnrecognizedClientException',
    message: 'The security token included in the request is invalid.',
    status: 403,
  }),
  wrongSignature: detail => ({
    ...commonRefusals.wrongSignature(detail),
    code: 'InvalidSignatureException',
  }),
  expiredSession: () => ({
    code: 'ExpiredTokenException',
    message: 'The security token included in the request is expired',
    status: 403,
  }),
  unsigned: () => ({
    code: 'MissingAuthenticationTokenException',
    message: 'Missing Authentication Token',
    status: 403,
  }),
}
