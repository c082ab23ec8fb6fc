import type { Refusals } from '../service.ts'
import type { Violation } from './missing-members.ts'
import { notImplemented } from './not-built.ts'

const lowerFirst = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1)

/** Returns the path of a missing member as AWS's validators write it: `changeBatch.changes.1.member.action`. */
const placeOf = ({ path, member }: Violation): string =>
  [
    ...path.flatMap(step => (/^\d+$/.test(step) ? [step, 'member'] : [lowerFirst(step)])),
    lowerFirst(member),
  ].join('.')

/**
 * The wording that most services share. Sources: "Common Errors" in the API references of IAM, STS and Route 53, and
 * responses of the services.
 */
export const commonRefusals: Refusals = {
  malformed: error =>
    error.kind === 'value'
      ? { code: 'MalformedInput', message: `${error.subject}: ${error.message}`, status: 400 }
      : { code: 'MalformedInput', message: error.message, status: 400 },
  unknownOperation: name => ({
    code: 'InvalidAction',
    message: `The action ${name} is not valid for this web service.`,
    status: 400,
  }),
  notBuilt: notImplemented,
  tooLarge: largest => ({
    code: 'RequestEntityTooLarge',
    message: `The request is larger than ${largest} bytes.`,
    status: 413,
  }),
  incomplete: violations => ({
    code: 'ValidationError',
    message: `${violations.length} validation error${violations.length === 1 ? '' : 's'} detected: ${violations
      .map(
        violation =>
          `Value null at '${placeOf(violation)}' failed to satisfy constraint: Member must not be null`,
      )
      .join('; ')}`,
    status: 400,
  }),
  throttled: () => ({ code: 'Throttling', message: 'Rate exceeded', status: 400 }),
  accessDenied: (principal, action, resource, why) => ({
    code: 'AccessDenied',
    message: `User: ${principal.arn} is not authorized to perform: ${action}${resource === undefined ? '' : ` on resource: ${resource}`} ${why === 'not allowed' ? `because no identity-based policy allows the ${action} action` : 'with an explicit deny in a resource-based policy'}`,
    status: 403,
  }),
  unknownKey: () => ({
    code: 'InvalidClientTokenId',
    message: 'The security token included in the request is invalid.',
    status: 403,
  }),
  wrongSignature: detail => ({
    code: 'SignatureDoesNotMatch',
    message:
      detail ??
      'The request signature we calculated does not match the signature you provided. Check your AWS Secret Access Key and signing method. Consult the service documentation for details.',
    status: 403,
  }),
  expiredSession: () => ({
    code: 'ExpiredToken',
    message: 'The security token included in the request is expired',
    status: 403,
  }),
  unsigned: () => ({
    code: 'MissingAuthenticationToken',
    message: 'Request is missing Authentication Token',
    status: 403,
  }),
}
