/** Shared parts for code that uses an area of AWS: the connection to AWS and its error texts. */
export type { AwsConnection } from './client/client.ts'
export { connectionOf } from './client/connection-of.ts'
export { type AwsRequestHandler, createRequestHandler } from './client/request-handler.ts'
export { withoutNoise } from './errors/aws-error.ts'
export { awsClassifiers, coded, withCodes } from './errors/step-error.ts'
export { waitSettings } from './wait-settings.ts'

// For the suites of other rooms.

export { AwsError } from './errors/aws-error.ts'
export { stepError } from './errors/step-error.ts'
