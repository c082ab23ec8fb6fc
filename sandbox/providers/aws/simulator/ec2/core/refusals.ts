import { type NotBuilt, notBuilt, notImplemented } from '../../serve/not-built.ts'
import { commonRefusals } from '../../serve/refusals.ts'
import { type Refusals, refuse, type ServiceError } from '../../service.ts'

/** `InvalidParameterValue`: the request has an impossible value. */
export const invalidValue = (message: string): ServiceError => refuse('InvalidParameterValue', message)

/** `Value (x) for parameter cidrBlock is invalid. This is not a valid CIDR block.` */
export const invalidParameter = (name: string, value: unknown, reason: string): ServiceError =>
  invalidValue(`Value (${String(value)}) for parameter ${name} is invalid. ${reason}`)

export const invalidCombination = (message: string): ServiceError =>
  refuse('InvalidParameterCombination', message)

export const missingParameter = (name: string): ServiceError =>
  refuse('MissingParameter', `The request must contain the parameter ${name}`)

/** `The vpc 'vpc-1' has dependencies and cannot be deleted.` */
export const hasDependencies = (noun: string, id: string): ServiceError =>
  refuse('DependencyViolation', `The ${noun} '${id}' has dependencies and cannot be deleted.`)

/** The error for a feature that AWS has and the simulator lacks. Such a feature is never silently ignored. */
export const unsupported = (what: string): NotBuilt => notBuilt(what)

/** @throws AwsError with the given code if the limit is reached */
export const checkLimit = (count: number, limit: number | undefined, error: () => ServiceError): void => {
  if (limit !== undefined && count >= limit) throw error()
}

/** EC2's wording of errors that occur before an operation runs: "Error codes", EC2 API reference. */
export const ec2Refusals: Refusals = {
  ...commonRefusals,
  malformed: error =>
    error.kind === 'value'
      ? {
          code: 'InvalidParameterValue',
          message: `Value for parameter ${error.subject} is invalid: ${error.message}`,
        }
      : { code: 'MalformedQueryString', message: error.message, status: 400 },
  notBuilt: what => ({ ...notImplemented(what), code: 'UnsupportedOperation', status: 400 }),
  incomplete: ([first]) => ({
    code: 'MissingParameter',
    message: `The request must contain the parameter ${first ? [...first.path, first.member].join('.') : ''}`,
    status: 400,
  }),
  throttled: () => ({ code: 'RequestLimitExceeded', message: 'Request limit exceeded.', status: 503 }),
  accessDenied: (principal, action, resource) => ({
    code: 'UnauthorizedOperation',
    message: `You are not authorized to perform this operation. User: ${principal.arn} is not authorized to perform: ${action}${resource === undefined ? '' : ` on resource: ${resource}`} because no identity-based policy allows the ${action} action`,
    status: 403,
  }),
  unknownKey: () => ({
    code: 'AuthFailure',
    message: 'AWS was not able to validate the provided access credentials',
    status: 401,
  }),
  wrongSignature: detail => ({
    code: 'AuthFailure',
    message: detail ?? 'AWS was not able to validate the provided access credentials',
    status: 401,
  }),
  expiredSession: () => ({ code: 'RequestExpired', message: 'Request has expired.', status: 400 }),
  unsigned: () => ({
    code: 'MissingParameter',
    message: 'The request must contain the parameter AWSAccessKeyId',
    status: 400,
  }),
}
