import { AwsError } from '../../../../terraform-free-infra/aws/account/errors/aws-error.ts'

/**
 * Returns true if the call of this error may have taken effect: without an answer of EC2, or with an error of its
 * servers other than a lack of capacity ("Server error codes", "Error codes for the Amazon EC2 API").
 */
export const mayHaveHappened = (error: unknown): boolean =>
  !(error instanceof AwsError) ||
  error.origin !== 'aws' ||
  error.status === undefined ||
  (error.status >= 500 && !error.code.startsWith('Insufficient'))
