import { commonRefusals } from '../serve/refusals.ts'
import type { Refusals } from '../service.ts'

const malformed = {
  code: 'MalformedXML',
  message: 'The XML you provided was not well-formed or did not validate against our published schema',
  status: 400,
} as const

/** Returns true for query and header parameters that are numbers or dates. All others are in XML. */
const isArgument = (name: string): boolean => /^(?:Max|PartNumber|If|Object|WriteOffset)/.test(name)

/** S3's wording ("Error responses", S3 API reference). */
export const s3Refusals: Refusals = {
  ...commonRefusals,
  malformed: error =>
    error.kind === 'value' && isArgument(error.subject)
      ? {
          code: 'InvalidArgument',
          message: `Provided ${error.subject} not an integer or within integer range`,
          status: 400,
          members: { ArgumentName: error.subject },
        }
      : malformed,
  unknownOperation: name => ({
    code: 'NotImplemented',
    message: `A header or query you provided implies functionality that is not implemented: ${name}`,
    status: 501,
  }),
  tooLarge: () => ({
    code: 'EntityTooLarge',
    message: 'Your proposed upload exceeds the maximum allowed size',
    status: 400,
  }),
  incomplete: ([first]) =>
    first && first.path.length === 0
      ? {
          code: 'InvalidRequest',
          message: `Missing required parameter for this request: '${first.member}'`,
          status: 400,
        }
      : malformed,
  throttled: () => ({ code: 'SlowDown', message: 'Please reduce your request rate.', status: 503 }),
  unknownKey: () => ({
    code: 'InvalidAccessKeyId',
    message: 'The AWS Access Key Id you provided does not exist in our records.',
    status: 403,
  }),
  wrongSignature: detail => ({
    code: 'SignatureDoesNotMatch',
    message:
      detail ??
      'The request signature we calculated does not match the signature you provided. Check your key and signing method.',
    status: 403,
  }),
  expiredSession: () => ({
    code: 'ExpiredToken',
    message: 'The provided token has expired.',
    status: 400,
  }),
  unsigned: () => ({ code: 'AccessDenied', message: 'Access Denied', status: 403 }),
}
