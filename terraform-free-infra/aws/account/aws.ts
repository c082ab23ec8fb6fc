/** What whoever joins an area of AWS to something else needs beside its face: how AWS is reached, and what it says. */
export type { AwsConnection } from './client/client.ts'
export { type AwsRequestHandler, keepAliveHandler } from './client/request-handler.ts'
export { withoutNoise } from './errors/aws-error.ts'
export { awsClassifiers, withCodes } from './errors/step-error.ts'

// For the suites of other rooms, and benchmarks.

export { AwsError } from './errors/aws-error.ts'
export { stepError } from './errors/step-error.ts'
