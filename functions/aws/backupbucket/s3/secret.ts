import type { Secret } from '../../../../shared/lifecycle/lifecycle.ts'
import { readCredentials } from '../../../../terraform-free-infra/aws/account/credentials/read-credentials.ts'

export { roleArnOf } from '../../../../terraform-free-infra/aws/account/credentials/read-credentials.ts'

/** Throws a `CodedError` if a Secret contains no usable S3 credentials. */
export const checkSecret = async (secret: Secret): Promise<void> => {
  await readCredentials(secret)
}
